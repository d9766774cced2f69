"""The C reference as Markdown: one page for each header, from doxygen's XML."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from to_markdown import code, escape, fence, table

FOLDER = "reference/c"
INDEX = f"{FOLDER}/index.md"


def text_of(node: ET.Element | None) -> str:
    return "" if node is None else re.sub(r"\s+", " ", "".join(node.itertext())).strip()


def page_of(header: str) -> str:
    return header.replace(".", "_") + ".md"


class Reference:
    """All headers, and where each name is documented."""

    def __init__(self, xml: Path) -> None:
        compounds = [ET.parse(path).getroot().find("compounddef") for path in sorted(xml.glob("*.xml"))]
        found = [one for one in compounds if one is not None]
        self.headers = {text_of(one.find("compoundname")): one for one in found if one.get("kind") == "file"}
        self.structs = {one.get("id", ""): one for one in found if one.get("kind") in ("struct", "union")}
        self.places: dict[str, str] = {}  # of an id: "page.md#name"
        for header, compound in self.headers.items():
            self.places[compound.get("id", "")] = page_of(header)
            for inner in compound.findall("innerclass"):
                self.add_struct(page_of(header), inner)
            for member in compound.iter("memberdef"):
                self.add_member(page_of(header), member)

    def add_struct(self, page: str, inner: ET.Element) -> None:
        place = f"{page}#{text_of(inner)}"
        self.places[inner.get("refid", "")] = place
        for member in self.structs[inner.get("refid", "")].iter("memberdef"):
            self.places[member.get("id", "")] = place

    def add_member(self, page: str, member: ET.Element) -> None:
        place = f"{page}#{text_of(member.find('name'))}"
        for node in (member, *member.findall("enumvalue")):
            self.places[node.get("id", "")] = place

    # --- descriptions

    def inline(self, node: ET.Element | None) -> str:
        """Text with links and code; blocks within it are left out."""
        if node is None:
            return ""
        parts = [escape(node.text or "")]
        for child in node:
            if child.tag == "ref" and child.get("refid") in self.places:
                parts.append(f"[{escape(text_of(child))}]({self.places[child.get('refid', '')]})")
            elif child.tag == "computeroutput":
                parts.append(code(text_of(child)))
            elif child.tag == "ndash":
                parts.append("–")
            elif child.tag not in ("parameterlist", "simplesect", "verbatim", "table"):
                parts.append(self.inline(child))
            parts.append(escape(child.tail or ""))
        return re.sub(r"\s+", " ", "".join(parts)).strip()

    def blocks(self, node: ET.Element | None) -> str:
        """Paragraphs, code and tables of a description."""
        parts = []
        for para in node if node is not None else ():
            parts.append(self.inline(para) + "\n")
            parts += [fence(listing_of(listing), "c") for listing in para.iter("verbatim")]
            parts += [self.table(found) for found in para.iter("table")]
        return "\n".join(part for part in parts if part.strip())

    def table(self, node: ET.Element) -> str:
        head, *rows = [[self.inline(entry) for entry in row.findall("entry")] for row in node.findall("row")]
        return table(head, rows)

    def describe(self, node: ET.Element) -> str:
        return self.inline(node.find("briefdescription")) + "\n\n" + self.blocks(node.find("detaileddescription"))

    def cell(self, node: ET.Element) -> str:
        return f"{self.inline(node.find('briefdescription'))} {self.inline(node.find('detaileddescription'))}".strip()

    # --- members

    def struct(self, refid: str) -> str:
        compound = self.structs[refid]
        rows = [
            [code(text_of(member.find("name"))), code(declared(member)), self.cell(member)]
            for member in compound.iter("memberdef")
        ]
        name = text_of(compound.find("compoundname"))
        return f"### {escape(name)} {{#{name}}}\n\n{self.describe(compound)}\n" + table(["Member", "Type", "Meaning"], rows)

    def enum(self, member: ET.Element) -> str:
        rows = [[code(text_of(value.find("name"))), self.cell(value)] for value in member.findall("enumvalue")]
        return self.titled(member) + self.describe(member) + "\n" + table(["Value", "Meaning"], rows)

    def function(self, member: ET.Element) -> str:
        rows = [
            [code(", ".join(text_of(name) for name in item.iter("parametername"))) + direction_of(item),
             self.inline(item.find("parameterdescription"))]
            for item in member.findall("detaileddescription//parameteritem")
        ]
        returns = [self.inline(found) for found in member.findall("detaileddescription//simplesect[@kind='return']")]
        return (
            self.titled(member)
            + fence(signature_of(member), "c")
            + "\n"
            + self.describe(member)
            + "\n"
            + table(["Parameter", "Meaning"], rows)
            + "".join(f"\n**Returns** {text}\n" for text in returns)
        )

    def other(self, member: ET.Element) -> str:
        return self.titled(member) + fence(signature_of(member), "c") + "\n" + self.describe(member)

    def titled(self, member: ET.Element) -> str:
        name = text_of(member.find("name"))
        return f"### {escape(name)} {{#{name}}}\n\n"

    # --- pages

    def page(self, header: str) -> str:
        compound = self.headers[header]
        members = list(compound.iter("memberdef"))
        groups = {
            "Structures": [self.struct(inner.get("refid", "")) for inner in compound.findall("innerclass")],
            "Types": [self.other(member) for member in members if member.get("kind") == "typedef"],
            "Enumerations": [self.enum(member) for member in members if member.get("kind") == "enum"],
            "Functions": [self.function(member) for member in members if member.get("kind") == "function"],
            "Macros": [self.other(member) for member in members if member.get("kind") == "define"],
        }
        parts = [f"# {header}\n", self.describe(compound), fence(f'#include "bristle/{header}"', "c")]
        for title, texts in groups.items():
            parts += [f"## {title}\n", *texts] if texts else []
        return "\n".join(parts)

    def list_headers(self) -> str:
        rows = [
            [f"[{escape(header)}]({page_of(header)})", self.inline(compound.find("briefdescription"))]
            for header, compound in self.headers.items()
        ]
        return table(["Header", "Contents"], rows)


def listing_of(node: ET.Element) -> str:
    return "\n".join(line.rstrip() for line in "".join(node.itertext()).strip("\n").split("\n"))


def direction_of(item: ET.Element) -> str:
    names = list(item.iter("parametername"))
    direction = names[0].get("direction", "in") if names else "in"
    return "" if direction == "in" else f" ({direction})"


def joined_type(text: str) -> str:
    return re.sub(r" \*", "*", text)


def declared(member: ET.Element) -> str:
    return joined_type(text_of(member.find("type")) + text_of(member.find("argsstring")))


def signature_of(member: ET.Element) -> str:
    """The declaration as the header has it; long ones with a parameter on each line."""
    name, kind = text_of(member.find("name")), member.get("kind")
    if kind == "define":
        parameters = [text_of(found) for found in member.iter("defname")]
        value = text_of(member.find("initializer"))
        value = value if len(value) < 60 else "..."
        return f"#define {name}{'(' + ', '.join(parameters) + ')' if parameters else ''} {value}".rstrip()
    if kind == "typedef":
        return joined_type(text_of(member.find("definition")) + text_of(member.find("argsstring"))) + ";"
    parameters = [
        joined_type(f"{text_of(one.find('type'))} {text_of(one.find('declname'))}{text_of(one.find('array'))}").strip()
        for one in member.findall("param")
    ]
    head = joined_type(f"{text_of(member.find('type'))} {name}(")
    line = head + ", ".join(parameters) + ");"
    return line if len(line) <= 88 else head + "\n    " + ",\n    ".join(parameters) + ");"


def write_pages(xml: Path, introduction: str) -> dict[str, str]:
    """Pages by their paths; the first has the introduction and the list of headers."""
    reference = Reference(xml)
    pages = {f"{FOLDER}/{page_of(header)}": reference.page(header) for header in reference.headers}
    return {INDEX: introduction.replace("HEADERS\n", reference.list_headers()), **pages}
