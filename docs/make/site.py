"""Builds the site: site.py ROOT OUT, from the Markdown that is there, the page to drag things on (build/web) and the C
reference (build/site-reference/html). Run by the Python that has the package: its docstrings are the Python reference.

The Markdown keeps its places in a folder from which mkdocs makes pages, so that links between files hold; other files
that are linked go along. In the end every link of the site is looked at.
"""

from __future__ import annotations

import html.parser
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")

# the menu: groups of pages and their titles; pages that are not named go into the last group
MENU: dict[str, dict[str, str]] = {
    "": {"index.md": "Explorer", "overview.md": "Overview", "docs/tutorial/guide.md": "Guide"},
    "Use": {
        "docs/howto/python.md": "Python",
        "docs/howto/rl.md": "Learning and sampling",
        "bindings/wasm/README.md": "JavaScript",
        "docs/howto/embedding.md": "Embedding",
        "docs/howto/engines.md": "Physics engines",
        "docs/howto/identification.md": "Identification",
    },
    "Understand": {
        "docs/explanation/models.md": "Models",
        "docs/explanation/steps.md": "Steps",
        "docs/explanation/gradients.md": "Gradients",
        "docs/explanation/precision.md": "Precision",
        "docs/explanation/contact_changes.md": "Contacts that change",
        "docs/explanation/worlds.md": "Many bodies at once",
        "docs/explanation/sliders.md": "Sliders",
        "docs/explanation/mechanisms.md": "Mechanisms",
        "docs/explanation/equations.md": "Equations",
        "docs/reproduction/summary.md": "Reproduction",
    },
    "Reference": {"reference/index.html": "C", "python_reference.md": "Python"},
    "More": {"docs/explanation/architecture.md": "Architecture", "CONTRIBUTING.md": "Contributing", "CHANGELOG.md": "Changes"},
}

FRONT = """# bristle

Dry friction between surfaces that slide and spin on each other. Drag a patch, a force, a tip, and see what friction does;
everything is computed in your browser by the library itself. [Open the explorer on a page of its own](explorer/index.html).

<iframe src="explorer/index.html" title="The explorer" loading="lazy"
 style="width:100%;height:80vh;border:1px solid #8888"></iframe>

[Overview](overview.md) · [Guide](docs/tutorial/guide.md) · [Python](docs/howto/python.md) · [JavaScript](bindings/wasm/README.md) ·
[C reference](reference/index.html) · [Python reference](python_reference.md) · [Reproduction](docs/reproduction/summary.md)
"""


def tracked(root: Path, pattern: str) -> list[Path]:
    text = subprocess.run(["git", "ls-files", pattern], cwd=root, check=True, capture_output=True, text=True).stdout
    return [Path(name) for name in text.split("\n") if name]


def place_of(page: Path) -> Path:
    """Where a file of the repository goes: README.md would be the front page."""
    return Path("overview.md") if page == Path("README.md") else page


def list_folder(root: Path, folder: Path) -> str:
    """A page for a folder that is linked."""
    entries = sorted(path.relative_to(root / folder) for path in (root / folder).rglob("*") if path.is_file())
    rows = [f"- [{entry.as_posix()}]({entry.as_posix()})" for entry in entries if entry.suffix != ".md"]
    return f"# {folder.as_posix()}\n\n" + "\n".join(rows) + "\n"


