"""Builds the site: build.py ROOT OUT, from the tracked Markdown and notebooks, the explorer (build/web), the C reference
(build/site-reference/xml, by doxygen), the npm packages (build/npm) and the Python package, whose docstrings are the
Python reference: run it by the Python that has the package.

The pages keep their paths in a folder from which mkdocs builds the site, so that links between files hold; other files
that are linked are copied. Then equations are typeset, and every link is checked. No page loads anything from another host.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import c_pages
import python_pages
from gfm import from_github
from links import broken_links
from menu import title_of, write_menu
from notebooks import Notebook

HERE = Path(__file__).resolve().parent
LINK = re.compile(r"(\]\(|\b(?:src|href|srcset)=\")([^)#\s\"]+)((?:#[^)\s\"]*)?[)\"])")
FILE_LINK = re.compile(r"\[`?([\w./-]+\.md)`?\]\(([^)#\s]+\.md)(#[^)\s]*)?\)")
NAMED_PAGE = re.compile(r"(?<![\w/])docs/(?:\w|/|&#95;)+\.md")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)

# pages that the search lists first: their words count that much more. A word of a title counts 1000 times as much as one
# of a text (the theme's choice), so the tutorial needs more than that.
BOOSTS = {"docs/tutorial/": 4000.0, "docs/howto/": 20.0, "reference/": 0.5, "CHANGELOG": 0.05}


def tracked(root: Path, pattern: str) -> list[Path]:
    text = subprocess.run(["git", "ls-files", pattern], cwd=root, check=True, capture_output=True, text=True).stdout
    return [Path(name) for name in text.split("\n") if name and not name.startswith(".")]  # no templates


def place_of(page: Path) -> Path:
    """Where a file of the repository goes: README.md would be the front page."""
    if page == Path("README.md"):
        return Path("overview.md")
    return page.with_suffix(".md") if page.suffix == ".ipynb" else page


def list_folder(root: Path, folder: Path) -> str:
    """A page for a folder that is linked."""
    entries = sorted(path.relative_to(root / folder) for path in (root / folder).rglob("*") if path.is_file())
    rows = [f"- [{entry.as_posix()}]({entry.as_posix()})" for entry in entries if entry.suffix != ".md"]
    return f"# {folder.as_posix()}\n\n" + "\n".join(rows) + "\n"


class Stage:
    """The folder from which mkdocs builds pages."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.pages: dict[str, str] = {}  # of the menu: path and text
        shutil.rmtree(folder, ignore_errors=True)

    def write(self, place: Path, text: str) -> None:
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def write_page(self, place: Path, text: str) -> None:
        self.write(place, text)
        self.pages[place.as_posix()] = text

    def bring(self, file: Path) -> None:
        """Copy a file that a page links to, or all of a folder."""
        source, target = self.root / file, self.folder / file
        if source.is_dir() and not (target / "index.md").exists():
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.md", "__pycache__"))
            self.write(file / "index.md", list_folder(self.root, file))
        elif source.is_file() and source.suffix not in (".md", ".ipynb"):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    def resolve_link(self, page: Path, match: re.Match[str]) -> str:
        """A link of a page, as it is in the site; its target is copied."""
        before, link, after = match.groups()
        if urlsplit(link).scheme:
            return match[0]
        target = (self.root / page.parent / link).resolve()
        if not target.is_relative_to(self.root) or not target.exists():
            raise SystemExit(f"{page}: a link to a file that does not exist: {link}")
        target = target / "README.md" if (target / "README.md").exists() else target  # a folder's own page
        file = target.relative_to(self.root)
        self.bring(file)
        wanted = file / "index.md" if target.is_dir() else place_of(file)
        place = place_of(page)
        up = Path(*[".."] * len(place.parent.parts)) if place.parent.parts else Path()
        path = (up / wanted).as_posix()
        return before + (path if before == "](" else path.removesuffix(".md") + ".html" * path.endswith(".md")) + after

    def name_link(self, page: Path, match: re.Match[str]) -> str:
        """A link whose text is a file gets the title of that page."""
        target = self.root / page.parent / match[2]
        if not target.exists():
            return match[0]
        return f"[{title_of(target.read_text(encoding='utf-8'), match[2])}]({match[2]}{match[3] or ''})"

    def resolve_links(self, page: Path, text: str) -> str:
        """All links of a page, those in code aside."""
        text = FILE_LINK.sub(lambda match: self.name_link(page, match), text)
        parts = CODE.split(text)
        parts[::2] = [LINK.sub(lambda match: self.resolve_link(page, match), part) for part in parts[::2]]
        return "".join(parts)

    def link_named(self, text: str) -> str:
        """Links for pages that comments and docstrings name, "docs/howto/python.md", in references two folders deep."""

        def link(match: re.Match[str]) -> str:
            path = html.unescape(match[0])
            return f"[{title_of(self.pages[path], path)}](../../{path})" if path in self.pages else match[0]

        parts = CODE.split(text)
        parts[::2] = [NAMED_PAGE.sub(link, part) for part in parts[::2]]
        return "".join(parts)

    def add_page(self, page: Path) -> None:
        text = (self.root / page).read_text(encoding="utf-8")
        self.write_page(place_of(page), from_github(self.resolve_links(page, text)))

    def add_notebook(self, page: Path) -> None:
        book = Notebook(self.root / page)
        for name, data in book.pictures.items():
            target = self.folder / page.parent / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        # its own pictures are no files of the repository
        names = {name: f"https://picture/{name}" for name in book.pictures}
        text = re.sub(r"\]\(([^)]+)\)", lambda link: f"]({names.get(link[1], link[1])})", book.text)
        text = self.resolve_links(page, text).replace("https://picture/", "")
        self.write_page(place_of(page), from_github(text))


