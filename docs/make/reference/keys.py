"""docs/reference/keys.md: all keys of scenario files, from `bristle help run` and `bristle help --schema`.

The help has value, unit, default and meaning of each key; the schema has the names of the mappings, and with it the
examples are found in scenario files.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jsonschema
import yaml
from text import code, escape, table, wrap

VALUE = (
    r"(?:rows of )?(?:\d+ )?(?:numbers?|whole number|true\|false|text, or list of texts|text|file|PROFILEs?|"
    r"map, or list of maps|list of maps|map of keys|map|[\w-]+(?:\|[\w-]+)*)"
    r"(?: (?:[<>]=? \S+?|in [\[(][^,]+, [^\])]+[\])]))?(?:\|[\w|-]+)?(?: or map)?"
)
LINE = re.compile(rf"(?P<name>\w+)(?: \[(?P<unit>.+?)\])? (?P<value>{VALUE})"
                  r"(?P<default>, required| \(.*?\))?: (?P<help>.*)")
MAX_EXAMPLE = 44  # letters

INTRODUCTION = """\
# Scenario keys

This page lists every key of a scenario file: its value, unit, default, an example and its meaning. It is for those who write
scenarios; the [tutorial](../tutorial/guide.md) introduces them one by one. `bristle help KEY` prints the same in a terminal,
and `bristle help --schema` prints all keys as a JSON Schema, with which editors complete and check files.

