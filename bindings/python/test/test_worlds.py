"""Oracle: Body.step world by world, closed forms, and arrays that must not change."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bristle import (
    ArgumentError, Body, BodyContact, Contact, DefinitionError, Field, Grip, Law, Patch, Profile, Worlds, _core,
)  # fmt: skip

COUNT = 9  # a full bundle of lanes and a rest
DISC = Patch.disc(0.02)
METHODS = ("ellipsoid", "blocks", "reduced")
PLACES = ((0.01, 0.002), (-0.02, 0.01))
FORCE = 5.0


def contacts(method: str, frame: str, count: int, law: float = 0.3) -> list[BodyContact]:
    return [BodyContact(Contact(DISC, law, method), FORCE, frame=frame, at=at) for at in PLACES[:count]]


def numbers(random: np.random.Generator) -> dict[str, Any]:
    return {
        "mass": random.uniform(0.5, 2.0, COUNT),
        "inertia": random.uniform(1e-4, 1e-3, COUNT),
        "mu": random.uniform(0.1, 0.5, COUNT),
        "twist": random.normal(size=(3, COUNT)) * [[0.3], [0.3], [5.0]],
    }


def bodies_of(given: dict[str, Any], method: str, frame: str, count: int) -> list[Body]:
    return [
        Body(
            given["mass"][i], given["inertia"][i], contacts(method, frame, count, given["mu"][i]),
            velocity=given["twist"][:, i],
        )
        for i in range(COUNT)
    ]  # fmt: skip


def loads(random: np.random.Generator, steps: int) -> np.ndarray[Any, Any]:
    return random.normal(size=(steps, 3, COUNT)) * [[2.0], [2.0], [0.02]]


def simple(count: int = COUNT, **more: Any) -> Worlds:
    given: dict[str, Any] = {"mass": 1.0, "inertia": 2e-4, "normal_force": FORCE, **more}
    return Worlds(Contact(DISC, 0.3, given.pop("method", "ellipsoid")), count, **given)


# --- the same as a body


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("frame", ["body", "world"])
@pytest.mark.parametrize("count", [1, 2])
def test_worlds_are_bodies(method: str, frame: str, count: int, random: np.random.Generator) -> None:
    given = numbers(random)
    worlds = Worlds(contacts(method, frame, count), COUNT, **given)
    bodies = bodies_of(given, method, frame, count)
    for name in ("sigma0", "sigma1", "v_damping"):  # from mu, with the modes of each body
        laws = [[getattr(entry.contact.law, name) for body in bodies for entry in [body.contacts[k]]] for k in range(count)]
        np.testing.assert_allclose(getattr(worlds, name).reshape(count, COUNT), laws, rtol=1e-12)
    for load in loads(random, 100):
        worlds.step(1e-3, load=load)
        for i, body in enumerate(bodies):
            body.step(1e-3, load[:, i], order=1)
    # rounding of 100 steps, which slip and stick, of the order of 1e-15 each
    np.testing.assert_allclose(worlds.pose.T, [body.pose for body in bodies], rtol=0, atol=1e-12)
    np.testing.assert_allclose(worlds.twist.T, [body.velocity for body in bodies], rtol=0, atol=1e-11)
    assert worlds.converged.all()


@pytest.mark.parametrize("method", METHODS)
def test_float32_follows_float64(method: str, random: np.random.Generator) -> None:
    given, wrenches = numbers(random), loads(random, 100)
    one, other = (Worlds(contacts(method, "body", 1), COUNT, dtype=d, **given) for d in ("float64", "float32"))
    assert {array.dtype for array in (other.pose, other.mu_c, other.z, other.friction)} == {np.dtype(np.float32)}
    one.step(1e-3, load=wrenches, steps=100)
    other.step(1e-3, load=wrenches.astype(np.float32), steps=100)
    # docs/explanation/worlds.md: 0.05 mm on average over 2 s; this is a twentieth of the time
    np.testing.assert_allclose(other.pose, one.pose, rtol=0, atol=2e-5)


@pytest.mark.parametrize("count", [1, 2])
def test_steps_of_one_call_are_steps_of_many(count: int, random: np.random.Generator) -> None:
    given, wrenches = numbers(random), loads(random, 10)
    forces = random.uniform(0.0, 8.0, (10, count, COUNT))
    one, many = (Worlds(contacts("blocks", "body", count), COUNT, **given) for _ in range(2))
    one.step(1e-3, load=wrenches, normal_force=forces if count > 1 else forces[:, 0].copy(), steps=10)
    for load, force in zip(wrenches, forces):
        many.step(1e-3, load=load, normal_force=force if count > 1 else force[0].copy())
    # in one call a step starts its iteration from the last one: the same to rounding (worlds.h)
    np.testing.assert_allclose(one.pose, many.pose, rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(one.twist, many.twist, rtol=1e-12, atol=1e-15)


def test_attributes_serve_where_arguments_are_left_out(random: np.random.Generator) -> None:
    load, force = loads(random, 1)[0], random.uniform(1.0, 8.0, COUNT)
    by_argument, by_attribute = simple(), simple()
    by_argument.step(1e-3, load=load, normal_force=force, steps=3)
    by_attribute.load, by_attribute.normal_force = load, force
    by_attribute.step(1e-3, steps=3)
    np.testing.assert_array_equal(by_argument.pose, by_attribute.pose)
    assert not by_argument.load.any() and (by_argument.normal_force == FORCE).all()  # for one call only
    by_argument.step(1e-3, load=(0.5, 0, 0), normal_force=2.0)  # a triple and a number for all worlds


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_do_not_change_results(threads: int) -> None:
    random = np.random.default_rng(2)
    count = 5000
    given: dict[str, Any] = {"twist": random.normal(size=(3, count)), "mu": random.uniform(0.1, 0.5, count)}
    one, several = simple(count, **given), simple(count, threads=threads, **given)
    for worlds in (one, several):
        worlds.step(1e-3, steps=3)
    np.testing.assert_array_equal(one.pose, several.pose)
    np.testing.assert_array_equal(one.z, several.z)


def test_scale_is_the_size_of_the_patch() -> None:
    small = Worlds(Contact(DISC, 0.3, "blocks"), 2, mass=1.0, inertia=2e-4, normal_force=9.0, scale=[1.0, 0.5], twist=[0, 0, 20])
    half = Worlds(Contact(Patch.disc(0.01), 0.3, "blocks"), 1, mass=1.0, inertia=2e-4, normal_force=9.0, twist=[0, 0, 20])
    for worlds in (small, half):
        worlds.step(1e-3, steps=50)
    assert small.twist[2, 1] == pytest.approx(half.twist[2, 0], rel=1e-9)  # blocks of both sizes are cut alike
    assert small.twist[2, 0] < small.twist[2, 1]  # the larger one brakes more


def test_pucks_go_as_far_as_coulomb_says() -> None:
    mu = np.linspace(0.1, 0.4, 50)
    pucks = simple(50, normal_force="weight", mass=np.linspace(0.5, 2, 50), mu=mu, twist=(1, 0, 0))
    pucks.step(1e-3, steps=1200)
    np.testing.assert_allclose(pucks.pose[0], 1 / (2 * mu * 9.81), rtol=2e-3)  # v^2/(2 mu g); steps of 1 ms
    assert np.abs(pucks.twist).max() < 1e-6  # m/s: the slowest stops after 1.02 s


def test_the_ledger_balances(random: np.random.Generator) -> None:
    worlds = simple(twist=numbers(random)["twist"], outputs=["ledger", "state", "contact_load", "slip_rate", "passes"])
    worlds.step(1e-3, load=loads(random, 20), normal_force=random.uniform(1, 8, (20, COUNT)), steps=20)
    rows = dict(zip(Worlds.LEDGER, worlds.ledger))
    inward = sum(rows[name] for name in ("kinetic_before", "stored_before", "load", "ground", "normal"))
    outward = sum(rows[name] for name in ("kinetic_after", "stored_after", "dissipated", "numerical"))
    np.testing.assert_allclose(inward, outward, rtol=1e-12)
    assert (rows["dissipated"] > 0).all()
    assert set(worlds.state) <= {0, 1} and (worlds.contact_load <= 1).all() and (worlds.passes >= 20).all()


# --- masks, nan, reset


def test_parts_of_long_calls_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: the same steps in one call of C, to rounding."""
    random = np.random.default_rng(2)
    pad = Contact(Patch.disc(0.02), 0.3)
    force, load = 10 + np.sin(np.arange(50))[:, None] * np.ones(3), random.normal(size=(50, 3, 3))
    mask = np.array([True, False, True])
    whole, parts = (
        Worlds(pad, 3, mass=[1, 2, 3], inertia=2e-4, normal_force=10.0, twist=[0.1, 0, 0],
                       outputs=("friction", "ledger", "passes"))
        for _ in range(2)
    )  # fmt: skip
    whole.step(1e-3, steps=50, normal_force=force, load=load, mask=mask)
    monkeypatch.setattr(parts, "_steps_at_once", lambda: 7)
    parts.step(1e-3, steps=50, normal_force=force, load=load, mask=mask)
    for name in ("pose", "twist", "friction", "ledger", "passes", "converged"):
        assert np.allclose(getattr(parts, name), getattr(whole, name), rtol=1e-11, atol=1e-14), name
    assert abs(parts.ledger[:5].sum(axis=0) - parts.ledger[5:].sum(axis=0)).max() < 1e-12


