"""Executed notebooks as Markdown: texts, code, what it printed and drew."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from to_markdown import fence


def joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


class Notebook:
    """A notebook, as a page `text` and the pictures that the page shows, by their names."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.pictures: dict[str, bytes] = {}
        book = json.loads(path.read_text(encoding="utf-8"))
        self.text = "\n".join(part for cell in book["cells"] for part in self.read_cell(cell))

    def read_cell(self, cell: dict) -> list[str]:
        source = joined(cell["source"])
        if cell["cell_type"] == "markdown":
            return [source + "\n"]
        if cell["cell_type"] != "code" or not source.strip():
            return []
        return [fence(source, "python"), *(self.read_output(output) for output in cell.get("outputs", ()))]

    def read_output(self, output: dict) -> str:
        data = output.get("data", {})
        if "image/png" in data:
            name = f"{self.name}-{len(self.pictures) + 1}.png"
            self.pictures[name] = base64.b64decode(joined(data["image/png"]))
            meaning = joined(data.get("text/plain", "")).strip()
            alt = meaning if meaning and not meaning.startswith("<") else f"figure {len(self.pictures)} of this notebook"
            return f"![{alt}]({name})\n"
        text = joined(output.get("text", data.get("text/plain", ""))).rstrip()
        return fence(text, "text") if text else ""
