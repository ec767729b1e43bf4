"""The referee in one HTML page: the answers of the page's worker, and the file itself.

Each module except `one_page` and `parts` takes JSON and returns JSON, without the desk's store and mail.
"""
