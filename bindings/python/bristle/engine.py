"""A patch as physics engines take it, and how far their friction is from the patch's own."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from . import _core
from ._common import ArrayLike, choose, Definition, FloatArray, handle_of
from .patch import Patch

__all__ = ["EngineError", "EngineFriction"]

_ENGINES = ("mujoco", "drake", "gazebo", "bullet", "genesis")
_FORMS = ("ellipsoid", "pyramid", "cylinder", "box", "faces")
_CONES = ("round", "flat")


class EngineError(NamedTuple):
    """How far an engine's limit surface is from the exact one, over mu fn; torques over r."""

    max: float  #: largest difference of what is held, over directions of load [-]
    mean: float  #: mean of it [-]
    slide_max: float  #: largest difference of the wrench on a body that slides [-]
    slide_mean: float  #: mean of it [-]


@dataclasses.dataclass(frozen=True)
class EngineFriction(Definition):
    """The friction of a patch as a physics engine takes it; docs/engines.md has formulas and sources.

    Args:
        patch: where it touches
        engine: mujoco, drake, gazebo, bullet or genesis
        mu: coefficient of friction [-]
        fn: normal force [N], that of a patch that depends on it
        cone: the engine's friction cone, round or flat; without one, that of the engine
        faces: of Drake's mesh, across the patch

    >>> friction = EngineFriction(Patch.disc(0.01), "mujoco", mu=0.5)
    >>> round(friction.numbers["torsional"], 6)  # mu times 2/3 of the radius
    0.003333
    >>> EngineFriction(Patch.disc(0.01), "gazebo", mu=0.5).form
    'box'
    """

    patch: Patch
    engine: str
    mu: float
    fn: float = 1.0
    cone: str | None = None
    faces: int = 8

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        engine = choose(self.engine, _ENGINES, "engine")
        flat = -1 if self.cone is None else choose(self.cone, _CONES, "cone")
        handle = _core.engine_make(
            handle_of(self.patch, Patch, "patch"), engine, self.mu, self.fn, flat, self.faces
        )
        self._set(_handle=handle)

    @property
    def numbers(self) -> dict[str, float]:
        """What the engine takes, by the engine's own names."""
        return _core.engine_numbers(self._handle)

    @property
    def form(self) -> str:
        """Which wrenches it holds: ellipsoid, pyramid, cylinder, box or faces."""
        return _FORMS[_core.engine_form(self._handle)]

    def wrench(self, twists: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """The engine's friction on a body for mu fn = 1 (..., 3), from twists (..., 3).

        >>> friction = EngineFriction(Patch.disc(0.01), "bullet", mu=0.5)
        >>> friction.wrench([1.0, 0.1, 0.1]).round(3)  # hardly spins, and meets the whole torque
        array([-0.995, -0.1  , -0.007])
        """
        return _core.engine_wrench(self._handle, twists, out)

    def gauge(self, wrenches: ArrayLike, out: FloatArray | None = None) -> Any:
        """Below 1 the engine holds the wrench, above 1 it does not.

        >>> EngineFriction(Patch.disc(0.01), "bullet", mu=0.5).gauge([0.5, 0.0, 0.0])
        0.5
        """
        return _core.engine_gauge(self._handle, wrenches, out)

    def error(self) -> EngineError:
        """How far it is from the exact limit surface; takes milliseconds.

        >>> EngineFriction(Patch.disc(0.01), "mujoco", mu=0.5).error().max < 0.07
        True
        """
        return EngineError(*_core.engine_error(self._handle))
