"""Planar bodies in time, held and slowed by contacts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._common import ArrayLike, choose, expect, FloatArray, handle_of, pair, real, to_float64, triple, whole
from .contact import Contact
from .errors import ArgumentError
from .gradient import constant_gravity, Rollout
from .patch import Patch
from .profile import Profile, as_profile
from .result import columns_from, Event, Result

__all__ = ["Body", "BodyContact", "BodyPusher", "BodyStep", "Grip", "Load"]

_FRAMES = ("world", "body")
_STARTS = ("by motion", "steady", "settled", "relaxed")
_METHODS = ("rosenbrock", "cvode", "fixed")
_COURSE = 5  # numbers per contact besides its bristles: state, left, overhangs, grip force and instant
Number = float | Profile


@dataclasses.dataclass(frozen=True)
class Grip:
    """A digital controller that applies the smallest normal force that the load needs.

    >>> Grip(aim=0.7).period
    0.01
    """

    period: float = 0.01  #: [s]
    aim: float = 0.8  #: target of the load [-], in (0, 1)
    slip_limit: float = 1e-3  #: slip rate that counts as a full load [m/s]
    release: float = 0.1  #: time constant with which the force decreases [s]
    least: float = 0.01  #: smallest force [N]
    most: float = math.inf  #: largest force [N]


class _Moves(tuple[Number, Number, Number]):
    """A motion set by BodyContact itself, which an argument of ``dataclasses.replace`` overrides."""


@dataclasses.dataclass(frozen=True)
class BodyContact:
    """A contact of a body.

    Args:
        contact: patch, law and method
        normal_force: of one contact [N], >= 0, a number or a Profile; ``"weight"``, with frame ``"body"``: its
            part of the body's weight, by the lever rule for two and three feet, by least squares for more.
            The attribute is then 0, and ``weight`` nan
        frame: ``"world"`` (a finger that the body slides past) or ``"body"`` (it moves with the body)
        count: identical contacts that share the motion, such as two fingers
        weight: share of the body's weight that it carries in addition [-]
        support: motion of the table, belt or finger that the body touches: x, y [m], angle [rad], each a number
            or a Profile; for a finger, relative to ``at``. None: no motion
        grip: controls the normal force
        at: position of the contact [m]: with frame ``"body"`` of a foot, from the centre of mass in the body's
            axes; with frame ``"world"`` of a finger, in the world
        motion: the same as ``support``

    >>> pad = Contact(Patch.disc(0.01), 0.3)
    >>> BodyContact(pad, frame="body", weight=0.5, at=(0.05, 0)).at
    (0.05, 0.0)
    >>> belt = Profile.table([0, 10], [0, 5])  # 0.5 m/s
    >>> BodyContact(pad, frame="body", weight=1, support=(belt, 0, 0)).motion[0] is belt
    True
    """

    contact: Contact
    normal_force: Number | str = 0.0
    frame: str = "world"
    count: int = 1
    weight: float = 0.0
    motion: tuple[Number, Number, Number] | None = None
    grip: Grip | None = None
    at: tuple[float, float] = (0.0, 0.0)
    support: tuple[Number, Number, Number] | None = None

    def __post_init__(self) -> None:
        handle_of(self.contact, Contact, "contact")
        choose(self.frame, _FRAMES, "frame")
        whole(self.count, "count", 1)
        both = {"support": self.support, "motion": self.motion}
        given = {name: value for name, value in both.items() if value is not None}
        for name, value in given.items():
            _numbers(value, 3, name)
        given = {name: value for name, value in given.items() if not isinstance(value, _Moves)} or given
        if len({tuple(value) for value in given.values()}) > 1:
            raise ArgumentError("support", "is the same as motion: give one of them")
        name = next(iter(given), "motion")
        moves = _Moves(_numbers(given.get(name, (0.0, 0.0, 0.0)), 3, name))
        for field, moved in (("motion", moves), ("support", moves), ("at", pair(self.at, "at"))):
            object.__setattr__(self, field, moved)
        if isinstance(self.normal_force, str):
            choose(self.normal_force, ("weight",), "normal_force")
            if self.frame != "body":
                raise ArgumentError("normal_force", 'weight is for frame "body", an object on a table')
            object.__setattr__(self, "normal_force", 0.0)
            object.__setattr__(self, "weight", math.nan)
        else:
            as_profile(self.normal_force, "normal_force")
            if math.isnan(self.weight) and self.normal_force != 0.0:  # it was "weight" and has been replaced
                object.__setattr__(self, "weight", 0.0)
        if self.grip is not None:
            expect(self.grip, Grip, "grip")

    @property
    def _force(self) -> Profile:
        return as_profile(0.0 if isinstance(self.normal_force, str) else self.normal_force, "normal_force")

    def _definition(self, with_outline: bool) -> tuple[Any, ...]:
        patch = self.contact.patch
        leaves = with_outline and self.frame == "world"
        needs_patch = leaves or math.isnan(self.weight)
        return (
            choose(self.frame, _FRAMES, "frame"),
            self.contact._handle,
            self._force._handle,
            real(self.weight, "weight"),
            self.count,
            self.at,
            *(as_profile(number, "support")._handle for number in self.motion or ()),
            None if self.grip is None else tuple(real(part, name) for name, part in vars(self.grip).items()),
            patch._handle if needs_patch and patch is not None else None,
        )


@dataclasses.dataclass(frozen=True)
class Load:
    """A load on a body; numbers or Profiles.

    Args:
        fx, fy: [N]
        tau: about the point [N m]
        point: point of application of the force [m]
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
        profiles = (as_profile(getattr(self, name), name)._handle for name in ("fx", "fy", "tau"))
        axes = choose(self.axes, _FRAMES, "axes")
        return (*profiles, axes, choose(self.frame, _FRAMES, "frame"), pair(self.point, "point"))


