"""Oracle: closed forms, the energy balance, and the same motion computed by another method."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import bristle
from bristle import ArgumentError, Body, BodyContact, BodyPusher, Contact, Grip, Law, Load, Patch, Profile

TABLE = Contact(Patch.disc(0.02), 0.3)
G = 9.81


def puck(**more: object) -> Body:
    return Body(1.0, 2e-4, [BodyContact(TABLE, G, frame="body")], **more)  # type: ignore[arg-type]


def cup(normal_force: float | Profile, count: int = 2, **more: object) -> Body:
    finger = BodyContact(Contact(Patch.disc(0.01), 1.0), normal_force, count=count)
    return Body(0.2, 5e-4, [finger], gravity=(0, -G), **more)  # type: ignore[arg-type]


def test_a_puck_stops_after_v_squared_over_2_mu_g() -> None:
    result = puck(velocity=(1, 0, 0)).simulate(0.6)
    # closed form; 1e-4 m: the bristles deflect by some 30 um before it rests
    assert result["x"][-1] == pytest.approx(1 / (2 * 0.3 * G), abs=1e-4)
    assert [event.kind for event in result.events][-1] == "stick"
    assert set(result["state"]) == {"slip", "stick"}
    assert result.summary["dissipated"] == pytest.approx(0.5, rel=1e-3)


def test_a_box_that_friction_cannot_hold_falls_at_once() -> None:
    finger = Contact(Patch.disc(0.01, pressure="hertz"), 0.8)
    box = Body(0.2, 4e-4, [BodyContact(finger, 1.2, count=2)], gravity=(0, -G))
    result = box.simulate(0.5)
    # closed form, (g - 2 mu fn/m) t^2/2 = 26.25 mm; it was 28.2 mm
    assert result["y"][-1] == pytest.approx(-0.02625, abs=1e-5)
    assert abs(result.energy["residual"]).max() < 1e-6  # of 50 mJ


def test_feet_share_the_weight_by_the_lever_rule() -> None:
    def foot(x: float) -> BodyContact:
        pad = Contact(Patch.disc(0.005, centre=(x, 0)), 0.4)
        return BodyContact(pad, "weight", frame="body")

    result = Body(1.0, 1e-3, [foot(0.09), foot(-0.03)]).simulate(0.01)
    assert result["fn1"][0] == pytest.approx(0.25 * G, rel=1e-12)  # closed form; an even share was 0.5
    assert result["fn2"][0] == pytest.approx(0.75 * G, rel=1e-12)
    with pytest.raises(bristle.DefinitionError, match="outside of the support"):
        Body(1.0, 1e-3, [foot(0.09), foot(0.03)]).simulate(0.01)
    with pytest.raises(bristle.ArgumentError, match="weight is for frame"):
        BodyContact(TABLE, "weight")


def test_steps_and_runs_agree() -> None:
    body = puck(velocity=(0.5, 0.1, 20.0), loads=[Load(fx=0.2, tau=1e-4)])
    result = body.simulate(0.1)
    for _ in range(1000):
        step = body.step(1e-4)
        assert step.converged and step.dissipated >= -1e-12
    # second order with 1e-4 s over 0.1 s: some 1e-6 m; where friction turns it is of first order
    np.testing.assert_allclose(
        body.pose, [result[n][-1] for n in ("x", "y", "theta")], atol=2e-5, rtol=1e-4
    )
    assert body.t == pytest.approx(0.1)


def test_energy_balances_at_every_row() -> None:
    result = cup(Profile.sine(1.73, 0.91, 2.0, hold=0.01), pose=(0.002, 0, 0)).simulate(1.0)
    e = result.energy
    held = e["kinetic"] + e["stored"]
    work = e["work_loads"] + e["work_gravity"] + e["work_normal"] + e["work_contacts"]
    balance = held - held[0] + e["dissipated"] - work
    np.testing.assert_allclose(balance, e["residual"], atol=1e-12)
    assert np.abs(e["residual"]).max() < 1e-6


def test_fixed_steps_give_the_same_pose() -> None:
    body = cup(Profile.sine(1.73, 0.91, 2.0), pose=(0.002, 0, 0))
    exact = body.simulate(0.5)
    fixed = body.simulate(0.5, method="fixed", step=1e-4)
    assert fixed["y"][-1] == pytest.approx(exact["y"][-1], abs=1e-4)


def test_a_grip_controller_holds_what_slips() -> None:
    loose = cup(0.9).simulate(0.3)
    held = Body(
        0.2,
        5e-4,
        [BodyContact(Contact(Patch.disc(0.01), 1.0), 0.9, count=2, grip=Grip())],
        gravity=(0, -G),
    ).simulate(0.3)
    assert loose["y"][-1] < -1e-3  # 1.8 N do not hold 1.96 N
    assert abs(held["y"][-1]) < 0.3 * abs(loose["y"][-1])
    assert held["fn"][-1] > 0.9


def test_a_pusher_moves_a_box() -> None:
    box = Body(
        0.5,
        1e-3,
        [BodyContact(Contact(Patch.rectangle((0.1, 0.1)), 0.3), 0.5 * G, frame="body")],
        outline=Patch.rectangle((0.1, 0.1)),
        pusher=BodyPusher(Profile.table([0, 1], [-0.06, -0.02]), 0.0),
    )
    result = box.simulate(1.0)
    # the tip's face goes from -0.055 to -0.015: 35 mm of contact; 0.2 mm: its compliance
    assert result["x"][-1] == pytest.approx(0.035, abs=2e-4)
    assert result["pusher_fx"][-1] > 0


def test_rows_are_at_the_requested_times() -> None:
    np.testing.assert_array_equal(puck().simulate(1.0, at=[0.0, 0.3, 1.0])["t"], [0.0, 0.3, 1.0])
    assert puck().simulate(1.0, 0.25)["t"].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_patch_that_grows_works_in_steps() -> None:
    patch = Patch.disc(bristle.ByForce(0.002, exponent=1 / 3, max=0.01))
    body = Body(0.1, 1e-5, [BodyContact(Contact(patch, 0.5), 4.0, frame="body")], velocity=(0.1, 0, 9))
    for _ in range(200):
        body.step(1e-3)
    assert np.abs(body.velocity).max() < 1e-3


@pytest.mark.parametrize(
    "run, field",
    [
        (lambda: puck().simulate(-1.0), "duration"),
        (lambda: puck().simulate(1.0, rtol=2.0), "rtol"),
        (lambda: puck().simulate(1.0, at=[]), "at"),
        (lambda: Body(-1.0, 1.0), "mass"),
        (lambda: Body(1.0, -1.0), "inertia"),
        (lambda: cup(Profile.sine(0.0, 1.0, 1.0)).simulate(1.0), "contacts[0]"),
        (lambda: Profile.steps([1, 0], [1, 2]), "times"),
        (lambda: cup(1.0, count=0), "count"),
        (lambda: cup(1.0, count=-1), "count"),
    ],
)
def test_an_invalid_run_names_its_field(run: object, field: str) -> None:
    with pytest.raises(bristle.BristleError) as caught:
        run()  # type: ignore[operator]
    assert field.split("[")[0] in caught.value.field or field in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Body(1.0, 1.0, pose=(0, 0)),
        lambda: puck().simulate(1.0, method="magic"),
        lambda: puck(start="slowly").simulate(1.0),
        lambda: puck().step(0.0),
        lambda: puck().step(0.1, load=(1, 2)),
        lambda: Profile.table([0, 1], [1]),
    ],
)
def test_arguments_out_of_range_are_refused(make: object) -> None:
    with pytest.raises(bristle.ArgumentError):
        make()  # type: ignore[operator]


def test_a_law_at_a_point_is_exact_for_lugre() -> None:
    law = Law(kind="lugre", mu_c=0.2, mu_s=0.2, sigma0=1e5, sigma1=0.0, sigma2=0.0)
    z = law.state()
    law.step(z, 0.1, 1.0, 1e-4)
    # closed form: z = z_ss (1 - exp(-sigma0 v t/g))
    assert float(z) == pytest.approx(2e-6 * (1 - np.exp(-1e5 * 0.1 * 1e-4 / 0.2)), rel=1e-12)


FINGER = Contact(Patch.disc(0.01), 0.5)
BELT = Profile.table([0.0, 10.0], [0.0, 5.0])
BASE = Patch.rectangle((0.15, 0.08))


def foot(**more: object) -> BodyContact:
    return BodyContact(TABLE, frame="body", **more)  # type: ignore[arg-type]


# bodies with all features that act in a step; step and duration [s]
ACTING = {
    "weight": (lambda: Body(1, 2e-4, [foot(weight=1)], velocity=(1, 0, 3)), 1e-3, 0.2),
    "weight on a slope that oscillates": (lambda: Body(1, 2e-4, [foot(weight=1)], gravity=(Profile.sine(2, 1, 5), -1)), 1e-3, 0.2),
    "motion": (lambda: Body(1, 2e-4, [foot(weight=1, motion=(BELT, 0, Profile.sine(0, 0.2, 3)))]), 1e-3, 0.2),
    "a finger that moves": (lambda: Body(0.2, 5e-4, [BodyContact(FINGER, 5.0, at=(0.01, 0), support=(0, Profile.sine(0, 0.01, 4), 0))], gravity=(0, -1)), 1e-3, 0.2),
    "grip": (lambda: Body(0.2, 5e-4, [BodyContact(FINGER, 5.0, count=2, grip=Grip(period=0.007))], gravity=(0, -G)), 1e-3, 0.2),
    "pusher": (lambda: Body(0.5, 1e-3, [foot(weight=1)], outline=BASE, pusher=BodyPusher(Profile.table([0, 10], [-0.081, 0.919]), 0.02)), 1e-3, 0.3),
    "outline": (lambda: Body(0.5, 1e-3, [BodyContact(FINGER, 2.0)], velocity=(1.5, 0, 1), outline=BASE), 1e-3, 0.15),
    "several contacts": (lambda: Body(1, 2e-4, [foot(normal_force=3, at=(0.05, 0)), foot(weight=0.5, at=(-0.05, 0)), BodyContact(FINGER, 2.0)], velocity=(0.4, 0, 3), loads=[Load(fx=0.5, point=(0, 0.02))]), 1e-3, 0.2),
    "frame world": (lambda: cup(Profile.sine(1.73, 0.91, 2.0), pose=(0.002, 0, 0.3)), 1e-3, 0.2),
    "steps of 10 ms and breaks within them": (lambda: cup(Profile.steps([0, 0.0123, 0.031], [2.0, 0.0, 5.0])), 0.01, 0.1),
}  # fmt: skip


@pytest.mark.parametrize("name", ACTING)
def test_steps_are_those_of_a_fixed_run(name: str) -> None:
    make, h, duration = ACTING[name]
    result = make().simulate(duration, method="fixed", step=h)
    body = make()
    kinds = [event.kind for _ in range(round(duration / h)) for event in body.step(h).events]
    end = [result[column][-1] for column in ("x", "y", "theta", "vx", "vy", "w")]
    # the same steps: rounding of t + h - t, which friction makes a little larger
    np.testing.assert_allclose([*body.pose, *body.velocity], end, rtol=1e-9, atol=1e-11)
    assert kinds == [event.kind for event in result.events]
    assert body.t == pytest.approx(duration, rel=1e-12)


@pytest.mark.parametrize("name", ACTING)
@pytest.mark.parametrize("method", ["fixed", "rosenbrock"])
def test_a_run_continues_from_the_state_after_steps(name: str, method: str) -> None:
    make, h, duration = ACTING[name]
    more = {"method": "fixed", "step": h} if method == "fixed" else {"rtol": 1e-8}
    body = make()
    for _ in range(round(0.4 * duration / h)):
        body.step(h)
    before = [body.t, body.pose.copy(), body.velocity.copy(), [z.copy() for z in body.states]]
    result = body.simulate(0.6 * duration, **more)  # type: ignore[arg-type]
    assert result["t"][0] == body.t and result["t"][-1] == pytest.approx(duration, rel=1e-12)
    np.testing.assert_array_equal([result[c][0] for c in ("x", "y", "theta")], body.pose)
    assert before[0] == body.t
    np.testing.assert_array_equal(before[1], body.pose)
    np.testing.assert_array_equal(before[2], body.velocity)
    for kept, z in zip(before[3], body.states):
        np.testing.assert_array_equal(kept, z)
    if method == "fixed":
        whole = make().simulate(duration, **more)  # type: ignore[arg-type]
        for column in ("x", "y", "theta", "vx", "vy", "w"):
            assert result[column][-1] == pytest.approx(whole[column][-1], rel=1e-9, abs=1e-11)


def test_a_puck_with_its_weight_slides_with_friction() -> None:
    body = Body(1.0, 2e-4, [foot(weight=1)], velocity=(1, 0, 0))
    for _ in range(500):
        body.step(1e-3)
    # closed form; without friction it would be 0.5 m
    assert body.pose[0] == pytest.approx(1 / (2 * 0.3 * G), abs=1e-4)


def test_rows_are_at_multiples_and_at_the_end() -> None:
    body = puck(velocity=(1, 0, 0))
    body.t = 2.0
    assert body.simulate(1.0, every=0.3)["t"].tolist() == pytest.approx([2.0, 2.3, 2.6, 2.9, 3.0])
    assert body.simulate(0.9, every=0.3)["t"].tolist() == pytest.approx([2.0, 2.3, 2.6, 2.9])
    assert body.simulate(1.0, at=[2.5, 2.75])["t"].tolist() == [2.5, 2.75]
    with pytest.raises(bristle.BristleError, match=r"at: must increase within \[2, 3\]"):
        body.simulate(1.0, at=[0.5])


def test_profiles_count_from_the_time_of_the_body() -> None:
    body = cup(Profile.steps([0, 1], [5.0, 0.0]))
    body.t = 1.0
    assert body.simulate(0.2)["y"][-1] == pytest.approx(-0.5 * G * 0.2**2, rel=1e-6)  # it falls


def test_an_invalid_body_is_refused_when_it_is_created() -> None:
    with pytest.raises(ArgumentError, match="gravity: must be 2 numbers or Profiles, got 3"):
        Body(1, 1, gravity=(0, 0, -9.81))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="start: must be one of by motion"):
        Body(1, 1, start="at once")
    with pytest.raises(bristle.DefinitionError, match="pusher: needs the body's outline"):
        Body(1, 1, pusher=BodyPusher(0, 0))
    with pytest.raises(ArgumentError, match="support: is the same as motion"):
        foot(motion=(1, 0, 0), support=(BELT, 0, 0))
    with pytest.raises(ArgumentError, match="at: must be two numbers"):
        foot(at=(1, 2, 3))
    with pytest.raises(bristle.DefinitionError, match="is constant, which has no effect"):
        Body(1, 1, [foot(normal_force=1, motion=(0.05, 0, 0))])


def test_feet_are_at_their_positions() -> None:
    feet = [foot(weight=0.5, at=(x, 0)) for x in (-0.05, 0.05)]
    body = Body(1.0, 1e-3, feet, velocity=(0, 0, 5.0))
    result = body.simulate(0.5)
    # closed form: mu g m 0.05 brakes the turn, w^2 I/(2 mu m g 0.05), when discs are small beside 0.05 m
    small = [BodyContact(Contact(Patch.disc(1e-3), 0.3), frame="body", weight=0.5, at=(x, 0)) for x in (-0.05, 0.05)]
    turned = Body(1.0, 1e-3, small, velocity=(0, 0, 5.0)).simulate(0.5)["theta"][-1]
    assert turned == pytest.approx(25e-3 / (2 * 0.3 * G * 0.05), rel=0.01)
    assert result["theta"][-1] < turned  # larger discs brake a little more
    one = Body(1.0, 1e-3, [foot(weight=1)], velocity=(0, 0, 5.0)).simulate(0.5)["theta"][-1]
    assert one > 3 * turned


def test_attributes_may_change_between_steps() -> None:
    body = puck(velocity=(1, 0, 0))
    body.step(1e-3)
    body.mass = 2.0
    body.gravity = (Profile.constant(1.0), Profile.constant(0.0))
    before = body.velocity[0]
    step = body.step(1e-3)
    # mu fn = 2.94 N brakes 2 kg, gravity of 1 m/s^2 drives it
    assert (body.velocity[0] - before) / 1e-3 == pytest.approx(1 - 0.3 * G / 2, rel=1e-3)
    assert step.work == pytest.approx(2.0 * 1.0 * before * 1e-3, rel=1e-2)


def test_lists_of_attributes_are_copied_when_they_are_set() -> None:
    # Oracle: the same motion by attributes that were given at creation. A list that is changed later must
    # not be half in use: the body has tuples.
    pad = Contact(Patch.disc(0.01), 0.5)
    body = Body(1.0, 1e-3, [BodyContact(pad, normal_force=2.0)])
    body.loads = [Load(fx=3.0)]
    body.gravity = (0.0, -1.0)
    body.contacts = list(body.contacts)
    same = Body(1.0, 1e-3, body.contacts, loads=[Load(fx=3.0)], gravity=(0.0, -1.0), start="relaxed")
    body.step(1e-3)
    same.step(1e-3)
    np.testing.assert_array_equal(body.velocity, same.velocity)
    for name in ("loads", "gravity", "contacts"):
        with pytest.raises(TypeError):
            getattr(body, name)[0] = None
    for name, value in (("loads", [(1, 0, 0)]), ("loads", Load()), ("gravity", (1, 2, 3)), ("contacts", [])):
        with pytest.raises((TypeError, ArgumentError), match=name):
            setattr(body, name, value)


def test_a_body_is_copied_with_its_motion() -> None:
    make, h, _ = ACTING["grip"]
    body = make()
    for _ in range(25):
        body.step(h)
    other = pickle.loads(pickle.dumps(body))
    for _ in range(25):
        body.step(h), other.step(h)
    np.testing.assert_array_equal(body.pose, other.pose)
    np.testing.assert_array_equal(body.states[0], other.states[0])


def test_a_body_on_grained_ground_is_that_of_a_scenario() -> None:
    grain = {"ratio": 1.6, "angle": 0.5, "axes": "ground"}
    contact = Contact(Patch.rectangle((0.1, 0.1)), 0.3, anisotropy=grain)
    assert contact.anisotropy == bristle.Anisotropy(1.6, 0.5, "ground")
    body = Body(0.5, 0.5 * 0.02 / 12, [BodyContact(contact, frame="body", normal_force="weight")], velocity=(0.5, 0, 3))
    scenario = {
        "body": {"mass": 0.5, "size": [0.1, 0.1], "velocity": [0.5, 0, 3]},
        "friction": {"mu": 0.3, "anisotropy": grain},
        "contact": {"frame": "body", "patch": {"shape": "rectangle", "size": [0.1, 0.1]}},
        "duration": 0.4,
    }
    result, expected = body.simulate(0.4), bristle.run(scenario)
    plain = bristle.run({**scenario, "friction": {"mu": 0.3}})
    for name in ("x", "y", "theta"):
        assert result[name][-1] == pytest.approx(expected[name][-1], abs=1e-9)  # rounding
        assert abs(plain[name][-1] - expected[name][-1]) > 1e-4
    other = pickle.loads(pickle.dumps(contact))
    assert other.anisotropy == contact.anisotropy and other.r == contact.r


@pytest.mark.parametrize(
    ("grain", "match"),
    [
        ({"ratio": 0}, "anisotropy.ratio: must be in 0.001..1000, got 0"),
        ({"ratio": float("nan")}, "anisotropy.ratio"),
        ({"ratio": 2, "axes": "table"}, "anisotropy.axes: must be one of body, ground"),
        ({"ratoi": 2}, "anisotropy.ratoi: is unknown; there are ratio, angle, axes"),
        ({"ratio": 2, "axes": "ground"}, "anisotropy.axes: ground is for the methods blocks and distributed"),
    ],
)
def test_a_bad_anisotropy_is_refused(grain: dict[str, object], match: str) -> None:
    with pytest.raises(bristle.BristleError, match=match):
        Contact(Patch.rectangle((0.01, 0.02)), 0.3, "reduced", anisotropy=grain)
