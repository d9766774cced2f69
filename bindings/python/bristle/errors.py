"""Exceptions, in one hierarchy that follows the C library's list of statuses."""

from __future__ import annotations

__all__ = [
    "AbsentError",
    "ArgumentError",
    "BristleError",
    "ConvergenceError",
    "DefinitionError",
    "NoMemoryError",
    "StoppedError",
]


class BristleError(Exception):
    """Base class of all exceptions of bristle.

    Attributes:
        field: name of the wrong value, e.g. ``"sigma0"``; empty if it is not a single value
        reason: what is wrong and what is allowed, e.g. ``"must be > 0, got -1"``
    """

    sentence = "something went wrong"

    def __init__(self, field: str = "", reason: str = "") -> None:
        super().__init__(field, reason)
        self.field = field
        self.reason = reason

    def __str__(self) -> str:
        parts = [part for part in (self.field, self.reason) if part]
        return ": ".join(parts) if parts else self.sentence


class ArgumentError(BristleError, ValueError):
    """An argument of a call is out of its range, or arrays do not fit together."""


class DefinitionError(BristleError, ValueError):
    """A definition (law, patch, contact, body, ...) contains an invalid value.

    >>> import bristle
    >>> try:
    ...     bristle.Law(mu_c=0.3, mu_s=0.2)
    ... except bristle.DefinitionError as error:
    ...     print(error.field)
    mu_s
    """


class NoMemoryError(BristleError, MemoryError):
    """Out of memory."""


class ConvergenceError(BristleError, ArithmeticError):
    """A computation could not be finished."""


class StoppedError(BristleError):
    """A run was stopped on request."""


class AbsentError(BristleError, NotImplementedError):
    """This build does not have the requested feature."""


BY_STATUS: dict[str, type[BristleError]] = {
    "BR_ERR_ARG": ArgumentError,
    "BR_ERR_DEF": DefinitionError,
    "BR_ERR_MEMORY": NoMemoryError,
    "BR_ERR_CONVERGENCE": ConvergenceError,
    "BR_ERR_STOPPED": StoppedError,
    "BR_ERR_ABSENT": AbsentError,
}
