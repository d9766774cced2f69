"""Support pressure of a body from slow pushes, with confidence intervals."""

from __future__ import annotations

import dataclasses
import math
from typing import Sequence

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, handle_of, to_float64, whole
from .errors import ArgumentError
from .fit_law import Estimate
from .patch import Patch

__all__ = ["fit_pressure", "fit_pushes", "PressureFit", "PushesFit"]

_CHOICES = ("uniform", "grid", "supports", "linear", "ring", "hertz")


def _rows(value: ArrayLike, width: int, name: str) -> FloatArray:
    rows = np.ascontiguousarray(to_float64(value))
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ArgumentError(name, f"must be rows of {width} numbers, got shape {rows.shape}")
    return rows


def _patch(points: FloatArray) -> Patch:
    return Patch.points(points[:, :2], points[:, 2])


@dataclasses.dataclass(frozen=True)
class PressureFit:
    """Result of :func:`fit_pressure`."""

    patch: Patch  #: of support points, for everything that takes a patch
    points: FloatArray  #: x, y [m], weight; weights sum to 1 (n x 3)
    errors: FloatArray  #: standard errors of the weights (n)
    mu_fn: Estimate  #: friction coefficient times normal force [N]
    cop_x: Estimate  #: centre of pressure [m]
    cop_y: Estimate
    r: Estimate  #: mean distance from it [m]
    angle_error: float  #: between predicted and measured twists, mean [rad]
    validation_angle_error: float  #: the same for held-out pairs [rad]
    choice: str  #: uniform, grid, supports, linear, ring, hertz
    tried: dict[str, float]  #: validation error of each choice tried [rad]
    strength: float  #: of the prior; infinite: the data changed nothing
    radius: float  #: of a ring or of Hertz's pressure [m]; else 0
    pairs: int
    ignored: int  #: pairs with wrench . twist <= 0


@dataclasses.dataclass(frozen=True)
class PushesFit:
    """Result of :func:`fit_pushes`."""

    patch: Patch  #: of support points, for everything that takes a patch
    points: FloatArray  #: x, y [m], weight; weights sum to 1 (n x 3)
    errors: FloatArray  #: standard errors of the weights (n)
    mu_tip: Estimate  #: friction of the tip on the body
    cop_x: Estimate  #: centre of pressure [m]
    cop_y: Estimate
    r: Estimate  #: mean distance from it [m]
    position_error: float  #: of the predicted ends, mean [m]
    angle_error: float  #: of the predicted ends, mean [rad]
    validation_position_error: float  #: the same for held-out pushes [m]
    validation_angle_error: float  #: [rad]
    keeps_patch: bool  #: the expected pressure predicts as well as a fitted one
    strength: float  #: of the prior
    pushes: int
    tip_dx: Estimate  #: offset of the tip's positions, world frame [m], whether used or not
    tip_dy: Estimate
    tip_radius: Estimate  #: of the tip [m]
    uses_offset: bool  #: the fit uses tip_dx and tip_dy: they improve the prediction of held-out pushes
    plain_position_error: float  #: of held-out pushes, without an offset [m]; NaN: not tried
    plain_angle_error: float  #: [rad]
    offset_position_error: float  #: of held-out pushes, with the offset [m]; NaN: not tried
    offset_angle_error: float  #: [rad]
    end_gap: float  #: mean absolute distance between tip and outline at the ends [m]
    apart: int  #: pushes whose tip does not touch the outline at the end


