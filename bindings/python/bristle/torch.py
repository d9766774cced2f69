"""Steps, rollouts and steps of many worlds as functions that PyTorch differentiates: ``import bristle.torch``.

All numbers are float64; tensors of other types are refused. Functions are once differentiable. PyTorch is imported at the
first call.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._common import expect, FloatArray, no_such, optional
from .body import BodyContact
from .contact import Contact
from .errors import ArgumentError
from .gradient import Rollout
from .law import LAW_PARAMETERS
from .worlds import _FIELDS, Worlds

__all__ = ["RolloutTensors", "WorldsTensors", "rollout", "static_mu", "step", "worlds"]

Tensor = Any  # torch.Tensor; PyTorch is optional


class RolloutTensors(NamedTuple):
    """Results of a rollout, as in :class:`bristle.Rollout`."""

    pose: Tensor  #: at the start and after each step (steps + 1, 3)
    velocity: Tensor  #: (steps + 1, 3)
    friction: Tensor  #: (steps, contacts, 3)
    states: Tensor  #: bristles of all contacts at the end, one after the other


class WorldsTensors(NamedTuple):
    """Results of steps of many worlds."""

    pose: Tensor  #: after each step (steps, 3, count)
    twist: Tensor  #: after each step (steps, 3, count)
    z: tuple[Tensor, ...]  #: bristles of each contact at the end (states, count)


def static_mu(mu_c: Tensor, s: Tensor) -> Tensor:
    """mu_s = mu_c + exp(s): a static coefficient that stays above mu_c whatever an optimiser does to s."""
    return mu_c + _torch().exp(s)


def step(
    contact: Contact, z: Tensor, v: Tensor, fn: Tensor, h: float, law: Mapping[str, Tensor] | None = None
) -> tuple[Tensor, Tensor]:
    """A step of a contact: the mean wrench on the body (..., 3) and the state after it (..., N).

    Args:
        contact: patch, law and method
        z: state (..., N); it does not change
        v: twist, held (..., 3)
        fn: normal force, held [N] (...)
        h: step [s], > 0
        law: parameters of the law that differ from the contact's, by name, each a single number
    """
    expect(contact, Contact, "contact")
    names, values = _law_tensors(law, 1)
    wrench, end = _functions()[0].apply((contact, names, float(h)), _check(z, "z"), _check(v, "v"), _check(fn, "fn"), values)
    return wrench, end


def rollout(
    contacts: Sequence[BodyContact],
    mass: Tensor,
    inertia: Tensor,
    *,
    h: float,
    steps: int,
    normal_force: Tensor,
    load: Tensor = (0.0, 0.0, 0.0),
    times: Tensor = None,
    pose: Tensor = (0.0, 0.0, 0.0),
    velocity: Tensor = (0.0, 0.0, 0.0),
    states: Tensor = None,
    law: Mapping[str, Tensor] | None = None,
    position: Tensor = None,
    gravity: tuple[float, float] = (0.0, 0.0),
    order: int = 1,
    every: int = 1,
) -> RolloutTensors:
    """A body in fixed steps, as :class:`bristle.Rollout`.

    Differentiable: mass, inertia, normal_force, load, pose, velocity, states, law and position, each a tensor of float64
    or plain numbers.

    Args:
        contacts: as in :class:`bristle.Rollout`; a new one is created where law or position differ
        states: bristles of all contacts at the start, one after the other; None: zeros
        law: parameters of the laws, by name, each a number for all contacts or (contacts,)
        position: of the contacts, instead of their ``at`` (contacts, 2) [m]
        mass, inertia, h, steps, normal_force, load, times, pose, velocity, gravity, order, every: as in Rollout
    """
    count = len(contacts)
    for k, entry in enumerate(contacts):
        expect(entry, BodyContact, f"contacts[{k}]")
    names, values = _law_tensors(law, count)
    at = [entry.at for entry in contacts] if position is None else position
    sizes = [entry.contact.state_count for entry in contacts]
    start = np.zeros(sum(sizes)) if states is None else states
    fixed = {"h": h, "steps": steps, "times": times, "gravity": gravity, "order": order, "every": every}
    inputs = {
        "mass": mass, "inertia": inertia, "normal_force": normal_force, "load": load, "pose": pose, "velocity": velocity,
        "states": start, "position": at,
    }  # fmt: skip
    tensors = [_check(value, name) for name, value in inputs.items()]
    if tuple(tensors[-1].shape) != (count, 2):
        raise ArgumentError("position", f"must be of shape ({count}, 2), got {tuple(tensors[-1].shape)}")
    if tuple(tensors[-2].shape) != (sum(sizes),):
        raise ArgumentError("states", f"must be of shape ({sum(sizes)},), got {tuple(tensors[-2].shape)}")
    return RolloutTensors(*_functions()[1].apply((tuple(contacts), names, fixed), *tensors, values))


def worlds(
    of: Worlds,
    h: float,
    *,
    steps: int = 1,
    z: Sequence[Tensor] | None = None,
    every: int = 1,
    **inputs: Tensor,
) -> WorldsTensors:
    """Steps of many worlds, as :meth:`bristle.Worlds.rollout`. The worlds themselves do not change.

    Args:
        of: contacts, count, and all numbers that are not given; float64
        h: step [s], > 0
        steps: how many
        z: bristles of each contact at the start (states, count); None: those of the worlds
        every: as in :meth:`bristle.Worlds.rollout`
        inputs: tensors that replace numbers of the worlds, with the same meaning, and broadcast to their shapes: pose,
            twist, mass, inertia, load, normal_force, position, angle, scale, ground, and parameters of the law such as
            mu_c. load may be (steps, 3, count) and normal_force (steps, count), with several contacts
            (steps, contacts, count). Parameters of the law do not change each other: give mu_c and mu_s

    All of them are differentiable.
    """
    expect(of, Worlds, "of")
    for name in inputs:
        if name not in _WORLDS_INPUTS:
            raise TypeError(no_such("argument", name, _WORLDS_INPUTS))
    names = tuple(inputs)
    starts = of._z if z is None else z
    if len(starts) != len(of._z):
        raise ArgumentError("z", f"must be {len(of._z)} tensors, got {len(starts)}")
    tensors = [_check(value, name) for name, value in inputs.items()]
    bristles = [_check(np.array(one) if z is None else one, "z") for one in starts]
    for one, own in zip(bristles, of._z):
        if tuple(one.shape) != own.shape:
            raise ArgumentError("z", f"must be of shape {own.shape}, got {tuple(one.shape)}")
    got = _functions()[2].apply((of, float(h), steps, every, names), *tensors, *bristles)
    return WorldsTensors(got[0], got[1], tuple(got[2:]))


# --- tensors and arrays


def _torch() -> Any:
    return optional("torch", "bristle.torch")


def _check(value: Any, name: str) -> Tensor:
    """A tensor of float64 of the processor, from one or from plain numbers."""
    torch = _torch()
    if not isinstance(value, torch.Tensor):
        return torch.as_tensor(np.asarray(value, dtype=np.float64))
    if value.dtype != torch.float64 or value.device.type != "cpu":
        raise TypeError(f"{name}: must be a tensor of float64 on the cpu, got {value.dtype} on {value.device}")
    return value


def _law_tensors(law: Mapping[str, Any] | None, count: int) -> tuple[tuple[str, ...], Tensor]:
    """Names, and a tensor (names, count)."""
    torch = _torch()
    names = tuple(law or ())
    for name in names:
        if name not in LAW_PARAMETERS or name == "alpha":
            raise ArgumentError("law", no_such("parameter", name, (n for n in LAW_PARAMETERS if n != "alpha")))
    values = [_check(value, f"law[{name!r}]") for name, value in (law or {}).items()]
    for name, value in zip(names, values):
        if tuple(value.shape) not in ((), (1,), (count,)):
            raise ArgumentError(f"law[{name!r}]", f"must be a number or of shape ({count},), got {tuple(value.shape)}")
    if not names:
        return names, torch.zeros((0, count), dtype=torch.float64)
    return names, torch.stack([value.expand(count) for value in values])


def _numbers(tensor: Tensor) -> FloatArray:
    return np.ascontiguousarray(tensor.detach().numpy())


def _tensor(array: Any) -> Tensor:
    return _torch().from_numpy(np.array(array, dtype=np.float64))


def _with_law(contact: Contact, names: tuple[str, ...], values: FloatArray) -> Contact:
    """The contact with these parameters; unlike parameters that follow from mu, they stay as they are given."""
    new = {name: float(value) for name, value in zip(names, values)}
    if all(getattr(contact.law, name) == value for name, value in new.items()):
        return contact
    return contact._with_law(dataclasses.replace(contact.law, **new))


def _summed(gradient: FloatArray, shape: tuple[int, ...]) -> Tensor:
    """Sum over the dimensions along which an input was broadcast."""
    leading = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(leading)))
    stretched = tuple(i for i, size in enumerate(shape) if size == 1 and gradient.shape[i] != 1)
    return _tensor(gradient.sum(axis=stretched, keepdims=True) if stretched else gradient)


# --- the functions


def _step_forward(ctx: Any, fixed: Any, z: Tensor, v: Tensor, fn: Tensor, law: Tensor) -> tuple[Tensor, Tensor]:
    contact, names, h = fixed
    contact = _with_law(contact, names, _numbers(law)[:, 0])
    start, twist, force = _numbers(z), _numbers(v), _numbers(fn)
    shape = np.broadcast_shapes(start.shape[:-1], twist.shape[:-1], force.shape)
    end = np.array(np.broadcast_to(start, (*shape, start.shape[-1])))
    wrench = contact.step(end, twist, force, h)
    ctx.of = (contact, names, h, start, end, twist, force)
    return _tensor(wrench), _tensor(end)


def _step_backward(ctx: Any, wrench: Tensor, state: Tensor) -> tuple[Tensor | None, ...]:
    contact, names, h, start, end, twist, force = ctx.of
    got = contact.step_vjp(start, end, twist, force, h, wrench=_numbers(wrench), z=_numbers(state))
    law = np.array([[np.sum(got.law[name])] for name in names]).reshape(-1, 1)
    fn = np.asarray(got.fn)
    return None, _summed(got.z, start.shape), _summed(got.v, twist.shape), _summed(fn, force.shape), _tensor(law)


def _rollout_forward(ctx: Any, fixed: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
    contacts, names, settings = fixed
    mass, inertia, fn, load, pose, velocity, z, position, law = (_numbers(tensor) for tensor in tensors)
    sizes = [entry.contact.state_count for entry in contacts]
    entries = [
        dataclasses.replace(entry, contact=_with_law(entry.contact, names, law[:, k]), at=tuple(position[k]))
        for k, entry in enumerate(contacts)
    ]
    states = np.split(z, np.cumsum(sizes)[:-1]) if sizes else []
    run = Rollout(
        entries, float(mass), float(inertia), normal_force=fn, load=load, pose=pose, velocity=velocity, states=states,
        **settings,
    )  # fmt: skip
    ctx.of = (run, names, sizes, fn.shape, load.shape)
    end = np.concatenate([*run.states, np.empty(0)])
    return tuple(_tensor(array) for array in (run.pose, run.velocity, run.friction, end))


def _rollout_backward(ctx: Any, pose: Tensor, velocity: Tensor, friction: Tensor, end: Tensor) -> tuple[Tensor | None, ...]:
    run, names, sizes, fn_shape, load_shape = ctx.of
    ends = np.split(_numbers(end), np.cumsum(sizes)[:-1]) if sizes else []
    by_law = bool(ctx.needs_input_grad[-1])
    got = run.vjp(_numbers(pose), _numbers(velocity), _numbers(friction), ends, by_law=by_law)
    law = np.array([got.law[name] for name in names]).reshape(len(names), len(sizes))
    forces = got.normal_force[:, 0] if len(fn_shape) == 1 and len(sizes) == 1 else got.normal_force
    gradients = (
        _tensor(got.mass), _tensor(got.inertia), _summed(forces, fn_shape), _summed(got.load, load_shape),
        _tensor(got.pose), _tensor(got.velocity), _tensor(np.concatenate([*got.states, np.empty(0)])),
        _tensor(got.position), _tensor(law),
    )  # fmt: skip
    return (None, *gradients)


_WORLDS_LAW = ("mu_c", "mu_s", "v_stribeck", "sigma0", "sigma1", "sigma2", "s_ba", "v_damping")
_WORLDS_INPUTS = (
    "pose", "twist", "mass", "inertia", "load", "normal_force", "position", "angle", "scale", "ground", *_WORLDS_LAW,
)  # fmt: skip
_PER_STEP = {"load": 3, "normal_force": 2}  # dimensions with one row for each step


def _worlds_forward(ctx: Any, fixed: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
    of, h, steps, every, names = fixed
    arrays = {name: _numbers(tensor).reshape(tuple(tensor.shape)) for name, tensor in zip(names, tensors)}
    world, call = of._snapshot(), {}
    for name, array in arrays.items():
        several = name == "normal_force" and len(of.contacts) > 1
        if name in _PER_STEP and array.ndim == _PER_STEP[name] + several:
            call[name] = array
        else:
            world._fill(name, array)
    for own, tensor in zip(world._z, tensors[len(names) :]):
        own[...] = _numbers(tensor)
    run = world.rollout(h, steps=steps, every=every, **call)
    ctx.of = (run, names, [array.shape for array in arrays.values()])
    return tuple(_tensor(array) for array in (run.pose, run.twist, *world._z))


def _worlds_backward(ctx: Any, pose: Tensor, twist: Tensor, *ends: Tensor) -> tuple[Tensor | None, ...]:
    run, names, shapes = ctx.of
    z = [_numbers(end) for end in ends]
    by_law = any(name in _WORLDS_LAW or name == "scale" for name in names)
    got = run.vjp(_numbers(pose), _numbers(twist), z=z[0] if len(z) == 1 else z, by_law=by_law)
    found = {**got._asdict(), **got.law}
    starts = got.z if len(z) > 1 else (got.z,)
    inputs = [_summed_rows(name, found[name], shape) for name, shape in zip(names, shapes)]
    return (None, *inputs, *(_tensor(start) for start in starts))


def _summed_rows(name: str, gradient: FloatArray, shape: tuple[int, ...]) -> Tensor:
    """As _summed(); of a number with rows (3,) stands for (3, count)."""
    rows = _FIELDS[name][1]
    if rows and shape == (rows,):
        return _tensor(_summed(gradient, (rows, 1))[:, 0])
    return _summed(gradient, shape)


def _function(name: str, forward: Callable[..., Any], backward: Callable[..., Any]) -> Any:
    autograd = _torch().autograd
    once = autograd.function.once_differentiable(backward)
    return type(name, (autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(once)})


@functools.cache
def _functions() -> tuple[Any, Any, Any]:
    """The autograd functions of a step, of a rollout and of worlds."""
    return (
        _function("Step", _step_forward, _step_backward),
        _function("Rollout", _rollout_forward, _rollout_backward),
        _function("Worlds", _worlds_forward, _worlds_backward),
    )
