"""Numbers that change in time."""

from __future__ import annotations

import dataclasses
from typing import Any

from . import _core
from ._common import ArrayLike, Definition, choose, to_float64
from .errors import ArgumentError

__all__ = ["Profile"]

_KINDS = ("constant", "sine", "steps", "table")


@dataclasses.dataclass(frozen=True)
class Profile(Definition):
    """A number over time. A plain number is a constant wherever a Profile is wanted.

    >>> grip = Profile.sine(mean=1.73, amplitude=0.91, frequency=2.0)
    >>> round(grip(0.125), 3)
    2.64
    """

    kind: str
    mean: float = 0.0
    amplitude: float = 0.0
    frequency: float = 0.0
    phase: float = 0.0
    start: float = 0.0
    times: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    hold: float = 0.0

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        handle = _core.profile_make(
            choose(self.kind, _KINDS, "kind"),
            self.mean,
            self.amplitude,
            self.frequency,
            self.phase,
            self.start,
            self.hold,
            self.times,
            self.values,
            len(self.times),
        )
        self._set(_handle=handle)

    @classmethod
    def constant(cls, value: float) -> Profile:
        """Always the same.

        >>> Profile.constant(2.0)(7.0)
        2.0
        """
        return cls("constant", mean=float(value))

    @classmethod
    def sine(
        cls,
        mean: float,
        amplitude: float,
        frequency: float,
        phase: float = 0.0,
        *,
        start: float = 0.0,
        hold: float = 0.0,
    ) -> Profile:
        """mean + amplitude sin(2 pi frequency t + phase), the mean before ``start`` [s]; with ``hold``
        [s] as a digital controller holds it.

        >>> Profile.sine(1.0, 0.5, frequency=1.0)(0.25)
        1.5
        """
        return cls("sine", float(mean), float(amplitude), float(frequency), float(phase),
                   float(start), hold=float(hold))  # fmt: skip

    @classmethod
    def steps(cls, times: ArrayLike, values: ArrayLike) -> Profile:
        """values[i] from times[i] [s] on.

        >>> Profile.steps([0, 1], [2, 3])([0.5, 1.5])
        array([2., 3.])
        """
        return cls("steps", times=_numbers(times, values), values=_numbers(values, times))

    @classmethod
    def table(cls, times: ArrayLike, values: ArrayLike, *, hold: float = 0.0) -> Profile:
        """Linear between the points, constant outside.

        >>> Profile.table([0, 1], [2, 3])(0.5)
        2.5
        """
        return cls(
            "table", times=_numbers(times, values), values=_numbers(values, times), hold=float(hold)
        )

    def __call__(self, t: ArrayLike) -> Any:
        """The value at a time [s]."""
        return _core.profile_eval(self._handle, t)


def _numbers(own: ArrayLike, other: ArrayLike) -> tuple[float, ...]:
    numbers = to_float64(own)
    if numbers.ndim != 1 or numbers.shape != to_float64(other).shape:
        raise ArgumentError("times", "times and values must be two lists of the same length")
    return tuple(numbers.tolist())


def as_profile(value: float | Profile) -> Profile:
    """A number as a constant profile."""
    return value if isinstance(value, Profile) else Profile.constant(value)
