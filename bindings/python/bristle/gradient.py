"""Bodies in fixed steps, and derivatives of where they go."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, choose, expect, FloatArray, Named, pair, real, to_float64, triple, whole
from .errors import AbsentError, ArgumentError, DefinitionError
from .law import LAW_PARAMETERS
from .profile import Profile, as_profile

__all__ = ["GradientFlag", "Rollout", "RolloutGradient", "StepGradient"]

_FRAMES = ("world", "body")  # in the order of br_rollout_frame
_GRAVITY = 9.81  # as br_body_normal_gravity() [m/s^2]
_PASSES = 40  # as br_rollout_def_default()


class GradientFlag(enum.IntFlag):
    """Why derivatives are not exact, as bits; 0: they are (docs/explanation/gradients.md)."""

    OPEN = 1  #: Newton's iteration did not converge: derivatives of the equations at what was found
    KINK = 2  #: a part is at rest where loading and unloading have different slopes: their mean
    LIFTED = 4  #: a normal force is 0: derivatives of pressing
    PAID = 8  #: the guard of a reduced contact took energy: as if it had not
    FOLD = 16  #: the step is near a fold, where it jumps
    REFUSED = 32  #: derivatives are not offered; Python raises AbsentError


class StepGradient(NamedTuple):
    """Derivatives of a number L by all that a :meth:`Contact.step` starts from."""

    z: FloatArray  #: by the state before the step (..., N)
    v: FloatArray  #: by the twist (..., 3)
    fn: Any  #: by the normal force, the patch held (...)
    law: dict[str, Any]  #: by each parameter of the law, the others held (...)
    h: Any  #: by the step (...)
    scale: Any  #: by a factor on all lengths of the patch, at 1 (...)
    flags: Any  #: sums of :class:`GradientFlag` (...)


class RolloutGradient(NamedTuple):
    """Derivatives of a number L by all that a :class:`Rollout` starts from."""

    normal_force: FloatArray  #: by those of the knots, of one of each contact (knots, contacts)
    load: FloatArray  #: by those of the knots (knots, 3)
    law: dict[str, FloatArray]  #: by each parameter of the contacts' laws, the others held (contacts,)
    position: FloatArray  #: by the contacts' positions ``at`` (contacts, 2)
    angle: FloatArray  #: by an angle of the contact frames, from 0 (contacts,)
    scale: FloatArray  #: by a factor on all lengths of the patches, at 1 (contacts,)
    mass: float  #: by the mass; gravity and weight on the contacts follow it
    inertia: float  #: by the inertia
    h: float  #: by the step; knots with ``times`` stay where they are, others spread with it
    pose: FloatArray  #: by the pose at the start (3,)
    velocity: FloatArray  #: by the velocity at the start (3,)
    states: list[FloatArray]  #: by the bristles at the start, of each contact
    pivot: float  #: least pivot of all steps over the mass [-]; near 0 at a fold, where a step jumps
    inexact: int  #: steps whose derivatives are not exact
    flags: GradientFlag  #: why, over all steps


def law_dict(numbers: FloatArray) -> dict[str, Any]:
    """Derivatives by parameters (..., 10) by their names; a contact never uses Dahl's exponent."""
    return Named({name: numbers[..., i] for i, name in enumerate(LAW_PARAMETERS) if name != "alpha"})


def refuse(flags: int) -> None:
    """Raise an error where derivatives are not offered: zeros would be wrong."""
    if flags & GradientFlag.REFUSED:
        raise AbsentError("vjp", "derivatives of such a step are not offered (docs/explanation/gradients.md)")


