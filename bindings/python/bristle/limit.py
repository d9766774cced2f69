"""Limit surfaces: Coulomb friction of a patch that slides and spins."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, choose, Definition, FloatArray, handle_of, whole
from .errors import BristleError, DefinitionError
from .law import Anisotropy, anisotropy_of
from .patch import Patch

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["LimitError", "LimitSurface"]

_METHODS = (
    "exact",
    "smooth",
    "bilinear",
    "grid",
    "published",
    "ellipsoid",
    "fitted",
    "curve",
)


class LimitError(NamedTuple):
    """Error of a surface against the exact one, over many directions of h = (fx, fy, tau/r)."""

    max: float  #: largest distance [-]
    rms: float  #: root mean square distance [-]
    max_angle: float  #: largest angle [rad]
    max_size: float  #: largest difference of sizes [-]


@dataclasses.dataclass(frozen=True)
class LimitSurface(Definition):
    """All wrenches that friction of a patch can exert, for mu fn = 1: multiply them by mu fn.

    Twists (vx, vy, w) [m/s, m/s, rad/s] and wrenches (fx, fy, tau) [-, -, m] are taken at the centre of
    pressure. The wrench acts on the body, so it opposes the twist.

    Args:
        patch: contact area
        method: exact; smooth, bilinear, grid, published (tables); ellipsoid, fitted; curve
        fn: normal force of a patch that depends on it [N]
        nodes: of a table, per quarter turn
        resolution: cells across, for grid and published
        anisotropy: friction that depends on the direction, with axes of the body; None: isotropic

    >>> surface = LimitSurface(Patch.disc(0.01))
    >>> surface.wrench([1.0, 0.0, 0.0])[0]
    -1.0
    >>> surface.wrench([[0, 0, 1], [0, 0, 10]])[:, 2].round(6)  # 2/3 of the radius
    array([-0.006667, -0.006667])
    """

    patch: Patch
    method: str = "exact"
    fn: float = 1.0
    nodes: int = 20
    resolution: int = 21
    anisotropy: Anisotropy | Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        self._set(anisotropy=anisotropy_of(self.anisotropy))
        self._make()

    def _make(self) -> None:
        numbers = (whole(self.nodes, "nodes"), whole(self.resolution, "resolution"))
        method = choose(self.method, _METHODS, "method")
        patch = handle_of(self.patch, Patch, "patch")
        anisotropy = anisotropy_of(self.anisotropy)
        if anisotropy.axes != "body":
            raise DefinitionError("anisotropy.axes", "must be body: a limit surface is that of one angle over the ground")
        handle = _core.limit_make(self.fn, method, *numbers, anisotropy.ratio, anisotropy.angle, patch)
        self._set(_handle=handle)

    @property
    def cop(self) -> FloatArray:
        """Centre of pressure, contact frame [m] (2)."""
        return _core.limit_value(self._handle)[0]

    @property
    def r(self) -> float:
        """Largest torque about the centre of pressure of a pure spin [m]."""
        return _core.limit_value(self._handle)[1]

    @property
    def spin_centre(self) -> FloatArray:
        """Centre of rotation under a torque without force, contact frame [m] (2).

        >>> LimitSurface(Patch.disc(0.01)).spin_centre
        array([0., 0.])
        """
        return _core.limit_value(self._handle)[2]

    def wrench(self, twists: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Friction on the body for mu fn = 1 (..., 3), from twists (..., 3)."""
        return _core.limit_wrench(self._handle, twists, out)

    def dissipation(self, twists: ArrayLike, out: FloatArray | None = None) -> Any:
        """Power lost to friction for mu fn = 1 [m/s]: -wrench . twist.

        >>> LimitSurface(Patch.disc(0.01)).dissipation([0.3, 0.4, 0.0])
        0.5
        """
        return _core.limit_dissipation(self._handle, twists, out)

    def jacobian(self, twists: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Derivative of :meth:`wrench` by the twist (..., 3, 3).

        >>> LimitSurface(Patch.disc(0.01)).jacobian([1.0, 0.0, 0.0])[1, 1]
        -1.0
        """
        return _core.limit_jacobian(self._handle, twists, out)

    def gauge(self, wrenches: ArrayLike, out: FloatArray | None = None) -> Any:
        """Below 1 friction can hold the wrench, at 1 it is on the surface, above 1 it slides.

        >>> surface = LimitSurface(Patch.disc(0.01))
        >>> surface.gauge([0.5, 0.0, 0.0])
        0.5
        """
        return _core.limit_gauge(self._handle, wrenches, out)

    def twist(self, wrenches: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Twist of a body that slides under a load in the direction of a wrench, scaled to dissipation 1.

        >>> LimitSurface(Patch.disc(0.01)).twist([0.0, 2.0, 0.0])
        array([0., 1., 0.])
        """
        return _core.limit_twist(self._handle, wrenches, out)

    def error(self) -> LimitError:
        """Error against the exact surface; takes milliseconds.

        >>> LimitSurface(Patch.disc(0.01), method="ellipsoid").error().max < 0.2
        True
        """
        return LimitError(*_core.limit_error(self._handle))

    def plot(self, n: int = 40, path: str | PathLike[str] | None = None) -> Figure:
        """The surface in 3-D: (fx, fy, tau/r); also saved if a path is given."""
        from . import plot

        return plot.limit_surface(self, n=n, path=path)

    def points(self, n: int = 40) -> FloatArray:
        """Wrenches on the whole surface (n, 2 n, 3), for pictures: rows from spin to spin.

        >>> LimitSurface(Patch.disc(0.01)).points(8).shape
        (8, 16, 3)
        """
        up = np.linspace(-np.pi / 2, np.pi / 2, n)[:, None]
        around = np.linspace(0.0, 2 * np.pi, 2 * n)[None, :]
        r = self.r or 1.0
        twists = np.stack(
            np.broadcast_arrays(
                np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up) / r
            ),
            axis=-1,
        )
        return -self.wrench(twists)