def test_worlds_outside_of_the_mask_do_not_change(random: np.random.Generator) -> None:
    given = numbers(random)
    worlds, all_of_them = (Worlds(contacts("ellipsoid", "body", 1), COUNT, **given) for _ in range(2))
    before = {name: getattr(worlds, name).copy() for name in ("pose", "twist", "z", "friction")}
    mask = random.random(COUNT) < 0.5
    worlds.step(1e-3, mask=mask, steps=5)
    all_of_them.step(1e-3, steps=5)
    for name, was in before.items():
        np.testing.assert_array_equal(getattr(worlds, name)[:, ~mask], was[:, ~mask])
        # lanes may hold other worlds beside them: rounding
        np.testing.assert_allclose(getattr(worlds, name)[:, mask], getattr(all_of_them, name)[:, mask], rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["pose", "twist", "z", "mass", "mu_c", "load"])
def test_nan_stays_in_its_world(method: str, name: str, random: np.random.Generator) -> None:
    given = numbers(random)
    clean, broken = (Worlds(contacts(method, "body", 1), COUNT, **given) for _ in range(2))
    getattr(broken, name)[..., 3] = np.nan
    with pytest.raises(ArgumentError, match=rf"{name}\[(\d+, )?3\]: must be .*, got nan"):
        broken.step(1e-3)
    for worlds in (clean, broken):
        worlds.step(1e-3, steps=5, check=False)
    others = np.arange(COUNT) != 3
    for array in ("pose", "twist", "z", "friction"):
        np.testing.assert_array_equal(getattr(broken, array)[:, others], getattr(clean, array)[:, others])
    broken.step(1e-3, mask=others)  # it is not looked at