class Rollout:
    """A body in fixed steps under normal forces and loads that are linear between knots, and derivatives of its motion.

    :meth:`Body.rollout` creates one from a body. It runs when it is created; :meth:`vjp` then gives the derivatives of
    any number that depends on the run, in one sweep back over its steps.

    Args:
        contacts: a list of :class:`BodyContact`, with their laws as they are; with a grip, a support that moves, a patch
            that depends on the force, or friction that depends on the position they are refused
        mass: [kg], > 0
        inertia: about the centre of mass [kg m^2], > 0
        h: step [s], > 0
        steps: how many
        normal_force: of one of each contact [N], >= 0: a number, (contacts,) or (knots, contacts); (knots,) with one
            contact. None: those of the contacts, Profiles at the middle of each step. ``weight`` of a contact adds to it
        load: at the centre of mass, world axes [N, N, N m]: (3,) or (knots, 3)
        times: of the knots [s], increasing; None: evenly from 0 to the end
        pose, velocity: at the start (3,)
        states: bristles of each contact at the start; None: zeros
        gravity: in the plane, world axes [m/s^2] (2,)
        order: 1 or 2
        every: keep the bristles of every so many steps for the sweep, which computes those between again. 1: of all,
            fastest; 0: as many as need least memory

    Attributes:
        t, pose, velocity: at the start and after each step (steps + 1), (steps + 1, 3)
        friction: mean wrench of one of each contact, contact frame, at its CoP (steps, contacts, 3)
        states: bristles of each contact at the end
        passes: over the bristles, in all steps
        open_steps: in which Newton's iteration did not converge

    >>> from bristle import BodyContact, Contact, Patch
    >>> table = BodyContact(Contact(Patch.disc(0.02), 0.3), frame="body", weight=1)
    >>> puck = Rollout([table], 1.0, 2e-4, h=1e-3, steps=100, velocity=(1, 0, 0))
    >>> gradient = puck.vjp(velocity=[1, 0, 0])  # of the speed at the end
    >>> print(f"{gradient.law['mu_c'][0] + gradient.law['mu_s'][0]:.3f} m/s")  # -g t
    -0.981 m/s
    """

    def __init__(
        self,
        contacts: Sequence[Any],
        mass: float,
        inertia: float,
        *,
        h: float,
        steps: int,
        normal_force: ArrayLike | None = None,
        load: ArrayLike | None = None,
        times: ArrayLike | None = None,
        pose: ArrayLike = (0.0, 0.0, 0.0),
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        states: Sequence[ArrayLike] | None = None,
        gravity: ArrayLike = (0.0, 0.0),
        order: int = 1,
        every: int = 1,
    ) -> None:
        self.contacts = _contacts_of(contacts)
        self.mass, self.inertia = real(mass, "mass"), real(inertia, "inertia")
        self.h, self.steps = _step_size(h), whole(steps, "steps", 1)
        self.gravity = _finite_pair(gravity)
        self._weights = np.array([_weight_of(entry, self.contacts) for entry in self.contacts])
        self._normal = math.sqrt(max(_GRAVITY**2 - float(np.dot(self.gravity, self.gravity)), 0.0))
        self._times = None if times is None else _times_of(times)
        forces, loads = self._knots(normal_force, load)
        weights = self.mass * self._normal * self._weights
        in_plane = np.append(self.mass * np.array(self.gravity), 0.0)
        self.normal_force, self.load = forces, loads  #: as they were given, at the knots
        self.t: FloatArray = self.h * np.arange(self.steps + 1)
        self.pose, self.velocity = np.empty((self.steps + 1, 3)), np.empty((self.steps + 1, 3))
        self.friction = np.empty((self.steps, len(self.contacts), 3))
        self._sizes = [entry.contact.state_count for entry in self.contacts]
        end = np.empty(sum(self._sizes))
        numbers = (
            self.mass, self.inertia, self.h, self.steps, len(forces), _order_of(order), _PASSES, whole(every, "every"),
            triple(pose, "pose"), triple(velocity, "velocity"),
        )  # fmt: skip
        arrays = (self._times, (forces + weights).ravel(), loads + in_plane, self._joined(states))
        outputs = (self.pose, self.velocity, self.friction.reshape(-1, 3), end)
        self._handle, self.passes, self.open_steps = _core.rollout_run(
            numbers, [_definition(entry) for entry in self.contacts], arrays, outputs
        )
        self.states = self._split(end)

    def __repr__(self) -> str:
        return f"Rollout({self.steps} steps of {self.h} s, {len(self.contacts)} contacts, {len(self.load)} knots)"

    def __reduce__(self) -> Any:
        raise TypeError("a Rollout cannot be pickled or copied: its sweep needs the memory of this process")

    # --- arguments

    def _knots(self, normal_force: ArrayLike | None, load: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
        """Normal forces (knots, contacts) and loads (knots, 3), with the same number of knots."""
        count = len(self.contacts)
        if normal_force is None:
            forces = self._own_forces(load)
        else:
            forces = _rows("normal_force", normal_force, count)
        loads = np.zeros((1, 3)) if load is None else _rows("load", load, 3)
        knots = len(self._times) if self._times is not None else max(len(forces), len(loads))
        for name, rows in (("normal_force", forces), ("load", loads)):
            if len(rows) not in (1, knots):
                raise ArgumentError(name, f"must be {knots} knots, as the others are, got {len(rows)}")
        return np.repeat(forces, knots // len(forces), axis=0), np.repeat(loads, knots // len(loads), axis=0)

    def _own_forces(self, load: ArrayLike | None) -> FloatArray:
        """Those of the contacts: one knot, or one in the middle of each step."""
        profiles = [as_profile(entry.normal_force, "normal_force") for entry in self.contacts]
        if all(profile.kind == "constant" for profile in profiles):
            return np.array([[profile.mean for profile in profiles]]).reshape(1, len(profiles))
        if self._times is not None or (load is not None and np.ndim(load) > 1):
            raise ArgumentError("normal_force", "must be given at the knots: contacts have Profiles of their own")
        self._times = self.h * (np.arange(self.steps) + 0.5)
        return np.stack([np.broadcast_to(profile(self._times), self.steps) for profile in profiles], axis=1)

    def _joined(self, states: Sequence[ArrayLike] | None) -> FloatArray:
        if states is None:
            return np.zeros(sum(self._sizes))
        if len(states) != len(self._sizes):
            raise ArgumentError("states", f"must be a list of {len(self._sizes)} arrays, got {len(states)}")
        parts = [to_float64(z, f"states[{k}]") for k, z in enumerate(states)]
        for k, (z, size) in enumerate(zip(parts, self._sizes)):
            if z.shape != (size,):
                raise ArgumentError(f"states[{k}]", f"must be of shape ({size},), got {z.shape}")
            if not np.isfinite(z).all():
                raise ArgumentError(f"states[{k}]", "must be finite numbers, got nan or inf")
        return np.concatenate([*parts, np.empty(0)])

    def _split(self, z: FloatArray) -> list[FloatArray]:
        return [np.array(part) for part in np.split(z, np.cumsum(self._sizes)[:-1])] if self._sizes else []

    # --- derivatives

    def vjp(
        self,
        pose: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        states: Sequence[ArrayLike] | None = None,
        *,
        by_law: bool = True,
    ) -> RolloutGradient:
        """Derivatives of a number L by all inputs, from its derivatives by the results, in one sweep.

        Args:
            pose: dL/d(pose) (steps + 1, 3); (3,): of the last one
            velocity: dL/d(velocity) (steps + 1, 3); (3,): of the last one
            friction: dL/d(friction) (steps, contacts, 3)
            states: dL/d(bristles of each contact at the end)
            by_law: False: skip law, scale and h, which are then 0; up to a third faster

        >>> from bristle import BodyContact, Contact, Patch
        >>> finger = BodyContact(Contact(Patch.disc(0.01), 1.0), count=2)
        >>> held = Rollout([finger], 0.2, 5e-4, h=1e-3, steps=100, normal_force=3.0, load=(0, -2.0, 0))
        >>> bool(held.vjp(pose=[0, 1, 0]).normal_force[0, 0] > 0)  # it sticks, and still knows: grip harder, sink less
        True
        """
        count = len(self.contacts)
        bars = (
            self._bar("pose", pose),
            self._bar("velocity", velocity),
            _friction_bar(friction, self.steps, count),
            None if states is None else self._joined(states),
        )
        knots = len(self.load)
        fn, load, position = np.zeros(knots * count), np.zeros((knots, 3)), np.zeros((count, 2))
        angle, scale, law = np.zeros(count), np.zeros(count), np.zeros((count, len(LAW_PARAMETERS)))
        z = np.zeros(sum(self._sizes))
        outputs = (fn, load, position, angle, scale, law, z)
        start, v, mass, inertia, h, pivot, inexact, flags = _core.rollout_vjp(self._handle, bool(by_law), bars, outputs)
        refuse(flags)
        forces = fn.reshape(knots, count)
        mass += float(load[:, :2].sum(axis=0) @ np.array(self.gravity))
        mass += float(forces.sum(axis=0) @ self._weights) * self._normal
        return RolloutGradient(
            forces, load, law_dict(law), position, angle, scale, mass, inertia, h, np.array(start), np.array(v),
            self._split(z), pivot, inexact, GradientFlag(flags),
        )  # fmt: skip

    def _bar(self, name: str, value: ArrayLike | None) -> FloatArray | None:
        if value is None:
            return None
        numbers = to_float64(value, name)
        if numbers.shape == (3,):
            rows = np.zeros((self.steps + 1, 3))
            rows[-1] = numbers
            return rows
        if numbers.shape != (self.steps + 1, 3):
            raise ArgumentError(name, f"must be of shape ({self.steps + 1}, 3) or (3,), got {numbers.shape}")
        return np.ascontiguousarray(numbers)


def _friction_bar(value: ArrayLike | None, steps: int, count: int) -> FloatArray | None:
    if value is None:
        return None
    numbers = to_float64(value, "friction")
    if numbers.shape != (steps, count, 3):
        raise ArgumentError("friction", f"must be of shape {(steps, count, 3)}, got {numbers.shape}")
    return np.ascontiguousarray(numbers).reshape(-1, 3)


def _contacts_of(contacts: Sequence[Any]) -> tuple[Any, ...]:
    from .body import BodyContact  # which imports this module

    if not isinstance(contacts, Sequence):
        raise TypeError(f"contacts: must be a list of BodyContact, got {type(contacts).__name__}")
    entries = tuple(expect(entry, BodyContact, f"contacts[{k}]") for k, entry in enumerate(contacts))
    for k, entry in enumerate(entries):
        moves = [as_profile(number, "support") for number in entry.motion or ()]
        if entry.grip is not None or any(move.kind != "constant" or move.mean for move in moves):
            what = "grip" if entry.grip is not None else "support"
            raise ArgumentError(f"contacts[{k}].{what}", "is not offered in rollouts")
    return entries


def _weight_of(entry: Any, all_of: tuple[Any, ...]) -> float:
    if not math.isnan(entry.weight):
        return float(entry.weight)
    if len(all_of) > 1:
        raise ArgumentError("contacts", 'normal_force="weight" of several feet: give the weight of each in rollouts')
    return 1.0


def _definition(entry: Any) -> tuple[Any, ...]:
    contact = entry.contact
    x, y = entry.at[0] + contact.cop[0], entry.at[1] + contact.cop[1]
    return (contact._handle, choose(entry.frame, _FRAMES, "frame"), x, y, 0.0, entry.count)


def _step_size(h: float) -> float:
    number = real(h, "h")
    if not 0.0 < number < math.inf:
        raise ArgumentError("h", f"must be finite and > 0, got {number}")
    return number


def _order_of(order: int) -> int:
    if order not in (1, 2):
        raise ArgumentError("order", f"must be 1 or 2, got {order}")
    return int(order)


def _finite_pair(value: ArrayLike) -> tuple[float, float]:
    numbers = pair(value, "gravity")
    if not np.isfinite(numbers).all():
        raise ArgumentError("gravity", "must be finite numbers, got nan or inf")
    return numbers


def _times_of(times: ArrayLike) -> FloatArray:
    numbers = to_float64(times, "times")
    if numbers.ndim != 1 or len(numbers) < 1:
        raise ArgumentError("times", f"must be of shape (knots,), got {numbers.shape}")
    if not np.isfinite(numbers).all() or not (np.diff(numbers) > 0).all():
        raise ArgumentError("times", "must be finite and increase")
    return np.ascontiguousarray(numbers)


def _rows(name: str, value: ArrayLike, columns: int) -> FloatArray:
    """Numbers of knots: (knots, columns) from a number, (columns,), or (knots,) if there is one column."""
    numbers = to_float64(value, name)
    if numbers.ndim == 0 and name == "normal_force":
        numbers = np.full((1, columns), float(numbers))
    elif numbers.ndim == 1 and columns == 1:
        numbers = numbers[:, None]
    elif numbers.shape == (columns,):
        numbers = numbers[None, :]
    if numbers.ndim != 2 or numbers.shape[1] != columns or not len(numbers):
        raise ArgumentError(name, f"must be of shape (knots, {columns}) or ({columns},), got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise ArgumentError(name, "must be finite numbers, got nan or inf")
    if name == "normal_force" and (numbers < 0.0).any():
        raise ArgumentError(name, f"must be >= 0, got {numbers.min()}")
    return numbers


def constant_gravity(gravity: tuple[Profile, Profile]) -> tuple[float, float]:
    """Gravity of a body for a rollout, in which it does not turn."""
    if any(component.kind != "constant" for component in gravity):
        raise DefinitionError("gravity", "must be constant in rollouts")
    return gravity[0].mean, gravity[1].mean
