"""Oracle: central differences of the same steps and rollouts in Python, poses of Body.step, and closed forms."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

import bristle
from bristle import Body, BodyContact, Contact, GradientFlag, Law, Patch, Rollout

LAW = Law(
    kind="elasto-plastic", mu_c=0.8, mu_s=0.9, v_stribeck=0.02, sigma0=2e4, sigma1=20.0, sigma2=0.1, s_ba=0.6, v_damping=0.0
)
MASS, INERTIA, H, STEPS = 0.2, 5e-4, 1e-3, 150


def difference(of: Callable[[float], float], step: float) -> float:
    """Of order 4: its own error is far below the tolerances here."""
    near, far = of(step) - of(-step), of(2 * step) - of(-2 * step)
    return (8 * near - far) / (12 * step)


def pad(method: str = "blocks", law: Law = LAW) -> Contact:
    return Contact(Patch.disc(0.012), law, method)


# --- a step of a contact


@pytest.mark.parametrize("method", ["blocks", "distributed", "reduced", "ellipsoid"])
def test_a_step_of_a_contact_has_the_slopes_of_its_differences(method: str, random: np.random.Generator) -> None:
    contact = pad(method)
    z0 = np.zeros(contact.state_count)
    v, fn, h = np.array([0.01, 0.02, 3.0]), 5.0, 2e-3
    contact.step(z0, v, fn, h)
    wrench, z_bar = random.normal(size=3), random.normal(size=contact.state_count)

    def number(
        z: np.ndarray = z0, v: np.ndarray = v, fn: float = fn, h: float = h, law: Law = LAW, scale: float = 1.0
    ) -> float:
        other = contact if law is LAW else pad(method, law)
        if scale != 1.0:
            other = Contact(Patch.disc(0.012 * scale), law, method)
        end = z.copy()
        f = other.step(end, v, fn, h)
        return float(wrench @ f + z_bar @ end)

    end = z0.copy()
    contact.step(end, v, fn, h)
    got = contact.step_vjp(z0, end, v, fn, h, wrench=wrench, z=z_bar)
    assert got.flags == 0
    pairs = []
    for i in range(3):
        unit = np.eye(3)[i]
        pairs.append((got.v[i], difference(lambda s: number(v=v + s * unit), 1e-4 * abs(v[i]))))
    away = random.normal(size=contact.state_count) * 1e-6
    pairs.append((got.z @ away, difference(lambda s: number(z=z0 + s * away), 1e-3)))
    pairs.append((got.fn, difference(lambda s: number(fn=fn + s), 1e-3)))
    pairs.append((got.h, difference(lambda s: number(h=h + s), 1e-7)))
    for name in ("mu_c", "mu_s", "v_stribeck", "sigma0", "sigma1", "sigma2"):
        value = getattr(LAW, name)
        pairs.append(
            (
                got.law[name],
                difference(lambda s: number(law=dataclasses.replace(LAW, **{name: value + s})), 1e-4 * value),
            )
        )
    found, expected = np.array(pairs).T
    # of the differences themselves: rounding 1e-16/1e-4 and the fifth derivative, both below 1e-9 of the largest slope
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=1e-9 * np.abs(expected).max())


def test_a_step_at_stick_has_a_slope_and_many_broadcast() -> None:
    contact = pad()
    z0 = contact.state(4)
    v = np.zeros((4, 3))
    v[:, 0] = [1e-7, 1e-6, 2e-6, 0.0]
    z1 = z0.copy()
    contact.step(z1, v, 5.0, H)
    got = contact.step_vjp(z0, z1, v, 5.0, H, wrench=[1, 0, 0])
    # f = -fn (s0 z + s1 v + s2 v) with z = h v: bristles that stick are springs
    assert got.v[:, 0] == pytest.approx(-5.0 * (LAW.sigma0 * H + LAW.sigma1 + LAW.sigma2), rel=1e-9)
    assert got.z.shape == z0.shape and got.fn.shape == (4,) and got.law["mu_c"].shape == (4,)
    one = contact.step_vjp(z0[1], z1[1], v[1], 5.0, H, wrench=[1, 0, 0])
    assert np.array_equal(one.v, got.v[1]) and one.fn == got.fn[1]


def test_a_lifted_contact_reports_it() -> None:
    contact = pad()
    z = contact.state()
    got = contact.step_vjp(z, z, [0.1, 0, 0], 0.0, H, wrench=[1, 0, 0])
    assert int(got.flags) == GradientFlag.LIFTED and got.fn < 0  # pressing it brakes


def test_arguments_of_a_step_are_refused_by_name() -> None:
    contact = pad()
    z = contact.state()
    with pytest.raises(bristle.ArgumentError, match="h"):
        contact.step_vjp(z, z, [0, 0, 0], 1.0, 0.0)
    with pytest.raises(bristle.ArgumentError, match="wrench"):
        contact.step_vjp(z, z, [0, 0, 0], 1.0, H, wrench=[1, 0])
    with pytest.raises(bristle.ArgumentError, match="fn"):
        contact.step_vjp(z, z, [0, 0, 0], -1.0, H)
    with pytest.raises(bristle.ArgumentError, match="z1"):
        contact.step_vjp(z, z[:-1], [0, 0, 0], 1.0, H)
    with pytest.raises(TypeError, match="v"):
        contact.step_vjp(z, z, ["a", 0, 0], 1.0, H)
    with pytest.raises(KeyError, match="mu_c"):
        contact.step_vjp(z, z, [0, 0, 0], 1.0, H).law["mu"]


# --- rollouts


def fingers(law: Law = LAW, at: tuple[float, float] = (0.001, -0.0005), scale: float = 1.0) -> list[BodyContact]:
    finger = Contact(Patch.disc(0.012 * scale), law)
    foot = Contact(Patch.rectangle((0.01, 0.006)), dataclasses.replace(LAW, mu_c=0.3, mu_s=0.3))
    return [BodyContact(finger, frame="world", at=at, count=2), BodyContact(foot, frame="body", at=(0.02, 0.01))]


PROFILE = np.array([[3.0, 0.5], [4.5, 0.2], [2.0, 0.4], [3.5, 0.3]])
LOADS = np.array([[0.1, -1.9, 0.002], [0.3, -2.0, 0.0], [0.0, -1.8, 0.004], [-0.1, -1.9, 0.0]])


def roll(order: int = 1, every: int = 1, **change: object) -> Rollout:
    given: dict[str, object] = {
        "mass": MASS, "inertia": INERTIA, "h": H, "steps": STEPS, "normal_force": PROFILE, "load": LOADS,
        "pose": (0.03, 0.0, 0.1), "velocity": (0.05, 0.0, 1.0), "order": order, "every": every, "times": None,
    }  # fmt: skip
    contacts = change.pop("contacts", None) or fingers()
    given.update(change)
    return Rollout(contacts, given.pop("mass"), given.pop("inertia"), **given)  # type: ignore[arg-type]


class Number:
    """A number that depends on all results of a rollout."""

    def __init__(self, random: np.random.Generator, like: Rollout) -> None:
        size = np.array([10.0, 10.0, 1.0])
        self.pose, self.velocity = random.normal(size=(2, STEPS + 1, 3)) * size
        self.friction = random.normal(size=like.friction.shape) * [1.0, 1.0, 100.0]
        self.states = [1e3 * random.normal(size=z.shape) for z in like.states]

    def __call__(self, run: Rollout) -> float:
        total = np.sum(self.pose * run.pose) + np.sum(self.velocity * run.velocity)
        total += np.sum(self.friction * run.friction)
        return float(total + sum(np.sum(b * z) for b, z in zip(self.states, run.states)))


def test_a_rollout_has_the_slopes_of_its_differences(random: np.random.Generator) -> None:
    run = roll()
    number = Number(random, run)
    got = run.vjp(number.pose, number.velocity, number.friction, number.states)
    assert got.flags == 0 and got.inexact == 0 and run.open_steps == 0 and got.pivot > 0.1
    pairs: dict[str, tuple[float, float]] = {}

    def add(name: str, found: float, change: Callable[[float], dict[str, object]], step: float) -> None:
        pairs[name] = (float(found), difference(lambda s: number(roll(**change(s))), step))

    away = random.normal(size=PROFILE.shape)
    add("normal_force", np.sum(got.normal_force * away), lambda s: {"normal_force": PROFILE + s * away}, 1e-5)
    pull = random.normal(size=LOADS.shape) * [1.0, 1.0, 0.01]
    add("load", np.sum(got.load * pull), lambda s: {"load": LOADS + s * pull}, 1e-5)
    add("mass", got.mass, lambda s: {"mass": MASS + s}, 1e-6)
    add("inertia", got.inertia, lambda s: {"inertia": INERTIA + s}, 1e-9)
    add("h", got.h, lambda s: {"h": H + s}, 1e-9)
    for i in range(3):
        unit = np.eye(3)[i]
        add(f"pose[{i}]", got.pose[i], lambda s: {"pose": np.array([0.03, 0, 0.1]) + s * unit}, 1e-6)
        add(f"velocity[{i}]", got.velocity[i], lambda s: {"velocity": np.array([0.05, 0, 1.0]) + s * unit}, 1e-5)
    start = [1e-6 * random.normal(size=z.shape) for z in run.states]
    along = sum(float(np.sum(b * z)) for b, z in zip(got.states, start))
    add("states", along, lambda s: {"states": [s * z for z in start]}, 1e-3)
    add("position[0]", got.position[0, 1], lambda s: {"contacts": fingers(at=(0.001, -0.0005 + s))}, 1e-7)
    for name in ("mu_c", "mu_s", "v_stribeck", "sigma0", "sigma1", "sigma2", "s_ba"):
        value = getattr(LAW, name)
        add(
            name,
            got.law[name][0],
            lambda s: {"contacts": fingers(dataclasses.replace(LAW, **{name: value + s}))},
            1e-5 * value,
        )
    for name, (found, expected) in pairs.items():
        # Newton stops at 1e-10 of the impulses, so differences are good to about 1e-6 of themselves
        assert found == pytest.approx(expected, rel=1e-4), name
    typical = np.array([abs(a / b - 1) for a, b in pairs.values()])
    assert np.median(typical) < 1e-6


def test_checkpoints_do_not_change_a_number(random: np.random.Generator) -> None:
    runs = [roll(every=every) for every in (1, 7, 0)]
    number = Number(random, runs[0])
    found = [run.vjp(number.pose, number.velocity, number.friction, number.states) for run in runs]
    for run, got in zip(runs[1:], found[1:]):
        assert np.array_equal(run.pose, runs[0].pose)
        assert np.array_equal(got.normal_force, found[0].normal_force) and got.mass == found[0].mass
    again = runs[0].vjp(number.pose, number.velocity, number.friction, number.states)
    assert np.array_equal(again.normal_force, found[0].normal_force)  # the tape stays valid


def test_a_rollout_is_that_of_body_step() -> None:
    finger = Contact(Patch.disc(0.012, centre=(0.001, 0.0)), 0.8)
    foot = Contact(Patch.rectangle((0.01, 0.006)), 0.3)
    body = Body(
        MASS, INERTIA,
        [BodyContact(finger, 4.0, count=2, at=(0.0, 0.002)), BodyContact(foot, frame="body", weight=0.5, at=(0.01, 0.0))],
        pose=(0.03, 0.0, 0.0), velocity=(0.05, 0.0, 1.0), gravity=(0.5, -6.0),
    )  # fmt: skip
    run = body.rollout(100, H, load=(0.01, 0.0, 1e-4))
    poses = [body.pose.copy()]
    for _ in range(100):
        step = body.step(H, (0.01, 0.0, 1e-4), order=1)
        poses.append(body.pose.copy())
    # the same steps with arms rounded in another order
    np.testing.assert_allclose(run.pose, poses, rtol=0, atol=1e-11)
    np.testing.assert_allclose(run.friction[-1], step.friction, rtol=0, atol=1e-8)
    np.testing.assert_allclose(run.states[0], body.states[0], rtol=0, atol=1e-12)


def test_mass_carries_gravity_and_weight() -> None:
    foot = BodyContact(Contact(Patch.disc(0.02), 0.3), "weight", frame="body")
    run = Rollout([foot], 1.0, 2e-4, h=H, steps=100, velocity=(1, 0, 0), gravity=(1.5, 0.0))
    got = run.vjp(velocity=[1, 0, 0])
    # a = g sin - mu g cos at any mass: only bristles that are being loaded know it
    assert abs(got.mass) < 2e-3 < abs(got.law["mu_c"][0])
    assert got.law["mu_c"][0] + got.law["mu_s"][0] == pytest.approx(-0.1 * np.sqrt(9.81**2 - 1.5**2), rel=0.01)


def test_a_grip_that_holds_knows_its_slope() -> None:
    finger = Contact(Patch.disc(0.012), dataclasses.replace(LAW, mu_s=0.8))
    body = Body(MASS, INERTIA, [BodyContact(finger, count=2)], pose=(0.03, 0, 0), gravity=(0, -9.81), start="relaxed")

    def angle(fn: float) -> Rollout:
        return body.rollout(1000, H, normal_force=fn)

    run = angle(6.0)
    assert np.abs(run.velocity[-1]).max() < 1e-5  # it sticks
    slope = run.vjp(pose=[0, 0, 1]).normal_force.sum()
    # blocks cross the border of elastic and plastic within larger steps: differences are off by 1e-3 at 1e-3 N, by 4e-6 here
    expected = difference(lambda s: float(angle(6.0 + s).pose[-1, 2]), 1e-6)
    assert np.degrees(slope) > 0.01 and slope == pytest.approx(expected, rel=1e-4)


def test_profiles_of_contacts_are_those_of_their_middles() -> None:
    finger = Contact(Patch.disc(0.012), LAW)
    grip = bristle.Profile.sine(mean=3.0, amplitude=1.0, frequency=5.0)
    body = Body(MASS, INERTIA, [BodyContact(finger, grip, count=2)], pose=(0.03, 0, 0), gravity=(0, -9.81))
    run = body.rollout(50, H)
    assert run.normal_force.shape == (50, 1)
    assert run.normal_force[:, 0] == pytest.approx(grip(H * (np.arange(50) + 0.5)))
    times = body.rollout(50, H, normal_force=run.normal_force, times=H * (np.arange(50) + 0.5))
    assert np.array_equal(times.pose, run.pose)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"normal_force": [[1.0, -1.0]] * 4}, "normal_force"),
        ({"normal_force": [[1.0, np.nan]] * 4}, "normal_force"),
        ({"normal_force": [1.0, 2.0, 3.0]}, "normal_force"),
        ({"load": [[0.0, 0.0]]}, "load"),
        ({"load": np.zeros((3, 3))}, "load"),
        ({"times": [0.0, 0.1, 0.1, 0.2]}, "times"),
        ({"times": [0.0, 0.1]}, "normal_force"),
        ({"mass": -1.0}, "mass"),
        ({"inertia": 0.0}, "inertia"),
        ({"h": np.inf}, "h"),
        ({"steps": 0}, "steps"),
        ({"order": 3}, "order"),
        ({"pose": [0.0, 0.0, np.nan]}, "pose"),
        ({"velocity": [0.0, 0.0]}, "velocity"),
        ({"states": [np.zeros(3)]}, "states"),
        ({"gravity": [0.0, np.inf]}, "gravity"),
        ({"contacts": [BodyContact(Contact(Patch.disc(0.01), LAW), 1.0, grip=bristle.Grip()), fingers()[1]]}, "grip"),
        ({"contacts": [BodyContact(Contact(Patch.disc(0.01), LAW), support=(1, 0, 0)), fingers()[1]]}, "support"),
    ],
)
def test_arguments_of_rollouts_are_refused_by_name(change: dict[str, object], names: str) -> None:
    with pytest.raises(bristle.BristleError, match=names):
        roll(**change)


def test_what_rollouts_do_not_offer_is_refused() -> None:
    soft = Contact(Patch.disc(bristle.ByForce(0.002, exponent=1 / 3, max=0.01)), LAW)
    with pytest.raises(bristle.ArgumentError, match="contacts: contact 0: its patch depends on the force"):
        Rollout([BodyContact(soft, 1.0)], 1.0, 1e-3, h=H, steps=1)
    body = Body(1.0, 1e-3, [], loads=[bristle.Load(fx=1.0)])
    with pytest.raises(bristle.ArgumentError, match="loads"):
        body.rollout(10, H)
    turning = Body(1.0, 1e-3, [], gravity=(bristle.Profile.sine(0, 1, 1), 0))
    with pytest.raises(bristle.DefinitionError, match="gravity"):
        turning.rollout(10, H)


def test_bars_are_refused_by_name() -> None:
    run = roll()
    for name, value in (("pose", np.zeros((3, 3))), ("velocity", [1.0]), ("friction", np.zeros((STEPS, 3)))):
        with pytest.raises(bristle.ArgumentError, match=name):
            run.vjp(**{name: value})
    with pytest.raises(bristle.ArgumentError, match="states"):
        run.vjp(states=[np.zeros(2)])
    with pytest.raises(TypeError, match="pose"):
        run.vjp(pose=["x", 0, 0])  # type: ignore[list-item]
    zero = run.vjp()
    assert not zero.normal_force.any() and zero.mass == 0.0


def test_a_free_body_needs_no_contacts() -> None:
    run = Body(2.0, 1e-3, [], gravity=(0, -10.0)).rollout(100, 1e-2, load=[[0, 0, 0], [2.0, 0, 0]])
    got = run.vjp(velocity=[1, 1, 0])
    assert run.velocity[-1] == pytest.approx([0.5, -10.0, 0.0])
    assert got.load[:, 0] == pytest.approx([0.25, 0.25]) and got.mass == pytest.approx(-0.25)  # -(1 N s)/m^2
