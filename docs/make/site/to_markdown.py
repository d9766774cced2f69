"""Texts of other formats as Markdown."""

from __future__ import annotations

# characters that Markdown, tables or equations would read
SPECIAL = {character: f"&#{ord(character)};" for character in "&<>*_[]|$`\\~^"}


def escape(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)


def code(text: str) -> str:
    """A piece of code within a line or a cell of a table."""
    return f"<code>{escape(text)}</code>" if text else ""


def table(head: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("\n", " ") for cell in line) + " |" for line in lines) + "\n"


def fence(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```\n"
