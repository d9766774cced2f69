"""Friction cones, their polyhedra, wrench cones."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._common import ArrayLike, choose, Definition, FloatArray, handle_of, real, to_float64, triple, whole
from .errors import ArgumentError
from .limit import LimitSurface

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FrictionCone", "LimitPolyhedron", "Polyhedron", "WrenchCone"]

_SIDES = ("inner", "outer")


@dataclasses.dataclass(frozen=True, init=False)
class FrictionCone(Definition):
    """All forces that a point contact can carry: |f_t| <= mu f_n.

    Args:
        normal: of the contact, into the body that the force acts on; any length
        mu: coefficient of friction [-], > 0

    >>> cone = FrictionCone([0, 0, 1], mu=0.5)
    >>> cone.contains([[0.4, 0, 1], [0.6, 0, 1]])
    array([ True, False])
    """

    normal: tuple[float, float, float]
    mu: float

    def __init__(self, normal: ArrayLike, mu: float) -> None:
        self._set(normal=triple(normal, "normal"), mu=real(mu, "mu"))
        self._make()

    def _make(self) -> None:
        self._set(_handle=_core.cone_make(*self.normal, self.mu))

    @property
    def axes(self) -> FloatArray:
        """Unit normal and two unit tangents, as rows (3, 3).

        >>> FrictionCone([0, 0, 2], mu=0.5).axes[0]
        array([0., 0., 1.])
        """
        return _core.cone_axes(self._handle)

    def split(self, f: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Normal and tangential parts f_n, f_t1, f_t2 of forces (..., 3) [N].

        >>> FrictionCone([0, 0, 1], mu=0.5).split([3, 0, 4])[0]
        4.0
        """
        return _core.cone_split(self._handle, f, out)

    def margin(self, f: ArrayLike, out: FloatArray | None = None) -> Any:
        """mu f_n - |f_t| [N]: >= 0 holds, < 0 slips.

        >>> FrictionCone([0, 0, 1], mu=0.5).margin([1, 0, 4])
        1.0
        """
        return _core.cone_margin(self._handle, f, out)

    def contains(self, f: ArrayLike) -> Any:
        """Is a force inside or on the boundary, up to rounding?"""
        return _core.cone_contains(self._handle, f)

    def project(self, f: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """The nearest force in the cone (..., 3) [N].

        >>> FrictionCone([0, 0, 1], mu=1.0).project([2, 0, 0])
        array([1., 0., 1.])
        """
        return _core.cone_project(self._handle, f, out)

    def plot(
        self, forces: ArrayLike | None = None, path: str | PathLike[str] | None = None
    ) -> Figure:
        """The cone in 3-D, and forces (n, 3): blue hold, red slip; saved if a path is given."""
        from . import plot

        return plot.cone(self, None if forces is None else to_float64(forces), path)

    def dual(self) -> FrictionCone:
        """All g with g.f >= 0 for all f of the cone.

        >>> FrictionCone([0, 0, 1], mu=0.5).dual().mu
        2.0
        """
        return FrictionCone(self.normal, 1.0 / self.mu)

    def polyhedron(
        self,
        faces: int = 4,
        side: str = "inner",
        *,
        phase: float = 0.0,
        f_min: float = 0.0,
        f_max: float = math.inf,
    ) -> Polyhedron:
        """The cone with flat faces.

        Args:
            faces: >= 3
            side: ``"inner"`` (within the cone) or ``"outer"`` (around it)
            phase: angle of the first edge [rad]
            f_min, f_max: bounds of the normal force [N]; 0 and infinity: none

        >>> FrictionCone([0, 0, 1], mu=0.5).polyhedron(8).h.shape
        (8, 4)
        """
        return Polyhedron(self, faces, side, phase, f_min, f_max)


@dataclasses.dataclass(frozen=True)
class Polyhedron(Definition):
    """A friction cone with flat faces; created by :meth:`FrictionCone.polyhedron`.

    >>> pyramid = FrictionCone([0, 0, 1], mu=0.5).polyhedron(4)
    >>> A, b = pyramid.A, pyramid.b  # A f <= b, for a QP or LP
    >>> A.shape, b.shape
    ((4, 3), (4,))
    """

    cone: FrictionCone
    faces: int = 4
    side: str = "inner"
    phase: float = 0.0
    f_min: float = 0.0
    f_max: float = math.inf

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        outer = choose(self.side, _SIDES, "side") == 1
        cone = handle_of(self.cone, FrictionCone, "cone")
        faces = whole(self.faces, "faces")
        handle = _core.polyhedron_make(faces, outer, self.phase, self.f_min, self.f_max, cone)
        self._set(_handle=handle)

    @property
    def h(self) -> FloatArray:
        """Faces: rows ax, ay, az, b of a.f <= b (n, 4)."""
        return _core.polyhedron_rows(self._handle)[0]

    @property
    def A(self) -> FloatArray:
        """Left side of A f <= b (n, 3)."""
        return self.h[:, :3]

    @property
    def b(self) -> FloatArray:
        """Right side of A f <= b [N] (n)."""
        return self.h[:, 3]

    @property
    def v(self) -> FloatArray:
        """Rows x, y, z, w (m, 4); w = 1: a vertex [N], w = 0: a ray."""
        return _core.polyhedron_rows(self._handle)[1]

    @property
    def error(self) -> tuple[float, float]:
        """Share of the cone's section that it misses or adds [-], and the largest angle [rad].

        >>> area, angle = FrictionCone([0, 0, 1], mu=0.5).polyhedron(16).error
        >>> round(area, 3)
        0.026
        """
        return _core.polyhedron_rows(self._handle)[2:]

    def margin(self, f: ArrayLike, out: FloatArray | None = None) -> Any:
        """Distance from the nearest face [N]: >= 0 inside."""
        return _core.polyhedron_margin(self._handle, f, out)

    def contains(self, f: ArrayLike) -> Any:
        """Is a force inside or on the boundary, up to rounding?"""
        return _core.polyhedron_contains(self._handle, f)


@dataclasses.dataclass(frozen=True, init=False)
class WrenchCone(Definition):
    """All wrenches (fx, fy, fz, tx, ty, tz) that support points can carry together.

    Args:
        places: positions of the supports (n, 3) [m]
        forces: what each can carry: a FrictionCone (then four inner faces) or a Polyhedron, one for all
            or one for each

    >>> corners = [(0.1, 0.05, 0), (-0.1, 0.05, 0), (-0.1, -0.05, 0), (0.1, -0.05, 0)]
    >>> foot = WrenchCone(corners, FrictionCone([0, 0, 1], mu=0.6))
    >>> foot.contains([0, 0, 100, 0, 0, 0])
    True
    """

    places: tuple[tuple[float, ...], ...]
    forces: tuple[Polyhedron, ...]

    def __init__(
        self,
        places: ArrayLike,
        forces: FrictionCone | Polyhedron | Sequence[FrictionCone | Polyhedron],
    ) -> None:
        points = to_float64(places, "places")
        if points.ndim != 2 or points.shape[1] != 3:
            raise ArgumentError("places", f"must be of shape (n, 3), got {points.shape}")
        many = [forces] * len(points) if isinstance(forces, (FrictionCone, Polyhedron)) else forces
        if not len(points):
            raise ArgumentError("places", "there must be at least one")
        if len(many) != len(points):
            raise ArgumentError("forces", f"must be one, or one for each of {len(points)} positions")
        flat = tuple(f.polyhedron() if isinstance(f, FrictionCone) else f for f in many)
        for one in flat:
            handle_of(one, Polyhedron, "forces")
        self._set(places=tuple(tuple(row) for row in points.tolist()), forces=flat)
        self._make()

    def _make(self) -> None:
        forces = [f._handle for f in self.forces]
        self._set(_handle=_core.wrench_cone_make(np.array(self.places), forces))

    @staticmethod
    def rectangle(x: float, y: float, mu: float) -> FloatArray:
        """Faces (16, 6) of a rectangular sole of half sizes x, y [m], in closed form: a.w <= 0.

        >>> WrenchCone.rectangle(0.1, 0.05, 0.6).shape
        (16, 6)
        """
        return _core.wrench_cone_rectangle(x, y, mu)

    @property
    def h(self) -> FloatArray:
        """Faces: rows a of a.w <= 0 (n, 6)."""
        return _core.wrench_cone_rows(self._handle)[0]

    @property
    def v(self) -> FloatArray:
        """Rays (m, 6)."""
        return _core.wrench_cone_rows(self._handle)[1]

    def margin(self, w: ArrayLike, out: FloatArray | None = None) -> Any:
        """Smallest distance from a face: >= 0 inside."""
        return _core.wrench_cone_margin(self._handle, w, out)

    def contains(self, w: ArrayLike) -> Any:
        """Is a wrench inside or on the boundary, up to rounding?"""
        return _core.wrench_cone_contains(self._handle, w)


@dataclasses.dataclass(frozen=True)
class LimitPolyhedron(Definition):
    """A limit surface with flat faces: linear bounds on fx, fy, tau for mu fn = 1.

    Args:
        surface: exact or an ellipsoid
        points: vertices (inner) or faces (outer), 6 to 2048
        side: ``"inner"`` or ``"outer"``

    >>> from bristle import Patch
    >>> flat = LimitPolyhedron(LimitSurface(Patch.disc(0.01)), 100)
    >>> flat.error < 0.1
    True
    """

    surface: LimitSurface
    points: int = 64
    side: str = "inner"

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        outer = choose(self.side, _SIDES, "side") == 1
        surface = handle_of(self.surface, LimitSurface, "surface")
        handle = _core.limit_polyhedron_make(self.points, outer, surface)
        h, v, error = _core.limit_polyhedron_rows(handle)
        self._set(_handle=handle, h=h, v=v, error=error)

    h = np.empty((0, 4))  #: faces: rows ax, ay, at, b of ax fx + ay fy + at tau <= b (n, 4)
    v = np.empty((0, 3))  #: vertices (m, 3)
    error = 0.0  #: largest relative distance from the surface [-]
