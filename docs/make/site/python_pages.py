"""The Python reference as Markdown: one page for each module, from signatures, docstrings and comments of fields."""

from __future__ import annotations

import inspect
import re
import textwrap
from types import ModuleType

from to_markdown import code, escape, fence, table

FOLDER = "reference/python"
INDEX = f"{FOLDER}/index.md"
SECTIONS = {"Args:": "Parameter", "Returns:": "", "Raises:": "Exception", "Yields:": ""}
FIELD = re.compile(r"^    (\w+): ([^=#]+?)(?: = (.+?))?  #: (.+)$", re.MULTILINE)


def signature_of(name: str, thing: object) -> str:
    try:
        # annotations are texts there; their quotes say nothing
        text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    line = name + text
    if len(line) <= 88 or "(" not in text:
        return line
    inner, _, after = text[1:].rpartition(")")
    return f"{name}(\n    " + ",\n    ".join(split_parameters(inner)) + f",\n){after}"


def split_parameters(text: str) -> list[str]:
    """At the commas that are not within brackets."""
    parts, depth, last = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(last.strip())
            last = ""
        else:
            last += character
    return [*parts, last.strip()]


def prose(text: str) -> str:
    """A paragraph with code in backquotes."""
    parts = re.split(r"`+([^`]+)`+", text)
    return "".join(code(part) if index % 2 else escape(part) for index, part in enumerate(parts))


def items(lines: list[str]) -> list[list[str]]:
    """Rows of "name: meaning", whose further lines are indented."""
    rows: list[list[str]] = []
    for line in textwrap.dedent("\n".join(lines)).split("\n"):
        match = re.match(r"^([*\w., ]+?):\s+(.*)$", line)
        if match:
            rows.append([code(match[1]), prose(match[2])])
        elif line.strip() and rows:
            rows[-1][1] += " " + prose(line.strip())
        elif line.strip():
            rows.append(["", prose(line.strip())])
    return rows


def section(title: str, lines: list[str]) -> str:
    if SECTIONS[title]:
        return table([SECTIONS[title], "Meaning"], items(lines))
    return f"**{title[:-1]}** " + prose(" ".join(line.strip() for line in lines if line.strip())) + "\n"


def blocks_of(doc: str) -> list[list[str]]:
    """Lines that go together: paragraphs, sections with their items, examples."""
    blocks: list[list[str]] = [[]]
    for line in doc.split("\n"):
        is_section = bool(blocks[-1]) and blocks[-1][0] in SECTIONS
        is_inside = is_section and (line.startswith(" ") or not line.strip())
        starts_example = line.startswith(">>>") and not is_example(blocks[-1])
        starts = not line.strip() or line in SECTIONS or is_section or starts_example
        if starts and not is_inside:
            blocks.append([])
        if line.strip() or is_inside:
            blocks[-1].append(line)
    return [block for block in blocks if block]


def is_example(block: list[str]) -> bool:
    return bool(block) and block[0].startswith(">>>")


def described(thing: object) -> str:
    """A docstring: paragraphs, tables of parameters, examples."""
    parts, doc = [], inspect.getdoc(thing) or ""
    for block in blocks_of(doc):
        if block[0] in SECTIONS:
            parts.append(section(block[0], block[1:]))
        elif is_example(block):
            parts.append(fence("\n".join(block), "pycon"))
        elif block[0].startswith(("    ", "- ", "* ")):
            parts.append(fence(textwrap.dedent("\n".join(block)), "python" if block[0].startswith(" ") else "text"))
        else:
            parts.append(prose(" ".join(line.strip() for line in block)) + "\n")
    return "\n".join(parts)


def fields_of(thing: type) -> str:
    try:
        found = FIELD.findall(inspect.getsource(thing))
    except (OSError, TypeError):
        return ""
    rows = [[code(name), code(kind.strip()), prose(meaning)] for name, kind, _, meaning in found]
    return table(["Field", "Type", "Meaning"], rows)


def members_of(name: str, thing: type) -> list[str]:
    parts = []
    for inner, member in vars(thing).items():
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if inner.startswith("_") or not (inspect.isfunction(plain) or isinstance(plain, property)):
            continue
        shown = inner if isinstance(plain, property) else signature_of(inner, plain)
        kind = {classmethod: "@classmethod\n", staticmethod: "@staticmethod\n", property: "@property\n"}
        parts += [
            f"### {escape(name)}.{escape(inner)} {{#{name}.{inner}}}\n",
            fence(kind.get(type(member), "") + shown, "python"),
            described(plain),
        ]
    return parts


def entry(name: str, thing: object) -> str:
    is_class = inspect.isclass(thing)
    is_error = is_class and issubclass(thing, BaseException)  # type: ignore[arg-type]
    shown = name if is_error else signature_of(name, thing)
    parts = [
        f"## {escape(name)} {{#{name}}}\n",
        fence(("class " if is_class else "") + shown, "python"),
        described(thing),
        fields_of(thing) if is_class else "",  # type: ignore[arg-type]
        *(members_of(name, thing) if is_class else ()),  # type: ignore[arg-type]
    ]
    return "\n".join(part for part in parts if part)


def first_sentence(thing: object) -> str:
    doc = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return re.split(r"(?<=\.)\s", " ".join(doc.split()))[0]


def write_pages(package: ModuleType, introduction: str) -> dict[str, str]:
    """Pages by their paths; the first has the introduction and the list of all names."""
    homes: dict[str, list[str]] = {}
    for name in package.__all__:
        home = getattr(getattr(package, name), "__module__", package.__name__) or package.__name__
        homes.setdefault(home, []).append(name)
    pages, rows = {}, []
    for home, names in sorted(homes.items()):
        short = home.rpartition(".")[2]
        module = inspect.sys.modules[home]  # type: ignore[attr-defined]
        texts = [entry(name, getattr(package, name)) for name in names]
        pages[f"{FOLDER}/{short}.md"] = f"# {escape(home)}\n\n{described(module)}\n" + "\n".join(texts)
        rows += [
            [f"[{code(name)}]({short}.md#{name})", prose(first_sentence(getattr(package, name)))] for name in names
        ]
    rows.sort(key=lambda row: row[0].lower())
    return {INDEX: introduction.replace("NAMES\n", table(["Name", "Contents"], rows)), **pages}
