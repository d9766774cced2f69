"""Contacts on triangles at other pressures: those created there, closed forms, messages."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import bristle

SQUARE = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)]
HALVES = [(0, 1, 2), (0, 2, 3)]
LAW = bristle.Law(kind="elasto-plastic", mu_c=0.4, mu_s=0.4, sigma0=1e6, sigma1=1000.0, v_stribeck=2e-3, sigma2=0.0)
TWISTS = np.array([[0.1, 0.0, 2.0], [0.0, -0.3, 1.0], [0.0, 0.0, -1.0]])


def pad(pressures: object = (1.0, 1.0, 1.0, 1.0), method: str = "blocks", **more: object) -> bristle.Contact:
    return bristle.Contact(bristle.Patch.triangles(SQUARE, pressures, HALVES, **more), LAW, method)


def test_cells_at_a_pressure_are_those_created_there() -> None:
    pressures = [0.5, 2.0, 3.0, 0.0]
    now, created = pad(method="distributed").at_pressure(pressures), pad(pressures, "distributed")
    for got, expected in zip(now.parts(), created.parts()):
        assert got == pytest.approx(expected, abs=1e-15)  # rounding
    assert now.steady(TWISTS, 5.0) == pytest.approx(created.steady(TWISTS, 5.0), abs=1e-12)


def test_linear_pressure_in_closed_form() -> None:
    # p = 1 + 2 x/a: the centre of pressure at 7 a/12, with the positions of the vertices at 7 (2 a)/12
    contact = pad(centre=(0.01, 0.02))
    assert contact.at_pressure([1, 3, 3, 1]).cop == pytest.approx((0.01 + 0.7 / 12, 0.07), abs=1e-15)
    wide = contact.at_pressure([1, 3, 3, 1], 2 * np.array(SQUARE))
    assert wide.cop == pytest.approx((0.01 + 1.4 / 12, 0.12), abs=1e-15)
    # the extent of a cell itself, 1/40 of the patch, stays that of the first mesh: 1/40^2 of u
    assert wide.u == pytest.approx(4 * contact.at_pressure([1, 3, 3, 1]).u, rel=6e-4)
    assert wide.at_pressure([1, 1, 1, 1]).cop == pytest.approx((0.06, 0.07), abs=1e-15)  # vertices of the patch again


def test_states_stay_valid_while_pressures_change() -> None:
    contact = pad()
    z, pressures = contact.state(), np.ones(4)
    contacts, wrenches = [], []
    for i in range(50):
        pressures[:] = 1 + np.sin(0.1 * i + np.arange(4))  # the same array is changed
        now = contact.at_pressure(pressures)
        wrenches.append(now.step(z, [0.1, 0.0, 0.0], 5.0, 1e-3))
        contacts.append(now)
    assert wrenches[-1][0] == pytest.approx(-0.4 * 5.0, rel=1e-6)  # mu fn, whatever the pressure
    del contact  # from which all of them borrow
    assert len({now.cop for now in contacts}) == 50
    assert contacts[3].at_pressure(pressures).steady(TWISTS, 5.0).tolist() == now.steady(TWISTS, 5.0).tolist()


def test_patch_copies_and_bodies_have_the_pressures() -> None:
    pressures = np.array([1.0, 3.0, 3.0, 1.0])
    now = pad().at_pressure(pressures)
    created = pad(pressures)
    pressures[:] = 1.0
    assert now.patch == created.patch and now != pad()
    for other in (pickle.loads(pickle.dumps(now)), copy.deepcopy(now)):
        assert other.cop == pytest.approx(created.cop, abs=1e-15)
        assert other.steady(TWISTS, 5.0) == pytest.approx(created.steady(TWISTS, 5.0), abs=1e-12)
    body = bristle.Body(0.5, 1e-3, [bristle.BodyContact(now, 5.0, frame="body")], velocity=(0.3, 0, 2))
    same = bristle.Body(0.5, 1e-3, [bristle.BodyContact(created, 5.0, frame="body")], velocity=(0.3, 0, 2))
    # blocks are cut for the pressure of the first one
    assert body.simulate(0.1)["theta"][-1] == pytest.approx(same.simulate(0.1)["theta"][-1], rel=1e-2)
    from_mu = bristle.Contact(pad().patch, 0.4).at_pressure([1, 3, 3, 1])
    bristle.Body(0.5, 1e-3, [bristle.BodyContact(from_mu, 5.0, frame="body")]).simulate(0.01)


def test_without_pressure_it_stays_as_it_was_created() -> None:
    contact = pad([1, 2, 3, 4])
    now = contact.at_pressure([0, 0, 0, 0])
    assert now.patch == contact.patch and now.cop == contact.cop
    assert now.steady(TWISTS, 0.0) == pytest.approx(0.0, abs=0.0)


@pytest.mark.parametrize(
    ("pressures", "vertices", "message"),
    [
        ([1, 2, 3], None, r"pressures: must be as many as there are vertices, 4, got 3"),
        ([], None, "pressures: "),
        ([1, 2, 3, -1e-9], None, r"pressures: must be >= 0 and finite, got -1e-09 at vertex 3"),
        ([1, np.nan, 3, 4], None, r"pressures: must be >= 0 and finite, got -?nan at vertex 1"),
        ([1, 2, np.inf, 4], None, r"pressures: must be >= 0 and finite, got inf at vertex 2"),
        ([[1, 2], [3, 4]], None, r"pressures: must be one number for each vertex, got shape \(2, 2\)"),
        (3.0, None, r"pressures: must be one number for each vertex, got shape \(\)"),
        ([1, 2, 3, 4], SQUARE[:3], r"vertices: must be of shape \(4, 2\), got \(3, 2\)"),
        ([1, 2, 3, 4], [*SQUARE[:3], (0.0, np.nan)], r"vertices: must be finite, got -?nan at vertex 3"),
        ([1, 2, 3], SQUARE[:3], r"pressures: must be as many as there are vertices, 4, got 3"),
    ],
)
def test_wrong_pressures_are_refused(pressures: object, vertices: object, message: str) -> None:
    for method in ("blocks", "distributed"):
        with pytest.raises(bristle.ArgumentError, match=message):
            pad(method=method).at_pressure(pressures, vertices)


def test_other_contacts_are_refused() -> None:
    with pytest.raises(TypeError, match="pressures"):
        pad().at_pressure(["a", "b", "c", "d"])
    for method in ("reduced", "ellipsoid"):
        with pytest.raises(bristle.ArgumentError, match="method: must be blocks or distributed"):
            pad(method=method).at_pressure([1, 2, 3, 4])
    for contact in (
        bristle.Contact(bristle.Patch.disc(0.01), LAW),
        bristle.Contact(None, LAW, "ellipsoid", r=0.01, u=1e-4),
    ):
        with pytest.raises(bristle.ArgumentError, match="patch: must be triangles"):
            contact.at_pressure([1, 2, 3, 4])
    with pytest.raises(AttributeError, match="no attribute 'pach'"):
        _ = pad().at_pressure([1, 2, 3, 4]).pach  # type: ignore[attr-defined]
