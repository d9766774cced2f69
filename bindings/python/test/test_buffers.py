"""Oracle: an error that names the argument. Arrays of a wrong length, type or layout are never passed to C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bristle import ArgumentError, Body, BodyContact, Constrained, Contact, Patch, _core, fit_pressure

TABLE = Contact(Patch.rectangle((0.05, 0.04)), 0.3, "distributed", resolution=4)
N = TABLE.state_count


def read_only() -> np.ndarray[Any, Any]:
    z = np.zeros(N)
    z.flags.writeable = False
    return z


def unaligned() -> np.ndarray[Any, Any]:
    return np.zeros(8 * N + 8, dtype=np.uint8)[1 : 8 * N + 1].view(np.float64)


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "shorter": (lambda: np.zeros(N - 1), rf"of shape \({N},\), got an array of float64 of shape \({N - 1},\)"),
    "empty": (lambda: np.zeros(0), r"got an array of float64 of shape \(0,\)"),
    "longer": (lambda: np.zeros(N + 1), rf"got an array of float64 of shape \({N + 1},\)"),
    "two dimensions": (lambda: np.zeros((1, N)), rf"got an array of float64 of shape \(1, {N}\)"),
    "no dimension": (lambda: np.zeros(()), r"got an array of float64 of shape \(\)"),
    "float32": (lambda: np.zeros(N, np.float32), rf"got an array of float32 of shape \({N},\)"),
    "int64": (lambda: np.zeros(N, np.int64), "got an array of int64"),
    "complex": (lambda: np.zeros(N, np.complex128), "got an array of complex128"),
    "big endian": (lambda: np.zeros(N, ">f8"), "got an array of float64 of the other byte order"),
    "strided": (lambda: np.zeros(2 * N)[::2], "not contiguous"),
    "reversed": (lambda: np.zeros(N)[::-1], "not contiguous"),
    "unaligned": (unaligned, "not aligned"),
    "read-only": (read_only, "read-only"),
    "list": (lambda: [0.0] * N, r"got list \[0.0, "),
    "None": (lambda: None, "got NoneType None"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_states_that_a_step_cannot_advance_are_refused(name: str) -> None:
    make, words = WRONG[name]
    body = Body(1.0, 2e-4, [BodyContact(TABLE, 5.0, frame="body")], velocity=(1, 0, 0))
    body.states[0] = make()  # type: ignore[call-overload]
    before = body.pose.copy(), body.velocity.copy()
    with pytest.raises(ArgumentError, match=f"states.*writable.*array of float64.*{words}"):
        body.step(1e-3)
    assert (body.pose == before[0]).all() and (body.velocity == before[1]).all() and body.t == 0.0


@pytest.mark.parametrize("count", [0, 1, 3])
def test_as_many_states_as_contacts_are_needed(count: int) -> None:
    feet = [BodyContact(TABLE, 5.0, frame="body")] * 2
    body = Body(1.0, 2e-4, feet)
    body.states = [TABLE.state() for _ in range(count)]
    with pytest.raises(ArgumentError, match=f"states: must be a list of 2 arrays, got {count}"):
        body.step(1e-3)


def numbers_of(shape: str, *size: int) -> Callable[[], object]:
    return lambda: Patch(shape, numbers=np.ones(size))  # type: ignore[arg-type]


PATCHES: dict[str, tuple[Callable[[], object], str]] = {
    "points of two columns": (lambda: Patch("points", numbers=((0.0, 0.0), (1.0, 1.0))), r"\(n, 3\), got an array of float64 of shape \(2, 2\)"),
    "points of four": (numbers_of("points", 3, 4), r"\(n, 3\), got an array of float64 of shape \(3, 4\)"),
    "polygon of one": (numbers_of("polygon", 3, 1), r"\(n, 2\), got an array of float64 of shape \(3, 1\)"),
    "polygon of three": (numbers_of("polygon", 3, 3), r"\(n, 2\), got an array of float64 of shape \(3, 3\)"),
    "one dimension": (numbers_of("points", 9), r"got shape \(9,\)"),
    "three dimensions": (numbers_of("grid", 2, 2, 2), r"got shape \(2, 2, 2\)"),
    "none at all": (numbers_of("points", 0, 3), r"got shape \(0, 3\)"),
    "disc": (numbers_of("disc", 3, 3), "must be None"),
}  # fmt: skip


@pytest.mark.parametrize("name", PATCHES)
def test_numbers_that_do_not_fit_the_shape_are_refused(name: str) -> None:
    make, words = PATCHES[name]
    with pytest.raises(ArgumentError, match=f"numbers.*{words}"):
        make()


def make_patch(numbers: object) -> object:
    points, ends = 5, (0.01, 0.0, np.inf)
    return _core.patch_make(points, *ends, 1.0, 1.0, 1.0, 0, *ends, 1.0, 1.0, 0, 0.0, 0.0, 0.0, 1.0, 0.0, 0, numbers)


def fit(**wrong: object) -> object:
    columns: dict[str, object] = {name: np.linspace(0.0, 1.0, 20) for name in ("t", "v", "f", "fn", "load")}
    columns.update(out=np.zeros(20))
    columns.update(wrong)
    t, v, f, fn, load, out = columns.values()
    values = tuple(0.0 for _ in _core.fit_law_names()[1])
    return _core.law_fit(0, t, v, f, fn, load, 0, 0, 0, values, 0, 0.95, 0, 0, 0, 0, 1, False, 0.0, 0.5, out)


DISC = Patch.disc(0.1)._handle
SERIES = np.linspace(0.0, 1.0, 20)


# functions of the extension, which check their arguments for every caller
CORE: dict[str, tuple[Callable[[], object], str]] = {
    "patch, float32": (lambda: make_patch(np.ones((3, 3), np.float32)), "numbers.*got an array of float32"),
    "patch, Fortran's order": (lambda: make_patch(np.ones((4, 3)).T.copy().T), "numbers.*not contiguous"),
    "patch, list": (lambda: make_patch([[1.0, 1.0, 1.0]]), "numbers.*got list"),
    "pressure, width": (lambda: _core.pressure_fit(np.ones((9, 5)), DISC, None, 0.0, 9, 1), r"\(n, 6\), got an array of float64 of shape \(9, 5\)"),
    "pressure, type": (lambda: _core.pressure_fit(np.ones((9, 6), np.int8), DISC, None, 0.0, 9, 1), "got an array of int8"),
    "pushes, width": (lambda: _core.pushes_fit(np.ones((9, 9)), DISC, None, 0.0, 0.2, False, 9, 0.0, 0.0, False, False), r"\(n, 10\), got an array of float64 of shape \(9, 9\)"),
    "pushes, strided": (lambda: _core.pushes_fit(np.ones((9, 20))[:, ::2], DISC, None, 0.0, 0.2, False, 9, 0.0, 0.0, False, False), "not contiguous"),
    "law, forces shorter": (lambda: fit(out=np.zeros(19)), r"out.*shape \(20,\), got an array of float64 of shape \(19,\)"),
    "law, forces of float32": (lambda: fit(out=np.zeros(20, np.float32)), "out.*got an array of float32"),
    "law, forces read-only": (lambda: fit(out=np.broadcast_to(0.0, 20)), "out.*read-only"),
    "law, column longer": (lambda: fit(f=np.zeros(21)), "f: must be as long as v, 20, got 21"),
    "law, column of two": (lambda: fit(f=np.zeros((20, 1))), r"f.*shape \(n,\), got an array of float64 of shape \(20, 1\)"),
    "speed, shorter": (lambda: _core.law_speed(SERIES, SERIES, np.zeros(19)), r"v.*shape \(20,\), got an array of float64 of shape \(19,\)"),
    "speed, float32": (lambda: _core.law_speed(SERIES, SERIES, np.zeros(20, np.float32)), "v.*got an array of float32"),
    "law, column strided": (lambda: fit(v=np.zeros(40)[::2]), "v.*not contiguous"),
}  # fmt: skip


@pytest.mark.parametrize("name", CORE)
def test_the_extension_checks_its_arguments(name: str) -> None:
    call, words = CORE[name]
    with pytest.raises(ArgumentError, match=words):
        call()


ARRAYS = ("M", "Q", "A", "b", "J", "qd", "C", "bias", "normal", "surface_velocity", "surface_acceleration")


@pytest.mark.parametrize("index", range(len(ARRAYS)))
@pytest.mark.parametrize("flaw", ["shorter", "float32", "rank"])
def test_arrays_of_a_constrained_system_are_checked(index: int, flaw: str) -> None:
    block = Constrained(
        M=np.eye(2), Q=[0, -9.81], A=[[0, 1]], b=[0], J=np.eye(2), qd=[1, 0], normal=[[0, 1]],
        mu=0.3, C=[0, 0], bias=[0, 0], surface_velocity=[0, 0], surface_acceleration=[0, 0],
    )  # fmt: skip
    n, m, d, arrays, *rest = block._definition
    wrong = list(arrays)
    good = wrong[index]
    assert good is not None
    wrong[index] = {"shorter": good[:-1], "float32": good.astype(np.float32), "rank": good[None]}[flaw].copy()
    with pytest.raises(ArgumentError, match=rf"^{ARRAYS[index]}: must be a contiguous array of float64"):
        _core.constrained_check((n, m, d, tuple(wrong), *rest))


def test_measurements_in_any_layout_are_fitted() -> None:
    rng = np.random.default_rng(2)
    f = rng.normal(size=(3, 40)).T  # Fortran's order
    v = (f.T * [[1.0], [1.0], [30.0]]).T
    outline = Patch.rectangle((0.1, 0.06))
    strided = fit_pressure(f, v, outline, cells=3)
    straight = fit_pressure(f.copy(order="C"), v.copy(order="C"), outline, cells=3)
    np.testing.assert_array_equal(strided.points, straight.points)
