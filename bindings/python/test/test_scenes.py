"""Oracle: the C library. Everyday scenes are the same to the last bit.

BRISTLE_SCENES names the program of test/scenes that writes random scenes and their tables.
"""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest

import bristle

PROGRAM = os.environ.get("BRISTLE_SCENES", "")


def printed(what: str, index: int) -> str:
    return subprocess.run([PROGRAM, what, "1", str(index)], check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(not PROGRAM, reason="BRISTLE_SCENES is not set")
@pytest.mark.parametrize("index", range(12))
def test_a_scene_is_the_same_as_in_c(index: int) -> None:
    lines = printed("rows", index).split()
    table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
    result = bristle.run(printed("print", index))
    for name, column in zip(lines[0].split(","), table.T):
        if not name.startswith("state"):
            assert (np.asarray(result[name]) == column).all(), name