@dataclasses.dataclass(frozen=True)
class BodyPusher:
    """A round tip with a prescribed motion that pushes the body's outline.

    Args:
        x, y: of the tip's centre, world [m], numbers or Profiles
        radius: [m]
        mu: friction of the tip on the body [-]
        stiffness, damping: of the contact [N/m], [N s/m]; None: chosen for the body
    """

    x: Number
    y: Number
    radius: float = 0.005
    mu: float = 0.3
    stiffness: float | None = None
    damping: float | None = None

    def _definition(self) -> tuple[Any, ...]:
        stiffness = -1.0 if self.stiffness is None else _positive(self.stiffness, "stiffness")
        damping = -1.0 if self.damping is None else real(self.damping, "damping")
        if self.damping is not None and not 0.0 <= damping < math.inf:  # below 0 stands for None
            raise ArgumentError("damping", f"must be finite and >= 0, got {damping}")
        x, y = as_profile(self.x, "x")._handle, as_profile(self.y, "y")._handle
        return (x, y, real(self.radius, "radius"), real(self.mu, "mu"), stiffness, damping)


class BodyStep(NamedTuple):
    """Result of a step."""

    friction: FloatArray  #: mean wrench of one of each contact, contact frame, at its CoP (n, 3)
    dissipated: float  #: [J]
    work: float  #: of load and gravity [J]
    numerical: float  #: energy lost by the method itself [J]
    converged: bool  #: Newton's method converged
    work_contacts: float  #: of moving contacts and of the pusher [J]
    push: FloatArray  #: force of the pusher, mean over the step, world axes [N] (2)
    events: list[Event]  #: events in the step: stick, slip, open, leave, overhang


_Item = TypeVar("_Item")


def _all_of(items: Sequence[_Item], kind: type[_Item], name: str) -> tuple[_Item, ...]:
    if not isinstance(items, Sequence):
        raise TypeError(f"{name}: must be a list of {kind.__name__}, got {type(items).__name__}")
    return tuple(expect(item, kind, f"{name}[{i}]") for i, item in enumerate(items))