A number is in the unit of its key, or has another one behind it: `30 deg`, `12 mm`, `300 g`, `5 ms`, `2 kN`, `10 mm/s`. `[-]` is
a pure number. A key without a default and without "required" may be absent. Examples are from the files in
[scenarios](../../scenarios). Keys of older versions: `bristle upgrade` replaces them.
"""


@dataclasses.dataclass
class Key:
    name: str
    unit: str
    value: str
    default: str
    help: str
    maps: list["Mapping"] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Mapping:
    name: str = ""  # as the help says it; "": it does not
    keys: list[Key] = dataclasses.field(default_factory=list)
    is_known: bool = False  # "as above"
    id: str = ""  # in the schema


@dataclasses.dataclass
class Kind:
    name: str
    lead: str
    forms: list[Mapping]


# --- the help -------------------------------------------------------------------------------------


def join_lines(text: str) -> list[tuple[int, str]]:
    """Lines with their indents; one that continues the line before is indented by 4 more than that."""
    rows: list[tuple[int, str]] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if rows and line.strip() and rows[-1][1] and indent == rows[-1][0] + 4:
            rows[-1] = (rows[-1][0], rows[-1][1] + " " + line.strip())
        else:
            rows.append((indent, line.strip()))
    return rows


def to_key(text: str) -> Key:
    match = LINE.fullmatch(text)
    if not match:
        raise SystemExit(f"keys.py does not understand this line of the help: {text}")
    default = (match["default"] or "").strip()
    default = "required" if default == ", required" else default[1:-1]
    return Key(match["name"], match["unit"] or "", match["value"], default, match["help"])


def read_mapping(rows: list[tuple[int, str]], at: int, indent: int, name: str = "") -> tuple[Mapping, int]:
    """The keys from row `at` on that have this indent."""
    found = Mapping(name)
    while at < len(rows) and rows[at][0] == indent and rows[at][1] not in ("", "or"):
        key = to_key(rows[at][1])
        key.maps, at = read_maps(rows, at + 1, indent + 2)
        found.keys.append(key)
    return found, at


def read_maps(rows: list[tuple[int, str]], at: int, indent: int) -> tuple[list[Mapping], int]:
    """The mappings below a key: named ones, or the keys of the only one."""
    maps = []
    while at < len(rows) and rows[at][0] == indent and rows[at][1]:
        named = re.fullmatch(r"([\w -]+):(?: as above)?", rows[at][1])
        if not named:
            one, at = read_mapping(rows, at, indent)
        elif rows[at][1].endswith("as above"):
            one, at = Mapping(named[1], is_known=True), at + 1
        else:
            one, at = read_mapping(rows, at + 1, indent + 2, named[1])
        maps.append(one)
    return maps, at


def is_key(text: str) -> bool:
    """The first keys of kinds; other lines with a colon are text."""
    return bool(re.match(r"(law|model|body|mechanism) [\w|-]+(, required| \(\w+\)): ", text))


def read_kind(rows: list[tuple[int, str]], at: int) -> tuple[Kind, int]:
    name, _, lead = rows[at][1].partition(": ")
    at += 1
    while not is_key(rows[at][1]):
        lead += "\n\n" * rows[at][1].startswith(("columns", "summary")) + " " + rows[at][1]
        at += 1
    first, at = read_mapping(rows, at, 2)
    forms = [first]
    if at < len(rows) and rows[at] == (2, "or"):
        other, at = read_mapping(rows, at + 1, 2)
        forms.append(other)
    return Kind(name, lead, forms), at


def read_help(text: str) -> tuple[list[Mapping], list[Kind]]:
    """Profiles and kinds of scenarios."""
    rows = join_lines(text)
    at = next(index for index, row in enumerate(rows) if row[1].startswith("PROFILE:")) + 1
    profiles, at = read_maps(rows, at, 2)
    kinds = []
    while at < len(rows):
        if rows[at][1]:
            kind, at = read_kind(rows, at)
            kinds.append(kind)
        else:
            at += 1
    return profiles, kinds


# --- names of mappings, from the schema -----------------------------------------------------------


class Schema:
    def __init__(self, text: str) -> None:
        self.root = json.loads(text)
        self.definitions: dict[str, Any] = self.root["definitions"]
        self.used: set[str] = set()

    def find(self, one: Mapping) -> str:
        """The definition with the keys and meanings of a mapping; of equal ones the next."""
        wanted = [(key.name, key.help + (f" [{key.unit}]" if key.unit else "")) for key in one.keys]
        same = [
            name
            for name, definition in self.definitions.items()
            if [(key, value["description"]) for key, value in definition["properties"].items()] == wanted
        ]
        fresh = [name for name in same if name not in self.used] or same
        if not fresh:
            raise SystemExit(f"no mapping of the schema has the keys {wanted}")
        self.used.add(fresh[0])
        return fresh[0]

    def below(self, node: Any) -> Iterable[str]:
        """The definitions that a value may be."""
        if isinstance(node, dict):
            if "$ref" in node:
                yield node["$ref"].rpartition("/")[2]
            for inner in node.values():
                yield from self.below(inner)
        elif isinstance(node, list):
            for inner in node:
                yield from self.below(inner)

    def choose(self, names: Iterable[str], value: dict[str, Any]) -> str | None:
        """The definition for a map."""
        for name in names:
            properties, required = self.definitions[name]["properties"], self.definitions[name]["required"]
            tags = [key for key in properties if "enum" in json.dumps(properties[key]) and key in ("kind", "shape")]
            fits = set(value) <= set(properties) and set(required) <= set(value)
            if fits and all(f'"{value[key]}"' in json.dumps(properties[key]) for key in tags if key in value):
                return name
        return None


def to_id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", name)


def name_mappings(schema: Schema, maps: list[Mapping], visit: Callable[[Mapping], None]) -> None:
    for one in maps:
        one.id = to_id(one.name) if one.is_known else schema.find(one)
        if one.is_known and one.id not in schema.definitions:
            raise SystemExit(f"the schema has no mapping {one.id}")
        if not one.is_known:
            visit(one)
            for key in one.keys:
                name_mappings(schema, key.maps, visit)


# --- examples, from files -------------------------------------------------------------------------


def flow(value: Any, is_inner: bool = False) -> str:
    """A value as YAML in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(inner, True)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(inner, True) for inner in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'" if is_inner and re.search(r"[\[\]{},:]", str(value)) else str(value)


class Loader(yaml.SafeLoader):
    """Numbers stay as they are written: 1e-3, 0.10."""


class ValueLoader(yaml.SafeLoader):
    """Numbers as YAML 1.2 has them: 1e-3, too."""