class Stage:
    """The folder from which mkdocs makes pages."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        shutil.rmtree(folder, ignore_errors=True)

    def write(self, place: Path, text: str) -> None:
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def bring(self, file: Path) -> None:
        """A file that a page links to, or all of a folder."""
        source, target = self.root / file, self.folder / file
        if source.is_dir() and not (target / "index.md").exists():
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.md", "__pycache__"))
            self.write(file / "index.md", list_folder(self.root, file))
        elif source.is_file() and source.suffix != ".md":
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    def add_page(self, page: Path) -> None:
        place = place_of(page)

        def mended(match: re.Match[str]) -> str:
            before, link, after = match.groups()
            if urlsplit(link).scheme:
                return match[0]
            target = (self.root / page.parent / link).resolve()
            if not target.is_relative_to(self.root) or not target.exists():
                raise SystemExit(f"{page}: a link to what is not there: {link}")
            target = target / "README.md" if (target / "README.md").exists() else target  # a folder's own page
            file = target.relative_to(self.root)
            self.bring(file)
            wanted = file / "index.md" if target.is_dir() else place_of(file)
            up = Path(*[".."] * len(place.parent.parts)) if place.parent.parts else Path()
            return before + (up / wanted).as_posix() + after

        text = (self.root / page).read_text(encoding="utf-8")
        self.write(place, LINK.sub(mended, text))


def signature_of(thing: object) -> str:
    try:
        # annotations are texts there; their quotes say nothing
        return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""


def described(thing: object) -> str:
    """A docstring, as it is written."""
    text = inspect.getdoc(thing) or ""
    return "\n".join("    " + line if line else "" for line in text.split("\n")) + "\n"


def python_reference() -> str:
    """All public names of the package, with their signatures and docstrings."""
    import bristle

    parts = ["# Python reference\n", "From the package's own docstrings; [Python](docs/howto/python.md) is the way in.\n"]
    for name in bristle.__all__:
        thing = getattr(bristle, name)
        parts += [f"## {name}\n", f"`{name}{signature_of(thing)}`\n", described(thing)]
        for inner, member in vars(thing).items() if inspect.isclass(thing) else ():
            plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
            if inner.startswith("_") or not (inspect.isfunction(plain) or isinstance(plain, property)):
                continue
            known = "" if isinstance(plain, property) else signature_of(plain)
            parts += [f"### {name}.{inner}\n", f"`{inner}{known}`\n", described(plain)]
    return "\n".join(parts)


def menu(pages: list[str]) -> list[str]:
    """The menu as mkdocs takes it."""
    named = {page for group in MENU.values() for page in group}
    others = {page: page.removesuffix(".md") for page in pages if page not in named and not page.endswith("index.md")}
    rows = []
    for group, titles in MENU.items():
        indent = "    " if group else "  "
        rows += [f"  - {group!r}:"] if group else []
        listed = {**titles, **others} if group == "More" else titles
        there = {page: title for page, title in listed.items() if page in pages or page.endswith(".html")}
        rows += [f"{indent}- {title!r}: {page}" for page, title in there.items()]
    return rows


def configuration(stage: Path, pages: list[str]) -> str:
    return "\n".join(
        [
            "site_name: bristle",
            f"docs_dir: {stage.as_posix()}",
            "use_directory_urls: false",
            "theme: {name: mkdocs, highlightjs: false}",
            "plugins: [search]",
            "strict: true",
            "nav:",
            *menu(pages),
        ]
    )


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
            named = target in pages and parts.fragment and "explorer" not in target.parts
            if not target.exists() or (named and unquote(parts.fragment) not in pages[target].names):
                broken.append(f"{page.relative_to(site.resolve())}: {link}")
    return count, broken


def main(root: Path, out: Path) -> int:
    stage = Stage(root, out.parent / "site-pages")
    for page in tracked(root, "*.md"):
        stage.add_page(page)
    stage.write(Path("index.md"), FRONT)
    stage.write(Path("python_reference.md"), python_reference())
    shutil.copytree(root / "build/web", stage.folder / "explorer")
    shutil.copytree(root / "build/site-reference/html", stage.folder / "reference")

    pages = [path.relative_to(stage.folder).as_posix() for path in sorted(stage.folder.rglob("*.md"))]
    config = out.parent / "site.yml"
    config.write_text(configuration(stage.folder, pages), encoding="utf-8")
    subprocess.run(["mkdocs", "-q", "build", "-f", str(config), "-d", str(out), "--clean"], check=True)
    count, broken = broken_links(out)
    for line in broken:
        print(f"broken link: {line}", file=sys.stderr)
    print(f"{out / 'index.html'}: {len(list(out.rglob('*.html')))} pages, {count} links looked at, {len(broken)} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
