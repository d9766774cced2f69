"""Oracle: an error that names the argument, raised where a wrong argument is passed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bristle

DISC = bristle.Patch.disc(0.01)
CONTACT = bristle.Contact(DISC, 0.3)
CONE = bristle.FrictionCone([0, 0, 1], 0.5)
HELD = bristle.BodyContact(CONTACT, 5.0)
SPEEDS = np.linspace(-1, 1, 50)

SYSTEM = bristle.Constrained(np.eye(2), [0, -9.81], [[0, 1]], [0], np.eye(2), [1, 0], normal=[[0, 1]], mu=0.3)


def mechanism(law: Any) -> bristle.Mechanism:
    """A block on a floor."""
    touch = (np.zeros(2), np.eye(2), np.zeros(2), np.array([[0.0, 1.0]]))
    return bristle.Mechanism(
        lambda t, q, qd: (np.eye(2), np.array([0.0, -9.81]), 0.0, 0.0),
        lambda t, q, qd: (np.array([[0.0, 1.0]]), np.zeros(1), np.zeros(1)),
        lambda t, q, qd: touch,
        law,
    )


def body_at(**state: Any) -> bristle.Body:
    """A body whose state was changed."""
    body = bristle.Body(1.0, 1e-3, [HELD])
    for name, value in state.items():
        setattr(body, name, value)
    return body


# the call, and its message
KINDS: dict[str, tuple[Callable[[], object], str]] = {
    "patch of a contact": (lambda: bristle.Contact(0.01, 0.3), "patch: must be a Patch, got float"),  # type: ignore[arg-type]
    "surface of a contact": (lambda: bristle.Contact(DISC, 0.3, "reduced", surface=DISC), "surface: must be a LimitSurface, got Patch"),  # type: ignore[arg-type]
    "outputs": (lambda: bristle.Worlds(CONTACT, 2, mass=1, inertia=1, outputs=None), "outputs: must be a list of names"),  # type: ignore[arg-type]
    "patches": (lambda: bristle.Grasp(None, (0.5, 0.5), 0.01), "patches: must be two Patches, got NoneType"),  # type: ignore[arg-type]
    "out of a law": (lambda: bristle.Law(0.3).eval(0.0, 0.0, 1.0, out=b""), "out: must be two arrays"),  # type: ignore[arg-type]
    "out of a contact": (lambda: CONTACT.eval(CONTACT.state(), [0, 0, 0], 1.0, out=None), "out: must be two arrays"),  # type: ignore[arg-type]
    "carry": (lambda: CONTACT.carry(CONTACT.state(), DISC), "to: must be a Contact, got Patch"),  # type: ignore[arg-type]
    "limit surface": (lambda: bristle.LimitSurface(0.01), "patch: must be a Patch, got float"),  # type: ignore[arg-type]
    "flat surface": (lambda: bristle.LimitPolyhedron(DISC), "surface: must be a LimitSurface, got Patch"),  # type: ignore[arg-type]
    "wrench cone": (lambda: bristle.WrenchCone([(0, 0, 0)], [0.5]), "forces: must be a Polyhedron, got float"),  # type: ignore[list-item]
    "grip": (lambda: bristle.grip_force(0.1, 0.5, [1, 0, 0]), "patch: must be a Patch or a LimitSurface, got float"),  # type: ignore[arg-type]
    "grasp": (lambda: bristle.Grasp((DISC, CONTACT), (0.5, 0.5), 0.01), "patches: must be a Patch, got Contact"),  # type: ignore[arg-type]
    "body": (lambda: bristle.Body(1, 1, [CONTACT]), r"contacts\[0\]: must be a BodyContact, got Contact"),  # type: ignore[list-item]
    "body, no list": (lambda: bristle.Body(1, 1, HELD), "contacts: must be a list of BodyContact, got BodyContact"),  # type: ignore[arg-type]
    "body contact": (lambda: bristle.BodyContact(DISC), "contact: must be a Contact, got Patch"),  # type: ignore[arg-type]
    "outline of a body": (lambda: bristle.Body(1, 1, [HELD], outline=[(0, 0), (1, 0), (1, 1)]), "outline: must be a Patch, got list"),  # type: ignore[arg-type]
    "pusher of a body": (lambda: bristle.Body(1, 1, [HELD], outline=DISC, pusher=3), "pusher: must be a BodyPusher, got int"),  # type: ignore[arg-type]
    "grip of a contact": (lambda: bristle.BodyContact(CONTACT, 1.0, grip=3), "grip: must be a Grip, got int"),  # type: ignore[arg-type]
    "normal force": (lambda: bristle.BodyContact(CONTACT, [1]), "normal_force: must be a number, got list"),  # type: ignore[arg-type]
    "load": (lambda: bristle.Body(1, 1, loads=[bristle.Load(fx="a")]), "fx: must be a number, got str 'a'"),  # type: ignore[arg-type]
    "law of a slide": (lambda: SYSTEM.slide(0.3), "law: must be a Law, got float"),  # type: ignore[arg-type]
    "law of a mechanism": (lambda: mechanism(0.3).simulate(0.1, [0, 0]), "law: must be a Law, got float"),
    "law of a contact": (lambda: bristle.Contact(DISC, "a"), "law: must be a number, got str 'a'"),  # type: ignore[arg-type]
    "mu": (lambda: bristle.Law("a"), "mu: must be a number, got str 'a'"),  # type: ignore[arg-type]
    "text": (lambda: CONTACT.steady(["a", "b", "c"], 1.0), r"v: must be real numbers, got an array of text of shape \(3,\)"),
    "text of a fit": (lambda: bristle.fit_law(SPEEDS, "a", SPEEDS), "v: must be real numbers, got str 'a'"),
    "text of a velocity": (lambda: bristle.Body(1, 1, velocity=("a", 0, 0)), "velocity: must be real numbers, got an array of text"),
    "slider": (lambda: bristle.Slider(1, 1, 0.3, patch=3), "patch: must be a Patch, got int"),  # type: ignore[arg-type]
    "pusher": (lambda: bristle.Pusher(3), "body: must be a Patch, got int"),  # type: ignore[arg-type]
    "engine": (lambda: bristle.EngineFriction(3, "mujoco", 0.5), "patch: must be a Patch, got int"),  # type: ignore[arg-type]
    "outline": (lambda: bristle.fit_pressure(np.ones((9, 3)), np.ones((9, 3)), 3), "outline: must be a Patch, got int"),  # type: ignore[arg-type]
    "radius of a disc": (lambda: bristle.Patch.disc("a"), "radius: must be a number, got str 'a'"),  # type: ignore[arg-type]
    "no angle": (lambda: bristle.Patch.rectangle((1, 1), angle=None), "angle: must be a number, got NoneType None"),  # type: ignore[arg-type]
    "several numbers": (lambda: bristle.Law(np.ones(3)), "mu: must be a number, got an array of float64"),  # type: ignore[arg-type]
    "exponent": (lambda: bristle.Patch.disc(bristle.ByForce(0.01, None)), "radius.exponent: must be a number"),  # type: ignore[arg-type]
    "bodies": (lambda: bristle.Patch.hertz(DISC), "bodies: must be a Hertz, got Patch"),  # type: ignore[arg-type]
    "mass of text": (lambda: bristle.Body("1", 1), "mass: must be a number, got str '1'"),  # type: ignore[arg-type]
    "period": (lambda: bristle.Body(1, 1, [bristle.BodyContact(CONTACT, 1.0, grip=bristle.Grip(None))]), "period: must be a number"),  # type: ignore[arg-type]
    "large integers": (lambda: CONTACT.steady([10**400, 0, 0], 1.0), "v: must be numbers that fit a double"),
    "no duration": (lambda: bristle.Body(1, 1).simulate(None), "duration: must be a number, got NoneType None"),  # type: ignore[arg-type]
    "count": (lambda: bristle.BodyContact(CONTACT, count=1.5), "count: must be an integer, got float 1.5"),  # type: ignore[arg-type]
    "mean": (lambda: bristle.Profile.sine("a", 1, 1), "mean: must be a number, got str 'a'"),  # type: ignore[arg-type]
    "no M": (lambda: bristle.Constrained(None, [0, 1], [[0, 1]], [0], np.eye(2), [1, 0]), "M: must be an array, got None"),  # type: ignore[arg-type]
    "no A": (lambda: bristle.Constrained(np.eye(2), [0, 1], None, [0], np.eye(2), [1, 0]), "A: must be an array, got None"),  # type: ignore[arg-type]
    "no qd": (lambda: bristle.Constrained(np.eye(2), [0, 1], [[0, 1]], [0], np.eye(2), None), "qd: must be an array, got None"),  # type: ignore[arg-type]
    "step": (lambda: CONTACT.step(CONTACT.state(), [0, 0, 0], 5.0, "1"), "h: must be a number, got '1'"),  # type: ignore[arg-type]
    "function": (lambda: bristle.Mechanism(None, lambda *_: 0, None).simulate(1, [0]), "constraint: must return a tuple .A, b, gap. or .A, b, gap, rate., got 0"),  # type: ignore[arg-type, return-value]
}  # fmt: skip

VALUES: dict[str, tuple[Callable[[], object], str]] = {
    "threads": (lambda: bristle.Worlds(CONTACT, 2, mass=1, inertia=1, threads=2**31), "threads: must be <= 2147483647"),
    "many workers": (lambda: bristle.sweep({}, workers=2**31), "workers: must be <= 2147483647"),
    "large scalar": (lambda: bristle.Law(0.3).g(10**400), "v: must be a number that fits a double"),
    "large step": (lambda: bristle.Law(0.3).step(0.0, 0.0, 1.0, 10**400), "h: must be a number that fits a double"),
    "left end": (lambda: bristle.Patch.rectangle((0.2, 0.1), pressure=bristle.LinearPressure(-1, 3)), "^left: must be >= 0"),
    "right end": (lambda: bristle.Patch.rectangle((0.2, 0.1), pressure=bristle.LinearPressure(1, -3)), "^right: must be >= 0"),
    "both ends": (lambda: bristle.Patch.rectangle((0.2, 0.1), pressure=bristle.LinearPressure(0, 0)), "^right: left and right must not"),
    "method": (lambda: bristle.Contact(DISC, 0.3, "foo"), "method: must be one of blocks, distributed, reduced, ellipsoid, got 'foo'"),
    "law": (lambda: bristle.Law(kind="x"), "kind: must be one of coulomb, .*, elasto-plastic, got 'x'"),
    "nodes": (lambda: bristle.LimitSurface(DISC, "smooth", nodes=1), "nodes: must be"),
    "no nodes": (lambda: bristle.LimitSurface(DISC, "smooth", nodes=-3), "nodes: must be >= 0, got -3"),
    "no cells": (lambda: bristle.Patch.grid(np.zeros((0, 3)), (1, 1)), "pressure: must have at least one cell"),
    "one patch": (lambda: bristle.Grasp((DISC,), (0.5, 0.5), 0.01), "patches: must be two, got 1"),  # type: ignore[arg-type]
    "one mu": (lambda: bristle.Grasp((DISC, DISC), (0.5,), 0.01), "mu: must be two numbers"),  # type: ignore[arg-type]
    "no support": (lambda: bristle.WrenchCone(np.zeros((0, 3)), CONE), "places: there must be at least one"),
    "mass": (lambda: bristle.Body(-1, 1), "mass: must be finite and > 0, got -1"),
    "frame": (lambda: bristle.BodyContact(CONTACT, frame="x"), "frame: must be one of world, body, got 'x'"),
    "samples": (lambda: bristle.sweep({}, samples=-3), "samples: must be >= 0, got -3"),
    "workers": (lambda: bristle.sweep({}, workers=-1), "workers: must be >= 0, got -1"),
    "sampling": (lambda: bristle.sweep({}, sampling="x"), "sampling: must be one of random, latin, sobol, got 'x'"),
    "train": (lambda: bristle.fit_law(None, SPEEDS, SPEEDS, law="coulomb", train=-1), "train: must be >= 0, got -1"),
    "cells": (lambda: bristle.fit_pressure(np.ones((9, 3)), np.ones((9, 3)), DISC, cells=-1), "cells: must be >= 0, got -1"),
    "state": (lambda: CONTACT.step(CONTACT.state(), np.zeros((2, 3)), 5.0, 1e-3), r"z: it must have the full shape of the call \(2, 96\), .*; got \(96,\)"),
    "t": (lambda: body_at(t=np.nan).simulate(0.1), "^t: must be finite, got nan"),
    "velocity": (lambda: body_at(velocity=(np.nan, 0, 0)).step(1e-3), "^velocity: must be finite, got nan"),
    "pose": (lambda: body_at(pose=(0, 0, np.inf)).simulate(0.1), "^pose: must be finite, got inf"),
    "states": (lambda: body_at(states=[np.full(CONTACT.state_count, np.nan)]).step(1e-3), "^states: must be finite, got nan"),
    "gravity": (lambda: bristle.Body(1, 1, gravity=(0, np.nan)), "gravity: must be finite, got nan"),
    "force": (lambda: bristle.BodyContact(CONTACT, np.nan), "normal_force: must be finite, got nan"),
    "no force": (lambda: bristle.fit_law(SPEEDS, SPEEDS), "f: is missing"),
    "no speed": (lambda: bristle.fit_law(SPEEDS, f=SPEEDS), "v: is missing: motion needs t and v, or t and x"),
    "large integer": (lambda: bristle.Law(10**400), "mu: must be a number that fits a double"),
    "large count": (lambda: bristle.BodyContact(CONTACT, count=2**63), "count: must be <= "),
    "array of kinds": (lambda: bristle.Law(kind=np.array(["lugre", "dahl"])), "kind: must be one of"),  # type: ignore[arg-type]
    "faces": (lambda: CONE.polyhedron(-1), "faces: must be >= 0, got -1"),
    "second mu": (lambda: bristle.Grasp((DISC, DISC), (0.5, np.nan), 0.01), "mu: must be finite and > 0, got nan"),
    "half gap": (lambda: bristle.Grasp((DISC, DISC), (0.5, 0.5), np.inf), "half_gap: must be finite and > 0, got inf"),
    "stiffness": (lambda: bristle.Body(1, 1, outline=DISC, pusher=bristle.BodyPusher(0, 0, stiffness=-1)), "stiffness: must be finite and > 0, got -1"),
    "damping": (lambda: bristle.Body(1, 1, outline=DISC, pusher=bristle.BodyPusher(0, 0, damping=-1)), "damping: must be finite and >= 0, got -1"),
    "Q of a number": (lambda: bristle.Constrained(np.eye(2), 3, [[0, 1]], [0], np.eye(2), [1, 0]), "Q: must be an array, got a number"),
    "twist": (lambda: CONTACT.steady([1.0, 2.0], 5.0), r"v: its last dimension must be 3, got shape \(2,\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_objects_of_another_class_are_refused_by_name(name: str) -> None:
    call, message = KINDS[name]
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize("name", VALUES)
def test_values_out_of_range_are_refused_by_name(name: str) -> None:
    call, message = VALUES[name]
    with pytest.raises(bristle.BristleError, match=message):
        call()


def test_numpy_integers_are_shapes() -> None:
    assert CONTACT.state(np.int64(4)).shape == CONTACT.state([4]).shape == (4, CONTACT.state_count)  # type: ignore[arg-type]


def test_a_body_accepts_lists_as_pose_and_velocity() -> None:
    body = bristle.Body(1.0, 1e-3, [HELD])
    body.velocity = [0.1, 0, 0]  # type: ignore[assignment]
    body.pose = (1, 2, 0)  # type: ignore[assignment]
    body.step(0.01)
    assert body.pose[0] > 1.0 and body.velocity[0] < 0.1
    with pytest.raises(bristle.ArgumentError, match="velocity: must be three numbers"):
        body.velocity = [1, 2]  # type: ignore[assignment]


def test_a_constrained_system_is_its_definition() -> None:
    Q = np.array([0.0, -9.81])
    system = bristle.Constrained(np.eye(2), Q, [[0, 1]], [0], np.eye(2), [1, 0], normal=[[0, 1]], mu=0.3)
    same = pickle.loads(pickle.dumps(system))
    assert same == system == copy.deepcopy(system) and hash(same) == hash(system)
    before = system.eval().f_n
    Q[1] = -1.0
    np.testing.assert_array_equal(system.eval().f_n, before)  # it has a copy of the numbers
    assert repr(system).startswith("<Constrained: 2 coordinates, 1 constraints")