def test_reset_starts_some_worlds_again(random: np.random.Generator) -> None:
    worlds = simple(twist=numbers(random)["twist"])
    worlds.step(1e-3, steps=10)
    mask = np.arange(COUNT) % 2 == 0
    before = worlds.pose.copy(), worlds.z.copy(), worlds.sigma1.copy()  # type: ignore[union-attr]
    worlds.reset(mask, pose=[1, 2, 3], twist=[0, 0, 0], mu=np.full(COUNT, 0.7), mass=3.0)
    assert (worlds.pose[:, mask].T == [1, 2, 3]).all() and not worlds.z[:, mask].any()  # type: ignore[call-overload]
    assert (worlds.mu_c[mask] == 0.7).all() and (worlds.mu_s[~mask] == 0.3).all()
    np.testing.assert_array_equal(worlds.pose[:, ~mask], before[0][:, ~mask])
    np.testing.assert_array_equal(worlds.z[:, ~mask], before[1][:, ~mask])  # type: ignore[call-overload]
    np.testing.assert_array_equal(worlds.sigma1[~mask], before[2][~mask])
    body = Body(3.0, 2e-4, contacts("ellipsoid", "body", 1, 0.7)[:1])
    alike = Worlds(contacts("ellipsoid", "body", 1), 1, mass=3.0, inertia=2e-4, mu=0.7)
    assert alike.sigma1[0] == pytest.approx(body.contacts[0].contact.law.sigma1, rel=1e-12)


def test_worlds_that_slide_start_in_steady_state() -> None:
    sliding = simple(twist=[1.0, 0, 0])
    sliding.step(1e-4)
    np.testing.assert_allclose(sliding.friction[0], -0.3 * FORCE, rtol=1e-6)  # from the first step on


# --- arrays are views


