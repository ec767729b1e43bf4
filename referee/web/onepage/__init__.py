"""The referee in one HTML page: what the page's worker answers, and the file itself.

Each module but `one_page` and `parts` takes JSON and returns JSON. Nothing here knows the desk's store or mail.
"""
