"""Public pages of a desk: games, boards, clocks, lists, feeds and calendars (docs/pages.md)."""

from referee.web.site.routes import Pages
from referee.web.site.server import Door, open_pages
from referee.web.site.site import EngineOffer, Site

__all__ = ["Door", "EngineOffer", "Pages", "Site", "open_pages"]