def test_attributes_are_the_arrays_themselves() -> None:
    worlds = simple()
    pose = worlds.pose
    worlds.twist[0] = 1.0
    worlds.reset()
    worlds.step(1e-3)
    assert worlds.pose is not None and np.shares_memory(pose, worlds.pose) and (pose[0] > 0).all()
    worlds.sigma2 = 0.5  # numbers that all worlds shared until now
    assert worlds.sigma2.shape == (COUNT,) and (worlds.sigma2 == 0.5).all()
    worlds.mu_s[2] = 0.2
    with pytest.raises(ArgumentError, match=r"mu_s\[2\]: must be >= mu_c, got 0.2 and 0.3"):
        worlds.step(1e-3)


def test_shapes_with_several_contacts() -> None:
    worlds = Worlds(contacts("ellipsoid", "body", 2), 4, mass=1.0, inertia=1e-3, outputs=["friction", "state"])
    assert worlds.mu_c.shape == (2, 4) and worlds.friction.shape == (2, 3, 4) and worlds.state.shape == (2, 4)
    assert worlds.position[1, :, 0].tolist() == [-0.02, 0.01] and len(worlds.z) == 2
    worlds.normal_force = np.full((2, 4), 3.0)
    worlds.normal_force[1, 2] = -1.0
    with pytest.raises(ArgumentError, match=r"normal_force\[1, 2\]: must be >= 0 and finite, got -1"):
        worlds.step(1e-3)


def test_a_given_stiffness_is_kept() -> None:
    worlds = simple()
    worlds.sigma0 = 1e4
    worlds.mu = 0.6
    assert (worlds.sigma0 == 1e4).all() and (worlds.mu_s == 0.6).all()
    explicit = Worlds(Contact(DISC, Law(mu_c=0.3, mu_s=0.4, sigma0=1e5, sigma1=3.0)), 3, mass=1, inertia=1, normal_force=1)
    explicit.mu = 0.5
    assert (explicit.sigma0 == 1e5).all() and (explicit.sigma1 == 3.0).all()


def test_copies_are_apart() -> None:
    worlds = simple(twist=[1.0, 0, 0], threads=2)
    worlds.step(1e-3)
    copies = [copy.copy(worlds), copy.deepcopy(worlds), pickle.loads(pickle.dumps(worlds))]
    before = worlds.pose.copy()
    for other in copies:
        other.step(1e-3, steps=2)
    np.testing.assert_array_equal(worlds.pose, before)
    worlds.step(1e-3, steps=2)
    for other in copies:
        np.testing.assert_array_equal(other.pose, worlds.pose)
        assert other.threads == 2


def test_other_threads_run_meanwhile() -> None:
    worlds = simple(2000, method="blocks")
    ended = threading.Event()
    thread = threading.Thread(target=lambda: (worlds.step(1e-3, steps=100), ended.set()))
    thread.start()
    refused = 0
    while not ended.is_set():  # this loop would not run if the step kept Python's lock
        try:
            worlds.step(1e-3, mask=np.zeros(2000, bool), check=False)
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused += 1
    thread.join()
    assert refused > 0


# --- wrong uses


def wrong(count: int = 4) -> Worlds:
    return simple(count, outputs=())