ValueLoader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789"))
Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag.endswith(("bool", "null"))]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class Examples:
    """The shortest value that a file gives a key, by the mapping's id and the key."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.found: dict[tuple[str, str], str] = {}

    def read(self, text: str) -> None:
        tree = yaml.load(text, Loader)
        if isinstance(tree, dict) and "shape" in tree:  # a file of bristle surface
            self.walk(self.schema.choose(self.schema.below(self.schema.definitions["contact"]), tree), tree)
        elif isinstance(tree, dict):
            self.walk(self.schema.choose(self.schema.below(self.schema.root["anyOf"]), tree), tree)

    def walk(self, name: str | None, value: dict[str, Any]) -> None:
        for key, inner in value.items() if name else ():
            text = flow(inner)
            known = self.found.get((name or "", key))
            if len(text) <= MAX_EXAMPLE and (known is None or len(text) < len(known)):
                self.found[name or "", key] = text
            below = list(self.schema.below(self.schema.definitions[name]["properties"][key]))
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, dict) and below:
                    self.walk(self.schema.choose(below, one), one)


# of keys that no scenario file has, or only with long values: by the key, or by mapping and key
MORE_EXAMPLES: dict[str, str] = {
    "accelerate.speed": "0.2",
    "alpha_axes": "[1, 1]",
    "atol": "1e-9",
    "atol_z": "1e-11",
    "cases": "cases.csv",
    "cells": "[[0, 1], [1, 2]]",
    "coefficients": "[0, 0.1, 0.02]",
    "curve.f_v": "[0, 0.01, 0.02, 0.06]",
    "curve.g": "[0.62, 0.5, 0.4, 0.45]",
    "curve.v": "[0, 0.002, 0.01, 0.05]",
    "damping": "50",
    "draw": "{friction.mu: 'normal:0.3:0.02'}",
    "duration": "0.5",
    "file": "pressure.csv",
    "path-by-points.file": "path.csv",
    "height": "0.02",
    "hold": "10 ms",
    "instants": "8",
    "magnify": "10",
    "max": "20",
    "max_force": "50",
    "max_step": "1 ms",
    "min": "0.5",
    "modulus": "2e6",
    "mu": "0.3",
    "offset": "[0, 0.02]",
    "outline": "[[-0.1, -0.05], [0.1, -0.05], [0, 0.1]]",
    "outside": "1",
    "point": "[0.1, 0, 0]",
    "points": "[[0, 0, 1], [0.1, 0, 2]]",
    "path-by-points.points": "[[0, 0], [0.1, 0.02], [0.2, 0]]",
    "pusher-along-points.points": "[[0, -0.1, 0], [2, 0.1, 0]]",
    "pusher-of-a-body.position": "[{kind: ramp, to: 0.1, end: 2}, 0]",
    "radii": "[0.01, 0.01]",
    "ratio": "0.5",
    "rtol": "1e-7",
    "samples": "1000",
    "sigma0": "1e4",
    "sigma1": "10",
    "sigma_axes": "[1e4, 2e4]",
    "step": "1 ms",
    "theta": "[0.5, 1]",
    "title": "a box on a belt",
    "to": "0.1",
    "chain.torque": "[0.1, 0, 0]",
    "start-of-a-chain.w": "[0.1, 0, 0]",
    "torque_s": "0.2",
    "triangles": "[[0, 1, 2]]",
    "vary": "{friction.mu: '0.2:0.6:41'}",
    "vertices": "[[0, 0], [0.1, 0], [0, 0.1]]",
    "triangles.vertices": "[[0, 0, 1], [0.1, 0, 1], [0, 0.1, 2]]",
    "motion-of-a-law.velocity": "0.01",
    "want": "final.x, contacts[0].slipped",
    "y": "0.05",
    "zip": "{body.mass: [0.1, 0.2], duration: [1, 2]}",
}


NO_WORDS = ("text", "file", "map", "number", "numbers", "PROFILE", "PROFILEs")


def simple_example(key: Key) -> str:
    """For a key that no file has: a word, the other flag, or its default."""
    if key.value == "true|false":
        return "false" if key.default == "true" else "true"
    if re.fullmatch(r"[\w-]+(\|[\w-]+)*", key.value) and key.value not in NO_WORDS:
        words = key.value.split("|")
        return next((word for word in words if word != key.default), words[0])
    if re.fullmatch(r"[-+.\de\[\], ]+", key.default):
        return key.default
    return ""


# --- the page -------------------------------------------------------------------------------------


class Page:
    def __init__(self, schema: Schema, examples: Examples) -> None:
        self.schema, self.examples = schema, examples
        self.sections: list[str] = []
        self.without: list[str] = []  # keys without an example

    def value_of(self, key: Key) -> str:
        if re.fullmatch(r"[\w-]+(\|[\w-]+)+", key.value):
            text = ", ".join(code(word) for word in key.value.split("|"))
        else:
            text = escape(key.value.replace("|", " or "))
            text = re.sub(r"PROFILEs?", lambda match: f"[{match[0]}](#profiles)", text)
        links = [f"[{escape(label_of(one))}](#{one.id})" for one in key.maps]
        return text + (": " + ", ".join(links) if links else "")

    def example_of(self, one: Mapping, key: Key) -> str:
        text = (
            self.examples.found.get((one.id, key.name))
            or MORE_EXAMPLES.get(f"{one.id}.{key.name}")
            or MORE_EXAMPLES.get(key.name)
            or simple_example(key)
        )
        self.without += [] if text or key.maps else [f"{one.id}.{key.name}"]
        self.check(one, key, text)
        return code(f"{key.name}: {text}") if text else ""

    def check(self, one: Mapping, key: Key, text: str) -> None:
        """An example must be a value of its key, as the schema has it."""
        rules = self.schema.definitions[one.id]["properties"][key.name]
        if text:
            rules = {**rules, "definitions": self.schema.definitions}
            for error in jsonschema.Draft7Validator(rules).iter_errors(yaml.load(text, ValueLoader)):
                raise SystemExit(f"{one.id}: {key.name}: {text} is no example: {error.message}")

    def table_of(self, one: Mapping) -> str:
        rows = [
            [code(key.name), self.value_of(key), escape(key.unit), escape(key.default), self.example_of(one, key),
             escape(key.help)]
            for key in one.keys
        ]
        return table(["Key", "Value", "Unit", "Default", "Example", "Meaning"], rows)

    def add_mapping(self, one: Mapping) -> None:
        self.sections.append(f"### {label_of(one)}\n\n{self.table_of(one)}")


def label_of(one: Mapping) -> str:
    return (one.name or one.id).replace("-", " ") if not one.name else one.name


def sentences(text: str) -> str:
    """Paragraphs that start with a capital and end with a stop."""
    parts = (part.strip() for part in text.split("\n\n"))
    return "\n\n".join(part[0].upper() + part[1:] + "." * (not part.endswith(".")) for part in parts)


def write_page(run: Callable[..., str], root: Path) -> str:
    profiles, kinds = read_help(run("help", "run").partition("\nNumbers are in")[2].join(["Numbers are in", ""]))
    schema = Schema(run("help", "--schema"))
    examples = Examples(schema)
    for path in sorted((root / "scenarios").rglob("*.yaml")):
        examples.read(path.read_text(encoding="utf-8"))
    for name in re.findall(r"^  (\w+)  ", run("help", "new"), re.MULTILINE):
        examples.read(run("new", name))
    page = Page(schema, examples)

    parts = [wrap_lines(INTRODUCTION), "## Kinds of scenarios\n"]
    mappings: list[Mapping] = []
    tables = []
    name_mappings(schema, profiles, lambda one: None)
    for kind in kinds:
        tables.append(f"### Kind {kind.name}\n\n{wrap(escape(sentences(kind.lead)))}")
        for form in kind.forms:
            form.id = schema.find(form)
            for key in form.keys:
                name_mappings(schema, key.maps, mappings.append)
            tables.append(("Or, in place of these:\n\n" if form is not kind.forms[0] else "") + page.table_of(form))
    parts += tables
    parts.append('## Profiles\n\nA value over time: a number, which is constant, or a map of one of these kinds.\n')
    for one in profiles:
        page.add_mapping(one)
    parts += page.sections
    page.sections = []
    parts.append("## Maps\n\nThe maps that keys above contain, in the order in which they first appear.\n")
    for one in mappings:
        page.add_mapping(one)
    parts += page.sections
    if page.without:
        raise SystemExit("keys without an example (MORE_EXAMPLES of keys.py): " + ", ".join(page.without))
    return "\n".join(parts)


def wrap_lines(text: str) -> str:
    head, _, rest = text.partition("\n")
    return head + "\n\n" + wrap(rest)