def add_pages(root: Path, stage: Stage) -> None:
    import bristle

    for page in tracked(root, "*.md"):
        if HERE.parent not in (root / page).parents:  # those are parts of pages
            stage.add_page(page)
    for page in tracked(root, "*.ipynb"):
        stage.add_notebook(page)
    stage.write_page(Path("index.md"), (HERE / "front.md").read_text(encoding="utf-8"))
    c = c_pages.write_pages(root / "build/site-reference/xml", (HERE / "c_reference.md").read_text(encoding="utf-8"))
    python = python_pages.write_pages(bristle, (HERE / "python_reference.md").read_text(encoding="utf-8"))
    for path, text in {**c, **python}.items():
        stage.write_page(Path(path), stage.link_named(text))


def add_files(root: Path, stage: Stage) -> None:
    """The explorer, styles, and KaTeX's styles and fonts."""
    shutil.copytree(root / "build/web", stage.folder / "explorer")
    page = stage.folder / "explorer/index.html"
    link = '<a href="../index.html" target="_top">Documentation</a>'
    # `make web` with SITE has given it a link
    text = page.read_text(encoding="utf-8").replace('<p class="links"></p>', f'<p class="links">{link}</p>')
    page.write_text(text, encoding="utf-8")
    katex = root / "build/npm/node_modules/katex"
    assets = stage.folder / "assets/site"
    shutil.copytree(katex / "dist/fonts", assets / "katex/fonts", ignore=shutil.ignore_patterns("*.ttf", "*.woff"))
    for name in ("dist/katex.min.css", "LICENSE"):
        shutil.copy(katex / name, assets / "katex")
    for name in ("style.css", "site.js"):
        shutil.copy(HERE / name, assets)
    shutil.copy(root / "web/icon.svg", assets)


def boost_of(location: str) -> float:
    return next((boost for start, boost in BOOSTS.items() if location.startswith(start)), 1.0)


def boost_search(site: Path) -> None:
    """Ranks pages in the search: this version of the theme hands no weights of pages to its index, lunr."""
    index = site / "search/search_index.json"
    content = json.loads(index.read_text(encoding="utf-8"))
    for page in content["docs"]:
        page["boost"] = boost_of(page["location"])
    index.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    for worker in (site / "assets/javascripts/workers").glob("search.*.js"):
        text, count = re.subn(r"for\(let (\w+) of (\w+)\)this\.add\(\1\)", r"for(let \1 of \2)this.add(\1,{boost:\1.boost})",
                              worker.read_text(encoding="utf-8"))
        if count == 0 and ".boost}" not in text:
            raise SystemExit("the theme's search has changed: boost_search() does not know it")
        worker.write_text(text, encoding="utf-8")
    for left in site.rglob("*.js.map"):
        left.unlink()


def repair_tables(site: Path) -> None:
    """A corner of a table without text is no header of anything."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        repaired = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", text)
        if repaired != text:
            page.write_text(repaired, encoding="utf-8")


def build(root: Path, stage: Stage, out: Path) -> None:
    config = out.parent / "site.yml"
    text = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    config.write_text(text + f"docs_dir: {stage.folder.as_posix()}\nnav:\n" + "\n".join(write_menu(stage.pages)) + "\n",
                      encoding="utf-8")
    subprocess.run(["mkdocs", "-q", "build", "-f", str(config), "-d", str(out), "--clean"], check=True)
    boost_search(out)
    repair_tables(out)
    subprocess.run(["node", str(HERE / "equations.mjs"), str(root / "build/npm"), str(out)], check=True)


def main(root: Path, out: Path) -> int:
    stage = Stage(root, out.parent / "site-pages")
    add_pages(root, stage)
    add_files(root, stage)
    build(root, stage, out)
    count, broken = broken_links(out)
    for line in broken:
        print(f"broken link: {line}", file=sys.stderr)
    print(f"{out / 'index.html'}: {len(list(out.rglob('*.html')))} pages, {count} links checked, {len(broken)} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
