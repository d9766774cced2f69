"""The menu: every page is in it, in the group of its folder, with the title of its first heading."""

from __future__ import annotations

import re
from pathlib import Path

HOME = {"index.md": "Explorer", "overview.md": "Overview"}

# groups, and the pages in them: the first pattern that matches a path counts; within a group in this order, then by
# the order in which the first page of the folder links to them, then by title
GROUPS: dict[str, list[str]] = {
    "Tutorial": [r"docs/tutorial/(README|index)\.md", r"docs/tutorial/guide\.md", r"docs/tutorial/", r"examples/notebooks/",
                 r"(scenarios|examples)/README\.md"],
    "How-to": [
        r"docs/howto/(README|index)\.md",
        r"docs/howto/",
        r"docs/(faq|troubleshooting|from_\w+|coming_\w+)\.md",
        r"(bindings|integrations)/.*README\.md",
    ],
    "Reference": [r"docs/reference/(README|index)\.md", r"docs/reference/", r"docs/glossary\.md", r"docs/benchmarks\.md",
                  r"docs/robustness\.md"],
    "Explanation": [r"docs/explanation/(README|index)\.md", r"docs/explanation/", r"docs/[^/]*\.md"],
    "Reproduction": [r"docs/reproduction/summary\.md", r"docs/reproduction/"],
    "Project": [r"CHANGELOG\.md", r"CONTRIBUTING\.md", r".*README\.md", r".*"],
}
# folders with a menu of their own within their group
FOLDERS = {"examples/notebooks/": "Notebooks"}
# pages that programs write, below the group Reference
API = {"C library": "reference/c/", "Python package": "reference/python/"}

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^# +(.+?) *(?:\{#[^}]*\})?$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)")


def title_of(text: str, path: str) -> str:
    match = HEADING.search(FENCE.sub("", text))
    title = match[1] if match else Path(path).stem.replace("_", " ").capitalize()
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)  # a link: its text
    title = re.sub(r"[`*]|</?code>", "", title)
    return re.sub(r"&#(\d+);", lambda number: chr(int(number[1])), title)


def position_of(path: str) -> tuple[str, int]:
    for group, patterns in GROUPS.items():
        for index, pattern in enumerate(patterns):
            if re.fullmatch(pattern if pattern.endswith(r"\.md") else pattern + ".*", path):
                return group, index
    raise AssertionError(path)


def link_order(pages: dict[str, str], path: str) -> int:
    """The position of the link to a page on the first page of its folder."""
    folder = Path(path).parent
    for name in ("README.md", "index.md", "guide.md"):
        text = pages.get((folder / name).as_posix(), "")
        links = [Path(link).name for link in LINK.findall(text)]
        if Path(path).name in links:
            return links.index(Path(path).name)
    return 1000


def sorted_pages(pages: dict[str, str], paths: list[str]) -> list[str]:
    return sorted(paths, key=lambda path: (position_of(path)[1], link_order(pages, path), title_of(pages[path], path)))


def entry(title: str, path: str, indent: int) -> str:
    quoted = title.replace("'", "''")
    return f"{' ' * indent}- '{quoted}': '{path}'"


def listed(pages: dict[str, str], paths: list[str], indent: int) -> list[str]:
    """Entries of pages, those of FOLDERS one level deeper."""
    rows, last = [], ""
    for path in sorted_pages(pages, paths):
        folder = next((folder for folder in FOLDERS if path.startswith(folder)), "")
        rows += [f"{' ' * indent}- '{FOLDERS[folder]}':"] if folder and folder != last else []
        rows.append(entry(title_of(pages[path], path), path, indent + (4 if folder else 0)))
        last = folder
    return rows


def api_entries(pages: dict[str, str], indent: int) -> list[str]:
    rows = []
    for title, folder in API.items():
        first = folder + "index.md"
        others = sorted(path for path in pages if path.startswith(folder) and path != first)
        rows += [f"{' ' * indent}- '{title}':", entry("All headers" if "/c/" in folder else "All names", first, indent + 4)]
        rows += [entry(title_of(pages[path], path), path, indent + 4) for path in others]
    return rows


def write_menu(pages: dict[str, str]) -> list[str]:
    """The menu as mkdocs takes it, of pages (path: text)."""
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for path in pages:
        if path not in HOME and not path.startswith(tuple(API.values())):
            groups[position_of(path)[0]].append(path)
    rows = ["  - 'Home':", *(entry(title, path, 6) for path, title in HOME.items())]
    for group, paths in groups.items():
        entries = listed(pages, paths, 6) + (api_entries(pages, 6) if group == "Reference" else [])
        rows += [f"  - '{group}':", *entries] if entries else []
    return rows