Z = np.zeros
WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "count of masses": (lambda: simple(4, mass=np.ones(5)), r"mass: must be a number or shape \(4,\), got shape \(5,\)"),
    "negative mass": (lambda: simple(4, mass=[1, 1, -1, 1]), r"mass\[2\]: must be > 0 and finite, got -1"),
    "nan mass": (lambda: simple(4, mass=np.nan), "mass: must be finite numbers, got nan or inf"),
    "no force": (lambda: simple(4, normal_force=None), "normal_force: must be given"),
    "weight of fingers": (lambda: Worlds(contacts("blocks", "world", 1), 4, mass=1, inertia=1, normal_force="weight"), "normal_force: weight is for a single foot"),
    "word for a force": (lambda: simple(4, normal_force="wieght"), "normal_force: must be one of weight, got 'wieght'"),
    "negative mu": (lambda: simple(4, mu=[0.1, 0.2, -0.3, 0.4]), r"mu: must be > 0, got -0.3"),
    "count of mu": (lambda: simple(4, mu=[0.1, 0.2, 0.3]), r"mu: must be a number or shape \(4,\), got list .* of shape \(3,\)"),
    "transposed twist": (lambda: simple(4, twist=Z((4, 3))), r"twist: must be 3 numbers or shape \(3, 4\), got shape \(4, 3\)"),
    "dtype": (lambda: simple(4, dtype="float16"), "dtype: must be one of float64, float32, got 'float16'"),
    "no count": (lambda: simple(0), "count: must be >= 1, got 0"),
    "threads": (lambda: simple(4, threads=0), "threads: must be >= 1, got 0"),
    "too many threads": (lambda: simple(4, threads=65), "threads: must be 1 to 64, got 65"),
    "output": (lambda: simple(4, outputs=["frictoin"]), "outputs: must be one of friction, state, .*, got 'frictoin'"),
    "scale": (lambda: simple(4, scale=0.0), r"scale\[0\]: must be > 0"),
    "distributed": (lambda: simple(4, method="distributed"), r"contacts\[0\].contact: must not be distributed"),
    "five contacts": (lambda: Worlds([Contact(DISC, 0.3)] * 5, 4, mass=1, inertia=1, normal_force=1), "contacts: must be 1 to 4, got 5"),
    "no contact": (lambda: Worlds([], 4, mass=1, inertia=1, normal_force=1), "contacts: must be 1 to 4, got 0"),
    "field": (lambda: Worlds(Contact(DISC, 0.3, field=Field([[1, 0]], (1, 1))), 4, mass=1, inertia=1, normal_force=1), r"contacts\[0\].contact: must not have a field"),
    "grip": (lambda: Worlds([BodyContact(Contact(DISC, 0.3), 1.0, grip=Grip())], 4, mass=1, inertia=1), r"contacts\[0\].grip: has no effect in worlds"),
    "profile": (lambda: Worlds([BodyContact(Contact(DISC, 0.3), Profile.sine(1.0, 1.0, 1.0))], 4, mass=1, inertia=1), r"contacts\[0\].normal_force: must be a number"),
    "belt": (lambda: Worlds([BodyContact(Contact(DISC, 0.3), 1.0, support=(1, 0, 0))], 4, mass=1, inertia=1), r"contacts\[0\].support: has no effect"),
    "ratio of blocks": (lambda: setattr(simple(4, method="blocks"), "ratio", 2.0), "ratio: only worlds of the method ellipsoid"),
    "set, transposed": (lambda: setattr(wrong(), "pose", Z((4, 3))), r"pose: must be 3 numbers or shape \(3, 4\), got shape \(4, 3\)"),
    "set, a row of worlds": (lambda: setattr(wrong(), "pose", Z(4)), r"pose: must be 3 numbers or shape \(3, 4\), got shape \(4,\)"),
    "set, nan": (lambda: setattr(wrong(), "load", [0, 0, np.nan]), "load: must be finite"),
    "load, transposed": (lambda: wrong().step(1e-3, load=Z((4, 3))), r"load: must be 3 numbers or shape \(3, 4\) or shape \(1, 3, 4\), got shape \(4, 3\)"),
    "load, list": (lambda: wrong().step(1e-3, load=[[0.0] * 4] * 3), r"load: must be an array of float64 of shape .*, got list"),
    "load, float32": (lambda: wrong().step(1e-3, load=Z((3, 4), np.float32)), "load: must be float64, the dtype of these worlds, got an array of float32"),
    "load, float64 into float32": (lambda: simple(4, dtype=np.float32).step(1e-3, load=Z((3, 4))), "load: must be float32, the dtype of these worlds, got an array of float64"),
    "load, other byte order": (lambda: wrong().step(1e-3, load=Z((3, 4), ">f8")), "load: must be float64.*other byte order"),
    "load, int": (lambda: wrong().step(1e-3, load=Z((3, 4), int)), "load: must be float64.*int64"),
    "load, one number": (lambda: wrong().step(1e-3, load=1.0), "load: must be three numbers"),
    "load, other steps": (lambda: wrong().step(1e-3, load=Z((5, 3, 4)), steps=10), r"load: must be 3 numbers or shape \(3, 4\) or shape \(10, 3, 4\), got shape \(5, 3, 4\)"),
    "load, nan": (lambda: wrong().step(1e-3, load=np.full((3, 4), np.nan)), r"load\[0, 0\]: must be finite, got nan"),
    "load, the pose": (lambda: (lambda w: w.step(1e-3, load=w.pose))(wrong()), "load: it may not overlap pose"),
    "force, negative": (lambda: wrong().step(1e-3, normal_force=np.array([1.0, -2.0, 1.0, 1.0])), r"normal_force\[1\]: must be >= 0 and finite, got -2"),
    "force, negative number": (lambda: wrong().step(1e-3, normal_force=-1.0), r"normal_force\[0\]: must be >= 0"),
    "force, count": (lambda: wrong().step(1e-3, normal_force=Z(3)), r"normal_force: must be a number or shape \(4,\) or shape \(1, 4\), got shape \(3,\)"),
    "force, list": (lambda: wrong().step(1e-3, normal_force=[1.0] * 4), r"normal_force: must be an array of float64"),
    "force, transposed": (lambda: wrong().step(1e-3, normal_force=Z((4, 10)), steps=10), r"normal_force: must be .* shape \(10, 4\), got shape \(4, 10\)"),
    "mask, length": (lambda: wrong().step(1e-3, mask=Z(3, bool)), r"mask: must be an array of bool of shape \(4,\), got an array of bool of shape \(3,\)"),
    "mask, indices": (lambda: wrong().step(1e-3, mask=np.array([0, 2, 1, 3])), "mask: must be an array of bool.*int64"),
    "mask, list": (lambda: wrong().reset([True] * 4), "mask: must be an array of bool"),  # type: ignore[arg-type]
    "step of 0": (lambda: wrong().step(0.0), "h: must be > 0"),
    "no steps": (lambda: wrong().step(1e-3, steps=0), "steps: must be >= 1, got 0"),
    "reset, transposed": (lambda: wrong().reset(pose=Z((4, 3))), r"pose: must be 3 numbers or shape \(3, 4\)"),
    "reset, negative mu": (lambda: wrong().reset(mu=-1), "mu: must be > 0, got -1"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_uses_are_refused(name: str) -> None:
    call, words = WRONG[name]
    with pytest.raises((ArgumentError, DefinitionError), match=words):
        call()


def test_what_is_not_computed_is_not_read() -> None:
    with pytest.raises(AttributeError, match=r"ledger is not computed: create the worlds with outputs=\['ledger'\]"):
        _ = wrong().ledger
    with pytest.raises(TypeError, match="Worlds: no argument 'masses'; did you mean 'mass'"):
        simple(masses=1.0)


def test_views_in_any_layout_are_read() -> None:
    wide = np.random.default_rng(1).normal(size=(8, 3)).T[:, ::2]  # neither order is contiguous
    one, other = simple(4), simple(4)
    one.step(1e-3, load=wide, steps=5)
    other.step(1e-3, load=wide.copy(), steps=5)
    np.testing.assert_array_equal(one.pose, other.pose)


CORE: dict[str, tuple[tuple[Any, ...], str]] = {
    "float32": ((-1, "pose", Z((3, 4), np.float32)), "pose: must be a writable contiguous array of float64 of 12 numbers, got an array of float32"),
    "shorter": ((-1, "pose", Z((3, 3))), "pose.*of 12 numbers"),
    "strided": ((-1, "pose", Z((3, 8))[:, ::2]), "not contiguous"),
    "read-only": ((-1, "pose", np.broadcast_to(0.0, (3, 4))), "read-only"),
    "list": ((-1, "pose", [[0.0] * 4] * 3), "got list"),
    "states": ((0, "z", Z((2, 4))), "z: .*of 12 numbers"),
    "bools": ((0, "state", Z(4)), "state: .*array of bool of 4 numbers, got an array of float64"),
    "int64": ((-1, "passes", Z(4, np.int64)), "passes: .*int32.*got an array of int64"),
    "name": ((0, "mu", Z(4)), "mu: is no array of worlds"),
    "contact": ((1, "mu_c", Z(4)), "contact: there is no contact 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", CORE)
def test_the_extension_refuses_wrong_arrays(name: str) -> None:
    arguments, words = CORE[name]
    worlds = wrong()
    with pytest.raises(ArgumentError, match=words):
        _core.worlds_attach(worlds._handle, *arguments)
    worlds.step(1e-3)  # it still has its own


def test_the_extension_refuses_wrong_arguments_of_a_step() -> None:
    handle = wrong()._handle
    for arguments, words in (
        ((Z((3, 3)), 1, None, 1, None), "load: must be a contiguous array of float64 of 12 numbers"),
        ((Z((3, 4)), 2, None, 1, None), "load: .*of 24 numbers"),
        ((None, 1, Z(4), 2, None), "normal_force: .*of 8 numbers"),
        ((None, 1, None, 3, None), "steps"),
        ((None, 1, None, 1, Z(4)), "mask: .*array of bool"),
    ):
        with pytest.raises(ArgumentError, match=words):
            _core.worlds_step(handle, 1e-3, 2, *arguments, True)
