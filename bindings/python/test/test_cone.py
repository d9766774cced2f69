"""Oracle: closed forms of cones, and each description against the others."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import bristle
from bristle import FrictionCone, Grasp, LimitPolyhedron, LimitSurface, Patch, Polyhedron, WrenchCone

CONE = FrictionCone([0.2, -0.3, 1.0], mu=0.7)


def test_inside_means_a_margin_above_zero(random: np.random.Generator) -> None:
    forces = random.standard_normal((500, 3))
    parts = CONE.split(forces)
    margin = 0.7 * parts[:, 0] - np.hypot(parts[:, 1], parts[:, 2])
    np.testing.assert_allclose(CONE.margin(forces), margin, atol=1e-14)
    np.testing.assert_array_equal(CONE.contains(forces), margin >= 0)


def test_a_projection_is_nearest(random: np.random.Generator) -> None:
    forces = random.standard_normal((200, 3))
    nearest = CONE.project(forces)
    assert CONE.contains(nearest).all()
    # the residual is in the polar cone and at a right angle to the projection
    np.testing.assert_allclose(np.sum((forces - nearest) * nearest, axis=1), 0.0, atol=1e-13)
    assert CONE.dual().contains(nearest - forces).all()
    assert isinstance(CONE.contains([0, 0, 1]), bool)


@pytest.mark.parametrize("faces", [3, 4, 8, 64])
def test_polyhedra_enclose_the_cone(faces: int, random: np.random.Generator) -> None:
    inner, outer = CONE.polyhedron(faces), CONE.polyhedron(faces, "outer")
    forces = random.standard_normal((500, 3)) + CONE.axes[0]
    assert (inner.contains(forces) <= CONE.contains(forces)).all()
    assert (CONE.contains(forces) <= outer.contains(forces)).all()
    np.testing.assert_allclose(inner.margin(forces), (inner.b - forces @ inner.A.T).min(axis=1))
    assert CONE.contains(inner.v[:, :3]).all()
    # closed form: 1 - sin(2 pi/N) N/(2 pi)
    assert inner.error[0] == pytest.approx(1 - np.sin(2 * np.pi / faces) * faces / (2 * np.pi))


def test_a_foot_agrees_with_its_closed_form(random: np.random.Generator) -> None:
    corners = [(x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.05, 0.05)]
    foot = WrenchCone(corners, FrictionCone([0, 0, 1], 0.6).polyhedron(4, phase=0.0))
    h = WrenchCone.rectangle(0.1, 0.05, 0.6 / np.sqrt(2))  # an upright pyramid within that
    w = random.standard_normal((500, 6)) * [0.3, 0.3, 1, 0.05, 0.1, 0.05] + [0, 0, 1, 0, 0, 0]
    inside_of_smaller = (w @ h.T <= 0).all(axis=1)
    turned = WrenchCone(corners, FrictionCone([0, 0, 1], 0.6).polyhedron(4, phase=np.pi / 4))
    np.testing.assert_array_equal(turned.contains(w), inside_of_smaller)
    assert foot.margin(w).shape == (500,)
    assert (foot.h @ foot.v.T <= 1e-9).all()


def test_limit_polyhedra_enclose_the_surface() -> None:
    surface = LimitSurface(Patch.rectangle((0.03, 0.02)))
    inner, outer = (LimitPolyhedron(surface, 60, side) for side in ("inner", "outer"))
    assert (surface.gauge(inner.v) <= 1 + 1e-9).all()
    assert (surface.gauge(outer.v) >= 1 - 1e-9).all()
    on_surface = surface.points(12).reshape(-1, 3)
    assert (on_surface @ outer.h[:, :3].T <= outer.h[:, 3] + 1e-9).all()
    assert surface.gauge(outer.v).max() == pytest.approx(1 + outer.error, abs=1e-8)


def test_grip_force_is_the_gauge_over_mu(random: np.random.Generator) -> None:
    patch = Patch.disc(0.01)
    loads = random.standard_normal((20, 3)) * [1, 1, 0.01]
    force = bristle.grip_force(patch, 0.5, loads)
    np.testing.assert_allclose(force, LimitSurface(patch).gauge(loads) / 0.5, rtol=1e-12)
    assert bristle.grip_force(Patch.points([(0, 0)]), 0.5, [0, 0, 1]) == np.inf
    soft = Patch.disc(bristle.ByForce(0.002, exponent=1 / 3))
    fn = bristle.grip_force(soft, 0.5, [[1.0, 0.0, 1e-3]])
    at = LimitSurface(soft, fn=float(fn[0]))
    assert at.gauge(np.array([1.0, 0.0, 1e-3]) / (0.5 * fn[0])) == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(bristle.ArgumentError, match="mu"):
        bristle.grip_force(patch, 0.0, [1, 0, 0])


def test_two_fingers_share_a_load() -> None:
    grasp = Grasp((Patch.disc(0.01), Patch.disc(0.01)), (0.5, 0.5), 0.02)
    value = grasp.force([[0, -2.0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0.01]])
    # closed forms: half the weight over mu each; half the torque over mu 2R/3 each
    np.testing.assert_allclose(value.fn, [[2, 2], [1.5, 1.5]], rtol=1e-8)
    np.testing.assert_allclose(value.wrench[0, :, 1], [1, 1], rtol=1e-9)


def test_cones_pickle_and_refuse_nonsense() -> None:
    for thing in (CONE, CONE.polyhedron(5), WrenchCone([(0, 0, 0)], CONE), Grasp):
        assert pickle.loads(pickle.dumps(thing)) == thing
    for make in (
        lambda: FrictionCone([0, 0, 0], 0.5),
        lambda: FrictionCone([0, 0, 1], -1),
        lambda: Polyhedron(CONE, side="both"),
        lambda: WrenchCone([(0, 0)], CONE),
        lambda: WrenchCone([(0, 0, 0)], [CONE, CONE]),
    ):
        with pytest.raises(bristle.BristleError):
            make()
    with pytest.raises(bristle.DefinitionError, match="faces"):
        CONE.polyhedron(2)
