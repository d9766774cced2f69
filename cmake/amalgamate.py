"""Writes bristle.h and bristle.c, the core library as two files: amalgamate.py ROOT OUT.

Public headers become bristle.h. Sources of libbristle follow each other in bristle.c, in the order of CMakeLists.txt.
Names that several sources use for themselves get the number of the source at their end, in the text. Headers that depend
on macros (vectors of LANES numbers, dual numbers, *.inc) are repeated in each source that includes them; all others come
first, once. The kernels are compiled for pairs of numbers where the processor has them, else one at a time. For longer
vectors, chosen at run time, build the library.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

INCLUDE = re.compile(r'^#include "([^"]+)".*$')
SYSTEM = re.compile(r"^#include (<[^>]+>).*$")
REPEATED = {"math/lanes.h", "math/real_lanes.h", "math/dual.h", "math/scalar.h", "math/one_lane.h"}
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*|/\*.*?\*/|[A-Za-z_]\w*|\s+|->|.', re.S)
KEYWORDS = {"void", "int", "double", "float", "const", "struct", "static", "inline", "return", "if"}
LONGER = re.compile(r"(?<!worlds_float)_4\.c$|_(8|16)\.c$")  # instances for vectors that need options of their own


def sources_of(root: Path) -> list[str]:
    text = (root / "CMakeLists.txt").read_text()
    listed = re.search(r"bristle_library\(bristle\n(.*?)\)", text, re.S)[1].split()
    return [name.removeprefix("src/") for name in listed if not LONGER.search(name)]


class Files:
    """The text of a header or source by the name under which it is included."""

    def __init__(self, root: Path) -> None:
        self.folders = [root / "src", root / "include"]
        self.version = (root / "VERSION").read_text().strip()

    def text(self, name: str) -> str:
        if name == "bristle/version.h":
            return self.version_header()
        return next((folder / name).read_text() for folder in self.folders if (folder / name).exists())

    def version_header(self) -> str:
        text = self.text("bristle/version.h.in")
        numbers = dict(zip(("MAJOR", "MINOR", "PATCH"), self.version.split(".")))
        return re.sub(r"@PROJECT_VERSION(?:_(\w+))?@", lambda m: numbers[m[1]] if m[1] else self.version, text)


def is_repeated(name: str) -> bool:
    return name in REPEATED or name.endswith(".inc")


def join(files: Files, name: str, once: list[str] | None, system: list[str]) -> str:
    """The text of a file with its repeated headers inside; other headers go to `once`, if it is there."""
    rows = []
    for row in files.text(name).split("\n"):
        if found := INCLUDE.match(row):
            if is_repeated(found[1]):
                rows.append(join(files, found[1], once, system))
            elif once is not None:
                bring(files, found[1], once, system)
        elif found := SYSTEM.match(row):
            if row not in system:
                system.append(found[0])
            rows.append(row)
        else:
            rows.append(row)
    return "\n".join(rows)


def bring(files: Files, name: str, once: list[str], system: list[str]) -> None:
    """A header after all that it includes."""
    if name not in once:
        for row in files.text(name).split("\n"):
            if (found := INCLUDE.match(row)) and not is_repeated(found[1]):
                bring(files, found[1], once, system)
        if name not in once:
            once.append(name)


def defined(text: str) -> set[str]:
    """Names with internal linkage at file level: functions, variables, types, enumeration constants."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*$", "", text, flags=re.M)
    names = set(re.findall(r"^(?:static|INLINE|SHARED|SPECIAL|FOR_4|FOR_8)\b[^;{}=()]*?(?:__attribute__\(\([^{}]*?\)\)[^;{}=()]*?)?\b(\w+)\s*\(", text, re.M))
    names |= set(re.findall(r"^static\b[^;{}()=]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|;)", text, re.M))
    names |= set(re.findall(r"^static\b[^;{}()=]*?\(\*(?:const )?(\w+)(?:\[[^\]]*\])*\)\s*\(", text, re.M))
    names |= set(re.findall(r"^typedef\b[^;{}]*?\(\*?(\w+)\)\(", text, re.M))
    names |= set(re.findall(r"^typedef\b[^;{}()]*?\b(\w+)(?:\s*\[[^\]]*\])?(?:\s*__attribute__.*)?;", text, re.M))
    names |= set(re.findall(r"^(?:typedef enum[^;]*)?\} (\w+);", text, re.M))
    names |= set(re.findall(r"^(?:typedef )?(?:struct|union|enum) (\w+)\s*(?:\{|$)", text, re.M))
    names |= set(re.findall(r"^(?:struct|union|enum) (\w+);", text, re.M))
    for body in re.findall(r"^(?:typedef )?enum[^{};]*\{([^}]*)\}", text, re.M):
        names |= set(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", body))
    return names - KEYWORDS


def macros(text: str) -> list[str]:
    return sorted(set(re.findall(r"^\s*#\s*define (\w+)", text, re.M)))


def pasted(text: str) -> set[str]:
    """Names of functions and tables that macros define by their first argument: KINDS(eval, ...) is eval_cells_lugre, ..."""
    names = set()
    for macro, first, body in re.findall(r"^#define (\w+)\((\w+)[^)]*\)((?:.*\\\n)*.*)", text, re.M):
        ends = set(re.findall(rf"\b{first}##(\w+)", body))
        if re.search(rf"\bstatic\b[^;{{(]*\b{first}\b(?!##)", body):
            ends.add("")
        for argument in re.findall(rf"^{macro}\((\w+)", text, re.M):
            names |= {argument + end for end in ends}
    return names


def renamed(text: str, names: set[str], suffix: str) -> str:
    """The text with these names lengthened, except where they are members of structs."""
    tokens = TOKEN.findall(text)
    solid = [i for i, token in enumerate(tokens) if not token.isspace() and not token.startswith(("//", "/*"))]
    depth: list[bool] = []  # for each open brace: is it a struct's?
    for place, i in enumerate(solid):
        token = tokens[i]
        before = tokens[solid[place - 1]] if place else ""
        after = tokens[solid[place + 1]] if place + 1 < len(solid) else ""
        if token == "{":
            second = tokens[solid[place - 2]] if place > 1 else ""
            depth.append(before in ("struct", "union") or second in ("struct", "union"))
        elif token == "}" and depth:
            depth.pop()
        elif token in names and before not in (".", "->"):
            member = depth and depth[-1] and (after in (";", ",", "[", ":") or (before == "*" and after == ")"))
            if not member:
                tokens[i] = token + suffix
    return "".join(tokens)


def strip(text: str) -> str:
    return "\n".join(row for row in text.split("\n") if not INCLUDE.match(row)) + "\n"


def write(root: Path, out: Path) -> None:
    files = Files(root)
    shared: list[str] = []
    units = [(name, join(files, name, shared, [])) for name in sources_of(root)]
    public = [name for name in shared if name.startswith("bristle/")]
    inner = [name for name in shared if name not in public]
    head = "".join(join(files, name, None, []) + "\n" for name in inner)
    uses = Counter(name for _, text in units for name in defined(text))
    taken = defined(head)
    parts = [
        f"/* bristle {files.version}: the core in one file. Written by `make amalgamation`. MIT licence. */\n",
        '#include "bristle.h"\n\n',
        "/* headers are shared by sources that use parts of them; vectors do not leave this file */\n"
        "#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
        "#pragma GCC diagnostic ignored \"-Wpsabi\"\n#endif\n\n",
        "/* pairs of numbers where the processor has them; 1 elsewhere, in plain C without vectors of GNU C */\n"
        "#ifndef VECTOR_LANES\n#if defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)\n"
        "#define VECTOR_LANES 2\n#else\n#define VECTOR_LANES 1\n#endif\n#endif\n\n",
        head,
    ]
    for number, (name, text) in enumerate(units):
        own = {word for word in defined(text) if uses[word] > 1 or word in taken}
        made = sorted(pasted(text))
        parts += [f"\n/* --- {name} --- */\n", *(f"#define {word} {word}_{number}\n" for word in made)]
        parts += [renamed(text, own, f"_{number}")]
        parts += [f"#undef {word}\n" for word in macros(text) + made]
    out.mkdir(parents=True, exist_ok=True)
    title = f"/* bristle {files.version}: the core's declarations. Written by `make amalgamation`. MIT licence. */\n"
    (out / "bristle.h").write_text(title + "".join(strip(files.text(name)) for name in public))
    (out / "bristle.c").write_text("".join(parts))


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
