"""Shared by the modules: setup of the extension, types, definitions that pickle and compare, messages."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import inspect
import operator
import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import BY_STATUS, BristleError

FloatArray = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike

_STATUSES = list(_core.statuses().items())
for _name, _text in _STATUSES[1:]:
    BY_STATUS[_name].sentence = _text


def to_float64(value: object, name: str = "") -> FloatArray:
    """Convert to an array of float64 without loss: no complex numbers, no text. The extension names the argument
    itself."""
    where = f"{name}: " if name else ""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of several lengths
        raise TypeError(f"{where}must be real numbers, in rows of one length, got {describe(value)}") from None
    if array.dtype == object and array.size and all(isinstance(entry, int) for entry in array.flat):
        raise TypeError(f"{where}must be numbers that fit a double, got a larger integer")
    if array.dtype == object or array.dtype.kind not in "biuf":
        raise TypeError(f"{where}must be real numbers, got {describe(array if array.ndim else value)}")
    return array.astype(np.float64, copy=False)


def describe(value: object) -> str:
    """Describe an argument for messages: type, shape, and why C cannot read or write it."""
    if not isinstance(value, np.ndarray):
        return f"{type(value).__name__} {value!r}"[:40]
    flaws = (
        ("read-only", not value.flags.writeable),
        ("not contiguous", not value.flags.c_contiguous),
        ("not aligned", not value.flags.aligned),
    )
    name = "text" if value.dtype.kind in "US" else value.dtype.name
    kind = name if value.dtype.isnative else f"{name} of the other byte order"
    return ", ".join([f"an array of {kind} of shape {value.shape}", *(flaw for flaw, holds in flaws if holds)])


# fields of the state of a body in C, and the attributes that hold them
_OF_BODY = {"from.t": "t", "from.pose": "pose", "from.velocity": "velocity", "from.z": "states"}


def _exception(status: int, field: str, reason: str) -> BristleError:
    return BY_STATUS[_STATUSES[status][0]](_OF_BODY.get(field, field), reason)


_core.install(np.empty, np.shares_memory, to_float64, _exception, describe)

_Self = TypeVar("_Self", bound="Definition")


class Definition:
    """A frozen dataclass with a C object, which is created again when it is unpickled."""

    _handle: Any

    def _make(self) -> None:
        raise NotImplementedError

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def __getstate__(self) -> dict[str, Any]:
        return self._values()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**state)
        self._make()


_Kind = TypeVar("_Kind")


def expect(thing: object, kind: type[_Kind], name: str) -> _Kind:
    """Check that an argument is of that class."""
    if not isinstance(thing, kind):
        raise TypeError(f"{name}: must be a {kind.__name__}, got {type(thing).__name__}")
    return thing


def handle_of(thing: object, kind: type[Definition], name: str) -> Any:
    """The C object of an argument, which must be of that class."""
    return expect(thing, kind, name)._handle


def real(value: object, name: str) -> float:
    """A number."""
    if isinstance(value, str) or not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise TypeError(f"{name}: must be a number, got {describe(value)}")
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):  # an array of several numbers, or of text
        raise TypeError(f"{name}: must be a number, got {describe(value)}") from None
    except OverflowError:
        raise BY_STATUS["BR_ERR_ARG"](name, "must be a number that fits a double, got a larger integer") from None


def optional(package: str, used_by: str) -> Any:
    """Import an optional package."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise BY_STATUS["BR_ERR_ABSENT"](used_by, f"needs {package}, which is not installed") from error


def no_such(what: str, name: object, names: Iterable[str], hint: str = "") -> str:
    """A message for an unknown name: a hint, or the nearest of these names, and all of them."""
    known = list(names)
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"{hint}; " if hint else f"did you mean {near[0]!r}? " if near else ""
    return f"no {what} {name!r}; {hint}there are: {', '.join(known) or 'none'}"


_Entry = TypeVar("_Entry")


class Named(dict[str, _Entry]):
    """A dict whose KeyErrors name the nearest key and all others."""

    def __missing__(self, name: str) -> _Entry:
        raise KeyError(no_such("entry", name, self))


class Chosen(int):
    """A number that the library chose because the caller gave none."""


# arguments that are often tried where another name is not near
_HINTS = {
    ("Contact", "mu"): "a coefficient of friction is given as 'law': Contact(patch, 0.3)",
    ("BodyContact", "position"): "its position is 'at', the motion of what it touches 'support'",
}


def _explain(error: TypeError, function: Callable[..., Any]) -> None:
    """Raise a better error if a call failed because of an unknown argument."""
    unknown = re.search(r"got an unexpected keyword argument '(\w+)'$", str(error))
    own = error.__traceback__
    if unknown is None or own is None or own.tb_next is not None:  # raised by a nested call
        return
    names = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    where = function.__qualname__.removesuffix(".__init__")
    hint = _HINTS.get((where, unknown[1]), "")
    raise TypeError(f"{where}: {no_such('argument', unknown[1], names, hint)}") from None


def hinted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function so that an error for an unknown argument suggests the nearest one."""
    explain = _explain

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            explain(error, function)
            raise

    # with the globals of the function's module, where doctest looks for examples
    same = types.FunctionType(call.__code__, function.__globals__, function.__name__, None, call.__closure__)
    return functools.wraps(function)(same)


# called up to a million times a second: not wrapped
_HOT = frozenset(
    "at_pressure cone contains dissipation dual eval g gauge gradient jacobian load margin parts project push slip split "
    "steady step step_vjp stored twist wrench".split()
)


def hint_class(kind: type) -> None:
    """Wrap all public functions of a class by :func:`hinted`, except the fastest."""
    for name, value in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__" or name in _HOT:
            continue
        if isinstance(value, (classmethod, staticmethod)):
            setattr(kind, name, type(value)(hinted(value.__func__)))
        elif isinstance(value, types.FunctionType):
            setattr(kind, name, hinted(value))


INT_MAX = 2**31 - 1  #: the largest int in C


def whole(value: int, name: str, minimum: int = 0, maximum: int = sys.maxsize) -> int:
    """Check that an integer is at least the minimum and fits what C keeps it in."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: must be an integer, got {describe(value)}") from None
    if number < minimum:
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be >= {minimum}, got {number}")
    if number > maximum:
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be <= {maximum}, got a larger integer")
    return number


def both(out: object) -> tuple[Any, Any]:
    """Where to write two results: a tuple of arrays or None."""
    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise TypeError(f"out: must be two arrays, or None in place of one, got {describe(out)}")
    return out[0], out[1]


def pair(value: ArrayLike, name: str) -> tuple[float, float]:
    """Two numbers."""
    array = to_float64(value, name)
    if array.shape != (2,):
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be two numbers, got shape {array.shape}")
    return float(array[0]), float(array[1])


def triple(value: ArrayLike, name: str) -> tuple[float, float, float]:
    """Three numbers."""
    array = to_float64(value, name)
    if array.shape != (3,):
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be three numbers, got shape {array.shape}")
    return float(array[0]), float(array[1]), float(array[2])


def choose(value: str, options: tuple[str, ...], name: str) -> int:
    """The index of a word in a list of allowed words."""
    if not isinstance(value, str) or value not in options:
        allowed = ", ".join(options)
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be one of {allowed}, got {value!r}")
    return options.index(value)
