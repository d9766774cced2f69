"""Pieces of Markdown, as GitHub and the site read it."""

from __future__ import annotations

import re
import textwrap


def escape(text: str) -> str:
    return re.sub(r"([*|<\\$])", r"\\\1", text)


def code(text: str) -> str:
    """Code in a line or a cell; a cell cannot hold "|" in backquotes."""
    if "|" in text:
        return "<code>" + text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;") + "</code>"
    return f"`{text}`" if text else ""


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def wrap(text: str) -> str:
    """Paragraphs at 100 columns."""
    parts = [textwrap.fill(" ".join(part.split()), 100, break_long_words=False, break_on_hyphens=False)
             for part in text.strip().split("\n\n")]
    return "\n\n".join(parts) + "\n"
