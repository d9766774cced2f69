"""Scenarios: what moves, on which friction, for how long; from YAML files, text or dicts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .errors import AbsentError, DefinitionError
from .result import Event, Result

__all__ = ["Mistake", "Scenario", "ScenarioError", "run"]


class Mistake(NamedTuple):
    """What is wrong with a scenario, and where."""

    file: str  #: the file, or the name of the dict
    line: int  #: from 1; 0: not known
    column: int  #: from 1; 0: not known
    key: str  #: "contact.patch.radius"
    text: str  #: what is wrong and what is allowed
    allowed: str  #: what is allowed alone
    nearest: str  #: what may have been meant

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.key, self.text) if part)


class ScenarioError(DefinitionError):
    """A scenario with mistakes, all of them in ``mistakes``.

    >>> try:
    ...     run({"body": {"mass": -1}})
    ... except ScenarioError as error:
    ...     print([mistake.key for mistake in error.mistakes])
    ['duration', 'body.mass', 'body.size']
    """

    def __init__(self, mistakes: list[Mistake]) -> None:
        first = mistakes[0]
        super().__init__(first.key, first.text)
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(str(mistake) for mistake in self.mistakes)

    def __reduce__(self) -> tuple[Any, ...]:
        return ScenarioError, (self.mistakes,)


Source = str | PathLike[str] | Mapping[str, Any]


def _plain(value: Any) -> Any:
    """Dicts, lists, text and numbers of Python, from those and those of NumPy."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"a scenario holds dicts, lists, text and numbers, got {type(value).__name__}")


def _overrides(values: Mapping[str, Any] | None) -> list[str]:
    def text(value: Any) -> str:
        plain = _plain(value)
        return plain if isinstance(plain, str) else json.dumps(plain)

    return [f"{key}={text(value)}" for key, value in (values or {}).items()]


class Scenario:
    """A scenario that has been read and may run.

    Args:
        source: a YAML file, YAML or JSON text (it holds a line break), or a dict with the same keys
        set: values that replace its own, by their full keys: ``{"friction.mu": 0.3}``
        name: of a text or dict, in mistakes

    >>> box = Scenario({
    ...     "body": {"mass": 1, "inertia": 0.01, "velocity": [1, 0, 0]},
    ...     "friction": {"mu": 0.3},
    ...     "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.05},
    ...                 "normal_force": 9.81},
    ...     "duration": 0.5, "output": {"every": 0.01}})
    >>> box.kind, box.duration
    ('body', 0.5)
    >>> round(box.run()["x"][-1], 2)  # v^2/(2 mu g)
    0.17
    >>> round(box.variant({"friction.mu": 0.6}).run()["x"][-1], 3)
    0.085
    """

    def __init__(
        self, source: Source, set: Mapping[str, Any] | None = None, *, name: str = "scenario"
    ) -> None:
        kind, what = _classify(source)
        try:
            found = _core.scenario_read(kind, what, name, _overrides(set))
        except AbsentError:
            found = _core.scenario_read("tree", _by_pyyaml(kind, what), name, _overrides(set))
        self._take(*found)

    def _take(self, handle: Any, mistakes: list[Any]) -> None:
        if mistakes:
            raise ScenarioError([Mistake(*mistake) for mistake in mistakes])
        self._handle = handle
        facts = _core.scenario_facts(handle)
        self.kind, self.duration, self.rows, self.text, self.warnings, self.files = facts

    def variant(self, set: Mapping[str, Any]) -> Scenario:
        """The same with other values; nothing is parsed again, for sweeps."""
        other = object.__new__(Scenario)
        other._take(*_core.scenario_read("variant", self._handle, "", _overrides(set)))
        return other

    def __repr__(self) -> str:
        return f"<scenario: {self.kind}, {self.duration:g} s, {self.rows} rows>"

    def run(self) -> Result:
        """Run it; other threads of Python run meanwhile, and Ctrl-C stops it."""
        columns, rows, events, values, warnings, text = _core.scenario_run(self._handle)
        table: dict[str, Any] = {}
        units: dict[str, str] = {}
        for i, (name, unit, words) in enumerate(columns):
            column = rows[:, i].copy()
            table[name] = np.array(words)[column.astype(np.int64)] if words else column
            units[name] = unit
        happened = [Event(t, kind, max(contact - 1, 0)) for t, kind, contact in events]
        result = Result(self.kind, table, happened, values)
        result.units, result.text, result.warnings = units, text, [*self.warnings, *warnings]
        return result


def _classify(source: Source) -> tuple[str, Any]:
    if isinstance(source, Mapping):
        return "tree", _plain(source)
    path = fspath(source)
    return ("text", path) if isinstance(source, str) and "\n" in source else ("file", path)


def _by_pyyaml(kind: str, source: Any) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise AbsentError(
            "yaml", "this build has no libyaml, and PyYAML is not installed: pass a dict"
        ) from error
    if kind == "text":
        return _plain(yaml.safe_load(source))
    with open(source, encoding="utf-8") as file:
        return _plain(yaml.safe_load(file))


def run(
    source: Source, set: Mapping[str, Any] | None = None, *, name: str = "scenario"
) -> Result:
    """Run a scenario: a YAML file, YAML text or a dict; ``set`` replaces values by their full keys.

    >>> result = run({
    ...     "law": {"kind": "stiction", "mu_c": 0.3, "mu_s": 0.4},
    ...     "rig": {"mass": 1, "stiffness": 100, "pull": 0.01, "normal_force": 9.81},
    ...     "duration": 20, "output": {"every": 0.01}})
    >>> [event.kind for event in result.events][:4]  # a spring pulls a mass: stick and slip
    ['slip', 'stick', 'slip', 'stick']
    """
    return Scenario(source, set, name=name).run()
