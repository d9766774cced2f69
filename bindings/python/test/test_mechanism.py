"""Oracle: closed forms of a block and a pendulum; sliders and pushers against theirs."""

from __future__ import annotations

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
    way = 0.5 / up - 0.5 * down * (1 - turn) ** 2
    # closed form; 1e-9: the tolerances of mechanisms
    assert result["q1"][-1] == pytest.approx(way * np.cos(0.5), abs=1e-8)
    assert [event.kind for event in result.events] == ["reverse"]
    assert result.events[0].t == pytest.approx(turn, abs=1e-9)
    np.testing.assert_allclose(result["fn"], G * np.cos(0.5), rtol=1e-9)


def test_a_block_with_enough_friction_stays() -> None:
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


def test_constrained_slide_and_hold_are_newtons() -> None:
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


def test_sliders_in_a_batch_are_single_ones(random: np.random.Generator) -> None:
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