def _numbers(values: Sequence[Number], count: int, name: str) -> tuple[Any, ...]:
    """Check for `count` numbers or Profiles."""
    entries = tuple(values) if isinstance(values, (Sequence, np.ndarray)) else (values,)
    if len(entries) != count:
        raise ArgumentError(name, f"must be {count} numbers or Profiles, got {len(entries)}")
    for entry in entries:
        as_profile(entry, name)
    return entries


def _gravity(value: tuple[Number, Number]) -> tuple[Profile, Profile]:
    x, y = _numbers(value, 2, "gravity")
    return as_profile(x, "gravity"), as_profile(y, "gravity")


def _positive(value: float, name: str) -> float:
    number = real(value, name)
    if not 0.0 < number < math.inf:
        raise ArgumentError(name, f"must be finite and > 0, got {value}")
    return number


class Body:
    """A planar rigid body with friction contacts.

    Args:
        mass: [kg], > 0
        inertia: about the centre of mass [kg m^2], > 0
        contacts: its contacts; those created from a coefficient of friction get the law of a scenario with
            ``friction: {mu: ...}``, with damping for the vibration modes of the body (docs/explanation/models.md)
        pose: of the centre of mass (x, y, theta) [m, m, rad]
        velocity: (vx, vy, w), world axes [m/s, m/s, rad/s]
        gravity: in the plane, world axes [m/s^2]; each a number or a Profile
        loads: other forces on it
        outline: the body's shape, body frame, for pushers, and for fingers that it may leave
        pusher: a tip that pushes it
        start: initial state of the bristles: by motion, steady, settled (at their limit if friction cannot
            hold the body), relaxed (docs/explanation/models.md)

    ``contacts[i].contact.law`` is the law that is used. Later changes of ``mass`` or ``contacts`` do not affect it.
    ``step`` advances ``t``, ``pose``, ``velocity`` and ``states`` in place; ``simulate`` runs from them and does
    not change them. ``states`` are the bristles of each contact; ``start`` gives their initial values.

    >>> finger = Contact(Patch.disc(0.01), 1.0)
    >>> cup = Body(0.2, 5e-4, [BodyContact(finger, normal_force=1.5, count=2)], gravity=(0, -9.81))
    >>> result = cup.simulate(0.2)
    >>> bool(abs(result["y"][-1]) < 1e-5)  # 3 N hold its 2 N
    True
    >>> cup.contacts[0].contact.law.sigma1 > finger.law.sigma1  # low frequency on its bristles, so more damping
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
        self._contacts = _all_of(contacts, BodyContact, "contacts")
        self._pose = np.array(triple(pose, "pose"))
        self._velocity = np.array(triple(velocity, "velocity"))
        self._gravity = _gravity(gravity)
        self._loads = _all_of(loads, Load, "loads")
        self.outline = outline
        self.pusher = pusher
        self.start = start
        self.t = 0.0
        self.states = [entry.contact.state() for entry in self.contacts]
        self._course = np.zeros((len(self.contacts), _COURSE))
        self._key = self._parts()
        self._handle: Any = _core.body_make(self._definition(), None)
        if any(entry.contact._from_mu for entry in self.contacts):
            self._contacts = self._completed()
            self._key = self._parts()
            self._handle = _core.body_make(self._definition(), None)
        _core.body_place_of(self._handle, self._place())

    def _parts(self) -> tuple[Any, ...]:
        """All attributes that define the C object."""
        return (
            self.mass, self.inertia, self.contacts, self.gravity, self.loads, self.outline, self.pusher, self.start,
        )  # fmt: skip

    def _completed(self) -> tuple[BodyContact, ...]:
        """The contacts; those created from a coefficient alone get laws for this body."""
        friction = [entry.contact._friction() for entry in self.contacts]
        laws = _core.body_complete_friction(self._handle, friction)
        created: dict[tuple[int, tuple[float, float, float]], Contact] = {}
        entries = []
        for entry, numbers in zip(self.contacts, laws):
            contact = entry.contact
            if contact._from_mu:
                sigma0, sigma1, v_damping = numbers
                law = dataclasses.replace(contact.law, sigma0=sigma0, sigma1=sigma1, v_damping=v_damping)
                key = (id(contact), numbers)
                created[key] = created.get(key) or contact._with_law(law)
                entry = dataclasses.replace(entry, contact=created[key])
            entries.append(entry)
        return tuple(entries)

    def _place(self) -> tuple[float, FloatArray, FloatArray, list[FloatArray], FloatArray]:
        return (self.t, self._pose, self._velocity, self.states, self._course)

    def _current_handle(self) -> Any:
        """The C object, created again if an attribute was changed."""
        if self._handle is None or self._key != self._parts():
            self._handle = _core.body_make(self._definition(), self._place())
            self._key = self._parts()
        return self._handle

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handle": None}

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

    @property
    def contacts(self) -> tuple[BodyContact, ...]:
        """Its contacts; others may replace them, as many as there are."""
        return self._contacts

    @contacts.setter
    def contacts(self, value: Sequence[BodyContact]) -> None:
        entries = _all_of(value, BodyContact, "contacts")
        if len(entries) != len(self._contacts):
            raise ArgumentError("contacts", f"must be {len(self._contacts)}, got {len(entries)}: create a new Body")
        self._contacts = entries

    @property
    def gravity(self) -> tuple[Profile, Profile]:
        """In the plane, world axes [m/s^2]."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: tuple[Number, Number]) -> None:
        self._gravity = _gravity(value)

    @property
    def loads(self) -> tuple[Load, ...]:
        """Other forces on it."""
        return self._loads

    @loads.setter
    def loads(self, value: Sequence[Load]) -> None:
        self._loads = _all_of(value, Load, "loads")

    def __repr__(self) -> str:
        return (
            f"Body({self.mass} kg, {self.inertia} kg m^2, {len(self.contacts)} contacts, "
            f"pose {self.pose.tolist()}, velocity {self.velocity.tolist()})"
        )

    def _definition(self) -> tuple[Any, ...]:
        return (
            real(self.mass, "mass"),
            real(self.inertia, "inertia"),
            tuple(self.pose.tolist()),
            tuple(self.velocity.tolist()),
            choose(self.start, _STARTS, "start"),
            (0.0, 0.0),
            *(component._handle for component in self.gravity),
            [entry._definition(self.outline is not None) for entry in self.contacts],
            [load._definition() for load in self.loads],
            None if self.outline is None else handle_of(self.outline, Patch, "outline"),
            None if self.pusher is None else expect(self.pusher, BodyPusher, "pusher")._definition(),
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
        """Run it from ``t``, ``pose``, ``velocity`` and ``states`` to ``t + duration``; these do not change.

        Errors are kept below the tolerances. Other Python threads run meanwhile.

        Args:
            duration: [s], > 0
            every: rows at t + k every, and one at the end [s]; 0: 201 rows
            at: rows at these times instead [s], increasing, from t to t + duration
            method: rosenbrock (adaptive), cvode if built in, or fixed
            step: of ``fixed`` [s]
            rtol, atol, atol_z: tolerances [-], [m, m/s], of bristles [m]; 0: defaults
            max_step: [s]
        """
        tables, cost = _core.body_run(
            self._current_handle(),
            self._place(),
            run_definition(duration, every, at, method, step, rtol, atol, atol_z, max_step),
        )
        columns, units = columns_from(tables[0], tables[1])
        summary = _summary(columns, len(self.contacts), cost)
        result = Result("body", columns, events_from(tables[2]), summary, {"body": self})
        result.units = units
        return result

    def step(self, h: float, load: ArrayLike = (0.0, 0.0, 0.0), order: int | None = None) -> BodyStep:
        """Advance it by one implicit step of any size, in place.

        It does what ``simulate`` does with fixed steps: weight, motion, grip, pusher, outline, loads and gravity act.

        Args:
            h: step [s], > 0
            load: in addition to gravity and ``loads``, at the centre of mass, world axes [N, N, N m]
            order: 1 or 2; None: 2 up to 1 ms, else 1

        >>> table = Contact(Patch.disc(0.02), 0.3)
        >>> puck = Body(1.0, 2e-4, [BodyContact(table, weight=1, frame="body")], velocity=(1, 0, 0))
        >>> for _ in range(100):
        ...     step = puck.step(0.01)
        >>> round(float(puck.pose[0]), 2)  # v^2/(2 mu g)
        0.17
        """
        t, forces, energy, push, converged, events = _core.body_step(
            self._current_handle(),
            self._place(),
            real(h, "h"),
            triple(load, "load"),
            _order(order),
        )
        self.t = t
        dissipated, work, numerical, work_contacts = energy
        friction = np.array(forces).reshape(-1, 3)
        happened = events_from(events)
        return BodyStep(
            friction, dissipated, work, numerical, bool(converged), work_contacts, np.array(push), happened
        )

    def rollout(
        self,
        steps: int,
        h: float,
        *,
        normal_force: ArrayLike | None = None,
        load: ArrayLike | None = None,
        times: ArrayLike | None = None,
        order: int = 1,
        every: int = 1,
    ) -> Rollout:
        """Run it in fixed steps from ``pose``, ``velocity`` and ``states``, which do not change, and keep what derivatives
        need: ``rollout(...).vjp(...)``.

        Numbers are those of :meth:`step` with the same order. Gravity must be constant; ``loads``, pushers, outlines,
        grips and supports that move are refused. The arguments are those of :class:`Rollout`.

        >>> finger = Contact(Patch.disc(0.01), 1.0)
        >>> cup = Body(0.2, 5e-4, [BodyContact(finger, 1.5, count=2)], gravity=(0, -9.81))
        >>> run = cup.rollout(100, 1e-3)
        >>> for _ in range(100):
        ...     step = cup.step(1e-3, order=1)
        >>> bool(np.allclose(run.pose[-1], cup.pose, rtol=0, atol=1e-12))
        True
        """
        for name, value in (("loads", self.loads), ("outline", self.outline), ("pusher", self.pusher)):
            if value:
                raise ArgumentError(name, "is not offered in rollouts; give forces as load")
        return Rollout(
            self.contacts, self.mass, self.inertia, h=h, steps=steps, normal_force=normal_force, load=load, times=times,
            pose=self.pose, velocity=self.velocity, states=self.states, gravity=constant_gravity(self.gravity),
            order=order, every=every,
        )  # fmt: skip


# so that dataclasses.replace(body, mass=2.0) works: a new body with the same pose and velocity, at t = 0
Body.__dataclass_fields__ = dataclasses.make_dataclass(  # type: ignore[attr-defined]
    "Body",
    ("mass", "inertia", "contacts", "pose", "velocity", "gravity", "loads", "outline", "pusher", "start"),
).__dataclass_fields__


def _order(order: int | None) -> int:
    if order is None:
        return 0
    if order not in (1, 2):
        raise ArgumentError("order", f"must be 1, 2 or None, got {order}")
    return int(order)


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
    """A br_run_def in the form that the extension expects."""
    kind = choose(method, _METHODS, "method")
    if at is not None:
        at = to_float64(at, "at")
        if at.ndim != 1 or at.size == 0:
            raise ArgumentError("at", f"must be a list of one time or more, got shape {at.shape}")
    numbers = {"step": step, "rtol": rtol, "atol": atol, "atol_z": atol_z, "max_step": max_step}
    tuned = (real(value, name) for name, value in numbers.items())
    return (real(duration, "duration"), real(every, "every"), at, kind, *tuned)


def events_from(table: FloatArray | list[tuple[float, int, int]]) -> list[Event]:
    """Events from rows of time, kind, contact."""
    names = _core.event_names()
    return [Event(float(t), names[int(kind)], int(contact)) for t, kind, contact in table]


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
