"""GitHub's Markdown, in the form in which Python-Markdown means the same.

Lists may follow a paragraph without an empty line, and what belongs to an item is indented by the width of its marker:
Python-Markdown wants an empty line and four blanks for each level.
"""

from __future__ import annotations

import re

MARKER = re.compile(r"(?:[-*+]|\d{1,3}[.)]) +(?=\S)")
FENCE = re.compile(r"(`{3,}|~{3,})")
MATH = re.compile(r"\$`([^`\n]+)`\$")
NOTE = re.compile(r"^> \[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\n((?:>.*\n?)*)", re.MULTILINE)
NOTES = {"IMPORTANT": "info", "CAUTION": "danger"}


class Lists:
    """Lines, with lists indented by four blanks for each level."""

    def __init__(self) -> None:
        self.columns: list[int] = []  # where the content of each open item starts, in the source
        self.fence = ""  # that is open
        self.is_item = False  # does the present line start one?
        self.lines: list[str] = []

    def is_paragraph(self) -> bool:
        """Does the line before belong to a paragraph, outside of lists?"""
        last = self.lines[-1] if self.lines else ""
        return bool(last.strip()) and not last.startswith((" ", "|", "#", ">", "<", "```", "~~~"))

    def close_items(self, indent: int) -> None:
        """Ends items that a line with this indent does not belong to; text without an empty line before it does."""
        is_after_blank = not self.lines or not self.lines[-1].strip()
        while self.columns and indent < self.columns[-1] and (is_after_blank or self.is_item):
            self.columns.pop()

    def add(self, line: str) -> None:
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        opened = FENCE.match(body)
        if self.fence:
            self.put(line, min(indent, self.columns[-1] if self.columns else 0))
            self.fence = "" if body.rstrip() == self.fence else self.fence
            return
        if not body:
            self.lines.append("")
            return
        marker = MARKER.match(body)
        is_code = indent >= (self.columns[-1] if self.columns else 0) + 4
        self.is_item = bool(marker) and not is_code
        was_list = bool(self.columns)
        self.close_items(indent)
        if self.is_item and marker:
            if not was_list and self.is_paragraph() and body[0] in "-*+1":
                self.lines.append("")
            self.put(line, indent)
            self.columns.append(indent + marker.end())
            return
        self.put(line, min(indent, self.columns[-1] if self.columns else 0))
        self.fence = opened[1] if opened else ""

    def put(self, line: str, cut: int) -> None:
        self.lines.append(" " * 4 * len(self.columns) + line[cut:])


def to_note(match: re.Match[str]) -> str:
    """A note of GitHub as an admonition."""
    kind = NOTES.get(match[1], match[1].lower())
    lines = [line[1:].removeprefix(" ") for line in match[2].rstrip("\n").split("\n")]
    return f"!!! {kind}\n\n" + "\n".join("    " + line for line in lines) + "\n"


def from_github(text: str) -> str:
    text = NOTE.sub(to_note, MATH.sub(r"$\1$", text)).replace("<details>", "<details markdown>")
    lists = Lists()
    for line in text.split("\n"):
        lists.add(line)
    return "\n".join(lists.lines)
