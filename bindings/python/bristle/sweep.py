"""Sweeps: many runs of one scenario, each with other values of some keys, in threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import whole
from .errors import ArgumentError
from .scenario import Scenario, Source

__all__ = ["Index", "sweep", "Sweep"]

_USES = {"vary": 0, "zip": 1, "draw": 2}
_SAMPLINGS = {"": 0, "random": 1, "latin": 2, "sobol": 3}


class Index(NamedTuple):
    """What share of a variance an input has, with 95 % intervals."""

    first: float  #: alone
    first_low: float
    first_high: float
    total: float  #: with all that it does together with others
    total_low: float
    total_high: float


class Sweep:
    """What a sweep gave: arrays by the names of keys and wants, shaped like the grid.

    The last axis is that of the samples, where keys were drawn. ``status`` is ``"ok"`` or says why a case
    failed; its wants are NaN.
    """

    def __init__(self, handle: Any, workers: int, indices: bool) -> None:
        shape, inputs, wants, drawn, self.text = _core.sweep_facts(handle)
        numbers, failures = _core.sweep_run(handle, workers)
        self.shape = tuple(shape)
        self.inputs = [name for name, _, _ in inputs]
        self.wants = [name for name, _, _ in wants]
        self.units = {name: unit for name, unit, _ in inputs + wants}
        self.status = np.full(numbers.shape[0], "ok", dtype=object)
        for index, why in failures.items():
            self.status[index] = why
        self.status = self.status.reshape(self.shape)
        self._arrays: dict[str, Any] = {}
        for i, (name, _, words) in enumerate(inputs + wants):
            column = numbers[:, i].copy()
            column = np.array(words)[column.astype(np.int64)] if words else column
            self._arrays[name] = column.reshape(self.shape)
        #: with ``indices``: for each want the Index of each drawn key
        self.indices: dict[str, dict[str, Index]] = {}
        keys = self.inputs[len(inputs) - drawn :]
        for name in self.wants if indices else []:
            found = _core.sweep_indices(self._arrays[name].ravel(), drawn)
            self.indices[name] = {key: Index(*index) for key, index in zip(keys, found)}

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]

    def keys(self) -> list[str]:
        """Names of the arrays."""
        return list(self._arrays)

    def __repr__(self) -> str:
        return f"<sweep: {' x '.join(map(str, self.shape))} cases of {', '.join(self.inputs)}>"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def _key(use: str, key: str, values: Any) -> tuple[int, str, str | None, Any]:
    if isinstance(values, str):
        return _USES[use], key, values, None
    listed = np.asarray(values).tolist() if not isinstance(values, (list, tuple)) else list(values)
    listed = listed if isinstance(listed, list) else [listed]
    if any(isinstance(value, (list, tuple, np.ndarray)) for value in listed):
        raise ValueError(f"{key}: must have a list of values, got a list of lists")
    if use == "draw" or any(isinstance(value, (str, bool, np.bool_)) for value in listed):
        return _USES[use], key, "[" + ", ".join(map(_text, listed)) + "]", None
    return _USES[use], key, None, [float(value) for value in listed]


def sweep(
    scenario: Scenario | Source,
    vary: Mapping[str, Any] | None = None,
    *,
    want: str | Sequence[str] = (),
    draw: Mapping[str, Any] | None = None,
    zip: Mapping[str, Any] | None = None,
    samples: int = 0,
    sampling: str = "",
    seed: int | None = None,
    indices: bool = False,
    workers: int = 0,
) -> Sweep:
    """Run a scenario many times. What is not said here is as its ``sweep`` says.

    Args:
        scenario: what runs: one that was read, a YAML file, text or a dict
        vary: an axis for each key: values, or "0.2:0.6:41", "log:0.1:1:11"
        want: what each case gives: "final.theta", "contacts[0].slipped", "max.fn", "events.slip.first",
            or a formula of these and of keys, "bad = contacts[0].slipped > 1e-3"
        draw: at random in each sample: "uniform:a:b", "loguniform:a:b", "normal:mean:sd",
            "lognormal:median:sigma", or values that are equally likely
        zip: as ``vary``, but these keys go together, as one axis
        samples: for each point of the grid
        sampling: "random", "latin" or "sobol"
        seed: of what is random
        indices: draw for Sobol' indices and compute them
        workers: threads; 0: one for each processor

    >>> puck = {"body": {"mass": 0.1, "radius": 0.04, "velocity": [0.5, 0, 0]}, "friction": {"mu": 0.2},
    ...         "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}}, "duration": 1}
    >>> way = sweep(puck, {"friction.mu": [0.1, 0.2], "body.velocity[0]": "0.2:0.4:3"}, want=["final.x"])
    >>> way["final.x"].shape
    (2, 3)
    >>> [round(float(x), 4) for x in way["final.x"][1]]  # v^2/(2 mu g), less a little
    [0.0101, 0.0229, 0.0407]
    """
    groups = (("vary", vary), ("zip", zip), ("draw", draw))
    keys = [_key(use, key, values) for use, group in groups for key, values in (group or {}).items()]
    if sampling not in _SAMPLINGS:
        raise ArgumentError("sampling", f"must be one of random, latin, sobol, got {sampling!r}")
    whole(samples, "samples")
    whole(0 if seed is None else seed, "seed")
    whole(workers, "workers")
    read = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    handle = _core.sweep_create(
        read._handle,
        keys,
        samples,
        _SAMPLINGS[sampling],
        -1 if seed is None else seed,
        int(indices),
        [want] if isinstance(want, str) else list(want),
    )
    return Sweep(handle, workers, indices)
