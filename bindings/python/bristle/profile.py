"""Quantities as functions of time."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from . import _core
from ._common import ArrayLike, Definition, choose, real, to_float64
from .errors import ArgumentError, DefinitionError

__all__ = ["Profile"]

_KINDS = ("constant", "sine", "steps", "table", "move", "accelerate")


@dataclasses.dataclass(frozen=True)
class Profile(Definition):
    """A quantity as a function of time. Wherever a Profile is expected, a plain number means a constant.

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
    duration: float = 0.0

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        points = None
        if self.times or self.values:
            points = np.array((_numbers(self.times, self.values), _numbers(self.values, self.times)))
        kind = choose(self.kind, _KINDS, "kind")
        sine = (self.mean, self.amplitude, self.frequency, self.phase)
        handle = _core.profile_make(kind, *sine, self.start, self.hold, self.duration, points)
        self._set(_handle=handle)

    @classmethod
    def constant(cls, value: float) -> Profile:
        """A constant.

        >>> Profile.constant(2.0)(7.0)
        2.0
        """
        return cls("constant", mean=real(value, "value"))

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
        [s] sampled and held, as by a digital controller.

        >>> Profile.sine(1.0, 0.5, frequency=1.0)(0.25)
        1.5
        """
        return cls("sine", real(mean, "mean"), real(amplitude, "amplitude"), real(frequency, "frequency"), real(phase, "phase"),
                   real(start, "start"), hold=real(hold, "hold"))  # fmt: skip

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
            "table", times=_numbers(times, values), values=_numbers(values, times), hold=real(hold, "hold")
        )

    @classmethod
    def move(
        cls,
        to: float,
        duration: float,
        *,
        from_: float = 0.0,
        start: float = 0.0,
        hold: float = 0.0,
    ) -> Profile:
        """``from_`` until ``start`` [s], ``to`` from ``start + duration`` [s] on, by minimum jerk: neither the
        speed nor the acceleration jumps.

        >>> Profile.move(0.5, duration=1.0)(0.5)
        0.25
        """
        return cls("move", real(from_, "from_"), real(to, "to") - real(from_, "from_"), start=real(start, "start"),
                   duration=real(duration, "duration"), hold=real(hold, "hold"))  # fmt: skip

    @classmethod
    def accelerate(
        cls,
        speed: float,
        duration: float,
        *,
        from_: float = 0.0,
        start: float = 0.0,
        hold: float = 0.0,
    ) -> Profile:
        """At rest at ``from_`` until ``start`` [s], then smoothly accelerated to the constant ``speed`` [1/s]
        within ``duration`` [s]; the largest acceleration is 1.5 speed/duration.

        >>> Profile.accelerate(0.5, duration=1.0)(2.0)
        0.75
        """
        return cls("accelerate", real(from_, "from_"), real(speed, "speed"), start=real(start, "start"),
                   duration=real(duration, "duration"), hold=real(hold, "hold"))  # fmt: skip

    def __call__(self, t: ArrayLike) -> Any:
        """The value at a time [s]."""
        return _core.profile_eval(self._handle, t)


def _numbers(own: ArrayLike, other: ArrayLike) -> tuple[float, ...]:
    numbers = to_float64(own)
    if numbers.ndim != 1 or numbers.shape != to_float64(other).shape:
        raise ArgumentError("times", "times and values must be two lists of the same length")
    return tuple(numbers.tolist())


def as_profile(value: float | Profile, name: str) -> Profile:
    """A number as a constant profile."""
    if isinstance(value, Profile):
        return value
    number = real(value, name)
    if not math.isfinite(number):
        raise DefinitionError(name, f"must be finite, got {number}")
    return Profile.constant(number)
