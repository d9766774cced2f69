"""Oracle: the C library. A sample of every function is the same to the last bit.

The program `same` (same.c, built by CMake with the library's own flags) prints names and numbers; its path
is in BRISTLE_SAME.
"""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest

import bristle

PROGRAM = os.environ.get("BRISTLE_SAME", "")

TWISTS = np.array([[0.1, 0.0, 0.0], [0.0, -0.02, 3.0], [1e-4, 2e-4, -0.5], [0.0, 0.0, 0.0]])
FORCES = np.array([5.0, 2.0, 0.7, 1.0])
POLYGON = [(0, 0), (0.03, 0), (0.03, 0.01), (0.01, 0.01), (0.01, 0.04), (0, 0.04)]


def from_c() -> dict[str, list[float]]:
    text = subprocess.run([PROGRAM], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return {words[0]: [float.fromhex(word) for word in words[1:]] for words in lines}


def computed() -> dict[str, object]:
    found: dict[str, object] = {}
    law = bristle.Law()
    z = np.array(1e-5)
    found["law.eval"] = law.eval(z, 0.003, 2.0)
    found["law.gradient"] = law.gradient(z, 0.003, 2.0)
    found["law.step"] = (law.step(z, 0.003, 2.0, 1e-3), z)
    patch = bristle.Patch.polygon(POLYGON, angle=0.3, centre=(0.01, 0.02))
    found["patch"] = patch.at(1.0)
    surface = bristle.LimitSurface(patch)
    wrench = surface.wrench(TWISTS)
    found["limit.wrench"] = wrench
    found["limit.jacobian"] = surface.jacobian(TWISTS)
    found["limit.gauge"] = surface.gauge(0.7 * wrench[:3])
    for method in ("blocks", "distributed", "reduced", "ellipsoid"):
        contact = bristle.Contact(patch, law, method)
        states = contact.state(4)
        energy = np.empty((4, 3))
        found[method + ".step"] = contact.step(states, TWISTS, FORCES, 1e-3, energy=energy)
        found[method + ".energy"] = energy
        found[method + ".eval"] = contact.eval(states, TWISTS, FORCES)
        found[method + ".steady"] = contact.steady(TWISTS, FORCES)
        found[method + ".load"] = contact.load(states, TWISTS, FORCES)
        found[method + ".stored"] = contact.stored(states, FORCES)
        found[method + ".gradient"] = contact.gradient(states[0], TWISTS[0], FORCES[0]).f_z
        found[method + ".sensitivity"] = contact.sensitivity(states[0], TWISTS[0], FORCES[0])
    return found


def flat(value: object) -> list[float]:
    if isinstance(value, tuple):
        return [number for part in value for number in flat(part)]
    return np.ravel(np.asarray(value, dtype=np.float64)).tolist()


@pytest.mark.skipif(not PROGRAM, reason="BRISTLE_SAME names no program")
def test_every_number_is_that_of_c() -> None:
    expected, found = from_c(), computed()
    assert set(expected) == set(found)
    for name, numbers in expected.items():
        own = flat(found[name])
        assert [n.hex() for n in own] == [n.hex() for n in numbers], name
