"""Writes docs/reproduction: reproduction.py OURS PUBLISHED CLAIMS DOCS.

OURS and PUBLISHED are the folders of `bristle reproduce all` and `bristle reproduce all --as-published`, CLAIMS is what
claims.sh printed, DOCS is the folder docs. The result: summary.md, one page for each paper, the pictures with few colours,
and small copies of them. Needs ImageMagick.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SMALL = 240  # width of a small picture [pixels]

# prefix of the items, page, short name, citation
PAPERS = [
    ("wk", "wk.md", "W&K", "Waltersson & Karayiannidis, *Planar Friction Modelling with LuGre Dynamics and Limit Surfaces*"),
    ("xc", "xc.md", "X&C", "Xie & Chakraborty, *Dynamic Models of Planar Sliding*"),
    ("h", "huang.md", "H+", "Huang et al., *Closed-Form Representations of Friction*, IEEE Access 2021"),
    ("s", "savin.md", "S", "Savin, *Friction Cone*, lecture, 2023"),
]

ABOUT = """Each item is computed twice. "Ours": shapes, the exact limit surface, the defaults of bristle. "As published": the published
protocol to the letter (zero-order hold of 10 ms, grids of cells, truncated tables, no guard)."""


@dataclass
class Row:
    """One number of a report."""

    quantity: str
    source: str
    reference: str  # printed in the paper or computed by a reference, see the source
    ours: str
    difference: str
    tolerance: str
    verdict: str


@dataclass
class Item:
    """One figure or table of a paper, as one variant computed it."""

    name: str
    title: str
    verdict: str
    computed: bool = False
    notes: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)  # those of "differs, because (n)"

    def short_verdict(self) -> str:
        return re.split(r" \(|;|, because", self.verdict)[0]


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


def read_item(item: Item, text: str) -> None:
    for line in text.split("\n"):
        reason = re.fullmatch(r"\((\d+)\) (.*)\.", line)
        if line.startswith("| ") and not line.startswith("| quantity"):
            quantity, source, published, reference, *rest = cells_of(line)
            item.rows.append(Row(quantity, source, published or reference, *rest))
        elif reason:
            item.reasons.append(reason[2])
        elif line and not line.startswith(("|", "!", "Verdict: ", "## ", "<a id")):
            item.notes.append(line)


def read_report(folder: Path) -> dict[str, Item]:
    head, *parts = re.split(r"^<a id=.*\n", (folder / "report.md").read_text(encoding="utf-8"), flags=re.M)
    items = {}
    for line in head.split("\n"):
        entry = re.match(r"\| (?:\[([^]]+)\]\([^)]*\)|([a-z]+-[a-z0-9]+)) \| ", line)
        if entry:
            _, title, verdict = cells_of(line)
            name = entry[1] or entry[2]
            items[name] = Item(name, title, verdict, computed=bool(entry[1]))
    for part in parts:
        read_item(items[part[3 : part.index(":")]], part)
    return items


def digits(text: str, count: int = 3) -> str:
    return f"{float(text):.{count}g}"


def result_cell(row: Row | None) -> str:
    """A number, and its difference from the reference against the tolerance."""
    if row is None:
        return ""
    value = f"{row.ours}; " if row.ours else ""
    if not row.tolerance:
        return f"{value}{row.verdict}" + (f": difference {digits(row.difference).lstrip('-')}" if row.difference else "")
    sign = "<=" if row.verdict == "agrees" else ">"
    return f"{value}{row.verdict.replace(', because', '')}: {digits(row.difference).lstrip('-')} {sign} {digits(row.tolerance)}"


def numbers(ours: Item, published: Item) -> list[str]:
    """Both variants in one table: a row for each quantity, its source and its reference."""
    keys: dict[tuple[str, str, str], list[Row | None]] = {}
    for at, item in enumerate((ours, published)):
        for row in item.rows:
            keys.setdefault((row.quantity, row.source, row.reference), [None, None])[at] = row
    if not keys:
        return []
    lines = ["| quantity | source | reference | ours | as published |", "|---|---|---|---|---|"]
    for (quantity, source, reference), pair in keys.items():
        lines.append(f"| {quantity} | {source} | {reference} | {result_cell(pair[0])} | {result_cell(pair[1])} |")
    return [*lines, ""]


def notes(ours: Item, published: Item) -> list[str]:
    same = [note for note in ours.notes if note in published.notes]
    lines = [line for note in same for line in (note, "")]
    for name, item in (("Ours", ours), ("As published", published)):
        lines += [line for note in item.notes if note not in same for line in (f"{name}: {note}", "")]
    return lines


def section(ours: Item, published: Item, has_picture: bool) -> list[str]:
    name = ours.name
    lines = [f'<a id="{name}"></a>', f"### {name}: {ours.title}", ""]
    if has_picture:
        lines += [f"[![{name}: {ours.title}](small/{name}.png)]({name}.png)", ""]
    lines += [f"Ours: {ours.verdict}.", "", f"As published: {published.verdict}.", "", *notes(ours, published)]
    lines += numbers(ours, published)
    for item, which in ((ours, "ours"), (published, "as published")):
        lines += [f"({at}) {which}: {reason}." for at, reason in enumerate(item.reasons, 1)]
    return [*lines, ""] if ours.reasons or published.reasons else lines


def table_of(items: list[tuple[Item, Item]], pictures: set[str]) -> list[str]:
    lines = ["| item | picture | shows | ours | as published |", "|---|---|---|---|---|"]
    for ours, published in items:
        name = f"[{ours.name}](#{ours.name})" if ours.computed else ours.name
        picture = f"[![{ours.title}](small/{ours.name}.png)]({ours.name}.png)" if ours.name in pictures else ""
        verdicts = [ours.short_verdict(), published.short_verdict()] if ours.computed else [ours.verdict, ""]
        lines.append(f"| {name} | {picture} | {ours.title} | {verdicts[0]} | {verdicts[1]} |")
    return [*lines, ""]


@dataclass
class Claim:
    """What a paper claims in words: `### TITLE (PAPER, WHERE)`, a line that starts with "Result: ", details."""

    title: str
    paper: str
    result: str
    text: str


def read_claims(file: Path) -> list[Claim]:
    claims = []
    for part in re.split(r"^### ", file.read_text(encoding="utf-8"), flags=re.M)[1:]:
        heading, text = part.split("\n", 1)
        result = re.search(r"^Result: (.*)", text, flags=re.M)
        entry = re.fullmatch(r"(.*) \(([^,]*), .*\)", heading)
        if not entry or not result:
            raise SystemExit(f"{file}: a claim without a paper or a result: {heading}")
        claims.append(Claim(entry[1], entry[2], result[1], f"### {heading}\n{text.rstrip()}\n"))
    return claims


def page(paper: tuple[str, str, str, str], items: list[tuple[Item, Item]], claims: list[Claim], pictures: set[str]) -> str:
    _, _, short, citation = paper
    lines = [f"# {short}: reproduced figures and tables", ""]
    lines += ["`make reproduce` wrote this page; do not edit it. [Summary of all papers](summary.md).", ""]
    lines += [f"{short} is {citation}.", "", ABOUT, "", "A picture is drawn from our numbers; click it for its full size.", ""]
    lines += [*table_of(items, pictures)]
    mine = [claim for claim in claims if claim.paper == short]
    if mine:
        lines += ["## Claims", "", *[claim.text for claim in mine]]
    lines += ["## Items", "", "Each result reads: value; verdict: difference against tolerance.", ""]
    for ours, published in items:
        if ours.computed:
            lines += section(ours, published, ours.name in pictures)
    return "\n".join(lines).rstrip("\n") + "\n"


def count(items: list[Item], *verdicts: str) -> int:
    return sum(item.short_verdict() in verdicts for item in items)


def count_rows(groups: dict[str, list[tuple[Item, Item]]]) -> list[str]:
    lines = ["| paper | variant | agrees | differs, with reason | self-consistent | shown |", "|---|---|---|---|---|---|"]
    for prefix, file, short, _ in PAPERS:
        for at, variant in enumerate(("ours", "as published")):
            items = [pair[at] for pair in groups[prefix] if pair[0].computed]
            known = [count(items, word) for word in ("agrees", "differs", "self-consistent", "shown")]
            if sum(known) != len(items):
                raise SystemExit(f"{prefix}, {variant}: a verdict that the summary does not know")
            lines.append(f"| [{short}]({file}) | {variant} | " + " | ".join(str(n) for n in known) + " |")
    return [*lines, ""]


def link(item: Item, file: str) -> str:
    return f"[{item.name.split('-', 1)[1]}]({file}#{item.name})"


def reasons_of(groups: dict[str, list[tuple[Item, Item]]]) -> list[str]:
    """Each reason once, with the items that it explains."""
    explained: dict[str, list[str]] = {}
    for prefix, file, short, _ in PAPERS:
        for pair in groups[prefix]:
            for at, item in enumerate(pair):
                for reason in item.reasons:
                    words = f"{short}, as published: {reason}" if at else f"{short}: {reason}"
                    explained.setdefault(words, []).append(link(item, file))
    return [f"- {reason} ({', '.join(names)})." for reason, names in explained.items()]


SUMMARY = """# Reproduction of published figures and tables

