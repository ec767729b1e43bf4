"""The referee in one HTML page: the answers of the page's worker, without the desk's store, and the file itself."""
