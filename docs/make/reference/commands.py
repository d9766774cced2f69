"""docs/reference/commands.md: every command and option, from `bristle help COMMAND`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from text import code, escape, table, wrap

OPTION = re.compile(r"^  (-\S.*)$")
COLUMN = 20  # of the meaning of an option

INTRODUCTION = """\
# Commands

This page lists every command of `bristle` with its options. It is for those who work in a terminal or write scripts; the
[tutorial](../tutorial/guide.md) shows the commands at work. `bristle help COMMAND` prints the same. The keys of scenario files have
[a page of their own](keys.md), and so do the [columns](columns.md) of tables.

SI units and radians. Exit status: 0 done, 1 the computation could not be finished or a file not written, 2 bad usage or
bad input.
"""


def split_option(line: str) -> tuple[str, str]:
    """The option and the start of its meaning."""
    text = line[2:]
    if "  " in text:
        option, _, meaning = text.partition("  ")
        return option, meaning.strip()
    if len(line) > COLUMN and line[COLUMN - 1] == " ":
        return line[2:COLUMN].strip(), line[COLUMN:]
    return text, ""


def join(option: str, lines: list[str]) -> str:
    """Lines of a meaning; a word of the option that starts one starts a line in the cell, too."""
    words = re.findall(r"[\w-]+", option)
    text = ""
    for line in lines:
        starts = re.match(r"([\w-]+)(?: \(default\))?:", line)
        text += "" if not text else "<br>" if starts and starts[1] in words else " "
        text += escape(line)
    return text


class Block:
    """Lines of one kind: options, text, or text that is indented."""

    def __init__(self, kind: str) -> None:
        self.kind, self.lines = kind, []  # type: ignore[var-annotated]

    def write(self) -> str:
        if self.kind == "options":
            return table(["Option", "Meaning"], [[code(option), join(option, lines)] for option, lines in self.lines])
        if self.kind == "text":
            return wrap(escape(" ".join(self.lines)))
        return "```text\n" + "\n".join(line.removeprefix("  ") for line in self.lines) + "\n```\n"


def read_blocks(lines: list[str]) -> list[Block]:
    blocks: list[Block] = []

    def last(kind: str, is_new: bool) -> Block:
        if is_new or not blocks or blocks[-1].kind != kind:
            blocks.append(Block(kind))
        return blocks[-1]

    after_blank = True
    for line in lines:
        option = OPTION.match(line)
        if not line.strip():
            after_blank = True
            continue
        if option:
            name, meaning = split_option(line)
            last("options", False).lines.append((name, [meaning] if meaning else []))
        elif blocks and blocks[-1].kind == "options" and line.startswith("    ") and not after_blank:
            blocks[-1].lines[-1][1].append(line.strip())
        elif line.startswith("  "):
            last("indented", False).lines.append(line)
        else:
            last("text", after_blank).lines.append(line)
        after_blank = False
    return blocks


def describe(name: str, summary: str, text: str) -> str:
    text = text.partition("\nKeys: units in brackets")[0]  # keys.md has these
    text, _, example = text.partition("\nexample:")
    usage, _, rest = text.partition("\n\n")
    usage = re.sub(r"^(usage:|      ) ", "", usage, flags=re.MULTILINE)
    parts = [f"## {name}\n", escape(summary[0].upper() + summary[1:]) + ".\n", f"```text\n{usage}\n```\n"]
    parts[1:1] = ["The keys of the file: [scenario keys](keys.md). The columns of the table: [columns](columns.md).\n"] * (name == "run")
    parts += [block.write() for block in read_blocks(rest.split("\n"))]
    lines = example.strip("\n").split("\n")
    shown = "\n".join(line.strip() if len(lines) == 1 else line.removeprefix("  ") for line in lines).strip()
    return "\n".join([*parts, f"Example:\n\n```sh\n{shown}\n```\n"])


def write_page(run: Callable[..., str], root: Path) -> str:
    head, _, rest = INTRODUCTION.partition("\n")
    commands = re.findall(r"^  ([a-z]+) {2,}(\S.*)$", run("--help"), re.MULTILINE)
    parts = [head + "\n\n" + wrap(rest)]
    rows = [[f"[{code(name)}](#{name})", escape(summary)] for name, summary in commands if name != "help"]
    rows += [[code("help"), "explain a command, or a key of scenario files; `help topics` lists the keys that contain others"],
             [code("help --man"), "print the manual page; `--bash`, `--zsh`: completion; `--schema`: the JSON Schema of scenarios"]]
    parts.append(table(["Command", "Purpose"], rows))
    parts += [describe(name, summary, run("help", name)) for name, summary in commands if name != "help"]
    return "\n".join(parts)
