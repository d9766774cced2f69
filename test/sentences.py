"""Long sentences of pages, comments of headers, texts of the command and docstrings.

    sentences.py FILE...                prints FILE:LINE: WORDS words: the sentence; ends with 1 if there are any
    sentences.py --statistics FILE...   number of sentences, mean and largest number of words of each file
    sentences.py --self-test            checks itself on planted samples

Pages (.md) are checked for their layout, too: prose wraps at 100 columns, a table has at most six columns.

What counts as text depends on the file:
    .md   paragraphs, items of lists and cells of tables; not fenced or indented blocks, $$ blocks, headings
    .h    comments; not lines that are indented in them (equations, examples)
    .c    string literals that are prose: paragraphs of help at the margin, texts of options, messages
    .py   docstrings
    .txt  output of help, as .c
A sentence ends with . ! or ? before a space. A colon or a semicolon does not end it. `code`, $equations$ and links are one
word; what has neither letter nor digit is no word.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

MOST_WORDS = 35
MOST_COLUMNS = 6  # of a table
WIDTH = 100  # of a line of prose
ABBREVIATIONS = ("e.g", "i.e", "cf", "vs", "Fig", "Figs", "Eq", "Eqs", "No", "al", "resp", "approx", "Sec", "Tab", "Ch", "pp")
ITEM = re.compile(r"\s*([-*+]|\d+[.)])\s+")

Piece = tuple[int, str]  # line, text of one paragraph


def sentences(text: str) -> list[str]:
    """Sentences of a paragraph."""
    found, start = [], 0
    for end in re.finditer(r"[.!?][)\"'*_\]]*(?=\s)", text):
        before = text[start : end.start()]
        last = before.split()[-1] if before.split() else ""
        is_ellipsis = last.endswith("..") or last == "."
        if text[end.start()] == "." and (last.lstrip("(") in ABBREVIATIONS or is_ellipsis):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [s for s in found if s]


def count_words(sentence: str) -> int:
    return sum(1 for word in sentence.split() if re.search(r"[A-Za-z0-9]", word))


def plain(text: str) -> str:
    """Markdown without its marks: code, equations and pictures become one word, links their text."""
    text = re.sub(r"<!--.*?-->", " ", text)
    text = re.sub(r"`+[^`]*`+", "CODE", text)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\$[^$]+\$", "EQUATION", text)
    return re.sub(r"<[^>]*>", " ", text)


def join(lines: list[Piece]) -> list[Piece]:
    return [(lines[0][0], " ".join(text.strip() for _, text in lines))] if lines else []


def markdown(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    paragraph: list[Piece] = []
    fence = ""
    in_item = False
    text = re.sub(r"<!--.*?-->", lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)

    def end() -> None:
        pieces.extend(join(paragraph))
        paragraph.clear()

    for number, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"^\s*>\s?", "", raw)
        mark = re.match(r"\s*(```+|~~~+|\$\$)", line)
        if fence:
            if line.strip().startswith(fence) or line.strip().endswith("$$" if fence == "$$" else fence):
                fence = ""
        elif mark:
            end()
            fence = mark.group(1) if not (mark.group(1) == "$$" and line.strip().endswith("$$") and len(line.strip()) > 2) else ""
        elif not line.strip():
            end()
        elif re.match(r"\s*(#|<|={3,}$|-{3,}$)", line) and not re.match(r"\s*<(https?:|[a-z]+>)", line):
            end()
            in_item = False
        elif line.lstrip().startswith("|"):
            end()
            pieces.extend((number, cell) for cell in line.replace("\\|", " ").split("|"))
        elif ITEM.match(line):
            end()
            in_item = True
            paragraph.append((number, ITEM.sub("", line, count=1)))
        elif line.startswith("    ") and not paragraph and not in_item:
            pass  # an indented block
        else:
            in_item = in_item and (line.startswith("  ") or bool(paragraph))
            paragraph.append((number, line))
    end()
    return [(number, plain(piece)) for number, piece in pieces]


def comments(text: str) -> list[Piece]:
    """Paragraphs of the comments of C."""
    pieces: list[Piece] = []
    paragraph: list[Piece] = []
    before = ""

    def end() -> None:
        pieces.extend(join(paragraph))
        paragraph.clear()

    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if in_block or re.match(r"\s*/\*", line):
            kind, code = "/*", ""
            body = re.sub(r"\*/.*", "", re.sub(r"^\s*(/\*+|\*(?!/))", "", line))
            in_block = "*/" not in line
        else:
            found = re.match(r"(.*?)(///<|///|//)(.*)", line)
            if not found or found.group(1).count('"') % 2 == 1:
                end()
                before = ""
                continue
            code, kind, body = found.groups()
        if kind != before or code.strip():
            end()
        before = kind
        is_indented = len(body) - len(body.lstrip()) >= 4 and kind != "///<"
        if not body.strip() or re.match(r"\s*(-{3}|\|)", body) or is_indented and not paragraph:
            end()
        elif re.match(r"\s*(@(param|return|file|brief|defgroup|ref|p|see|name)\b|[-*] )", body):
            end()
            paragraph.append((number, re.sub(r"@\w+", "", body)))
        elif is_indented:
            end()
        else:
            paragraph.append((number, body))
    end()
    return [(number, plain(piece)) for number, piece in pieces]


def help_text(lines: list[Piece]) -> list[Piece]:
    """Paragraphs of help: lines with a gap of two spaces or more start a new text in their column."""
    pieces: list[Piece] = []
    paragraph: list[Piece] = []
    indent = -1
    for number, line in [*lines, (0, "")]:
        gap = re.match(r"(\s*\S.*?\S*?  +)(\S.*)$", line)
        at = len(line) - len(line.lstrip())
        if not line.strip() or gap or (paragraph and at != indent and indent >= 0):
            pieces.extend(join(paragraph))
            paragraph = []
            indent = -1
        if gap:
            paragraph = [(number, gap.group(2))]
            indent = len(gap.group(1))
        elif line.strip() and not line.startswith("usage:"):
            indent = at if indent < 0 else indent
            paragraph.append((number, line))
    return pieces


def strings(text: str) -> list[Piece]:
    """Texts of the string literals of C; adjacent ones are one text."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|\'(?:\\.|[^\'\\])\'|"((?:\\.|[^"\\\n])*)"|[^\s"\'/]+|/|\'', re.DOTALL)
    pieces: list[Piece] = []
    current, start = "", 0
    for found in [*token.finditer(text), None]:
        if found and found.group(1) is not None:
            if not current:
                start = text.count("\n", 0, found.start()) + 1
            current += found.group(1)
            continue
        if found and found.group().startswith(("//", "/*", "PRI")):
            continue
        if current:
            value = current.replace('\\"', '"').replace("\\n", "\n").replace("%%", "%")
            pieces.extend(help_text([(start + i, line) for i, line in enumerate(value.split("\n"))]))
        current = ""
    return pieces


def docstring(text: str) -> list[Piece]:
    """Paragraphs and arguments of a docstring, without its examples."""
    lines, in_example = [], False
    for line in text.splitlines():
        in_example = bool(line.strip()) and (in_example or line.lstrip().startswith(">>>"))
        if re.match(r"(    )?(\w+, )*\w+: |\w+:$", line):
            lines.append("- " + line)  # an argument is an item
        else:
            lines.append("" if in_example else line.lstrip())
    return markdown("\n".join(lines))


def docstrings(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            value = ast.get_docstring(node)
            if value:
                first = node.body[0].lineno  # type: ignore[attr-defined]
                pieces.extend((first + number - 1, piece) for number, piece in docstring(value))
    return pieces


READERS = {".md": markdown, ".h": comments, ".c": strings, ".py": docstrings,
           ".txt": lambda text: help_text(list(enumerate(text.splitlines(), 1)))}


def read(path: Path) -> list[tuple[int, int, str]]:
    """Line, number of words and text of every sentence."""
    pieces = READERS[path.suffix](path.read_text(encoding="utf-8"))
    return [(line, count_words(s), s) for line, piece in pieces for s in sentences(piece)]


def layout(text: str) -> list[tuple[int, str]]:
    """Lines of prose that are too long and tables that are too wide, by line."""
    found: list[tuple[int, str]] = []
    fence, lines = "", text.splitlines()
    for number, line in enumerate(lines, 1):
        mark = re.match(r"\s*(```+|~~~+|\$\$)", line)
        if fence:
            fence = "" if line.strip().endswith(fence) else fence
        elif mark:
            fence = mark.group(1) if line.strip() == mark.group(1) or mark.group(1) != "$$" else ""
        elif line.startswith("|"):
            columns = line.replace("\\|", "").strip().strip("|").count("|") + 1
            if set(line) <= set("|-: ") and columns > MOST_COLUMNS:
                found.append((number, f"a table of {columns} columns"))
        elif len(line) > WIDTH and not re.match(r"\s*(#|<|!\[|\[!\[)|    ", line):
            # one word (an address) may be as long as it is; so may `code`, which is not broken
            words = re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|\$[^$]*\$", lambda m: m.group().replace(" ", "_"), line).split()
            if len(line) - len(words[-1]) - 1 > WIDTH or len(words[-1]) < WIDTH // 4:
                found.append((number, f"a line of {len(line)} columns"))
    return found


def check(path: Path) -> list[str]:
    long = [f"{path}:{line}: {words} words: {s}" for line, words, s in read(path) if words > MOST_WORDS]
    text = path.read_text(encoding="utf-8") if path.suffix == ".md" else ""
    return long + [f"{path}:{line}: {what}" for line, what in layout(text)]


def self_test() -> int:
    long, other = " ".join(["word"] * 36), " ".join(["word"] * 20)
    samples = [  # language, text, number of long sentences
        ("a sentence", ".md", f"{long}.\n", 1),
        ("of two lines", ".md", f"{other}\n{other}.\n", 1),
        ("two sentences", ".md", f"{other}. {other}.\n", 0),
        ("a small letter after the dot", ".md", f"{other}. x {other}.\n", 0),
        ("a semicolon", ".md", f"{other}; {other}.\n", 1),
        ("an abbreviation", ".md", f"{other}, e.g. {other}.\n", 1),
        ("an ellipsis", ".md", f"{other} ... {other}.\n", 1),
        ("a fenced block", ".md", f"```c\n{long}\n```\n", 0),
        ("after a fenced block", ".md", f"```c\nint x;\n```\n{long}\n", 1),
        ("an equation", ".md", f"$$\n{long}\n$$\n", 0),
        ("after an equation", ".md", f"$$ x $$\n\n{long}\n", 1),
        ("items of a list", ".md", f"- {other}\n- {other}\n", 0),
        ("a long item", ".md", f"1. {other}\n   {other}\n", 1),
        ("cells of a table", ".md", f"| {other} | {other} |\n", 0),
        ("a long cell", ".md", f"| {long} | x |\n", 1),
        ("code is one word", ".md", f"{other} `{other}`.\n", 0),
        ("a link is its text", ".md", f"{other} [{other}](x.md).\n", 1),
        ("a heading", ".md", f"# {other}\n{other}\n", 0),
        ("a comment", ".h", f"/// {other}\n/// {other}\nint x;\n", 1),
        ("a trailing comment", ".h", f"int x; ///< {other}\n       ///< {other}\n", 1),
        ("two trailing comments", ".h", f"int x; ///< {other}\nint y; ///< {other}\n", 0),
        ("an equation in a comment", ".h", f"/// {other}:\n///\n///     {other} {long}\n///\n/// {other}\n", 0),
        ("a parameter", ".h", f"/// {other}\n/// @param x {other}\n", 0),
        ("a table in a comment", ".h", f"/// | {other} | {other} |\n/// | {other} | {other} |\n", 0),
        ("a block comment", ".h", f"/* {other}\n * {other}\n */\n", 1),
        ("help", ".c", f'const char help[] = "{other}\\n"\n    "{other}\\n";\n', 1),
        ("options", ".c", f'"  --one X   {other}\\n"\n    "  --two     {other}\\n";\n', 0),
        ("a long option", ".c", f'"  --one X   {other}\\n"\n    "            {other}\\n";\n', 1),
        ("a message", ".c", f'warn("{other} " /* x */ "{other}");\n', 1),
        ("code of C", ".c", f"int x = {long};\n", 0),
        ("printed help", ".txt", f"{other}\n{other}\n", 1),
        ("a docstring", ".py", f'def f():\n    """{other}\n    {other}\n    """\n', 1),
        ("arguments", ".py", f'def f():\n    """x\n\n    Args:\n        x: {other}\n        y: {other}\n    """\n', 0),
        ("a long argument", ".py", f'def f():\n    """x\n\n    Args:\n        x: {other}\n            {other}\n    """\n', 1),
        ("an example", ".py", f'def f():\n    """x\n\n    >>> {long}\n    {long}\n    """\n', 0),
        ("code of Python", ".py", f"x = '{long}'\n", 0),
    ]
    failed = 0
    for name, suffix, text, expected in samples:
        found = [s for _, piece in READERS[suffix](text) for s in sentences(piece) if count_words(s) > MOST_WORDS]
        if len(found) != expected:
            print(f"sentences.py: {name}: {len(found)} long sentences instead of {expected}")
            failed = 1
    row, line = "| a | b | c | d | e | f |", "word " * 25
    pages = [  # text, number of complaints
        ("a wide table", f"{row} g |\n{'|---' * 7}|\n", 1),
        ("a table", f"{row}\n{'|---' * 6}|\n", 0),
        ("a long line", line + "\n", 1),
        ("a line", line[:99] + "\n", 0),
        ("a long line of code", f"```\n{line}\n```\n", 0),
        ("a long line after code", f"```\nx\n```\n{line}\n", 1),
        ("a long row", f"| {line} |\n", 0),
        ("an address", "word " * 15 + "[x](https://example.org/" + "x" * 40 + ")\n", 0),
    ]
    for name, text, expected in pages:
        if len(layout(text)) != expected:
            print(f"sentences.py: {name}: {layout(text)} instead of {expected}")
            failed = 1
    return failed


def statistics(paths: list[Path]) -> None:
    for path in paths:
        # a fragment (a cell, a unit) is no sentence
        counts = [words for _, words, s in read(path) if s[-1:] in ".!?" and words > 2]
        if counts:
            print(f"{path}: {len(counts)} sentences, {sum(counts) / len(counts):.1f} words, longest {max(counts)}")


def main(arguments: list[str]) -> int:
    if arguments == ["--self-test"]:
        return self_test()
    if arguments[:1] == ["--statistics"]:
        statistics([Path(name) for name in arguments[1:]])
        return 0
    found = [line for name in arguments for line in check(Path(name))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
