"""Oracle: closed forms, the balance of energy, and the same motion computed in another way."""

from __future__ import annotations

import numpy as np
import pytest

import bristle
from bristle import Body, BodyContact, BodyPusher, Contact, Grip, Law, Load, Patch, Profile

TABLE = Contact(Patch.disc(0.02), 0.3)
G = 9.81


def puck(**more: object) -> Body:
    return Body(1.0, 2e-4, [BodyContact(TABLE, G, frame="body")], **more)  # type: ignore[arg-type]


def cup(normal_force: float | Profile, count: int = 2, **more: object) -> Body:
    finger = BodyContact(Contact(Patch.disc(0.01), 1.0), normal_force, count=count)
    return Body(0.2, 5e-4, [finger], gravity=(0, -G), **more)  # type: ignore[arg-type]


def test_a_puck_stops_after_v_squared_over_2_mu_g() -> None:
    result = puck(velocity=(1, 0, 0)).simulate(0.6)
    # closed form; 1e-4 m: the bristles give way by some 30 um before it rests
    assert result["x"][-1] == pytest.approx(1 / (2 * 0.3 * G), abs=1e-4)
    assert [event.kind for event in result.events][-1] == "stick"
    assert set(result["state"]) == {"slip", "stick"}
    assert result.summary["dissipated"] == pytest.approx(0.5, rel=1e-3)


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


def test_fixed_steps_come_to_the_same_place() -> None:
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


def test_times_of_rows_are_those_asked_for() -> None:
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
        (lambda: Body(-1.0, 1.0), "mass"),
        (lambda: Body(1.0, -1.0), "inertia"),
        (lambda: cup(Profile.sine(0.0, 1.0, 1.0)).simulate(1.0), "contacts[0]"),
        (lambda: Profile.steps([1, 0], [1, 2]), "times"),
        (lambda: cup(1.0, count=0).step(0.1), "contacts.count"),
        (lambda: cup(1.0, count=-1).step(0.1), "contacts.count"),
    ],
)
def test_what_cannot_run_names_its_field(run: object, field: str) -> None:
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
