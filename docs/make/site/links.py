"""Checks every link of a site within it."""

from __future__ import annotations

import html.parser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(html.parser.HTMLParser):
    """What a page links to, and the names in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            elif value and name in ("id", "name"):
                self.names.add(value)


def read_links(page: Path) -> Links:
    found = Links()
    found.feed(page.read_text(encoding="utf-8", errors="replace"))
    return found


def broken_links(site: Path) -> tuple[int, list[str]]:
    """How many links there are, and those that lead nowhere: "page: link"."""
    pages = {page.resolve(): read_links(page) for page in site.rglob("*.html")}
    broken, count = [], 0
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or (not parts.path and not parts.fragment):
                continue
            count += 1
            base = site.resolve() if parts.path.startswith("/") else page.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            # the explorer keeps its state in the fragment; the theme's palette has names without an element
            named = target in pages and parts.fragment and "explorer" not in target.parts
            if not target.exists() or (named and unquote(parts.fragment) not in pages[target].names):
                broken.append(f"{page.relative_to(site.resolve())}: {link}")
    return count, broken
