"""What the modules share: the extension made ready, types, definitions that pickle and compare."""

from __future__ import annotations

import dataclasses
import operator
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


def to_float64(value: object) -> FloatArray:
    """An array of float64 from anything that is one without loss: no complex numbers, no text."""
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind not in "biuf":
        raise TypeError(f"must be real numbers, got an array of {array.dtype}")
    return array.astype(np.float64, copy=False)


def _exception(status: int, field: str, reason: str) -> BristleError:
    return BY_STATUS[_STATUSES[status][0]](field, reason)


_core.install(np.empty, np.shares_memory, to_float64, _exception)

_Self = TypeVar("_Self", bound="Definition")


class Definition:
    """A frozen dataclass with a thing of C behind it, which is made anew where it is unpickled."""

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


def handle_of(thing: object, kind: type[Definition], name: str) -> Any:
    """The thing of C behind an argument, which must be of that kind."""
    if not isinstance(thing, kind):
        raise TypeError(f"{name}: must be a {kind.__name__}, got {type(thing).__name__}")
    return thing._handle


def whole(value: int, name: str, least: int = 0) -> int:
    """A whole number that is not below the least."""
    number = operator.index(value)
    if number < least:
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be >= {least}, got {number}")
    return number


def pair(value: ArrayLike, name: str) -> tuple[float, float]:
    """Two numbers."""
    array = to_float64(value)
    if array.shape != (2,):
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be two numbers, got shape {array.shape}")
    return float(array[0]), float(array[1])


def triple(value: ArrayLike, name: str) -> tuple[float, float, float]:
    """Three numbers."""
    array = to_float64(value)
    if array.shape != (3,):
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be three numbers, got shape {array.shape}")
    return float(array[0]), float(array[1]), float(array[2])


def choose(value: str, options: tuple[str, ...], name: str) -> int:
    """The place of a word in a list of those allowed."""
    if value not in options:
        allowed = ", ".join(options)
        raise BY_STATUS["BR_ERR_ARG"](name, f"must be one of {allowed}, got {value!r}")
    return options.index(value)
