"""Recorded steps of many worlds, and derivatives of where they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import _core
from ._common import ArrayLike, FloatArray, to_float64, whole
from .errors import AbsentError, ArgumentError, BristleError
from .gradient import law_dict
from .law import LAW_PARAMETERS

if TYPE_CHECKING:
    from .worlds import Worlds

__all__ = ["WorldsGradient", "WorldsRollout"]

Array = npt.NDArray[Any]


class WorldsGradient(NamedTuple):
    """Derivatives of a number L of each world by all that a :class:`WorldsRollout` starts from.

    Arrays have the shapes of the attributes of :class:`Worlds`, with the contacts in front where there are several.
    """

    pose: FloatArray  #: by the pose at the start (3, count)
    twist: FloatArray  #: by the twist at the start (3, count)
    mass: FloatArray  #: by the mass, forces held (count,)
    inertia: FloatArray  #: by the inertia (count,)
    load: FloatArray  #: by the load: (3, count), or (steps, 3, count) where it was given for each step
    normal_force: FloatArray  #: by the force, in the shape in which it was given
    position: FloatArray  #: by the position of the contact (2, count)
    angle: FloatArray  #: by the angle of the contact frame (count,)
    scale: FloatArray  #: by the size of the patch, bristles as they are (count,)
    ground: FloatArray  #: by the twist of the ground (3, count)
    law: dict[str, Any]  #: by each parameter of the law, the others held (count,)
    z: Any  #: by the bristles at the start (states, count); a tuple of them for several contacts
    h: FloatArray  #: by the step (count,)
    pivot: FloatArray  #: least pivot of all steps over the mass [-] (count,); near 0 at a fold, where a step jumps
    flags: Array  #: sums of :class:`GradientFlag` (count,), uint8; 0: exact


class WorldsRollout:
    """Steps of :class:`Worlds` that were recorded; :meth:`Worlds.rollout` makes one.

    Attributes:
        worlds: a copy, with the parameters of the steps and as it was at their end
        pose, twist: after each step (steps, 3, count)
        h, steps: as they were given
    """

    def __init__(
        self,
        worlds: Worlds,
        h: float,
        *,
        steps: int,
        load: ArrayLike | None = None,
        normal_force: ArrayLike | None = None,
        mask: Array | None = None,
        every: int = 1,
        check: bool = True,
    ) -> None:
        self.steps, self._every = whole(steps, "steps", 1), whole(every, "every")
        self.h = h
        wrench, self._load_steps = worlds._load_of(load, self.steps)
        force, self._force_steps = worlds._force_of(normal_force, self.steps)
        chosen = worlds._mask_of(mask)
        # the sweep reads them later
        self._load, self._force, self._mask = (None if a is None else a.copy() for a in (wrench, force, chosen))
        self._tape = np.empty(_core.worlds_tape(worlds._handle, self.steps, self._every))
        self.pose = np.zeros((self.steps, 3, worlds.count))
        self.twist = np.zeros((self.steps, 3, worlds.count))
        try:
            taped = (self._every, self._tape)
            _core.worlds_record(self._call(worlds), taped, self.pose, self.twist, check)
        except BristleError as error:
            raise worlds._renamed(error) from None
        self.worlds = worlds._snapshot()

    def __repr__(self) -> str:
        return f"WorldsRollout({self.steps} steps of {self.h} s, {self.worlds!r})"

    def _call(self, worlds: Worlds) -> tuple[Any, ...]:
        return (
            worlds._handle, self.h, self.steps, self._load, self._load_steps, self._force, self._force_steps, self._mask,
        )  # fmt: skip

    def vjp(
        self,
        pose: ArrayLike | None = None,
        twist: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        z: ArrayLike | Sequence[ArrayLike] | None = None,
        *,
        by_law: bool = True,
    ) -> WorldsGradient:
        """Derivatives of a number L of each world by all inputs, from its derivatives by the results, in one sweep.

        Worlds do not depend on each other, so that the derivative by a number that all share is the sum over them.

        Args:
            pose: dL/d(pose) at the end (3, count), or after each step (steps, 3, count)
            twist: dL/d(twist), the same
            friction: dL/d(friction) of the last step (3, count); with several contacts (contacts, 3, count)
            z: dL/dz of the bristles at the end (states, count); a sequence of them for several contacts
            by_law: False: skip law, scale and h, which are then 0; faster

        >>> from bristle import Contact, Patch, Worlds
        >>> pad = Contact(Patch.disc(0.02), 0.3, "ellipsoid")
        >>> pucks = Worlds(pad, 3, mass=1.0, inertia=2e-4, normal_force=9.81, mu=[0.1, 0.2, 0.3], twist=(1, 0, 0))
        >>> run = pucks.rollout(1e-3, steps=100)
        >>> bar = np.zeros((3, 3))
        >>> bar[0] = 1.0  # of the speed at the end
        >>> law = run.vjp(twist=bar).law
        >>> (law["mu_c"] + law["mu_s"]).round(3)  # -g t
        array([-0.981, -0.981, -0.981])
        """
        worlds = self.worlds
        count, contacts = worlds.count, len(worlds.contacts)
        poses, pose_steps = self._bar("pose", pose)
        twists, twist_steps = self._bar("twist", twist)
        frictions, ends = self._friction_bars(friction), self._z_bars(z)
        body = {name: np.zeros(shape) for name, shape in self._body_shapes(by_law).items()}
        flags = np.zeros(count, np.uint8)
        fn = np.zeros((contacts, self._force_steps, count))
        position, angle = np.zeros((contacts, 2, count)), np.zeros((contacts, count))
        scale, ground = np.zeros((contacts, count)), np.zeros((contacts, 3, count))
        law = np.zeros((contacts, len(LAW_PARAMETERS), count))
        states = [np.zeros_like(one) for one in worlds._z]
        of_contacts: list[tuple[Any, ...]] = [
            (
                ends[k], frictions[k], states[k], fn[k], position[k], angle[k], scale[k] if by_law else None, ground[k],
                law[k] if by_law else None,
            )
            for k in range(contacts)
        ]  # fmt: skip
        outputs = tuple(body[name] if name in body else None for name in _BODY)
        _core.worlds_vjp(
            self._call(worlds), (self._every, self._tape), pose_steps, twist_steps,
            (poses, twists, *outputs, flags), of_contacts,
        )  # fmt: skip
        one = contacts == 1
        return WorldsGradient(
            body["pose"], body["twist"], body["mass"], body["inertia"], body["load"], self._force_shape(fn),
            position[0] if one else position, angle[0] if one else angle, scale[0] if one else scale,
            ground[0] if one else ground, law_dict(np.moveaxis(law[0] if one else law, -2, -1)),
            states[0] if one else tuple(states), body.get("h", np.zeros(count)), body["pivot"], flags,
        )  # fmt: skip

    # --- shapes

    def _body_shapes(self, by_law: bool) -> dict[str, tuple[int, ...]]:
        count = self.worlds.count
        load = (self.steps, 3, count) if self._load_steps > 1 else (3, count)
        shapes: dict[str, tuple[int, ...]] = {
            "pose": (3, count), "twist": (3, count), "mass": (count,), "inertia": (count,), "load": load, "pivot": (count,),
        }  # fmt: skip
        return {**shapes, "h": (count,)} if by_law else shapes

    def _force_shape(self, fn: FloatArray) -> FloatArray:
        """(contacts, steps, count) as the forces were given."""
        if self._force_steps == 1:
            shaped: FloatArray = fn[:, 0]
        else:
            shaped = fn if len(fn) == 1 else np.moveaxis(fn, 0, 1)
        one: FloatArray = shaped[0]
        return one if len(fn) == 1 else shaped

    def _bar(self, name: str, value: ArrayLike | None) -> tuple[FloatArray | None, int]:
        if value is None:
            return None, 1
        numbers, count = to_float64(value, name), self.worlds.count
        if numbers.shape not in ((3, count), (self.steps, 3, count)):
            raise ArgumentError(name, f"must be (3, {count}) or ({self.steps}, 3, {count}), got {numbers.shape}")
        return np.ascontiguousarray(numbers), self.steps if numbers.ndim == 3 else 1

    def _friction_bars(self, value: ArrayLike | None) -> list[FloatArray | None]:
        contacts, count = len(self.worlds.contacts), self.worlds.count
        if value is None:
            return [None] * contacts
        numbers = to_float64(value, "friction")
        shape = (3, count) if contacts == 1 else (contacts, 3, count)
        if numbers.shape != shape:
            raise ArgumentError("friction", f"must be of shape {shape}, got {numbers.shape}")
        return list(np.ascontiguousarray(numbers).reshape(contacts, 3, count))

    def _z_bars(self, value: ArrayLike | Sequence[ArrayLike] | None) -> list[FloatArray | None]:
        ends = self.worlds._z
        if value is None:
            return [None] * len(ends)
        parts: Any = [value] if len(ends) == 1 else value
        if len(parts) != len(ends):
            raise ArgumentError("z", f"must be {len(ends)} arrays, got {len(parts)}")
        bars: list[FloatArray | None] = []
        for k, (part, end) in enumerate(zip(parts, ends)):
            numbers = to_float64(part, "z")
            if numbers.shape != end.shape:
                raise ArgumentError("z" if len(ends) == 1 else f"z[{k}]", f"must be of shape {end.shape}, got {numbers.shape}")
            bars.append(np.ascontiguousarray(numbers))
        return bars


_BODY = ("pose", "twist", "mass", "inertia", "load", "h", "pivot")  # in the order of the extension


def last_rollout(worlds: Worlds) -> WorldsRollout:
    """The last recorded steps of worlds."""
    if worlds._recorded is None:
        raise AbsentError("vjp", "no steps were recorded: call worlds.rollout() first")
    return worlds._recorded
