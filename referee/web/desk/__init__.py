"""Pages of a desk that everybody can read: games, boards, clocks, lists, feeds and calendars (docs/pages.md)."""

from referee.web.desk.routes import Pages
from referee.web.desk.server import Door, open_pages
from referee.web.desk.site import EngineOffer, Site

__all__ = ["Door", "EngineOffer", "Pages", "Site", "open_pages"]
