"""Oracle: NumPy's rules. Shapes, types of numbers, memory layouts, and invalid arrays."""

from __future__ import annotations

import numpy as np
import pytest

import bristle

LAW = bristle.Law(mu=0.3)
CONTACT = bristle.Contact(bristle.Patch.disc(0.01), LAW, "reduced")


def one_by_one(z: np.ndarray, v: np.ndarray, fn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The results of a loop over single elements."""
    shape = np.broadcast_shapes(z.shape[:-1], v.shape[:-1], fn.shape)
    z = np.broadcast_to(z, (*shape, z.shape[-1]))
    v = np.broadcast_to(v, (*shape, 3))
    fn = np.broadcast_to(fn, shape)
    f, dz = np.empty((*shape, 3)), np.empty(z.shape)
    for i in np.ndindex(*shape):
        f[i], dz[i] = CONTACT.eval(np.array(z[i]), np.array(v[i]), float(fn[i]))
    return f, dz


@pytest.mark.parametrize(
    "z_shape, v_shape, fn_shape",
    [
        ((3,), (3,), ()),
        ((5, 3), (3,), ()),
        ((3,), (5, 3), ()),
        ((3,), (3,), (5,)),
        ((4, 1, 3), (5, 3), ()),
        ((4, 5, 3), (5, 3), (4, 1)),
        ((1, 3), (1500, 3), (1500,)),
        ((0, 3), (3,), ()),
        ((2, 0, 3), (1, 1, 3), (2, 1)),
    ],
)
def test_leading_dimensions_broadcast(
    z_shape: tuple[int, ...],
    v_shape: tuple[int, ...],
    fn_shape: tuple[int, ...],
    random: np.random.Generator,
) -> None:
    z = 1e-6 * random.standard_normal(z_shape)
    v = random.standard_normal(v_shape)
    fn = random.uniform(0.0, 5.0, fn_shape)
    f, dz = CONTACT.eval(z, v, fn)
    expected = one_by_one(z, v, fn)
    np.testing.assert_array_equal(f, expected[0])
    np.testing.assert_array_equal(dz, expected[1])


def test_numbers_of_other_types_and_lists_are_accepted() -> None:
    expected = CONTACT.steady(np.array([1.0, 0.0, 2.0]), 5.0)
    for v in ([1, 0, 2], (1.0, 0.0, 2.0), np.array([1, 0, 2]), np.array([1, 0, 2], np.float32)):
        np.testing.assert_array_equal(CONTACT.steady(v, 5), expected)
    swapped = np.array([1.0, 0.0, 2.0]).astype(">f8")
    np.testing.assert_array_equal(CONTACT.steady(swapped, np.float32(5.0)), expected)


def test_arrays_that_are_not_contiguous_are_read_and_advanced(random: np.random.Generator) -> None:
    wide = 1e-6 * random.standard_normal((6, 20))
    v = random.standard_normal((3, 10)).T
    z = wide[::2, 1::2].T[:, ::-1]
    expected_z = np.ascontiguousarray(z)
    expected = CONTACT.step(expected_z, np.ascontiguousarray(v), 5.0, 1e-3)
    before = wide[1::2].copy()
    np.testing.assert_array_equal(CONTACT.step(z, v, 5.0, 1e-3), expected)
    np.testing.assert_array_equal(z, expected_z)
    np.testing.assert_array_equal(wide[1::2], before)  # nothing else was changed


def test_unaligned_numbers_are_read() -> None:
    raw = np.zeros(8 * 3 + 1, np.uint8)
    v = raw[1:].view(np.float64)
    v[:] = [0.1, 0.2, 0.3]
    np.testing.assert_array_equal(CONTACT.steady(v, 5.0), CONTACT.steady([0.1, 0.2, 0.3], 5.0))


def test_results_are_written_to_out() -> None:
    v = np.array([[0.1, 0.0, 1.0], [0.0, 0.2, 3.0]])
    expected = CONTACT.steady(v, 5.0)
    out = np.empty((2, 3))
    assert CONTACT.steady(v, 5.0, out=out) is out
    np.testing.assert_array_equal(out, expected)
    columns = np.empty((3, 2))
    CONTACT.steady(v, 5.0, out=columns.T)
    np.testing.assert_array_equal(columns.T, expected)


def test_results_for_scalars_are_floats() -> None:
    assert isinstance(LAW.g(0.1), float)
    assert isinstance(LAW.g(np.array(0.1)), float)
    assert isinstance(LAW.g([0.1]), np.ndarray)


@pytest.mark.parametrize(
    "v, named",
    [
        ([1.0, 2.0], "v: its last dimension must be 3"),
        (np.zeros((3, 2)), "v: its last dimension must be 3"),
        (1.0, "v: its last dimension must be 3"),
        (np.zeros(0), "v: its last dimension must be 3"),
    ],
)
def test_wrong_shapes_are_refused(v: object, named: str) -> None:
    with pytest.raises(bristle.ArgumentError, match=named):
        CONTACT.steady(v, 5.0)  # type: ignore[arg-type]


def test_shapes_that_do_not_broadcast_are_refused() -> None:
    with pytest.raises(bristle.ArgumentError, match=r"fn: shape \(5,\) does not broadcast with \(4,\), the leading dimensions of the others: 5 against 4"):
        CONTACT.steady(np.zeros((4, 3)), np.ones(5))


@pytest.mark.parametrize("v", ["abc", [1j, 0, 0], [None, 1, 2], object(), ["1", "2", "3"]])
def test_values_that_are_not_numbers_are_refused(v: object) -> None:
    with pytest.raises(TypeError, match="v: "):
        CONTACT.steady(v, 5.0)  # type: ignore[arg-type]


def test_a_state_must_be_writable_float64_of_the_full_shape() -> None:
    v = np.zeros((4, 3))
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    for z in ([0.0, 0.0, 0.0], np.zeros(3, np.float32), np.zeros(3, int), read_only):
        with pytest.raises(TypeError, match="z: must be a writable array of float64"):
            CONTACT.step(z, [0, 0, 0], 5.0, 1e-3)  # type: ignore[arg-type]
    with pytest.raises(bristle.ArgumentError, match="z: it must have the full shape"):
        CONTACT.step(np.zeros(3), v, 5.0, 1e-3)


def test_an_output_must_not_overlap_an_input() -> None:
    z = CONTACT.state()
    with pytest.raises(bristle.ArgumentError, match=r"overlap"):
        CONTACT.eval(z, [0, 0, 0], 5.0, out=(None, z))
    with pytest.raises(bristle.ArgumentError, match=r"out: it must have the full shape"):
        CONTACT.steady(np.zeros((4, 3)), 5.0, out=np.empty(3))


def test_columns_of_one_table_do_not_overlap(random: np.random.Generator) -> None:
    table = random.standard_normal((50, 9))
    table[:, :3] *= 1e-6
    z = table[:, :3].copy()
    expected = CONTACT.step(z, table[:, 3:6].copy(), 5.0, 1e-3)
    CONTACT.step(table[:, :3], table[:, 3:6], 5.0, 1e-3, out=table[:, 6:])
    np.testing.assert_array_equal(table[:, 6:], expected)
    np.testing.assert_array_equal(table[:, :3], z)


@pytest.mark.parametrize("rows", [slice(None, None, 2), slice(None, None, -1), slice(3, None)])
def test_overlaps_are_found_for_any_strides(rows: slice) -> None:
    table = np.zeros((40, 3))
    v = table[rows]
    out = table[40 - len(v) :]
    with pytest.raises(bristle.ArgumentError, match="out: it may not overlap v"):
        CONTACT.steady(v, 5.0, out=out)


@pytest.mark.parametrize("h", [0.0, -1e-3, np.nan, np.inf])
def test_invalid_steps_are_refused(h: float) -> None:
    with pytest.raises(bristle.ArgumentError, match="h: must be > 0 and finite"):
        CONTACT.step(CONTACT.state(), [0, 0, 0], 5.0, h)


def test_a_negative_normal_force_is_refused_before_anything_is_written() -> None:
    z = np.full((3, 3), 1e-6)
    with pytest.raises(bristle.ArgumentError, match="fn: must be >= 0, got -1"):
        CONTACT.step(z, [0.1, 0, 0], [1.0, -1.0, 1.0], 1e-3)
    assert (z == 1e-6).all()


def test_nan_affects_only_its_own_element(contact: bristle.Contact) -> None:
    v = np.zeros((3, 3))
    v[:, 0] = 0.1
    v[1, 2] = np.nan
    wrench = contact.step(contact.state(3), v, 5.0, 1e-3)
    assert np.isnan(wrench[1]).any()
    assert np.isfinite(wrench[[0, 2]]).all()


def test_many_dimensions_work() -> None:
    v = np.zeros((1,) * 20 + (3,))
    assert CONTACT.steady(v, 5.0).shape == v.shape
