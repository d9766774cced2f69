"""Oracle: central differences, Worlds.step, and Rollout.vjp of the same body."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bristle import AbsentError, ArgumentError, BodyContact, Contact, GradientFlag, Law, Patch, Rollout, Worlds

COUNT, STEPS, H = 9, 8, 1e-3
LAW = Law(
    kind="elasto-plastic", mu_c=0.5, mu_s=0.6, v_stribeck=0.02, sigma0=2e4, sigma1=20.0, sigma2=0.1, s_ba=0.6, v_damping=0.0
)


def make(method: str, contacts: int, threads: int = 1) -> Worlds:
    places = [((0.01, 0.002), "body"), ((-0.02, 0.01), "world")][:contacts]
    entries = [BodyContact(Contact(Patch.disc(0.02), LAW, method), 3.0, frame=frame, at=at) for at, frame in places]
    random = np.random.default_rng(5)
    twist = random.normal(size=(3, COUNT)) * [[0.05], [0.05], [1.0]]
    return Worlds(entries, COUNT, mass=random.uniform(0.2, 0.6, COUNT), inertia=4e-4, twist=twist, threads=threads)


def inputs(contacts: int) -> dict[str, Any]:
    random = np.random.default_rng(6)
    force = random.uniform(1.0, 4.0, size=(STEPS, COUNT) if contacts == 1 else (STEPS, contacts, COUNT))
    return {"load": random.normal(size=(STEPS, 3, COUNT)) * [[0.5], [0.5], [5e-3]], "normal_force": force}


def loss(worlds: Worlds, bars: dict[str, Any], call: dict[str, Any]) -> Any:
    run = worlds.rollout(H, steps=STEPS, **call)
    ends = worlds.z if isinstance(worlds.z, tuple) else (worlds.z,)
    weights = bars["z"] if isinstance(bars["z"], list) else [bars["z"]]
    total = (bars["pose"] * run.pose).sum(axis=(0, 1)) + (bars["twist"] * run.twist[-1]).sum(axis=0)
    total += (bars["friction"] * worlds.friction).reshape(-1, COUNT).sum(axis=0)
    return total + sum((weight * end).sum(axis=0) for weight, end in zip(weights, ends))


def bars_of(worlds: Worlds) -> dict[str, Any]:
    random = np.random.default_rng(7)
    z = [1e3 * random.normal(size=one.shape) for one in worlds._z]
    return {
        "pose": 30 * random.normal(size=(STEPS, 3, COUNT)), "twist": random.normal(size=(3, COUNT)),
        "friction": 0.1 * random.normal(size=worlds.friction.shape), "z": z[0] if len(z) == 1 else z,
    }  # fmt: skip


@pytest.mark.parametrize("method", ["ellipsoid", "blocks", "reduced"])
@pytest.mark.parametrize("contacts", [1, 2])
def test_vjp_agrees_with_differences(method: str, contacts: int) -> None:
    start, call = make(method, contacts), inputs(contacts)
    bars = bars_of(start)
    run = copy.copy(start).rollout(H, steps=STEPS, **call)
    got = run.vjp(**bars)
    smooth = got.flags == 0
    assert smooth.sum() >= COUNT - 2  # kinks are classified before differencing

    def check(name: str, found: Any, size: float, change: Callable[[Worlds, dict[str, Any], float], None]) -> None:
        sides = []
        for e in (1e-4, -1e-4):
            worlds, changed = copy.copy(start), {key: value.copy() for key, value in call.items()}
            change(worlds, changed, e * size)
            sides.append(loss(worlds, bars, changed))
        slope = (sides[0] - sides[1]) / (2e-4 * size)
        # differences of 1e-4: 1e-8 of their curvature, and Newton's tolerance of 1e-7 of a speed over 1e-4
        np.testing.assert_allclose(found[smooth], slope[smooth], rtol=2e-3, atol=2e-3 / size, err_msg=name)

    def put(name: str, index: Any) -> Callable[[Worlds, dict[str, Any], float], None]:
        def change(worlds: Worlds, call: dict[str, Any], e: float) -> None:
            getattr(worlds, name)[index] += e

        return change

    def put_call(name: str, index: Any) -> Callable[[Worlds, dict[str, Any], float], None]:
        def change(worlds: Worlds, call: dict[str, Any], e: float) -> None:
            call[name][index] += e

        return change

    last = (0,) if contacts == 2 else ()  # of the first contact
    check("mass", got.mass, 0.3, put("mass", ...))
    check("twist", got.twist[2], 1.0, put("twist", 2))
    check("pose", got.pose[0], 0.01, put("pose", 0))
    check("load", got.load[3, 1], 1.0, put_call("load", (3, 1)))
    check("force", got.normal_force[(2, *last)], 1.0, put_call("normal_force", (2, *last)))
    check("position", got.position[(*last, 1)], 0.01, put("position", (*last, 1)))
    check("scale", got.scale[(*last, ...)], 1.0, put("scale", (*last, ...)))
    check("mu_c", got.law["mu_c"][(*last, ...)], 0.1, put("mu_c", (*last, ...)))
    check("sigma0", got.law["sigma0"][(*last, ...)], 2e4, put("sigma0", (*last, ...)))


def test_a_rollout_is_steps_and_does_not_see_later_changes() -> None:
    worlds, other = make("ellipsoid", 1), make("ellipsoid", 1)
    call = inputs(1)
    run = worlds.rollout(H, steps=STEPS, **call)
    other.step(H, steps=STEPS, **call)
    np.testing.assert_allclose(worlds.pose, other.pose, rtol=0, atol=1e-14)  # rounding of lanes
    assert np.array_equal(run.pose[-1], worlds.pose) and np.array_equal(run.twist[-1], worlds.twist)
    bar = np.ones((3, COUNT))
    before = run.vjp(pose=bar)
    worlds.mass, worlds.mu = 7.0, 0.1
    call["load"][...] = 99.0
    worlds.step(H)
    after = worlds.vjp(pose=bar)
    assert np.array_equal(before.mass, after.mass) and np.array_equal(before.law["mu_c"], after.law["mu_c"])


def test_checkpoints_threads_and_masks_do_not_change_it() -> None:
    count, steps = 200, 30
    random = np.random.default_rng(8)
    twist = random.normal(size=(3, count)) * [[0.05], [0.05], [1.0]]
    bar, found = random.normal(size=(steps, 3, count)), []
    for every, threads in ((1, 1), (0, 3), (7, 2)):
        contact = Contact(Patch.disc(0.02), LAW, "blocks")
        worlds = Worlds(contact, count, mass=0.3, inertia=4e-4, normal_force=2.0, twist=twist, threads=threads)
        found.append(worlds.rollout(H, steps=steps, every=every).vjp(pose=bar))
    for other in found[1:]:
        assert np.array_equal(found[0].twist, other.twist) and np.array_equal(found[0].law["mu_s"], other.law["mu_s"])
    mask = np.arange(count) % 3 == 1
    worlds = Worlds(contact, count, mass=0.3, inertia=4e-4, normal_force=2.0, twist=twist)
    some = worlds.rollout(H, steps=steps, mask=mask).vjp(pose=bar)
    assert np.array_equal(some.twist[:, mask], found[0].twist[:, mask]) and not some.twist[:, ~mask].any()


def test_it_is_the_gradient_of_a_rollout() -> None:
    pose, velocity = (0.01, 0.02, 0.1), (0.02, -0.01, 0.3)
    entry = BodyContact(Contact(Patch.disc(0.02), LAW, "blocks"), 2.0, count=2)
    one = Rollout([entry], 0.2, 5e-4, h=H, steps=40, pose=pose, velocity=velocity, load=(0.3, -0.4, 2e-3))
    expected = one.vjp(pose=[1, -2, 0.5])
    worlds = Worlds(entry, 2, mass=0.2, inertia=5e-4, pose=pose, twist=velocity, load=(0.3, -0.4, 2e-3))
    worlds.z[...] = 0.0  # a Rollout starts relaxed
    got = worlds.rollout(H, steps=40).vjp(pose=np.repeat([[1.0], [-2.0], [0.5]], 2, axis=1))
    # the same equations: rounding
    np.testing.assert_allclose(got.mass, expected.mass, rtol=1e-9)
    np.testing.assert_allclose(got.normal_force, expected.normal_force[0, 0], rtol=1e-9)
    np.testing.assert_allclose(got.law["mu_c"], expected.law["mu_c"][0], rtol=1e-9)
    np.testing.assert_allclose(got.position[:, 1], expected.position[0], rtol=1e-9)


def test_flags_are_of_each_world() -> None:
    worlds = Worlds(Contact(Patch.disc(0.02), LAW, "ellipsoid"), 3, mass=1.0, inertia=2e-4, normal_force=[1.0, 0.0, 2.0])
    run = worlds.rollout(H, steps=2, load=(0.1, 0, 0))
    assert run.vjp(pose=np.ones((3, 3))).flags.tolist() == [0, GradientFlag.LIFTED, 0]


def test_wrong_arguments_are_refused_by_name() -> None:
    worlds = make("ellipsoid", 1)
    with pytest.raises(AbsentError, match="no steps were recorded"):
        worlds.vjp(pose=np.ones((3, COUNT)))
    run = worlds.rollout(H, steps=2)
    for name, shape in (("pose", (2, COUNT)), ("twist", (3, 3, COUNT)), ("friction", (1, 3, COUNT)), ("z", (2, COUNT))):
        with pytest.raises(ArgumentError, match=f"{name}: must be"):
            run.vjp(**{name: np.ones(shape)})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="dtype: must be float64"):
        Worlds(Contact(Patch.disc(0.02), LAW), 3, mass=1.0, inertia=1.0, normal_force=1.0, dtype="float32").rollout(H)
