"""Grip forces and grasps."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, handle_of, pair, real, to_float64
from .errors import ArgumentError
from .limit import LimitSurface
from .patch import Patch

__all__ = ["Grasp", "GraspForce", "grip_force"]


def grip_force(
    patch: Patch | LimitSurface, mu: float, load: ArrayLike, out: FloatArray | None = None
) -> Any:
    """The smallest normal force at which the friction of one patch holds loads [N].

    Args:
        patch: contact area of the finger, or its limit surface
        mu: coefficient of friction [-], > 0
        load: (fx, fy, tau) at the centre of pressure (..., 3) [N, N, N m]

    Returns:
        [N]; infinite if no force is enough (a torque on a point)

    >>> grip_force(Patch.disc(0.01), mu=0.5, load=[2.0, 0, 0])
    4.0
    """
    if not real(mu, "mu") > 0.0:
        raise ArgumentError("mu", f"must be > 0, got {mu}")
    if not isinstance(patch, (Patch, LimitSurface)):
        raise TypeError(f"patch: must be a Patch or a LimitSurface, got {type(patch).__name__}")
    if isinstance(patch, Patch) and patch.depends_on_force:
        return _by_search(patch, mu, to_float64(load), out)
    surface = LimitSurface(patch) if isinstance(patch, Patch) else patch
    return _core.grip_surface(surface._handle, float(mu), load, out)


def _by_search(patch: Patch, mu: float, loads: FloatArray, out: FloatArray | None) -> Any:
    if loads.ndim < 1 or loads.shape[-1] != 3:
        raise ArgumentError("load", "its last dimension must be 3")
    found = np.empty(loads.shape[:-1]) if out is None else out
    for i in np.ndindex(*loads.shape[:-1]):
        found[i] = _core.grip_patch(patch._handle, mu, tuple(loads[i].tolist()))
    return float(found) if loads.ndim == 1 and out is None else found


class GraspForce(NamedTuple):
    """Forces with which a grasp holds a load."""

    fn: FloatArray  #: smallest normal forces of both fingers [N] (..., 2)
    wrench: FloatArray  #: friction of each on the body, at its centre of pressure (..., 2, 3)


@dataclasses.dataclass(frozen=True)
class Grasp:
    """Two fingers that face each other along z.

    Args:
        patches: of the fingers at z = -half_gap and z = +half_gap
        mu: coefficients of friction [-]
        half_gap: half the distance of the contacts [m]

    >>> grasp = Grasp((Patch.disc(0.01), Patch.disc(0.01)), mu=(0.5, 0.5), half_gap=0.02)
    >>> grasp.force([0, -2.0, 0, 0, 0, 0]).fn
    array([2., 2.])
    """

    patches: tuple[Patch, Patch]
    mu: tuple[float, float]
    half_gap: float

    def __post_init__(self) -> None:
        if not isinstance(self.patches, (tuple, list)):
            raise TypeError(f"patches: must be two Patches, got {type(self.patches).__name__}")
        if len(self.patches) != 2:
            raise ArgumentError("patches", f"must be two, got {len(self.patches)}")
        for patch in self.patches:
            handle_of(patch, Patch, "patches")
        half_gap = real(self.half_gap, "half_gap")
        for name, value in (*(("mu", mu) for mu in pair(self.mu, "mu")), ("half_gap", half_gap)):
            if not 0.0 < value < math.inf:
                raise ArgumentError(name, f"must be finite and > 0, got {value}")

    def force(self, load: ArrayLike) -> GraspForce:
        """The smallest squeeze that holds (fx, fy, fz, tx, ty, tz) in the middle (..., 6)."""
        surfaces = [LimitSurface(patch)._handle for patch in self.patches]
        grasp = _core.grasp_make(*self.mu, self.half_gap, *surfaces)
        return GraspForce(*_core.grasp_eval(grasp, load))
