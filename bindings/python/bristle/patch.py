"""Contact patches: contact areas with their pressure distributions."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, choose, Definition, expect, FloatArray, pair, real, to_float64, whole
from .errors import ArgumentError, BristleError

__all__ = ["ByForce", "Hertz", "HertzValue", "LinearPressure", "Patch", "PatchValue", "PowerPressure"]


_SHAPES = ("disc", "ring", "rectangle", "line", "polygon", "points", "grid", "ellipse", "triangles")


@dataclasses.dataclass(frozen=True)
class ByForce:
    """A number that grows with the normal force: min(coefficient fn**exponent, max).

    >>> ByForce(0.002, exponent=1 / 3, max=0.01)  # the radius of a soft fingertip [m]
    ByForce(coefficient=0.002, exponent=0.3333333333333333, max=0.01)
    """

    coefficient: float
    exponent: float = 0.0
    max: float = math.inf


@dataclasses.dataclass(frozen=True)
class PowerPressure:
    """Pressure (1 - (rho/a)^k)^(1/k) of a disc or ellipse, a the distance of the rim; k = 2 is Hertz's.

    >>> Patch.disc(0.01, pressure=PowerPressure(2)) == Patch.disc(0.01, pressure="hertz")
    True
    """

    k: float | ByForce


@dataclasses.dataclass(frozen=True)
class LinearPressure:
    """Pressure that changes linearly along x of the patch, in any unit; of an ellipse in any direction [rad].

    >>> Patch.rectangle((0.02, 0.01), pressure=LinearPressure(1, 3)).cop.round(5)
    array([0.00167, 0.     ])
    >>> Patch.ellipse((0.02, 0.01), pressure=LinearPressure(1, 3, angle=np.pi / 2)).cop.round(5)
    array([0.     , 0.00125])
    """

    left: float
    right: float
    angle: float = 0.0


Pressure = str | PowerPressure | LinearPressure


class PatchValue(NamedTuple):
    """Properties of a patch at a normal force."""

    cop: FloatArray  #: centre of pressure [m] (..., 2)
    r: Any  #: mean distance from it, the rim radius [m]
    u: Any  #: mean squared distance from it [m^2]
    area: Any  #: [m^2]; 0 for line, ring and points


def _by_force(value: float | ByForce, name: str) -> ByForce:
    if not isinstance(value, ByForce):
        return ByForce(real(value, name))
    parts = {field: real(part, f"{name}.{field}") for field, part in vars(value).items()}
    return ByForce(**parts)


def _pressure(value: Pressure) -> PowerPressure | LinearPressure | None:
    if isinstance(value, str) and value == "uniform":
        return None
    if isinstance(value, str) and value == "hertz":
        return PowerPressure(ByForce(2.0))
    if isinstance(value, PowerPressure):
        return PowerPressure(_by_force(value.k, "k"))
    if isinstance(value, LinearPressure):
        return LinearPressure(real(value.left, "left"), real(value.right, "right"), real(value.angle, "angle"))
    raise ArgumentError(
        "pressure",
        f"must be 'uniform', 'hertz', a PowerPressure or a LinearPressure, got {value!r}",
    )


class HertzValue(NamedTuple):
    """A Hertz contact at a normal force."""

    a: Any  #: semi-axis along x of the ellipse [m]
    b: Any  #: semi-axis along y of the ellipse [m]
    angle: Any  #: of the ellipse's x from that of the body [rad]
    depth: Any  #: approach of the bodies [m]
    pressure: Any  #: at the centre, the largest [Pa]
    stiffness: Any  #: d fn/d depth [N/m]


@dataclasses.dataclass(frozen=True)
class Hertz(Definition):
    """Two elastic bodies that touch in a point: their contact is an ellipse that grows with the force.

    Args:
        radii: of curvature of the body along x and y [m]; inf: flat, below 0: concave
        modulus: E* of both bodies [Pa], 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2
        ground: radii of curvature of the ground along its own axes [m]
        ground_angle: of these axes from those of the body [rad]

    >>> sphere = Hertz((0.01, 0.01), modulus=1e9).at(10)
    >>> round(sphere.depth * 1e6, 3), round(sphere.pressure / 1e6, 2)  # um, MPa
    (17.784, 26.85)
    """

    radii: tuple[float, float]
    modulus: float
    ground: tuple[float, float] = (math.inf, math.inf)
    ground_angle: float = 0.0

    def __post_init__(self) -> None:
        self._set(radii=pair(self.radii, "radii"), ground=pair(self.ground, "ground"))
        self._set(modulus=real(self.modulus, "modulus"), ground_angle=real(self.ground_angle, "ground_angle"))
        self._make()

    def _make(self) -> None:
        numbers = (*self.radii, *self.ground, self.ground_angle, self.modulus)
        self._set(_handle=_core.hertz_make(*numbers))

    def at(self, fn: ArrayLike) -> HertzValue:
        """Semi-axes, depth, peak pressure and stiffness at a normal force [N].

        >>> Hertz((0.01, 0.01), modulus=1e9).at([1, 8]).a.round(6)
        array([0.000196, 0.000391])
        """
        return HertzValue(*_core.hertz_eval(self._handle, fn))


@dataclasses.dataclass(frozen=True, repr=False)
class Patch(Definition):
    """A contact patch: a shape with a pressure that integrates to 1. Created by its class methods.

    >>> patch = Patch.disc(0.01, pressure="hertz")
    >>> patch
    Patch.disc(0.01, pressure='hertz')
    >>> round(patch.r, 6)  # 3 pi/16 of the radius
    0.00589
    """

    shape: str
    radius: ByForce = ByForce(0.01)
    size: tuple[float, float] = (1.0, 1.0)
    length: float = 1.0
    numbers: tuple[tuple[float, ...], ...] | None = None
    pressure: PowerPressure | LinearPressure | None = None
    sampling: str = "covered"
    centre: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    ratio: float = 1.0
    vertices: int = 0

    def __post_init__(self) -> None:
        pressure = None if self.pressure is None else _pressure(self.pressure)
        self._set(radius=_by_force(self.radius, "radius"), size=pair(self.size, "size"), length=real(self.length, "length"))
        self._set(centre=pair(self.centre, "centre"), angle=real(self.angle, "angle"), pressure=pressure)
        self._set(ratio=real(self.ratio, "ratio"), vertices=whole(self.vertices, "vertices"))
        if isinstance(self.numbers, np.ndarray) and self.numbers.ndim == 2 and self.numbers.size:
            self._set(numbers=tuple(tuple(row) for row in to_float64(self.numbers).tolist()))
        self._make()

    def _make(self) -> None:
        kind, k, ends, slope = 0, ByForce(2.0), (1.0, 1.0), 0.0
        if isinstance(self.pressure, PowerPressure):
            kind, k = 1, _by_force(self.pressure.k, "k")
        elif isinstance(self.pressure, LinearPressure):
            kind, ends, slope = 2, (self.pressure.left, self.pressure.right), self.pressure.angle
            if slope != 0.0 and self.shape != "ellipse":
                raise ArgumentError("pressure", f"angle is for ellipses only, got {slope} for a {self.shape}")
        numbers = None if self.numbers is None else np.array(self.numbers, dtype=np.float64)
        if numbers is not None and (numbers.ndim != 2 or not numbers.size):
            found = f"got shape {numbers.shape}"
            raise ArgumentError("numbers", f"must be one row of numbers or more, {found}")
        choose(self.sampling, ("covered", "centre"), "sampling")
        extent = (*dataclasses.astuple(self.radius), *self.size, self.length)
        pressure = (kind, *dataclasses.astuple(k), *ends, self.sampling == "centre")
        shape = choose(self.shape, _SHAPES, "shape")
        place = (*self.centre, self.angle, self.ratio, slope, self.vertices)
        try:
            handle = _core.patch_make(shape, *extent, *pressure, *place, numbers)
        except BristleError as error:  # the ends of a LinearPressure are `from` and `to` in C
            end = {"pressure.from": "left", "pressure.to": "right"}.get(error.field)
            if end is None:
                raise
            raise type(error)(end, error.reason.replace("from and to must", "left and right must")) from None
        self._set(_handle=handle)

    @classmethod
    def disc(
        cls,
        radius: float | ByForce,
        pressure: Pressure = "uniform",
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """A disc.

        Args:
            radius: [m], > 0, or a ByForce
            pressure: ``"uniform"``, ``"hertz"``, a PowerPressure or a LinearPressure
            centre: position, contact frame [m]
            angle: rotation, contact frame [rad]

        >>> Patch.disc(0.01).area  # doctest: +ELLIPSIS
        0.000314159...
        """
        return cls(
            "disc",
            radius=_by_force(radius, "radius"),
            pressure=_pressure(pressure),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def ring(cls, radius: float | ByForce, *, centre: ArrayLike = (0.0, 0.0)) -> Patch:
        """A thin ring [m].

        >>> Patch.ring(0.02).r
        0.02
        """
        return cls("ring", radius=_by_force(radius, "radius"), centre=pair(centre, "centre"))

    @classmethod
    def rectangle(
        cls,
        size: ArrayLike,
        pressure: Pressure = "uniform",
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """A rectangle of size (x, y) [m].

        >>> Patch.rectangle((0.03, 0.02)).area
        0.0006
        """
        return cls(
            "rectangle",
            size=pair(size, "size"),
            pressure=_pressure(pressure),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def line(
        cls,
        length: float,
        pressure: Pressure = "uniform",
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """A line along x [m].

        >>> Patch.line(0.04).r
        0.01
        """
        return cls(
            "line",
            length=real(length, "length"),
            pressure=_pressure(pressure),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def polygon(
        cls,
        points: ArrayLike,
        pressure: Pressure = "uniform",
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """A simple polygon, convex or not, from its corners (n, 2) [m].

        >>> Patch.polygon([(0, 0), (0.03, 0), (0, 0.03)]).cop
        array([0.01, 0.01])
        """
        return cls(
            "polygon",
            numbers=_rows(points, 2, "points"),
            pressure=_pressure(pressure),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def points(
        cls,
        xy: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """Support points (n, 2) [m], with their shares of the normal force (n), equal by default.

        >>> Patch.points([(-0.1, 0), (0.1, 0)], weights=[1, 3]).cop
        array([0.05, 0.  ])
        """
        positions = np.array(_rows(xy, 2, "xy")).reshape(-1, 2)
        shares = np.ones(len(positions)) if weights is None else to_float64(weights, "weights")
        if shares.shape != (len(positions),):
            raise ArgumentError("weights", f"must be as many as there are points, {len(positions)}")
        return cls(
            "points",
            numbers=_rows(np.column_stack([positions, shares]), 3, "xy"),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def grid(
        cls,
        pressure: ArrayLike,
        size: ArrayLike,
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """A measured pressure (rows, columns), ordered as in an image: row 0 at the largest y.

        Args:
            pressure: of each cell, >= 0, in any unit
            size: extent of the grid along x and y [m]

        >>> Patch.grid([[0, 1], [0, 1]], size=(0.02, 0.02)).cop
        array([0.005, 0.   ])
        """
        cells = to_float64(pressure, "pressure")
        if cells.ndim != 2:
            raise ArgumentError("pressure", f"must have two dimensions, got {cells.ndim}")
        if not cells.size:
            raise ArgumentError("pressure", f"must have at least one cell, got shape {cells.shape}")
        return cls(
            "grid",
            size=pair(size, "size"),
            numbers=_rows(cells, cells.shape[1], "pressure"),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def ellipse(
        cls,
        semi_axes: ArrayLike | None = None,
        pressure: Pressure = "uniform",
        *,
        radius: float | ByForce | None = None,
        ratio: float | None = None,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """An ellipse, from its semi-axes along x and y [m], or from the first and the ratio.

        Args:
            semi_axes: along x and y [m], > 0
            pressure: ``"uniform"``, ``"hertz"``, a PowerPressure or a LinearPressure
            radius: semi-axis along x [m], or a ByForce, in place of semi_axes
            ratio: semi-axis along y over that along x, with radius
            centre: position, contact frame [m]
            angle: rotation, contact frame [rad]

        >>> Patch.ellipse((0.02, 0.01), "hertz")
        Patch.ellipse((0.02, 0.01), pressure='hertz')
        >>> round(Patch.ellipse(radius=ByForce(0.002, exponent=1 / 3), ratio=0.5).at(8).r, 6)
        0.002056
        """
        if (semi_axes is None) != (radius is not None and ratio is not None):
            raise ArgumentError("semi_axes", "an ellipse has semi_axes, or radius and ratio")
        if semi_axes is not None:
            a, b = pair(semi_axes, "semi_axes")
            radius, ratio = a, b / a if a else math.nan
        return cls(
            "ellipse",
            radius=_by_force(radius, "radius"),  # type: ignore[arg-type]
            ratio=real(ratio, "ratio"),
            pressure=_pressure(pressure),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    @classmethod
    def hertz(
        cls,
        bodies: Hertz,
        max_force: float = math.inf,
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """The ellipse of a Hertz contact, which grows with the force.

        Args:
            bodies: the elastic bodies
            max_force: the largest normal force [N]; cells and blocks need a finite one
            centre: position, contact frame [m]
            angle: of the body's axes, contact frame [rad]

        >>> bodies = Hertz((0.05, 0.02), modulus=1e6)
        >>> round(Patch.hertz(bodies, max_force=20).at(5).r, 6)
        0.00306
        """
        expect(bodies, Hertz, "bodies")
        if not real(max_force, "max_force") > 0.0:
            raise ArgumentError("max_force", f"must be > 0 (it may be infinite), got {max_force}")
        radius, most, ratio, turn = _core.hertz_patch(bodies._handle, real(max_force, "max_force"))
        return cls(
            "ellipse",
            radius=ByForce(float(radius), 1.0 / 3.0, float(most)),
            ratio=real(ratio, "ratio"),
            pressure=_pressure("hertz"),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle") + float(turn),
        )

    @classmethod
    def triangles(
        cls,
        vertices: ArrayLike,
        pressures: ArrayLike,
        triangles: ArrayLike,
        *,
        centre: ArrayLike = (0.0, 0.0),
        angle: float = 0.0,
    ) -> Patch:
        """A pressure field that is linear on triangles, such as a hydroelastic contact patch.

        Args:
            vertices: corners of the triangles (n, 2) [m]
            pressures: at the vertices (n), >= 0, in any unit
            triangles: numbers of their vertices (m, 3), from 0, any orientation
            centre: position, contact frame [m]
            angle: rotation, contact frame [rad]

        >>> square = [(0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1)]
        >>> Patch.triangles(square, [1, 3, 3, 1], [(0, 1, 2), (0, 2, 3)]).cop.round(6)
        array([0.058333, 0.05    ])
        """
        corners = np.array(_rows(vertices, 2, "vertices")).reshape(-1, 2)
        heights = to_float64(pressures)
        if heights.shape != (len(corners),):
            raise ArgumentError("pressures", f"must be as many as there are vertices, {len(corners)}")
        indices = np.array(_rows(triangles, 3, "triangles")).reshape(-1, 3)
        return cls(
            "triangles",
            numbers=_rows(np.vstack([np.column_stack([corners, heights]), indices]), 3, "vertices"),
            vertices=len(corners),
            centre=pair(centre, "centre"),
            angle=real(angle, "angle"),
        )

    def _at_pressure(self, rows: FloatArray) -> Patch:
        """The same triangles with other pressures, or with other vertices and pressures, row by row."""
        numbers = np.array(self.numbers)
        numbers[: self.vertices, 3 - rows.shape[1] :] = rows
        return dataclasses.replace(self, numbers=_rows(numbers, 3, "numbers"))

    @property
    def depends_on_force(self) -> bool:
        """Does its size or its pressure change with the normal force?

        >>> Patch.disc(ByForce(0.002, exponent=1 / 3)).depends_on_force
        True
        """
        return _core.patch_depends_on_force(self._handle)

    def at(self, fn: ArrayLike) -> PatchValue:
        """Centre of pressure, r, u and area at a normal force [N].

        >>> Patch.disc(ByForce(0.002, exponent=1 / 3)).at([1, 8]).r.round(6)
        array([0.001333, 0.002667])
        """
        return PatchValue(*_core.patch_eval(self._handle, fn))

    def _fixed(self) -> PatchValue:
        if self.depends_on_force:
            raise BristleError("patch", "it depends on the normal force: use patch.at(fn)")
        return self.at(0.0)

    @property
    def cop(self) -> FloatArray:
        """Centre of pressure, contact frame [m] (2)."""
        return self._fixed().cop

    @property
    def r(self) -> float:
        """Mean distance from the centre of pressure [m]."""
        return float(self._fixed().r)

    @property
    def u(self) -> float:
        """Mean squared distance from the centre of pressure [m^2]."""
        return float(self._fixed().u)

    @property
    def area(self) -> float:
        """Area [m^2]; 0 for line, ring and points."""
        return float(self._fixed().area)

    def __repr__(self) -> str:
        return f"Patch.{self.shape}({', '.join(self._arguments())})"

    def _arguments(self) -> list[str]:
        words = [self._first_argument()]
        if self.shape == "grid":
            words.append(f"size={self.size}")
        if self.pressure == PowerPressure(ByForce(2.0)):
            words.append("pressure='hertz'")
        elif self.pressure is not None:
            words.append(f"pressure={self.pressure}")
        if self.centre != (0.0, 0.0):
            words.append(f"centre={self.centre}")
        if self.angle != 0.0:
            words.append(f"angle={self.angle}")
        return words

    def _first_argument(self) -> str:
        if self.shape == "triangles" and self.numbers is not None:
            return f"<{self.vertices} vertices>, <{len(self.numbers) - self.vertices} triangles>"
        if self.shape == "ellipse":
            if self.radius.exponent:
                return f"radius={self.radius}, ratio={self.ratio}"
            return str((self.radius.coefficient, self.radius.coefficient * self.ratio))
        if self.numbers is not None:
            return f"<{len(self.numbers)} x {len(self.numbers[0])} numbers>"
        if self.shape == "rectangle":
            return str(self.size)
        if self.shape == "line":
            return str(self.length)
        return str(self.radius if self.radius.exponent else self.radius.coefficient)


def _rows(values: ArrayLike, columns: int, name: str) -> tuple[tuple[float, ...], ...]:
    array = to_float64(values)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ArgumentError(name, f"must be of shape (n, {columns}), got {array.shape}")
    return tuple(tuple(row) for row in array.tolist())