def fit_pressure(
    wrenches: ArrayLike,
    twists: ArrayLike,
    outline: Patch,
    *,
    supports: Patch | None = None,
    tolerance: float = 0.0,
    choices: Sequence[str] = (),
    cells: int = 11,
) -> PressureFit:
    """Fit a pressure to measured wrenches and twists of slow pushes.

    Args:
        wrenches: on the body by the pusher, body frame, at its origin [N, N, N m] (n x 3)
        twists: of the body at the same point, each up to a positive factor [m/s, m/s, rad/s] (n x 3)
        outline: area that may carry pressure; its pressure is the prior
        supports: known supports, a patch of points
        tolerance: of their positions [m]
        choices: models to choose from; by default uniform, grid, and supports if given
        cells: of the grid across the outline

    >>> from bristle import LimitSurface
    >>> truth = LimitSurface(Patch.points([[0.04, 0.02], [-0.03, 0.02], [0, -0.02]], [0.5, 0.3, 0.2]))
    >>> rng = np.random.default_rng(1)
    >>> cop = truth.patch.at(1).cop
    >>> v = rng.normal(size=(100, 3)) * [1, 1, 30]
    >>> f = -4.0 * truth.wrench(v)  # at the CoP; both are moved to the frame's origin
    >>> f[:, 2] += cop[0] * f[:, 1] - cop[1] * f[:, 0]
    >>> v[:, 0] += v[:, 2] * cop[1]; v[:, 1] -= v[:, 2] * cop[0]
    >>> fit = fit_pressure(f, v, Patch.rectangle((0.1, 0.06)))
    >>> fit.choice, round(fit.mu_fn.value, 1)
    ('grid', 4.0)
    """
    unknown = [name for name in choices if name not in _CHOICES]
    if unknown:
        raise ArgumentError("choices", f"no such choice: {unknown[0]}; there are {', '.join(_CHOICES)}")
    f, v = _rows(wrenches, 3, "wrenches"), _rows(twists, 3, "twists")
    if len(f) != len(v):
        raise ArgumentError("twists", "must be as many as wrenches")
    bits = sum(1 << _CHOICES.index(name) for name in set(choices))
    handle = None if supports is None else handle_of(supports, Patch, "supports")
    rows = np.ascontiguousarray(np.hstack([f, v]))
    got = _core.pressure_fit(
        rows, handle_of(outline, Patch, "outline"), handle, tolerance, whole(cells, "cells"), bits
    )
    for name in ("mu_fn", "cop_x", "cop_y", "r"):
        got[name] = Estimate(*got[name])
    got["tried"] = {k: float(x) for k, x in zip(_CHOICES, got["tried"]) if not math.isnan(x)}
    return PressureFit(patch=_patch(got["points"]), **got)


def fit_pushes(
    starts: ArrayLike,
    ends: ArrayLike,
    tip_from: ArrayLike,
    tip_to: ArrayLike,
    outline: Patch,
    *,
    tip_radius: float = 0.0,
    patch: Patch | None = None,
    mu_tip: float = 0.25,
    keep_mu: bool = False,
    cells: int = 9,
    tip_offset: Sequence[float] | None = None,
    fit_tip_radius: bool = False,
) -> PushesFit:
    """Fit a pressure and the friction of the pusher's tip to pushes only, without measured forces.

    Args:
        starts: poses of the body before, world frame [m, m, rad] (n x 3)
        ends: poses after (n x 3)
        tip_from: centre of the tip at the start of its straight path [m] (n x 2)
        tip_to: and at its end [m] (n x 2)
        outline: shape that the tip touches, and area that may carry pressure
        tip_radius: of the tip [m]
        patch: the prior pressure; None: that of the outline
        mu_tip: prior friction of the tip
        keep_mu: take mu_tip as known
        cells: of the grid across the outline
        tip_offset: offset of the tip's positions, world frame [m]; None: estimated, and used if it improves the
            prediction of held-out pushes
        fit_tip_radius: estimate the tip's radius, starting from ``tip_radius``
    """
    offset = (0.0, 0.0) if tip_offset is None else tuple(float(x) for x in tip_offset)
    if len(offset) != 2:
        raise ArgumentError("tip_offset", f"must be two numbers, got {len(offset)}")
    rows = np.hstack([_rows(starts, 3, "starts"), _rows(ends, 3, "ends"), _rows(tip_from, 2, "tip_from"),
                      _rows(tip_to, 2, "tip_to")])  # fmt: skip
    handle = None if patch is None else handle_of(patch, Patch, "patch")
    got = _core.pushes_fit(
        np.ascontiguousarray(rows), handle_of(outline, Patch, "outline"), handle, tip_radius, mu_tip, keep_mu,
        whole(cells, "cells"), offset[0], offset[1], tip_offset is not None, fit_tip_radius,
    )  # fmt: skip
    for name in ("mu_tip", "cop_x", "cop_y", "r", "tip_dx", "tip_dy", "tip_radius"):
        got[name] = Estimate(*got[name])
    return PushesFit(patch=_patch(got["points"]), **got)
