"""Oracle: closed forms of a block and a pendulum; sliders and pushers against theirs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import bristle
from bristle import Constrained, Law, Mechanism, Patch, Pusher, Slider

G = 9.81


def slope(angle: float, law: Law) -> Mechanism:
    """A block of 1 kg on a slope."""
    tangent = np.array([np.cos(angle), np.sin(angle)])
    normal = np.array([-np.sin(angle), np.cos(angle)])

    def dynamics(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, object, float, float]:
        return np.eye(2), [0.0, -G], G * q[1], 0.0

    def constraint(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, object, object]:
        return [normal], [0.0], [normal @ q]

    def contact(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
        return q, np.eye(2), [0.0, 0.0], [normal]

    mechanism = Mechanism(dynamics, constraint, contact, law)  # type: ignore[arg-type]
    mechanism.tangent = tangent  # type: ignore[attr-defined]
    return mechanism


def test_a_block_slides_up_stops_and_slides_back() -> None:
    block = slope(0.5, Law(mu=0.3, kind="coulomb"))
    v = block.tangent  # type: ignore[attr-defined]
    result = block.simulate(1.0, [0, 0], v)
    up, down = G * (np.sin(0.5) + 0.3 * np.cos(0.5)), G * (np.sin(0.5) - 0.3 * np.cos(0.5))
    turn = 1 / up
    distance = 0.5 / up - 0.5 * down * (1 - turn) ** 2
    # closed form; 1e-9: the tolerances of mechanisms
    assert result["q1"][-1] == pytest.approx(distance * np.cos(0.5), abs=1e-8)
    assert [event.kind for event in result.events] == ["reverse"]
    assert result.events[0].t == pytest.approx(turn, abs=1e-9)
    np.testing.assert_allclose(result["fn"], G * np.cos(0.5), rtol=1e-9)


def test_a_block_with_enough_friction_sticks() -> None:
    result = slope(0.2, Law(mu=0.3, kind="coulomb")).simulate(1.0, [0, 0])
    assert np.abs(result["q1"]).max() < 1e-12
    assert result["sticks"].all()


def test_an_exception_of_a_function_ends_the_run() -> None:
    block = slope(0.2, Law(mu=0.3, kind="coulomb"))
    calls = 0

    def dynamics(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, object, float, float]:
        nonlocal calls
        calls += 1
        if calls > 20:
            raise ZeroDivisionError("on purpose")
        return np.eye(2), [0.0, -G], G * q[1], 0.0

    block.dynamics = dynamics  # type: ignore[assignment]
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        block.simulate(10.0, [0, 0], [1, np.tan(0.2)])
    assert calls == 21
    block.dynamics = lambda t, q, qd: (np.eye(3), [0, 0], 0.0, 0.0)
    with pytest.raises(bristle.ArgumentError, match="M: must be 4 numbers, got 9"):
        block.simulate(1.0, [0, 0])
    block.dynamics = lambda t, q, qd: None  # type: ignore[assignment, return-value]
    with pytest.raises(TypeError, match="must return a tuple of 4"):
        block.simulate(1.0, [0, 0])


Motion = Callable[[float], "tuple[float, float, float]"]


def moving_floor(height: Motion, along: Motion, mu: float = 0.3, **options: object) -> Mechanism:
    """1 kg on a level floor: its height and its motion along x, each with two derivatives."""

    def dynamics(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
        return np.eye(2), [0.0, -G], G * q[1], 0.0

    def constraint(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
        y, v, a = height(t)
        return [[0.0, 1.0]], [a], [q[1] - y], [-v]

    def contact(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
        _, v, a = along(t)
        return q, np.eye(2), [0.0, 0.0], [[0.0, 1.0]], [v, height(t)[1]], [a, height(t)[2]]

    law = Law(mu=mu, kind="coulomb")
    return Mechanism(dynamics, constraint, contact, law, **options)  # type: ignore[arg-type]


def still(t: float) -> tuple[float, float, float]:
    return 0.0, 0.0, 0.0


def test_a_block_stays_on_a_floor_that_rises() -> None:
    # closed forms; 1e-9 m: the tolerances of mechanisms
    faster = moving_floor(lambda t: (t * t, 2 * t, 2.0), still).simulate(0.25, [0, 0])
    assert faster["q2"][-1] == pytest.approx(0.0625, abs=1e-9)
    assert faster["fn"][-1] == pytest.approx(G + 2, abs=1e-9)
    assert faster["work_constraints"][-1] == pytest.approx(G * 0.0625 + 0.125, abs=1e-9)
    assert faster.summary["work_constraints"] == faster["work_constraints"][-1]
    assert faster.summary["residual"] < 1e-10
    steady = moving_floor(lambda t: (0.5 * t, 0.5, 0.0), still)
    slid = steady.simulate(0.6, [0, 0], [1, 0.5])
    np.testing.assert_allclose([slid["q1"][-1], slid["q2"][-1]], [0.5 / (0.3 * G), 0.3], atol=1e-9)
    projected = steady.simulate(0.6, [0, 0.2], [1, -3], project=True)
    assert projected["q1"][-1] == pytest.approx(slid["q1"][-1], abs=1e-9)


def test_a_conveyor_and_a_shaken_floor_carry_a_block() -> None:
    belt = moving_floor(still, lambda t: (1.2 * t, 1.2, 0.0)).simulate(1.0, [0, 0])
    assert belt["q1"][-1] == pytest.approx(1.2 - 1.2**2 / (2 * 0.3 * G), abs=1e-9)
    w, a = 9.0, 0.02
    shaken = moving_floor(
        still, lambda t: (a * np.sin(w * t), a * w * np.cos(w * t), -a * w * w * np.sin(w * t))
    ).simulate(2.0, [0, 0], [a * w, 0])
    assert shaken["sticks"].all() and not shaken.events
    np.testing.assert_allclose(shaken["q1"], a * np.sin(w * shaken["t"]), atol=1e-9)


def refused(mechanism: Mechanism, kind: type[Exception], words: str, **changes: object) -> None:
    for name, value in changes.items():
        setattr(mechanism, name, value)
    with pytest.raises(kind, match=words):
        mechanism.simulate(0.25, [0, 0], [0, 0.5] if "0.5" in words else None)


def test_results_of_functions_with_motion_are_checked() -> None:
    def floor() -> Mechanism:
        return moving_floor(lambda t: (t * t, 2 * t, 2.0), still)

    row, gap = [[0.0, 1.0]], lambda t, q: [q[1] - t * t]
    refused(floor(), bristle.DefinitionError, "rate: at t = 0.00125 s gap 1 changes at -0.0024[0-9]* m/s, but A qd [+] rate is",
            constraint=lambda t, q, qd: (row, [0.0], gap(t, q)))  # fmt: skip
    refused(floor(), bristle.DefinitionError, r"b: at t = 0 s b\[1\] is 0, but the constraint needs 2",
            constraint=lambda t, q, qd: (row, [0.0], gap(t, q), [-2 * t]))  # fmt: skip
    refused(floor(), bristle.DefinitionError, "rate: at t = 0 s gap 1 changes at 0 m/s, but A qd [+] rate is 0.5",
            constraint=lambda t, q, qd: (row, [0.0], [q[1] - 0.5 * t]))  # fmt: skip
    refused(floor(), TypeError, r"constraint: must return a tuple \(A, b, gap\) or \(A, b, gap, rate\), got a tuple of 2",
            constraint=lambda t, q, qd: (row, [0.0]))  # fmt: skip
    refused(floor(), bristle.ArgumentError, r"constraint: rate must be of shape \(1,\), got \(2,\)",
            constraint=lambda t, q, qd: (row, [0.0], [q[1]], [0.0, 0.0]))  # fmt: skip
    refused(floor(), bristle.ArgumentError, r"constraint: A must be of shape \(1, 2\), got \(2, 1\)",
            constraint=lambda t, q, qd: ([[0.0], [1.0]], [0.0], [q[1]]))  # fmt: skip
    touch = (np.zeros(2), np.eye(2), [0.0, 0.0], [[0.0, 1.0]])
    refused(floor(), TypeError, "contact: must return a tuple .*surface_acceleration.*, got a tuple of 5",
            contact=lambda t, q, qd: (*touch, [0.0, 0.0]))  # fmt: skip
    refused(floor(), TypeError, "contact: must return a tuple .*, got a tuple of 3",
            contact=lambda t, q, qd: (touch, [0.0, 0.0], [0.0, 0.0]))  # fmt: skip
    refused(floor(), bristle.ArgumentError, r"contact: surface_velocity must be of shape \(2,\), got \(3,\)",
            contact=lambda t, q, qd: (*touch, [0.0, 0.0, 0.0], [0.0, 0.0]))  # fmt: skip
    refused(floor(), TypeError, "must return a tuple of 4, as at the start",
            constraint=lambda t, q, qd: (row, [2.0], gap(t, q), *([[-2 * t]] if t < 1e-3 else [])))  # fmt: skip


def test_dahl_has_numbers_for_each_axis() -> None:
    def puck(**options: object) -> Mechanism:
        return Mechanism(
            lambda t, q, qd: (1e3 * np.eye(3), [0.0, 0.0, -10.0], 10.0 * q[2], 0.0),
            lambda t, q, qd: ([[0.0, 0.0, 1.0]], [0.0], [q[2]]),
            lambda t, q, qd: (q, np.eye(3), [0.0] * 3, [[0.0, 0.0, 1.0]]),
            Law(kind="dahl", mu_c=0.3, mu_s=0.3, sigma0=1e4), **options)  # fmt: skip  # type: ignore[arg-type]

    result = puck(dahl="per-axis", sigma_axes=[1e4, 3e4, 1e4], alpha_axes=[1, 2, 1]).simulate(0.01, [0, 0, 0], [0.03, 0.04, 0])
    # closed form at constant velocity, of which 1e3 kg lose 1e-6: x = sigma |v| t/Fc
    for axis, share, x, alpha in (("fx", 0.6, 5 / 3, 1), ("fy", 0.8, 5.0, 2)):
        expected = 1 - np.exp(-x) if alpha == 1 else x / (1 + x)
        assert -result[axis][-1] == pytest.approx(3 * share * expected, rel=1e-4)
    for words, options in {
        "sigma_axes: sigma_axes and alpha_axes need": {"sigma_axes": [1e4, 1e4, 1e4]},
        r"alpha_axes: must be of shape \(3,\), got \(2,\)": {"dahl": "per-axis", "alpha_axes": [1, 2]},
        "dahl: must be one of vector, per-axis, printed, got 'axes'": {"dahl": "axes"},
        "dahl_axes: must be finite and > 0, but axis 2": {"dahl": "printed", "sigma_axes": [1, -1, 1]},
    }.items():
        with pytest.raises((bristle.ArgumentError, bristle.DefinitionError), match=words):
            puck(**options).simulate(0.01, [0, 0, 0])


def test_friction_is_against_the_velocity_over_the_surface() -> None:
    floor = dict(M=np.eye(2), Q=[0, -G], A=[[0, 1]], b=[0], J=np.eye(2), qd=[1, 0.5], normal=[[0, 1]], mu=0.3)
    for velocity, friction in ((None, -0.3 * G), ([0, 0.5], -0.3 * G), ([3, 0.5], 0.3 * G)):
        block = Constrained(**floor, surface_velocity=velocity)  # type: ignore[arg-type]
        np.testing.assert_allclose(block.slide().friction, [friction, 0], atol=1e-14)
        np.testing.assert_allclose(block.slide(Law(mu=0.3, kind="coulomb")).friction, [friction, 0], atol=1e-14)
    assert Constrained(**floor, surface_acceleration=[2.9, 0]).hold().sticks  # type: ignore[arg-type]
    assert not Constrained(**floor, surface_acceleration=[3, 0]).hold().sticks  # type: ignore[arg-type]


def test_constrained_slide_and_hold_satisfy_newtons_law() -> None:
    arguments = dict(M=2 * np.eye(2), Q=[1.0, -2 * G], A=[[0, 1]], b=[0], J=np.eye(2))
    moving = Constrained(**arguments, qd=[1, 0], normal=[[0, 1]], mu=0.3)  # type: ignore[arg-type]
    slide = moving.slide()
    assert slide.n == pytest.approx(2 * G)
    assert slide.qdd[0] == pytest.approx((1 - 0.3 * 2 * G) / 2)
    by_law = moving.slide(Law(mu=0.3, kind="coulomb"))
    np.testing.assert_allclose(by_law.qdd, slide.qdd)
    value = moving.eval()
    np.testing.assert_allclose(value.f_n, [0, 2 * G])
    assert value.rank == 1
    rest = Constrained(**arguments, qd=[0, 0], normal=[[0, 1]], mu=0.3)  # type: ignore[arg-type]
    hold = rest.hold()
    assert hold.possible and hold.sticks and hold.tangential == pytest.approx(1.0)
    with pytest.raises(bristle.DefinitionError, match="M"):
        Constrained(-np.eye(2), [0, 0], [[0, 1]], [0], np.eye(2), [1, 0])
    with pytest.raises(bristle.ArgumentError, match="A: must be of shape"):
        Constrained(np.eye(2), [0, 0], [[0, 1, 2]], [0], np.eye(2), [1, 0])


def test_sliders_in_a_batch_equal_single_ones(random: np.random.Generator) -> None:
    slider = Slider(0.5, 2e-4, mu=0.31, height=0.03, patch=Patch.rectangle((0.05, 0.05)))
    q, v = np.zeros((20, 3)), random.standard_normal((20, 3)) * [1, 1, 10]
    single_q, single_v = q.copy(), v.copy()
    step = slider.step(q, v, 1e-3, load=[0.1, 0, 0])
    for i in range(20):
        slider.step(single_q[i], single_v[i], 1e-3, load=[0.1, 0, 0])
    np.testing.assert_array_equal(single_v, v)
    assert step.slides.dtype == bool
    # the rate of the kinetic energy is that of friction and load
    rate = slider.eval(q, v)
    assert (np.sum(rate.acceleration * v * [0.5, 0.5, 2e-4], axis=1) < 0).all()


def test_a_pushed_box_turns_away_from_the_push() -> None:
    box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3, radius=0.002)
    poses = box.follow((0, 0, 0), np.column_stack([np.linspace(-0.06, 0, 20), np.full(20, 0.02)]))
    assert poses[-1, 2] < -0.1  # pushed above the middle, towards +x
    push = box.push((-0.05, 0.02), (1, 0), (1.0, 0.0))
    assert push.mode == 0 and push.twist[2] < 0
    left, right = box.cone((-0.05, 0.02), (1, 0))
    np.testing.assert_allclose(np.hypot(*left), 1.0)
    many = box.push((-0.05, 0.02), (1, 0), [left + (0, 0.1), right - (0, 0.1)])
    assert many.mode.tolist() == [1, 2]
