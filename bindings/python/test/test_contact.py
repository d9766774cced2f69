"""Oracle: closed forms, difference quotients, and the same contact evaluated by other functions."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import bristle

DISC = bristle.Patch.disc(0.01, pressure="hertz")
THINGS = [
    bristle.Law(mu=0.3),
    bristle.Law(kind="lugre", mu_c=0.2, mu_s=0.25),
    DISC,
    bristle.Patch.polygon([(0, 0), (0.03, 0), (0, 0.03)], angle=0.3),
    bristle.Patch.points([(0, 0), (0.1, 0)], weights=[1, 2]),
    bristle.Patch.grid(np.arange(6).reshape(2, 3), (0.03, 0.02)),
    bristle.LimitSurface(DISC, method="smooth"),
    bristle.Contact(DISC, 0.3),
    bristle.Contact(DISC, 0.3, "reduced", surface=bristle.LimitSurface(DISC)),
    bristle.Contact(None, 0.3, "ellipsoid", r=0.01, u=1.5e-4),
]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_definitions_pickle_copy_compare_and_print(thing: object) -> None:
    for other in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
        assert other == thing
        assert hash(other) == hash(thing)
        assert repr(other) == repr(thing)
    assert all(thing != other for other in THINGS if other is not thing)


@pytest.mark.parametrize("method", ["blocks", "distributed", "reduced", "ellipsoid"])
def test_contacts_of_equal_patches_share_their_geometry(method: str) -> None:
    law = bristle.Law(mu_c=0.4, mu_s=0.5, sigma0=2e5, sigma1=300.0)
    alone = bristle.Contact(bristle.Patch.disc(0.0123), law, method)
    first = weakref.ref(alone)
    expected = alone.state()
    wrench = alone.step(expected, [0.1, -0.2, 3.0], 5.0, 1e-3)
    del alone  # so that nothing of it is left to share
    gc.collect()
    assert first() is None
    one = bristle.Contact(bristle.Patch.disc(0.0123), 0.3, method)
    other = bristle.Contact(bristle.Patch.disc(0.0123), law, method)
    assert vars(other)["_of"] is one and other.law == law and one.law.mu_c == 0.3
    for contact in (other, pickle.loads(pickle.dumps(other)), one._with_law(law)):
        z = contact.state()
        np.testing.assert_array_equal(contact.step(z, [0.1, -0.2, 3.0], 5.0, 1e-3), wrench)
        np.testing.assert_array_equal(z, expected)
    del one
    gc.collect()
    np.testing.assert_array_equal(other.step(other.state(), [0.1, -0.2, 3.0], 5.0, 1e-3), wrench)
    for different in ({"resolution": 7}, {"guard": False}, {"anisotropy": {"ratio": 2.0}}):
        if method == "ellipsoid" and "resolution" in different:
            continue
        assert "_of" not in vars(bristle.Contact(bristle.Patch.disc(0.0123), law, method, **different))  # type: ignore[arg-type]
    assert "_of" not in vars(bristle.Contact(bristle.Patch.disc(0.0124), law, method))


def test_a_pickled_contact_computes_the_same(contact: bristle.Contact) -> None:
    other = pickle.loads(pickle.dumps(contact))
    v = [0.1, -0.2, 3.0]
    np.testing.assert_array_equal(other.steady(v, 5.0), contact.steady(v, 5.0))


def test_steady_sliding_is_mu_fn(contact: bristle.Contact) -> None:
    # closed form; 1e-9: rounding, and cells that add up to 1
    np.testing.assert_allclose(contact.steady([0.1, 0, 0], 5.0), [-1.5, 0, 0], atol=1e-9)
    z = contact.state()
    wrench = contact.steady([0.1, 0, 0.5], 5.0, z=z)
    rates = contact.eval(z, [0.1, 0, 0.5], 5.0)[1]
    # the bristles are in steady state: rates are 0 up to rounding of v
    np.testing.assert_allclose(rates, 0.0, atol=1e-14)
    np.testing.assert_allclose(contact.eval(z, [0.1, 0, 0.5], 5.0)[0], wrench, atol=1e-9)


def test_a_batch_is_the_single_calls(contact: bristle.Contact, random: np.random.Generator) -> None:
    v, fn = random.standard_normal((50, 3)), random.uniform(0.0, 10.0, 50)
    z = contact.state(50)
    energy, single_energy = np.empty((50, 3)), np.empty(3)
    wrench = contact.step(z, v, fn, 1e-3, energy=energy)
    for i in range(50):
        single = contact.state()
        f = contact.step(single, v[i], fn[i], 1e-3, energy=single_energy)
        np.testing.assert_array_equal(f, wrench[i])
        np.testing.assert_array_equal(single, z[i])
        np.testing.assert_array_equal(single_energy, energy[i])


def test_a_patch_that_grows_follows_the_force_of_each_element() -> None:
    patch = bristle.Patch.disc(bristle.ByForce(0.002, exponent=1 / 3, max=0.01))
    contact = bristle.Contact(patch, bristle.Law(mu=0.3))
    spin = contact.steady([[0, 0, 1.0], [0, 0, 1.0]], [1.0, 8.0])[:, 2]
    # closed form: mu fn 2 R/3, R twice as large; 1e-2: error of the blocks in a pure spin
    np.testing.assert_allclose(spin, [-0.3 * 2 / 3 * 0.002, -2.4 * 2 / 3 * 0.004], rtol=1e-2)
    with pytest.raises(bristle.BristleError, match="use patch.at"):
        patch.r


def numerical(f: object, x: np.ndarray, share: float) -> np.ndarray:
    columns = []
    for i in range(len(x)):
        h = share * (abs(x[i]) or 1.0)
        up, down = x.copy(), x.copy()
        up[i] += h
        down[i] -= h
        columns.append((f(up) - f(down)) / (2 * h))  # type: ignore[operator]
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("method", ["blocks", "reduced", "ellipsoid", "distributed"])
def test_gradient_is_that_of_difference_quotients(method: str) -> None:
    patch = bristle.Patch.rectangle((0.03, 0.02), angle=0.4)
    contact = bristle.Contact(patch, bristle.Law(), method, resolution=5)
    v, fn = np.array([0.01, -0.02, 0.3]), 5.0
    z = contact.state()
    contact.step(z, v, fn, 1e-4)
    g = contact.gradient(z, v, fn)
    for name, computed, f, x, h in (
        ("f_z", g.f_z, lambda z: contact.eval(z, v, fn)[0], z, 1e-4),
        ("f_v", g.f_v, lambda v: contact.eval(z, v, fn)[0], v, 1e-5),
        ("dz_z", g.dz_z, lambda z: contact.eval(z, v, fn)[1], z, 1e-4),
        ("dz_v", g.dz_v, lambda v: contact.eval(z, v, fn)[1], v, 1e-5),
    ):
        quotient = numerical(f, x, h)
        # quotients of second order: 1e-5 of the largest entry
        assert np.abs(computed - quotient).max() <= 1e-5 * np.abs(quotient).max(), name




def test_parts_add_up(contact: bristle.Contact) -> None:
    v, fn = [0.05, 0.02, 2.0], 5.0
    z = contact.state()
    contact.step(z, v, fn, 1e-4)
    parts = contact.parts()
    assert abs(parts.weight.sum() - 1.0) < 1e-12
    values = contact.part_values(z, v, fn)
    np.testing.assert_allclose(
        values.wrench[:, :2].sum(axis=0), contact.eval(z, v, fn)[0][:2], rtol=1e-9, atol=1e-12
    )


def test_load_and_slip_show_the_distance_from_sliding(contact: bristle.Contact) -> None:
    z = contact.state()
    contact.step(z, [1.0, 0, 0], 5.0, 0.4 * 0.3 / contact.law.sigma0)
    # elastic: 0.4 of the deflection at break-away is 0.4 of the load; 2e-2: creep, and the gauge's error
    assert contact.load(z, [0, 0, 0], 5.0) == pytest.approx(0.4, abs=2e-2)
    assert contact.slip(z, [1e-6, 0, 0], 5.0).state == 0
    contact.step(z, [1.0, 0, 0], 5.0, 1.0)
    assert contact.load(z, [1, 0, 0], 5.0) == pytest.approx(1.0, abs=1e-3)
    assert contact.slip(z, [[1, 0, 0]] * 2, [5.0, 0.0]).state.tolist() == [1, 2]


def test_carry_keeps_the_force() -> None:
    a = bristle.Contact(DISC, 0.3)
    b = bristle.Contact(bristle.Patch.rectangle((0.03, 0.02)), a.law)
    z = a.state()
    a.step(z, [0.01, 0.02, 0.0], 5.0, 1e-4)
    before = a.eval(z, [0, 0, 0], 5.0)[0]
    np.testing.assert_allclose(b.eval(a.carry(z, b), [0, 0, 0], 5.0)[0], before, atol=1e-9)
    with pytest.raises(bristle.ArgumentError, match="as many bristles"):
        a.carry(z, bristle.Contact(DISC, 0.3, "distributed"))


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: bristle.Law(mu_c=-1.0), "mu_c"),
        (lambda: bristle.Law(mu=float("nan")), "mu_c"),
        (lambda: bristle.Patch.disc(-0.01), "radius"),
        (lambda: bristle.Patch.polygon([(0, 0), (1, 0)]), "vertices"),
        (lambda: bristle.Patch.points([(0, 0)], weights=[-1]), "points[0]"),
        (lambda: bristle.Contact(DISC, 0.3, resolution=1000), "resolution"),
        (lambda: bristle.Contact(DISC, bristle.Law(kind="coulomb")), "law.kind"),
    ],
)
def test_invalid_definitions_name_their_field(make: object, field: str) -> None:
    with pytest.raises(bristle.DefinitionError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.field.startswith(field.split(".")[0])
    assert caught.value.reason


@pytest.mark.parametrize(
    "make",
    [
        lambda: bristle.Law(kind="sticky"),
        lambda: bristle.Contact(DISC, 0.3, "magic"),
        lambda: bristle.Contact(DISC, 0.3, resolution=-1),
        lambda: bristle.LimitSurface(DISC, method="magic"),
        lambda: bristle.Patch.disc(0.01, pressure="high"),
        lambda: bristle.Patch.polygon([(0, 0, 0)]),
        lambda: bristle.Patch.grid([1, 2], (0.1, 0.1)),
        lambda: bristle.Patch.points(np.zeros((0, 2))),
        lambda: bristle.Patch.disc(0.01, centre=(0, 0, 0)),
    ],
)
def test_arguments_out_of_range_are_refused(make: object) -> None:
    with pytest.raises(bristle.ArgumentError):
        make()  # type: ignore[operator]


def test_every_status_has_its_exception() -> None:
    from bristle import _core
    from bristle.errors import BY_STATUS

    assert set(_core.statuses()) == {"BR_OK", *BY_STATUS}
    assert all(issubclass(kind, bristle.BristleError) for kind in BY_STATUS.values())
