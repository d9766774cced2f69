"""Oracle: the stored outputs. Each notebook of examples/notebooks runs, prints what is stored in it, and draws as many pictures."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


def printed(notebook: Any) -> str:
    return "".join(output.text for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "stream")


def pictures(notebook: Any) -> int:
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_there_are_five_small_notebooks_with_pictures() -> None:
    if not FILES:
        pytest.skip("no notebooks beside the package")
    nbformat = pytest.importorskip("nbformat")
    assert len(FILES) == 5
    for file in FILES:
        assert file.stat().st_size < 150_000, file.name
        stored = nbformat.read(file, as_version=4)
        assert 1 <= pictures(stored) <= 2 and printed(stored), file.name


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_notebooks_print_what_they_store(file: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    for package in ("nbclient", "nbconvert", "ipykernel", "matplotlib"):
        pytest.importorskip(package, reason="notebooks: needs jupyter-nbconvert, python3-ipykernel and python3-matplotlib")
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "docs" / "make" / "notebooks.py")
    assert spec and spec.loader
    notebooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebooks)
    stored, run = (nbformat.read(file, as_version=4) for _ in range(2))
    for cell in run.cells:
        cell.update(outputs=[]) if cell.cell_type == "code" else None
    notebooks.execute(run)
    assert pictures(run) == pictures(stored)
    # the same words, and numbers to their last printed digit: other processors round differently
    assert NUMBER.sub("#", printed(run)) == NUMBER.sub("#", printed(stored))
    for ours, theirs in zip(NUMBER.findall(printed(run)), NUMBER.findall(printed(stored)), strict=True):
        assert float(ours) == pytest.approx(float(theirs), rel=0.02, abs=2e-3), (ours, theirs)
