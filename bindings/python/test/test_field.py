"""Fields of mu: closed forms, the same numbers as scenarios, messages."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import bristle

FLOORS = bristle.Field([[1.0, 0.1]], (1.0, 1.0))  # ice for x > 0
BOX = bristle.Patch.rectangle((0.2, 0.1))
LAW = bristle.Law(kind="elasto-plastic", mu_c=0.4, mu_s=0.4, sigma0=1e6, sigma1=1000.0, v_stribeck=2e-3, sigma2=0.0)


def test_half_on_ice_in_closed_form() -> None:
    # F = (1 + k)/2, the centre of friction at (k - 1) a/8/F
    contact = bristle.Contact(BOX, LAW, "distributed", resolution=20, field=FLOORS, field_moves=True)
    centres = contact.centres()
    assert centres.factor == pytest.approx(0.55, abs=1e-13)
    assert centres.friction == pytest.approx([-0.9 * 0.2 / 8 / 0.55, 0], abs=1e-13)
    assert centres.pressure == pytest.approx([0, 0], abs=1e-15)
    f = contact.steady([0, 1, 0], 10.0)
    assert f == pytest.approx([0, -2.2, 2.2 * 0.9 * 0.2 / 8 / 0.55], abs=1e-10)
    assert contact.parts().weight.sum() == pytest.approx(0.55, abs=1e-13)


def test_a_contact_at_a_pose_is_the_one_made_there() -> None:
    contact = bristle.Contact(BOX, LAW, field=FLOORS, field_moves=True)
    pose = (0.03, -0.2, 0.7)
    there = contact.at(pose)
    made = bristle.Contact(BOX, LAW, field=FLOORS, field_moves=True, pose=pose)
    again = pickle.loads(pickle.dumps(there))
    assert there.pose == pose == again.pose and there == made
    del contact  # from which `there` borrows
    v = np.array([[0.1, 0.0, 2.0], [0.0, -0.3, 1.0]])
    for other in (made, again):
        assert (other.steady(v, 5.0) == there.steady(v, 5.0)).all()
    assert not (there.at((0.5, 0, 0)).steady(v, 5.0) == there.steady(v, 5.0)).any()
    plain = bristle.Contact(BOX, LAW)
    assert plain.at(pose) is plain


def test_a_body_is_that_of_a_scenario() -> None:
    contact = bristle.Contact(BOX, LAW, "distributed", resolution=10, field=FLOORS, field_moves=True)
    body = bristle.Body(
        0.5, 0.002, [bristle.BodyContact(contact, 0.5 * 9.81, frame="body")], pose=(-0.2, 0.02, 0.3), velocity=(1, 0, 0)
    )
    got = body.simulate(0.4, every=0.01)
    law = {"mu_c": 0.4, "mu_s": 0.4, "sigma0": 1e6, "sigma1": 1000, "v_s": 2e-3, "sigma2": 0}
    expected = bristle.run(
        {
            "body": {"mass": 0.5, "inertia": 0.002, "pose": [-0.2, 0.02, 0.3], "velocity": [1, 0, 0]},
            "model": "distributed",
            "friction": {**law, "field": {"grid": [[1, 0.1]], "size": [1, 1]}},
            "contact": {
                "frame": "body",
                "patch": {"shape": "rectangle", "size": [0.2, 0.1], "resolution": 10},
                "normal_force": 0.5 * 9.81,
            },
            "duration": 0.4,
            "output": {"every": 0.01},
        }
    )
    for name in ("x", "y", "theta", "vx", "cof_x", "mu_factor"):
        assert (got[name] == expected[name]).all(), name
    assert abs(got["theta"][-1] - 0.3) > 1e-3  # rad: it turns


def test_a_field_may_be_0_everywhere() -> None:
    ice = bristle.Field([[0]], (1, 1))
    contact = bristle.Contact(BOX, 0.3, field=ice, field_moves=True)
    z = contact.state()
    assert contact.step(z, [0.1, 0, 1], 5.0, 0.1) == pytest.approx([0, 0, 0], abs=1e-190)
    assert np.isfinite(z).all() and np.isfinite(contact.load(z, [0.1, 0, 1], 5.0))


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: bristle.Field([[1, -1]], (1, 1)), "grid"),
        (lambda: bristle.Field([[1, np.nan]], (1, 1)), "grid"),
        (lambda: bristle.Field([[1]], (0, 1)), "size[0]"),
        (lambda: bristle.Field([[1]], (1, 1), outside=-1), "outside"),
        (lambda: bristle.Field([[1]], (1, 1), interpolation="cubic"), "interpolation"),
        (lambda: bristle.Contact(BOX, 0.3, "reduced", field=FLOORS, field_moves=True), "field"),
    ],
)
def test_bad_fields_are_refused(make: object, field: str) -> None:
    with pytest.raises(bristle.BristleError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.field == field
    assert caught.value.reason


def test_a_field_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match="field: must be a Field, got list"):
        bristle.Contact(BOX, 0.3, field=[[1, 0.1]])  # type: ignore[arg-type]
