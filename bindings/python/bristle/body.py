"""Planar bodies in time, held and slowed by contacts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._common import ArrayLike, choose, FloatArray, handle_of, pair, triple
from .contact import Contact
from .errors import ArgumentError
from .patch import Patch
from .profile import Profile, as_profile
from .result import ENERGY, Event, Result

__all__ = ["Body", "BodyContact", "BodyPusher", "BodyStep", "Grip", "Load"]

_FRAMES = ("world", "body")
_STARTS = ("by motion", "steady", "settled", "relaxed")
_METHODS = ("rosenbrock", "cvode", "fixed")
_ORDER_TWO_UP_TO = 1e-3 * (1 + 1e-9)  # s; as fixed runs do: longer steps go through stick and slip
Number = float | Profile


@dataclasses.dataclass(frozen=True)
class Grip:
    """A digital controller that holds on with the least normal force that the load needs.

    >>> Grip(aim=0.7).period
    0.01
    """

    period: float = 0.01  #: [s]
    aim: float = 0.8  #: load that it keeps [-], in (0, 1)
    slip_limit: float = 1e-3  #: slip rate that counts as a full load [m/s]
    release: float = 0.1  #: time constant with which the force comes down [s]
    least: float = 0.01  #: [N]
    most: float = math.inf  #: [N]


@dataclasses.dataclass(frozen=True)
class BodyContact:
    """A contact of a body.

    Args:
        contact: patch, law and method
        normal_force: of one contact [N], >= 0, a number or a Profile
        frame: ``"world"`` (a finger that the body slides past) or ``"body"`` (it turns along with it)
        count: identical contacts that share the motion, such as two fingers
        weight: share of the body's weight that it bears besides [-]
        motion: of what the body touches, x, y [m], angle [rad], each a number or a Profile
        grip: controls the normal force
    """

    contact: Contact
    normal_force: Number = 0.0
    frame: str = "world"
    count: int = 1
    weight: float = 0.0
    motion: tuple[Number, Number, Number] = (0.0, 0.0, 0.0)
    grip: Grip | None = None

    def __post_init__(self) -> None:
        handle_of(self.contact, Contact, "contact")
        choose(self.frame, _FRAMES, "frame")

    def _definition(self, with_outline: bool) -> tuple[Any, ...]:
        patch = self.contact.patch
        leaves = with_outline and self.frame == "world" and patch is not None
        return (
            choose(self.frame, _FRAMES, "frame"),
            self.contact._handle,
            as_profile(self.normal_force)._handle,
            self.weight,
            self.count,
            *(as_profile(number)._handle for number in self.motion),
            None if self.grip is None else dataclasses.astuple(self.grip),
            patch._handle if leaves and patch is not None else None,
        )


@dataclasses.dataclass(frozen=True)
class Load:
    """A load on a body; numbers or Profiles.

    Args:
        fx, fy: [N]
        tau: about the point [N m]
        point: where the force acts [m]
        frame: of ``point``: ``"body"`` (from the centre of mass) or ``"world"``
        axes: of fx and fy
    """

    fx: Number = 0.0
    fy: Number = 0.0
    tau: Number = 0.0
    point: tuple[float, float] = (0.0, 0.0)
    frame: str = "body"
    axes: str = "world"

    def _definition(self) -> tuple[Any, ...]:
        profiles = (as_profile(number)._handle for number in (self.fx, self.fy, self.tau))
        axes = choose(self.axes, _FRAMES, "axes")
        return (*profiles, axes, choose(self.frame, _FRAMES, "frame"), pair(self.point, "point"))

    def _wrench(self, t: float, pose: FloatArray) -> FloatArray:
        force = np.array([as_profile(self.fx)(t), as_profile(self.fy)(t)])
        c, s = np.cos(pose[2]), np.sin(pose[2])
        turn = np.array([[c, -s], [s, c]])
        if self.axes == "body":
            force = turn @ force
        point = np.asarray(self.point, dtype=np.float64)
        arm = turn @ point if self.frame == "body" else point - pose[:2]
        torque = as_profile(self.tau)(t) + arm[0] * force[1] - arm[1] * force[0]
        return np.array([force[0], force[1], torque])


@dataclasses.dataclass(frozen=True)
class BodyPusher:
    """A round tip that moves as it is told and pushes the body's outline.

    Args:
        x, y: of the tip's centre, world [m], numbers or Profiles
        radius: [m]
        mu: friction of the tip on the body [-]
        stiffness, damping: of the contact [N/m], [N s/m]; None: what suits the body
    """

    x: Number
    y: Number
    radius: float = 0.005
    mu: float = 0.3
    stiffness: float | None = None
    damping: float | None = None

    def _definition(self) -> tuple[Any, ...]:
        stiffness = -1.0 if self.stiffness is None else self.stiffness
        damping = -1.0 if self.damping is None else self.damping
        x, y = as_profile(self.x)._handle, as_profile(self.y)._handle
        return (x, y, self.radius, self.mu, stiffness, damping)


class BodyStep(NamedTuple):
    """What a step did."""

    friction: FloatArray  #: mean wrench of one of each contact, contact frame, at its CoP (n, 3)
    dissipated: float  #: [J]
    work: float  #: of load and gravity [J]
    numerical: float  #: energy lost by the method itself [J]
    converged: bool  #: Newton came to its end


_Item = TypeVar("_Item")


def _all_of(items: Sequence[_Item], kind: type[_Item], name: str) -> tuple[_Item, ...]:
    if not isinstance(items, Sequence):
        raise TypeError(f"{name}: must be a list of {kind.__name__}, got {type(items).__name__}")
    for i, item in enumerate(items):
        if not isinstance(item, kind):
            raise TypeError(f"{name}[{i}]: must be a {kind.__name__}, got {type(item).__name__}")
    return tuple(items)


def _positive(value: float, name: str) -> float:
    if not 0.0 < value < math.inf:
        raise ArgumentError(name, f"must be finite and > 0, got {value}")
    return float(value)


class Body:
    """A planar rigid body with friction contacts.

    Args:
        mass: [kg], > 0
        inertia: about the centre of mass [kg m^2], > 0
        contacts: its contacts
        pose: of the centre of mass (x, y, theta) [m, m, rad]
        velocity: (vx, vy, w), world axes [m/s, m/s, rad/s]
        gravity: in the plane, world axes [m/s^2]; each a number or a Profile
        loads: what else acts on it
        outline: the body's shape, body frame, for pushers, and for fingers that it may leave
        pusher: a tip that pushes it
        start: where the bristles are at first: by motion, steady, settled, relaxed

    ``step`` advances ``pose``, ``velocity``, ``states`` and ``t`` in place; ``simulate`` starts from them
    and leaves them as they are.

    >>> finger = Contact(Patch.disc(0.01), 1.0)
    >>> cup = Body(0.2, 5e-4, [BodyContact(finger, normal_force=1.5, count=2)], gravity=(0, -9.81))
    >>> result = cup.simulate(0.2)
    >>> bool(abs(result["y"][-1]) < 1e-5)  # 3 N hold its 2 N
    True
    """

    def __init__(
        self,
        mass: float,
        inertia: float,
        contacts: Sequence[BodyContact] = (),
        *,
        pose: ArrayLike = (0.0, 0.0, 0.0),
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        gravity: tuple[Number, Number] = (0.0, 0.0),
        loads: Sequence[Load] = (),
        outline: Patch | None = None,
        pusher: BodyPusher | None = None,
        start: str = "by motion",
    ) -> None:
        self.mass = _positive(mass, "mass")
        self.inertia = _positive(inertia, "inertia")
        self.contacts = _all_of(contacts, BodyContact, "contacts")
        self._pose = np.array(triple(pose, "pose"))
        self._velocity = np.array(triple(velocity, "velocity"))
        self.gravity = (as_profile(gravity[0]), as_profile(gravity[1]))
        self.loads = _all_of(loads, Load, "loads")
        self.outline = outline
        self.pusher = pusher
        self.start = start
        self.t = 0.0
        self.states = [self._first_state(entry) for entry in self.contacts]

    @property
    def pose(self) -> FloatArray:
        """Of the centre of mass (x, y, theta) [m, m, rad]."""
        return self._pose

    @pose.setter
    def pose(self, value: ArrayLike) -> None:
        self._pose = np.array(triple(value, "pose"))

    @property
    def velocity(self) -> FloatArray:
        """(vx, vy, w), world axes [m/s, m/s, rad/s]."""
        return self._velocity

    @velocity.setter
    def velocity(self, value: ArrayLike) -> None:
        self._velocity = np.array(triple(value, "velocity"))

    def _first_state(self, entry: BodyContact) -> FloatArray:
        """Bristles of steady sliding where the contact moves, else at rest."""
        z = entry.contact.state()
        _, _, arm, angle, fn, _ = _placed(entry, z, 0.0, self.pose)
        vx, vy, w = self.velocity.tolist()
        vx, vy = vx - w * arm[1], vy + w * arm[0]
        c, s = math.cos(angle), math.sin(angle)
        rim = math.hypot(vx, vy) + entry.contact.r * abs(w)
        moves = self.start == "by motion" and rim > entry.contact.law.v_stribeck
        if moves or self.start == "steady":
            entry.contact.steady((c * vx + s * vy, c * vy - s * vx, w), fn, z=z)
        return z

    def __repr__(self) -> str:
        return (
            f"Body({self.mass} kg, {self.inertia} kg m^2, {len(self.contacts)} contacts, "
            f"pose {self.pose.tolist()}, velocity {self.velocity.tolist()})"
        )

    def _definition(self) -> tuple[Any, ...]:
        return (
            self.mass,
            self.inertia,
            tuple(self.pose.tolist()),
            tuple(self.velocity.tolist()),
            choose(self.start, _STARTS, "start"),
            (0.0, 0.0),
            *(component._handle for component in self.gravity),
            [entry._definition(self.outline is not None) for entry in self.contacts],
            [load._definition() for load in self.loads],
            None if self.outline is None else self.outline._handle,
            None if self.pusher is None else self.pusher._definition(),
        )

    def simulate(
        self,
        duration: float,
        every: float = 0.0,
        *,
        at: ArrayLike | None = None,
        method: str = "rosenbrock",
        step: float = 0.0,
        rtol: float = 0.0,
        atol: float = 0.0,
        atol_z: float = 0.0,
        max_step: float = math.inf,
    ) -> Result:
        """Run it, with errors that are kept; other threads of Python run meanwhile.

        Args:
            duration: [s], > 0
            every: rows each so many seconds [s]; 0: 200 of them
            at: rows at these times instead [s]
            method: rosenbrock (adaptive), cvode where built in, or fixed
            step: of ``fixed`` [s]
            rtol, atol, atol_z: tolerances [-], [m, m/s], of bristles [m]; 0: the usual ones
            max_step: [s]
        """
        tables, cost = _core.body_run(
            self._definition(),
            run_definition(duration, every, at, method, step, rtol, atol, atol_z, max_step),
        )
        columns = _columns(tables[0], len(self.contacts))
        return Result(
            "body",
            columns,
            events_from(tables[1]),
            _summary(columns, len(self.contacts), cost),
            {"body": self},
        )

    def step(self, h: float, load: ArrayLike = (0.0, 0.0, 0.0), order: int | None = None) -> BodyStep:
        """Advance it by one implicit step of any size, in place.

        Args:
            h: step [s], > 0
            load: besides gravity and ``loads``, at the centre of mass, world axes [N, N, N m]
            order: 1 or 2; None: 2 up to 1 ms, else 1

        >>> table = Contact(Patch.disc(0.02), 0.3)
        >>> puck = Body(1.0, 2e-4, [BodyContact(table, 9.81, frame="body")], velocity=(1, 0, 0))
        >>> for _ in range(100):
        ...     step = puck.step(0.01)
        >>> round(float(puck.pose[0]), 2)  # v^2/(2 mu g)
        0.17
        """
        middle = self.pose + 0.5 * h * self.velocity
        t = self.t + 0.5 * h
        force = np.array(triple(load, "load"))
        force[0] += self.mass * self.gravity[0](t)
        force[1] += self.mass * self.gravity[1](t)
        for entry in self.loads:
            force += entry._wrench(t, middle)
        contacts = [
            _placed(entry, z, t, middle) for entry, z in zip(self.contacts, self.states)
        ]
        chosen = order if order is not None else (2 if h <= _ORDER_TWO_UP_TO else 1)
        v, mean, forces, energy, _, _, converged = _core.body_step(
            self.mass,
            self.inertia,
            chosen,
            tuple(self.velocity.tolist()),
            tuple(force.tolist()),
            h,
            contacts,
        )
        self.velocity[:] = v
        self._pose += h * np.array(mean)
        self.t += h
        friction = np.array(forces).reshape(-1, 3)
        return BodyStep(friction, energy[5], energy[2], energy[6], bool(converged))


def _placed(entry: BodyContact, z: FloatArray, t: float, pose: FloatArray) -> tuple[Any, ...]:
    cop = np.asarray(entry.contact.cop)
    c, s = np.cos(pose[2]), np.sin(pose[2])
    turns = entry.frame == "body"
    arm = np.array([[c, -s], [s, c]]) @ cop if turns else cop - pose[:2]
    angle = float(pose[2]) if turns else 0.0
    fn = as_profile(entry.normal_force)(t)
    return entry.contact._handle, z, tuple(arm.tolist()), angle, fn, entry.count


def run_definition(
    duration: float,
    every: float,
    at: ArrayLike | None,
    method: str,
    step: float,
    rtol: float,
    atol: float,
    atol_z: float,
    max_step: float,
) -> tuple[Any, ...]:
    """A br_run_def, as the extension takes it."""
    kind = choose(method, _METHODS, "method")
    return (duration, every, at, kind, step, rtol, atol, atol_z, max_step)


def events_from(table: FloatArray) -> list[Event]:
    """Events from rows of time, kind, contact."""
    names = _core.event_names()
    return [Event(float(t), names[int(kind)], int(contact)) for t, kind, contact in table]


_STATE = ("t", "x", "y", "theta", "vx", "vy", "w", "pusher_fx", "pusher_fy")
_OF_CONTACT = ("fx", "fy", "tau", "fn", "tau_cop", "state", "slip", "slipped", "load", "most_load")


def _columns(rows: FloatArray, contacts: int) -> dict[str, Any]:
    names = [*_STATE, *ENERGY]
    for i in range(contacts):
        suffix = "" if contacts == 1 else str(i + 1)
        names += [name + suffix for name in _OF_CONTACT]
    columns: dict[str, Any] = {name: rows[:, i].copy() for i, name in enumerate(names)}
    for name in names:
        if name.startswith("state"):
            columns[name] = np.array(["stick", "slip", "open"])[columns[name].astype(np.int64)]
    return columns


def _summary(columns: dict[str, Any], contacts: int, cost: tuple[int, ...]) -> dict[str, Any]:
    summary: dict[str, Any] = {name: columns[name][-1] for name in ("x", "y", "theta")}
    for i in range(contacts):
        suffix = "" if contacts == 1 else str(i + 1)
        summary["slipped" + suffix] = columns["slipped" + suffix][-1]
        summary["most_load" + suffix] = columns["most_load" + suffix][-1]
    for name in ("dissipated", "residual"):
        summary[name] = columns[name][-1]
    summary.update(zip(("steps", "rejected", "evaluations", "jacobians", "factorisations"), cost))
    return summary
