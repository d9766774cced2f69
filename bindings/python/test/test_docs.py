"""Oracle: the documents themselves. Python blocks run in order; the text below one is what it prints."""

from __future__ import annotations

import contextlib
import io
import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [
    "README.md",
    "docs/explanation/gradients.md",
    "docs/howto/python.md",
    "docs/howto/rl.md",
    "docs/howto/tactile_map.md",
]


def blocks(document: Path) -> list[tuple[str, str]]:
    """Language and text of every fenced block, also in numbered steps."""
    found = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", document.read_text(), re.MULTILINE | re.DOTALL)
    return [(language, textwrap.dedent(text)) for _, language, text in found]


def check_printed(printed: str, wanted: str) -> None:
    """Every expected line is printed; ... matches anything."""
    for line in wanted.splitlines():
        pattern = ".*".join(re.escape(part) for part in line.split("..."))
        assert re.search(pattern, printed), f"not printed: {line}\nbut:\n{printed}"


@pytest.mark.parametrize("name", PAGES)
def test_the_code_of_documents_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = ROOT / name
    if not document.exists():
        pytest.skip("no documents beside the package")
    if "from scipy" in document.read_text():
        pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    printed, space, count = "", {"__name__": "document"}, 0
    after_python = False
    for language, text in blocks(document):
        if language == "python":
            catch = io.StringIO()
            with contextlib.redirect_stdout(catch):
                exec(compile(text, f"{name} block {count}", "exec"), space)
            printed = catch.getvalue()
            count += 1
        elif language == "text" and after_python:
            check_printed(printed, text)
        after_python = language == "python"
    assert count > 0
