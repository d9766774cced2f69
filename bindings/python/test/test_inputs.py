"""Oracle: arrays of float64. Lists, tuples and numbers of any type give the same bits at the same speed; others are
refused with a description."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bristle

DISC = bristle.Patch.disc(0.01)
CONTACT = bristle.Contact(DISC, 0.3, "ellipsoid")
LAW = bristle.Law(mu=0.3)
SURFACE = bristle.LimitSurface(DISC, "smooth")
CONE = bristle.FrictionCone([0, 0, 1], 0.5)
FOOT = bristle.WrenchCone([(0.1, 0.1, 0), (-0.1, 0.1, 0), (0, -0.1, 0)], CONE)
PUCK = bristle.Slider(0.5, 2e-4, mu=0.3)
PUSHER = bristle.Pusher(bristle.Patch.rectangle((0.1, 0.1)), mu=0.3)
ENGINE = bristle.EngineFriction(DISC, "mujoco", 0.5)
V = np.array([0.1, 0.25, 3.0])


@pytest.mark.parametrize(
    "twist",
    [
        V.tolist(), tuple(V.tolist()), list(V), [0.1, np.float64(0.25), 3], V.astype(np.longdouble),
        [[0.1, 0.25, 3.0]], ((0.1, 0.25, 3.0), [0.1, 0.25, 3]), [V, V], (V.tolist(), V), [[V.tolist()]],
        [V.tolist()] * 60, [True, 0.25, 3],
    ],
)  # fmt: skip
def test_lists_are_arrays(twist: Any) -> None:
    array = np.asarray(twist, dtype=np.float64)
    np.testing.assert_array_equal(SURFACE.wrench(twist), SURFACE.wrench(array))
    assert np.shape(SURFACE.wrench(twist)) == array.shape


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int64, np.uint8, np.longdouble, np.array, int])
def test_numbers_of_numpy_are_numbers(kind: Callable[[float], Any]) -> None:
    plain = LAW.eval(0.0, 1e-6, 5.0)
    assert LAW.eval(0.0, 1e-6, kind(5)) == plain
    assert isinstance(LAW.eval(0.0, 1e-6, kind(5))[0], float)


def test_true_is_one() -> None:
    assert LAW.g(np.bool_(True)) == LAW.g(True) == LAW.g(1.0)


def best(call: Callable[[], object]) -> float:
    """Smallest processor time of a call [s]."""
    times = []
    for _ in range(40):
        before = time.process_time()
        for _ in range(200):
            call()
        times.append(time.process_time() - before)
    return min(times) / 200


def test_lists_and_numbers_of_numpy_are_as_fast_as_arrays() -> None:
    """Measured: 1.0 to 1.1; 1.9 to 2.8 before. 1.6 tolerates a busy machine."""
    z, one = CONTACT.state(), np.array([0.1])
    pairs = (
        (lambda: CONTACT.step(z, V.tolist(), 5.0, 1e-3), lambda: CONTACT.step(z, V.copy(), 5.0, 1e-3)),
        (lambda v=tuple(V.tolist()): CONTACT.eval(z, v, 5.0), lambda: CONTACT.eval(z, V, 5.0)),
        (lambda f=np.int64(5): CONTACT.step(z, V, f, 1e-3), lambda f=np.array(5.0): CONTACT.step(z, V, f, 1e-3)),
        (lambda: LAW.eval([0.1], [0.1], [5.0]), lambda: LAW.eval(one, one, one)),
        (lambda v=V.tolist(): SURFACE.wrench(v), lambda: SURFACE.wrench(V)),
        (lambda v=[V.tolist()] * 3: SURFACE.wrench(v), lambda v=np.array([V] * 3): SURFACE.wrench(v)),
    )
    for of_list, of_array in pairs:
        ratio = min(best(of_list) / best(of_array) for _ in range(3))
        assert ratio < 1.6


ZEROS3, ZEROS2, N = np.zeros(3), np.zeros(2), CONTACT.state_count
# every function that takes arrays: name of the argument, the call with that argument, numbers of its core
READ: dict[str, tuple[str, Callable[[Any], object], int]] = {
    "law.g": ("v", lambda x: LAW.g(x), 0),
    "law.eval z": ("z", lambda x: LAW.eval(x, 0.1, 5.0), 0),
    "law.eval v": ("v", lambda x: LAW.eval(0.1, x, 5.0), 0),
    "law.eval fn": ("fn", lambda x: LAW.eval(0.1, 0.1, x), 0),
    "law.gradient": ("z", lambda x: LAW.gradient(x, 0.1, 5.0), 0),
    "law.step": ("v", lambda x: LAW.step(LAW.state(), x, 5.0, 1e-3), 0),
    "patch.at": ("fn", lambda x: DISC.at(x), 0),
    "surface.wrench": ("twists", lambda x: SURFACE.wrench(x), 3),
    "surface.dissipation": ("twists", lambda x: SURFACE.dissipation(x), 3),
    "surface.jacobian": ("twists", lambda x: SURFACE.jacobian(x), 3),
    "surface.gauge": ("wrenches", lambda x: SURFACE.gauge(x), 3),
    "surface.twist": ("wrenches", lambda x: SURFACE.twist(x), 3),
    "contact.eval z": ("z", lambda x: CONTACT.eval(x, V, 5.0), N),
    "contact.eval v": ("v", lambda x: CONTACT.eval(CONTACT.state(), x, 5.0), 3),
    "contact.step": ("v", lambda x: CONTACT.step(CONTACT.state(), x, 5.0, 1e-3), 3),
    "contact.steady": ("v", lambda x: CONTACT.steady(x, 5.0), 3),
    "contact.load": ("v", lambda x: CONTACT.load(CONTACT.state(), x, 5.0), 3),
    "contact.stored": ("z", lambda x: CONTACT.stored(x, 5.0), N),
    "contact.slip": ("v", lambda x: CONTACT.slip(CONTACT.state(), x, 5.0), 3),
    "contact.gradient": ("v", lambda x: CONTACT.gradient(CONTACT.state(), x, 5.0), 3),
    "cone.margin": ("f", lambda x: CONE.margin(x), 3),
    "cone.project": ("f", lambda x: CONE.project(x), 3),
    "cone.split": ("f", lambda x: CONE.split(x), 3),
    "polyhedron.margin": ("f", lambda x: CONE.polyhedron(4).margin(x), 3),
    "foot.margin": ("w", lambda x: FOOT.margin(x), 6),
    "slider.eval": ("q", lambda x: PUCK.eval(x, V), 3),
    "slider.step": ("load", lambda x: PUCK.step(np.zeros(3), np.zeros(3), 1e-3, x), 3),
    "pusher.push": ("point", lambda x: PUSHER.push(x, (1, 0), (0.01, 0)), 2),
    "pusher.cone": ("normal", lambda x: PUSHER.cone((-0.05, 0), x), 2),
    "pusher.step": ("start", lambda x: PUSHER.step(np.zeros(3), x, (0, 0)), 2),
    "engine.wrench": ("twists", lambda x: ENGINE.wrench(x), 3),
    "engine.gauge": ("wrenches", lambda x: ENGINE.gauge(x), 3),
    "grip": ("load", lambda x: bristle.grip_force(DISC, 0.5, x), 3),
    "grasp": ("load", lambda x: bristle.Grasp((DISC, DISC), (0.5, 0.5), 0.01).force(x), 6),
    "profile": ("t", lambda x: bristle.Profile.sine(0, 1, 1)(x), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_every_argument_that_is_read_is_refused_by_name_type_and_shape(name: str) -> None:
    argument, call, core = READ[name]
    shape = (core,) if core else (4,)
    with pytest.raises(TypeError, match=rf"^{argument}: must be real numbers, got an array of complex128 of shape \({shape[0]},\)"):
        call(np.zeros(shape, complex))
    with pytest.raises(TypeError, match=rf"^{argument}: must be real numbers, got str 'abc'"):
        call("abc")
    with pytest.raises(TypeError, match=rf"^{argument}: must be real numbers, in rows of one length, got list \[\[1, 2\]"):
        call([[1, 2], [3]])
    if core:
        with pytest.raises(bristle.ArgumentError, match=rf"^{argument}: its last dimension must be {core}, got shape \({core + 1},\)"):
            call(np.zeros(core + 1))


# every function that writes into an array of the caller: name, the call, shape
WRITTEN: dict[str, tuple[str, Callable[[Any], object], tuple[int, ...]]] = {
    "law.step": ("z", lambda x: LAW.step(x, 0.1, 5.0, 1e-3), (4,)),
    "law.g": ("out", lambda x: LAW.g(np.zeros(4), out=x), (4,)),
    "law.eval": (r"out\[0\]", lambda x: LAW.eval(np.zeros(4), 0.1, 5.0, out=(x, None)), (4,)),
    "surface.wrench": ("out", lambda x: SURFACE.wrench(V, out=x), (3,)),
    "surface.jacobian": ("out", lambda x: SURFACE.jacobian(V, out=x), (3, 3)),
    "contact.step": ("z", lambda x: CONTACT.step(x, V, 5.0, 1e-3), (N,)),
    "contact.step out": ("out", lambda x: CONTACT.step(CONTACT.state(), V, 5.0, 1e-3, out=x), (3,)),
    "contact.step energy": ("energy", lambda x: CONTACT.step(CONTACT.state(), V, 5.0, 1e-3, energy=x), (3,)),
    "contact.eval": (r"out\[1\]", lambda x: CONTACT.eval(CONTACT.state(), V, 5.0, out=(None, x)), (N,)),
    "contact.steady": ("z", lambda x: CONTACT.steady(V, 5.0, z=x), (N,)),
    "slider.step q": ("q", lambda x: PUCK.step(x, np.zeros(3), 1e-3), (3,)),
    "slider.step v": ("v", lambda x: PUCK.step(np.zeros(3), x, 1e-3), (3,)),
    "pusher.step": ("pose", lambda x: PUSHER.step(x, (-0.06, 0), (-0.04, 0)), (3,)),
    "cone.margin": ("out", lambda x: CONE.margin(np.zeros((4, 3)), out=x), (4,)),
    "foot.margin": ("out", lambda x: FOOT.margin(np.zeros((4, 6)), out=x), (4,)),
    "grip": ("out", lambda x: bristle.grip_force(DISC, 0.5, np.ones((4, 3)), out=x), (4,)),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_every_array_that_is_written_is_refused_by_name_type_shape_and_writability(name: str) -> None:
    argument, call, shape = WRITTEN[name]
    message = rf"^{argument}: must be a writable array of float64.*, got "
    shown = str(shape).replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(TypeError, match=message + f"an array of float32 of shape {shown}"):
        call(np.zeros(shape, np.float32))
    fixed = np.zeros(shape)
    fixed.flags.writeable = False
    with pytest.raises(TypeError, match=message + f"an array of float64 of shape {shown}, read-only"):
        call(fixed)
    with pytest.raises(TypeError, match=message + r"list \[0.0"):
        call(np.zeros(shape[-1]).tolist())
    if argument not in ("q", "v", "pose") and name not in ("law.step", "contact.step"):  # of 7 others
        with pytest.raises(bristle.ArgumentError, match=rf"^{argument}: .*got (shape )?\("):
            call(np.zeros((7, *shape)))
    call(np.zeros(shape))


def test_shapes_that_do_not_broadcast_are_both_named() -> None:
    with pytest.raises(bristle.ArgumentError, match=r"^fn: shape \(2,\) does not broadcast with \(4,\), .* 2 against 4"):
        CONTACT.eval(CONTACT.state(4), V, [1.0, 2.0])
