"""Bodies that slide on a plane, and quasi-static pushing."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, Definition, FloatArray, handle_of, to_float64
from .errors import ArgumentError
from .limit import LimitSurface
from .patch import Patch

__all__ = ["Push", "PushGradient", "Pusher", "Slider", "SliderRate", "SliderStep"]


class SliderStep(NamedTuple):
    """Friction over a step."""

    impulse: FloatArray  #: along x, y, and angular at the contact point [N s, N s, N m s] (..., 3)
    sigma: Any  #: slip speed at the end [m/s]
    ecp: FloatArray  #: equivalent contact point, world [m] (..., 2)
    slides: Any  #: True: slides, False: friction holds it


class SliderRate(NamedTuple):
    """Friction at an instant."""

    friction: FloatArray  #: at the contact point [N, N, N m] (..., 3)
    acceleration: FloatArray  #: of the centre of mass [m/s^2, m/s^2, rad/s^2] (..., 3)
    sigma: Any  #: slip speed [m/s]
    ecp: FloatArray  #: equivalent contact point, world [m] (..., 2)
    slides: Any  #: False: remains at rest


@dataclasses.dataclass(frozen=True)
class Slider(Definition):
    """A body on a plane, with friction at an equivalent contact point (Xie & Chakraborty).

    Args:
        mass: [kg], > 0
        inertia: about the vertical through the centre of mass [kg m^2], > 0
        mu: coefficient of friction [-], >= 0
        height: of the centre of mass over the plane [m], >= 0
        patch: gives e = (1, 1, r), the friction ellipsoid
        e: the friction ellipsoid, without a patch [-, -, m]
        gravity: [m/s^2], > 0

    >>> puck = Slider(0.5, 2e-4, mu=0.3, patch=Patch.disc(0.02))
    >>> q, v = np.zeros(3), np.array([1.0, 0.0, 5.0])
    >>> while puck.step(q, v, h=1e-3).slides:
    ...     pass
    >>> bool(q[0] > 0.1)
    True
    """

    mass: float
    inertia: float
    mu: float
    height: float = 0.0
    patch: Patch | None = None
    e: tuple[float, float, float] = (1.0, 1.0, 0.01)
    gravity: float = 9.81

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        patch = None if self.patch is None else handle_of(self.patch, Patch, "patch")
        handle = _core.slider_make(
            self.mass, self.inertia, self.height, self.mu, *self.e, self.gravity, patch
        )
        self._set(_handle=handle, e=tuple(_core.slider_ellipsoid(handle).tolist()))

    def step(
        self,
        q: FloatArray,
        v: FloatArray,
        h: float,
        load: ArrayLike = (0.0, 0.0, 0.0),
        lift: ArrayLike = 0.0,
    ) -> SliderStep:
        """Advance pose and velocity in place.

        Args:
            q: pose (x, y, theta) (..., 3) [m, m, rad], changed
            v: velocity (..., 3) [m/s, m/s, rad/s], changed
            h: step [s], > 0
            load: on the centre of mass (..., 3) [N, N, N m]
            lift: height of the load's force over the centre of mass [m]
        """
        return SliderStep(*_core.slider_step(self._handle, q, v, load, lift, h))

    def eval(
        self,
        q: ArrayLike,
        v: ArrayLike,
        load: ArrayLike = (0.0, 0.0, 0.0),
        lift: ArrayLike = 0.0,
    ) -> SliderRate:
        """Friction and acceleration at an instant.

        >>> puck = Slider(0.5, 2e-4, mu=0.3)
        >>> round(float(puck.eval([0, 0, 0], [1, 0, 0]).acceleration[0]), 3)  # mu g
        -2.943
        """
        return SliderRate(*_core.slider_eval(self._handle, q, v, load, lift))


class Push(NamedTuple):
    """Result of a slow push; forces are over mu N of the support."""

    twist: FloatArray  #: of the body at its centre of friction (..., 3)
    friction: FloatArray  #: on the body there (..., 3) [-, -, m]
    force: FloatArray  #: of the tip on the body (..., 2) [-]
    point: FloatArray  #: of contact, body frame [m] (..., 2)
    mode: Any  #: 0 sticks, 1 slides to the left, 2 to the right, 3 does not push


@dataclasses.dataclass(frozen=True)
class PushGradient:
    """Poses along paths of a tip and their derivatives, line by line; see :meth:`Pusher.gradient`."""

    poses: FloatArray  #: of the body at each point of the path (..., n, 3) [m, m, rad]
    by: FloatArray  #: of the pose after a line by :attr:`inputs` (..., n - 1, 3, 14)
    changes: Any  #: of a line: sub-steps in which the tip starts or stops to slide, or leaves an edge: kinks (..., n - 1)
    corners: Any  #: of a line: sub-steps with the tip in a concave corner (..., n - 1)

    #: columns of ``by``: pose before, tip at start and end [m], friction and radius of the tip, centre of friction,
    #: factors on the friction along x, y and on its torque at 1
    inputs = (
        *("x", "y", "theta", "start_x", "start_y", "end_x", "end_y", "mu", "radius"),
        *("centre_x", "centre_y", "force_x", "force_y", "torque"),
    )

    def vjp(self, poses: ArrayLike) -> dict[str, FloatArray]:
        """From the derivatives of a cost by the poses (..., n, 3) to those by ``pose`` (..., 3), ``path`` (..., n, 2) and
        ``mu``, ``radius``, ``centre``, ``factors`` (...), (...), (..., 2), (..., 3).

        >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3, radius=0.005)
        >>> pushed = box.gradient((0, 0, 0), [(-0.06, 0.01), (-0.04, 0.01), (-0.02, 0.01)])
        >>> cost = np.zeros((3, 3))
        >>> cost[-1] = (0, 0, 1)  # the angle at the end
        >>> pushed.vjp(cost)["path"].shape
        (3, 2)
        """
        bar = np.broadcast_to(to_float64(poses, "poses"), self.poses.shape)
        path = np.zeros((*self.poses.shape[:-1], 2))
        rest = np.zeros((*self.poses.shape[:-2], 7))
        now = bar[..., -1, :].copy()
        for k in range(self.by.shape[-3] - 1, -1, -1):
            line = np.einsum("...i,...ij->...j", now, self.by[..., k, :, :])
            path[..., k, :] += line[..., 3:5]
            path[..., k + 1, :] += line[..., 5:7]
            rest += line[..., 7:]
            now = line[..., :3] + bar[..., k, :]
        return {
            "pose": now,
            "path": path,
            "mu": rest[..., 0],
            "radius": rest[..., 1],
            "centre": rest[..., 2:4],
            "factors": rest[..., 4:],
        }


# nodes of smooth surfaces: a push over twice the body's size ends within 1e-7 m of that with the exact surface
_NODES = {"disc": 80, "rectangle": 160, "grid": 80}


@dataclasses.dataclass(frozen=True)
class Pusher(Definition):
    """A round tip that pushes a body slowly over a plane.

    Args:
        body: the body's shape, which the tip touches, body frame
        mu: friction of the tip on the body [-], >= 0
        radius: of the tip [m], >= 0
        support: contact area of the body with the plane; None: its whole shape. A LimitSurface is used as it is
        method: of the limit surface of ``support``, ``"exact"``, ``"smooth"``, ...; None: smooth, as exact to 1e-7 m, for
            discs, rectangles and grids, whose exact surface takes longer; exact for the others

    >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3)
    >>> pose = np.zeros(3)
    >>> push = box.step(pose, start=(-0.06, 0), end=(-0.02, 0))  # 3 cm through the middle
    >>> pose.round(6) + 0.0
    array([0.03, 0.  , 0.  ])
    """

    body: Patch
    mu: float = 0.25
    radius: float = 0.0
    support: Patch | LimitSurface | None = None
    method: str | None = None

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        body = handle_of(self.body, Patch, "body")
        support = self.body if self.support is None else self.support
        surface = self._surface(support) if isinstance(support, Patch) else support
        under = handle_of(surface, LimitSurface, "support")
        handle = _core.pushing_make(self.mu, self.radius, under, body)
        self._set(_handle=handle)

    def _surface(self, support: Patch) -> LimitSurface:
        method = self.method or ("smooth" if support.shape in _NODES else "exact")
        return LimitSurface(support, method, nodes=_NODES.get(support.shape, 20))

    def push(self, point: ArrayLike, normal: ArrayLike, velocity: ArrayLike) -> Push:
        """The push at an instant, body frame.

        Args:
            point: of contact (..., 2) [m]
            normal: into the body (..., 2), of length 1
            velocity: of the tip (..., 2) [m/s]

        >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3)
        >>> box.push((-0.05, 0), (1, 0), (0.01, 0)).mode
        0
        """
        return Push(*_core.pushing_eval(self._handle, point, normal, velocity))

    def cone(self, point: ArrayLike, normal: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The motion cone: unit vectors left and right, between which the tip sticks (..., 2).

        >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3)
        >>> left, right = box.cone((-0.05, 0), (1, 0))
        >>> bool(left[1] > 0 > right[1])
        True
        """
        return _core.pushing_cone(self._handle, point, normal)

    def step(self, pose: FloatArray, start: ArrayLike, end: ArrayLike) -> Push:
        """Move the tip's centre on a straight line and update the body's pose in place.

        Args:
            pose: of the body (..., 3) [m, m, rad], changed
            start, end: of the tip's centre, world (..., 2) [m]
        """
        return Push(*_core.pushing_step(self._handle, pose, start, end))

    def follow(self, pose: ArrayLike, path: ArrayLike) -> FloatArray:
        """Poses (n, 3) of a body while the tip moves along points (n, 2) [m]; the first is the start.

        >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3)
        >>> box.follow((0, 0, 0), [(-0.06, 0.01), (-0.03, 0.01), (0.0, 0.01)]).shape
        (3, 3)
        """
        points = to_float64(path)
        if points.ndim != 2 or points.shape[1] != 2:
            raise ArgumentError("path", f"must be of shape (n, 2), got {points.shape}")
        now = np.array(pose, dtype=np.float64)
        poses = np.empty((len(points), 3))
        for i, point in enumerate(points):
            if i > 0:
                self.step(now, points[i - 1], point)
            poses[i] = now
        return poses

    def rollout(self, pose: ArrayLike, paths: ArrayLike, mu: ArrayLike | None = None) -> FloatArray:
        """Poses (..., n, 3) of many bodies, each pushed by a tip along its own path: for planners that compare pushes.

        As :meth:`follow` for each path, but several at a time where the surface is smooth, which it
        is by default for discs, rectangles and grids. 512 pushes of 10 steps of 8 mm take some 40
        ms on one core.

        Args:
            pose: of the body at the start of each path (..., 3) or (3,) [m, m, rad]
            paths: of the tip's centre, world (..., n, 2) [m]
            mu: friction of the tip, one for each path (...) [-], >= 0; None: that of the pusher

        >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3, radius=0.005)
        >>> paths = np.linspace([(-0.06, -0.02), (-0.06, 0.02)], [(0.0, -0.02), (0.0, 0.02)], 5, axis=1)
        >>> box.rollout((0, 0, 0), paths)[:, -1, 2].round(2)  # they turn it to either side
        array([ 0.4, -0.4])
        """
        tips, poses, of_tip = self._paths(pose, paths, mu)
        for i in range(1, tips.shape[-2]):
            poses[..., i, :] = _core.pushing_rollout(
                self._handle, poses[..., i - 1, :], tips[..., i - 1, :], tips[..., i, :], of_tip
            )
        return poses

    def _paths(
        self, pose: ArrayLike, paths: ArrayLike, mu: ArrayLike | None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Tips, poses with the first one filled, and friction of the tip."""
        tips = to_float64(paths, "paths")
        if tips.ndim < 2 or tips.shape[-1] != 2 or tips.shape[-2] < 1:
            raise ArgumentError("paths", f"must be of shape (..., n, 2), got {tips.shape}")
        start = to_float64(pose, "pose")
        if start.ndim < 1 or start.shape[-1] != 3:
            raise ArgumentError("pose", f"must be of shape (..., 3), got {start.shape}")
        of_tip = to_float64(self.mu if mu is None else mu, "mu")
        shape = np.broadcast_shapes(start.shape[:-1], tips.shape[:-2], of_tip.shape)
        poses = np.empty((*shape, tips.shape[-2], 3))
        poses[..., 0, :] = start
        return tips, poses, of_tip

    def gradient(
        self, pose: ArrayLike, paths: ArrayLike, mu: ArrayLike | None = None
    ) -> PushGradient:
        """Poses as :meth:`rollout`, with their derivatives by the first pose, the path, the friction and radius of the tip
        and the friction below the body: for planners that follow gradients (docs/explanation/sliders.md).

        Args:
            pose: of the body at the start of each path (..., 3) or (3,) [m, m, rad]
            paths: of the tip's centre, world (..., n, 2) [m]
            mu: friction of the tip, one for each path (...) [-], >= 0; None: that of the pusher

        >>> box = Pusher(Patch.rectangle((0.1, 0.1)), mu=0.3, radius=0.005)
        >>> pushed = box.gradient((0, 0, 0), [(-0.055, 0.0), (-0.045, 0.0)])
        >>> pushed.by[0, :, PushGradient.inputs.index("end_x")].round(6) + 0.0  # moves with the tip
        array([1., 0., 0.])
        """
        tips, poses, of_tip = self._paths(pose, paths, mu)
        lines = (*poses.shape[:-2], tips.shape[-2] - 1)
        by = np.zeros((*lines, 3, len(PushGradient.inputs)))
        changes, corners = np.zeros(lines, dtype=int), np.zeros(lines, dtype=int)
        for i in range(lines[-1]):
            poses[..., i + 1, :], by[..., i, :, :], changes[..., i], corners[..., i] = (
                _core.pushing_gradient(
                    self._handle, poses[..., i, :], tips[..., i, :], tips[..., i + 1, :], of_tip
                )
            )
        return PushGradient(poses, by, changes, corners)

    def outline(self, n: int = 64) -> FloatArray:
        """The body's edge, body frame (m, 2) [m], closed; a disc by n points.

        >>> Pusher(Patch.rectangle((0.1, 0.1))).outline().shape
        (5, 2)
        """
        corners, centre, radius = _core.pushing_outline(self._handle)
        if not len(corners):
            angle = np.linspace(0.0, 2 * np.pi, n)
            edge: FloatArray = centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])
            return edge
        return np.vstack([corners, corners[:1]])