`make reproduce` wrote this page; do not edit it. It is for readers who want to know how far results of bristle can be compared with
four papers: {papers}. Each page shows the pictures and every number with its source.

{about}

{counts}*agrees*: within the tolerance (as published: what the reference can be trusted for; ours: 1 % of the curve's range, the width of a
printed line, unless the row says otherwise). *self-consistent*: results of bristle agree with each other, and the paper prints no number.
*shown*: not judged, since it is a timing or depends on a number that the paper does not print. Schematics are not computed.
References are the print (text, table, or a figure with its reading error), the authors' code (W&K's repository at f4c23f2, integrated by
us, since its own tolerance is 1 % of a bristle), programs of our own that share nothing with the library (`test/golden`), and closed forms.
What the papers leave out and we had to assume is in [equations](../explanation/equations.md).

## What differs, and why

{reasons}

## What the papers claim in words

{claims}
"""


def summary(groups: dict[str, list[tuple[Item, Item]]], claims: list[Claim]) -> str:
    files = {short: file for _, file, short, _ in PAPERS}
    return SUMMARY.format(
        papers=", ".join(f"[{short}]({file}) ({citation.split(',')[0]})" for _, file, short, citation in PAPERS),
        about=ABOUT,
        counts="\n".join(count_rows(groups)) + "\n",
        reasons="\n".join(reasons_of(groups)),
        claims="\n".join(f"- {c.title} ([{c.paper}]({files[c.paper]}#claims)): {c.result}" for c in claims),
    )


def convert(source: Path, target: Path, *options: str) -> None:
    # line drawings need few colours, and documents small files
    subprocess.run(["convert", source, "-strip", *options, "+dither", "-colors", "64", f"PNG8:{target}"], check=True)


def write_pictures(ours: Path, folder: Path) -> set[str]:
    (folder / "small").mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.png"), *folder.glob("small/*.png")]:
        old.unlink()
    for picture in ours.glob("*.png"):
        convert(picture, folder / picture.name)
        convert(picture, folder / "small" / picture.name, "-resize", f"{SMALL}x", "-colors", "32")
    return {picture.stem for picture in ours.glob("*.png")}


def main(ours: Path, published: Path, claims_file: Path, docs: Path) -> None:
    folder = docs / "reproduction"
    pictures = write_pictures(ours, folder)
    reports = [read_report(ours), read_report(published)]
    claims = read_claims(claims_file)
    groups = {prefix: [] for prefix, *_ in PAPERS}
    for name, item in reports[0].items():
        groups[name.split("-")[0]].append((item, reports[1][name]))
    for paper in PAPERS:
        (folder / paper[1]).write_text(page(paper, groups[paper[0]], claims, pictures), encoding="utf-8")
    (folder / "summary.md").write_text(summary(groups, claims), encoding="utf-8")


if __name__ == "__main__":
    main(*[Path(argument) for argument in sys.argv[1:5]])
