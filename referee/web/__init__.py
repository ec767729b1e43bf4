"""The web: `api` for other programs, `site` with the pages of a desk, and `onepage`, the referee in one page.

It knows the desk, but no letters.
"""
