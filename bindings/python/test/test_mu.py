"""Oracle: a scenario with the same body, run by the same library."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from bristle import Body, BodyContact, ByForce, Contact, DefinitionError, Grip, Law, Patch, Profile, Scenario

G = 9.81


def numbers_of(law: Law) -> tuple[float, float, float]:
    return law.sigma0, law.sigma1, law.v_damping


def laws_of(scenario: Scenario) -> list[tuple[float, float, float]]:
    pattern = r"sigma0 (\S+) /m, sigma1 (\S+) s/m, v_damping (\S+) m/s"
    return [tuple(map(float, found)) for found in re.findall(pattern, scenario.text)]  # type: ignore[misc]


def puck() -> tuple[Body, dict[str, Any]]:
    contact = BodyContact(Contact(Patch.disc(0.04), 0.2), "weight", frame="body")
    body = Body(0.1, 8e-5, [contact], velocity=(0.5, 0, 10))
    return body, {
        "body": {"mass": 0.1, "inertia": 8e-5, "velocity": [0.5, 0, 10]},
        "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}, "normal_force": "weight"},
        "friction": {"mu": 0.2},
    }


def gripped_box() -> tuple[Body, dict[str, Any]]:
    finger = Contact(Patch.disc(0.01, pressure="hertz"), 0.8)
    body = Body(0.2, 4e-4, [BodyContact(finger, 1.2, count=2)], gravity=(0, -G))
    patch = {"shape": "disc", "radius": 0.01, "pressure": {"kind": "power", "k": 2}}
    return body, {
        "body": {"mass": 0.2, "inertia": 4e-4},
        "gravity": [0, -G],
        "contact": {"frame": "world", "patch": patch, "normal_force": 1.2, "count": 2},
        "friction": {"mu": 0.8},
    }


def two_feet() -> tuple[Body, dict[str, Any]]:
    pads = Contact(Patch.disc(0.01), 0.3), Contact(Patch.disc(0.005), 0.4)
    places = (0.09, 0.0), (-0.03, 0.0)
    feet = [BodyContact(pad, "weight", frame="body", at=at) for pad, at in zip(pads, places)]
    body = Body(1.0, 1e-3, feet, velocity=(0.1, 0, 5), gravity=(1.0, 0))
    contacts = [
        {
            "frame": "body",
            "at": list(at),
            "patch": {"shape": "disc", "radius": radius},
            "normal_force": "weight",
            "friction": {"mu": mu},
        }
        for at, radius, mu in zip(places, (0.01, 0.005), (0.3, 0.4))
    ]
    start = {"mass": 1.0, "inertia": 1e-3, "velocity": [0.1, 0, 5]}
    return body, {"body": start, "gravity": [1.0, 0], "contacts": contacts}


def growing() -> tuple[Body, dict[str, Any]]:
    pad = Contact(Patch.disc(ByForce(0.004, exponent=1 / 3, max=0.006)), 0.5)
    force = Profile.sine(mean=2.0, amplitude=1.0, frequency=2.0)
    body = Body(0.1, 5e-5, [BodyContact(pad, force, count=2)], gravity=(0, -G), velocity=(0, 0, 3))
    patch = {"shape": "disc", "radius": {"coefficient": 0.004, "exponent": 1 / 3, "max": 0.006}}
    sine = {"kind": "sine", "mean": 2.0, "amplitude": 1.0, "frequency": 2.0}
    return body, {
        "body": {"mass": 0.1, "inertia": 5e-5, "velocity": [0, 0, 3]},
        "gravity": [0, -G],
        "contact": {"frame": "world", "patch": patch, "normal_force": sine, "count": 2},
        "friction": {"mu": 0.5},
    }


def two_coefficients(**more: Any) -> tuple[Body, dict[str, Any]]:
    given = {"mu_c": 0.1, "mu_s": 0.12, **more}
    law = Law(**{"v_stribeck" if name == "v_s" else name: value for name, value in given.items()})
    contact = BodyContact(Contact(Patch.disc(0.05), law), "weight", frame="body")
    return Body(1.0, 1.25e-3, [contact], velocity=(3, 0, 20)), {
        "body": {"mass": 1.0, "inertia": 1.25e-3, "velocity": [3, 0, 20]},
        "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.05}, "normal_force": "weight"},
        "friction": given,
    }


def law_of_mu() -> tuple[Body, dict[str, Any]]:
    body, tree = puck()
    pad = body.contacts[0].contact
    contact = BodyContact(Contact(pad.patch, Law(mu=0.2)), "weight", frame="body")
    return Body(0.1, 8e-5, [contact], velocity=(0.5, 0, 10)), tree


def end_of(body: Body, tree: dict[str, Any], duration: float) -> None:
    ran, result = Scenario({**tree, "duration": duration}).run(), body.simulate(duration)
    for name in ("x", "y", "theta"):
        # the same laws, the same solver: rounding
        assert result[name][-1] == pytest.approx(ran[name][-1], abs=1e-9), name


@pytest.mark.parametrize(
    "more", [{}, {"mu_s": 0.1}, {"sigma1": 5.0}, {"sigma2": 0.3, "v_s": 0.01}, {"v_damping": 0.02}], ids=str
)
def test_two_coefficients_follow_the_rule(more: dict[str, float]) -> None:
    end_of(*two_coefficients(**more), 1.0)


def test_a_puck_of_two_equal_coefficients_goes_as_far_as_one_of_mu() -> None:
    body, tree = two_coefficients(mu_s=0.1)
    end_of(body, tree, 4.0)
    assert body.simulate(4.0)["x"][-1] > 9.0 / (2 * 0.1 * G)  # v^2/(2 mu g), more with spin; with W&K's bristles: 1.04
    assert Law(mu_c=0.1, mu_s=0.1) == Law(mu=0.1)


@pytest.mark.parametrize("given", [{"mu": 0.3, "sigma0": 1e4}, {"mu": 0.3, "mu_s": 0.4}], ids=str)
def test_mu_with_another_parameter_follows_the_rule(given: dict[str, float]) -> None:
    body, tree = gripped_box()
    finger = Contact(body.contacts[0].contact.patch, Law(**given))
    body = Body(0.2, 4e-4, [BodyContact(finger, 1.2, count=2)], gravity=(0, -G))
    end_of(body, {**tree, "friction": given}, 0.3)


def test_one_coefficient_of_two_is_refused() -> None:
    for given, missing in (("mu_c", "mu_s"), ("mu_s", "mu_c")):
        with pytest.raises(DefinitionError, match=f"{given}: needs {missing}, too; or give mu"):
            Law(**{given: 0.3})
    with pytest.raises(DefinitionError, match="mu: has no meaning beside mu_c and mu_s"):
        Law(0.3, mu_c=0.3, mu_s=0.4)
    assert Law(kind="coulomb", mu_c=0.3).mu_s == 0.3


def test_explicit_parameters_are_kept() -> None:
    table = Law()
    assert numbers_of(table) == (1e6, 800.0, 0.0) and table.sigma2 == 0.2 and (table.mu_c, table.mu_s) == (1.0, 1.2)
    law = Law(mu_c=0.3, mu_s=0.4, sigma0=1e5, sigma1=3.0)
    assert numbers_of(law) == (1e5, 3.0, 0.0) and law.sigma2 == 0.2
    assert Contact(Patch.disc(0.01), law).law is law


@pytest.mark.parametrize("case", [law_of_mu, puck, gripped_box, two_feet, growing])
def test_a_body_from_mu_is_that_of_a_scenario(case: Any) -> None:
    body, tree = case()
    scenario = Scenario({**tree, "duration": 0.3})
    ran = scenario.run()
    laws = [numbers_of(entry.contact.law) for entry in body.contacts]
    # the text has four digits
    assert laws == [pytest.approx(law, rel=1e-3) for law in laws_of(scenario)]
    result = body.simulate(0.3)
    for name in ("x", "y", "theta"):
        # the same laws, the same solver: rounding; with a damping time of 1 ms they differ by 7.5e-9 m or more
        assert result[name][-1] == pytest.approx(ran[name][-1], abs=1e-9)


def test_only_a_number_is_completed() -> None:
    patch = Patch.disc(0.01)
    number, given = Contact(patch, 0.3), Contact(patch, Law.from_mu(0.3, r=patch.r))
    assert number == given
    feet = [BodyContact(c, 5.0, frame="body", at=(x, 0)) for c, x in ((number, 0.1), (given, -0.1), (number, 0))]
    body = Body(1.0, 1e-2, feet)
    first, second, third = (entry.contact for entry in body.contacts)
    assert second is given
    assert first.law.sigma0 == number.law.sigma0  # from the patch only
    assert first.law.sigma1 > 1.1 * number.law.sigma1
    assert first is third
    assert numbers_of(number.law) == numbers_of(given.law)  # a contact does not change


def test_a_completed_law_is_not_changed() -> None:
    pad = pickle.loads(pickle.dumps(Contact(Patch.disc(0.01), 0.3)))
    grip = Grip(least=0.1)
    body = Body(0.2, 4e-4, [BodyContact(pad, 2.0, count=2, grip=grip)], gravity=(0, -G))
    law = body.contacts[0].contact.law
    assert law.sigma1 > pad.law.sigma1  # the flag of a number survives pickling
    body.mass = 0.4
    body.simulate(0.01)
    assert body.contacts[0].contact.law == law
    copy = pickle.loads(pickle.dumps(body))
    assert copy.contacts == body.contacts
    assert Body(0.4, 4e-4, body.contacts).contacts[0].contact.law == law
