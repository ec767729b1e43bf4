"""Public pages of a desk: games, boards, clocks, lists, feeds and calendars (docs/pages.md).

`routes` gives each address its page: `games`, `listings`, `lessons`, `seats`, `feeds`. They stand on `site`, the
common parts, and on `markup`; `gate` and `server` stand before them.
"""

from referee.web.site.routes import Pages
from referee.web.site.server import Door, open_pages
from referee.web.site.site import EngineOffer, Site

__all__ = ["Door", "EngineOffer", "Pages", "Site", "open_pages"]
