"""Oracle: invariants of mechanics, on numbers that hypothesis chooses."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import bristle

PATCHES = [
    bristle.Patch.disc(0.01),
    bristle.Patch.disc(0.02, pressure="hertz"),
    bristle.Patch.ring(0.015),
    bristle.Patch.rectangle((0.03, 0.01), pressure=bristle.LinearPressure(1, 4)),
    bristle.Patch.polygon([(0, 0), (0.03, 0), (0.03, 0.01), (0.01, 0.01), (0.01, 0.04), (0, 0.04)]),
    bristle.Patch.points([(0, 0), (0.02, 0), (0, 0.03)], weights=[1, 2, 3]),
]
SURFACES = [bristle.LimitSurface(patch) for patch in PATCHES]
CONTACTS = [
    bristle.Contact(patch, bristle.Law.from_mu(0.4, patch.r), method)
    for patch in PATCHES
    for method in ("blocks", "reduced", "ellipsoid")
]

speed = st.floats(-1.0, 1.0)
twists = st.tuples(speed, speed, st.floats(-50.0, 50.0)).map(np.array)
forces = st.floats(0.0, 100.0)


@given(st.sampled_from(SURFACES), twists)
def test_friction_opposes_the_motion(surface: bristle.LimitSurface, v: np.ndarray) -> None:
    power = surface.wrench(v) @ v
    assert power <= 0.0
    # Euler's identity for a homogeneous function; 1e-12: rounding of three products
    assert abs(power + surface.dissipation(v)) <= 1e-12 * (1.0 + abs(power))


@given(st.sampled_from(SURFACES), twists)
def test_the_gauge_of_a_wrench_of_sliding_is_1(
    surface: bristle.LimitSurface, v: np.ndarray
) -> None:
    if np.hypot(v[0], v[1]) + surface.r * abs(v[2]) < 1e-3:
        return
    # 1e-9: as documented for br_limit_gauge()
    assert abs(surface.gauge(-surface.wrench(v)) - 1.0) <= 1e-9


@given(st.sampled_from(PATCHES), twists, st.floats(-3.0, 3.0))
def test_a_turned_patch_has_a_turned_wrench(
    patch: bristle.Patch, v: np.ndarray, angle: float
) -> None:
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    turned = bristle.LimitSurface(
        bristle.Patch(**{**patch._values(), "angle": patch.angle + angle})
    )
    straight = bristle.LimitSurface(patch)
    if straight.dissipation(v) < 1e-6:
        return
    # 1e-7: the angle's rounding, magnified where the centre of rotation is near a support point
    np.testing.assert_allclose(turned.wrench(turn @ v), turn @ straight.wrench(v), atol=1e-7)


@given(st.sampled_from(CONTACTS), st.lists(st.tuples(twists, forces), max_size=8), st.floats(-6, 0))
def test_steps_are_passive(
    contact: bristle.Contact, motions: list[tuple[np.ndarray, float]], exponent: float
) -> None:
    z, energy, before, h = contact.state(), np.zeros(3), 0.0, 10.0**exponent
    for v, fn in motions:
        start = contact.stored(z, fn)
        f = contact.step(z, v, fn, h, energy=energy)
        stored, work, dissipated = energy
        scale = abs(work) + stored + start + 1e-12
        assert dissipated >= -1e-9 * scale  # rounding of the sums over parts
        assert abs(work - (stored - start) - dissipated) <= 1e-9 * scale
        assert abs(work + h * f @ v) <= 1e-9 * scale
        before = stored
    assert before >= 0.0


@given(st.floats(-1.0, 1.0), forces, st.floats(-6, 2), st.sampled_from(["lugre", "elasto-plastic"]))
def test_the_resistance_of_a_law_is_bounded(
    v: float, fn: float, exponent: float, kind: str
) -> None:
    law = bristle.Law(kind=kind, mu_c=0.3, mu_s=0.4, sigma0=1e5, sigma1=0.0, sigma2=0.0)
    z = law.state()
    for _ in range(5):
        f = law.step(z, v, fn, 10.0**exponent)
        assert abs(f) <= 0.4 * fn * (1 + 1e-9)
        assert f * v >= 0.0
