"""Fields of mu: friction that depends on the position on a surface."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from . import _core
from ._common import ArrayLike, choose, Definition, FloatArray, pair, real, to_float64

__all__ = ["Field"]

_INTERPOLATIONS = ("constant", "bilinear")


@dataclasses.dataclass(frozen=True)
class Field(Definition):
    """Factors on mu over a grid: a worn spot, a wet strip, the boundary between two floors.

    A cell of a contact has the friction, stiffness and damping of its law times the factor under it.

    Args:
        grid: factors [-], >= 0, rows from the top (largest y) to the bottom; 0: no friction
        size: of the grid along x and y [m]
        centre: of the grid on its surface [m]
        angle: of the grid [rad]
        interpolation: constant, in cells whose edges are jumps, or bilinear, between the centres of cells
        outside: factor around the grid; None: the outermost cells continue

    >>> floors = Field([[1, 0.1]], (1, 1))  # ice for x > 0
    >>> floors.eval([[-0.2, 0], [0.2, 0]]).tolist()
    [1.0, 0.1]
    """

    grid: tuple[tuple[float, ...], ...]
    size: tuple[float, float]
    centre: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    interpolation: str = "constant"
    outside: float | None = None

    def __post_init__(self) -> None:
        rows = np.atleast_2d(to_float64(self.grid, "grid"))
        self._set(grid=tuple(tuple(row) for row in rows.tolist()))
        self._set(size=pair(self.size, "size"), centre=pair(self.centre, "centre"), angle=real(self.angle, "angle"))
        if self.outside is not None:
            self._set(outside=real(self.outside, "outside"))
        self._make()

    def _make(self) -> None:
        handle = _core.field_make(
            *self.size,
            *self.centre,
            self.angle,
            choose(self.interpolation, _INTERPOLATIONS, "interpolation"),
            math.nan if self.outside is None else self.outside,
            np.array(self.grid, dtype=np.float64),
        )
        self._set(_handle=handle)

    def eval(self, at: ArrayLike, out: FloatArray | None = None) -> Any:
        """Factor at points of the surface [m] (..., 2).

        >>> Field([[0, 1]], (2, 2), interpolation="bilinear").eval([0, 0])
        0.5
        """
        return _core.field_eval(self._handle, at, out)
