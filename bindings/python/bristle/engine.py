"""Friction parameters of a patch for physics engines, and their errors."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from . import _core
from ._common import ArrayLike, choose, Definition, FloatArray, handle_of, Named
from .patch import Patch

__all__ = ["EngineError", "EngineFriction"]

_ENGINES = ("mujoco", "drake", "gazebo", "bullet", "genesis")
_FORMS = ("ellipsoid", "pyramid", "cylinder", "box", "faces")
_CONES = ("round", "flat")


class EngineError(NamedTuple):
    """Error of an engine's limit surface against the exact one; forces over mu fn, torques over mu fn r."""

    max: float  #: largest difference of the holding limit, over directions of load [-]
    mean: float  #: mean difference [-]
    slide_max: float  #: largest difference of the wrench on a sliding body [-]
    slide_mean: float  #: mean difference [-]


@dataclasses.dataclass(frozen=True)
class EngineFriction(Definition):
    """The friction of a patch as parameters of a physics engine; docs/explanation/engine_friction.md has formulas and sources.

    Args:
        patch: contact area
        engine: mujoco, drake, gazebo, bullet or genesis
        mu: coefficient of friction [-]
        fn: normal force [N], for a patch that depends on it
        cone: the engine's friction cone, round or flat; None: the engine's default
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
        patch = handle_of(self.patch, Patch, "patch")
        handle = _core.engine_make(engine, self.mu, self.fn, flat, self.faces, patch)
        self._set(_handle=handle)

    @property
    def numbers(self) -> dict[str, float]:
        """The engine's parameters, by the engine's names."""
        return Named(_core.engine_numbers(self._handle))

    @property
    def form(self) -> str:
        """Shape of its limit surface: ellipsoid, pyramid, cylinder, box or faces."""
        return _FORMS[_core.engine_form(self._handle)]

    def wrench(self, twists: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """The engine's friction on a body for mu fn = 1 (..., 3), from twists (..., 3).

        >>> friction = EngineFriction(Patch.disc(0.01), "bullet", mu=0.5)
        >>> friction.wrench([1.0, 0.1, 0.1]).round(3)  # spins slowly, but meets the full torque
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
        """Error against the exact limit surface; takes milliseconds.

        >>> EngineFriction(Patch.disc(0.01), "mujoco", mu=0.5).error().max < 0.07
        True
        """
        return EngineError(*_core.engine_error(self._handle))
