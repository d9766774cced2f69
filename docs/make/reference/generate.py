"""The generated reference: generate.py BRISTLE ROOT writes docs/reference/*.md from the output of the command BRISTLE;
generate.py --check BRISTLE ROOT ends with 1 and a message if a page is out of date.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import columns
import commands
import keys


def main(arguments: list[str]) -> int:
    is_check = arguments[0] == "--check"
    bristle, root = (Path(argument).resolve() for argument in arguments[is_check:])

    def run(*words: str) -> str:
        done = subprocess.run([str(bristle), *words], cwd=root, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"bristle {' '.join(words)}: {done.stderr}")
        return done.stdout

    folder = root / "docs/reference"
    pages = {name: module.write_page(run, root) for name, module in
             {"keys.md": keys, "columns.md": columns, "commands.md": commands}.items()}
    old = [name for name, text in pages.items() if not (folder / name).exists() or
           (folder / name).read_text(encoding="utf-8") != text]
    if is_check:
        for name in old:
            print(f"docs/reference/{name} is out of date: make reference")
        return 1 if old else 0
    folder.mkdir(exist_ok=True)
    for name in old:
        (folder / name).write_text(pages[name], encoding="utf-8")
        print(f"docs/reference/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
