"""Dry friction between surfaces that slide and spin on each other.

SI units and radians. Friction is always the force on the body, so it opposes its motion.
"""

from . import _common, _core
from .contact import Contact, Gradient, Parts, PartValues, Sensitivity, Slip
from .errors import (
    AbsentError,
    ArgumentError,
    BristleError,
    ConvergenceError,
    DefinitionError,
    NoMemoryError,
    StoppedError,
)
from .law import Law
from .limit import LimitError, LimitSurface
from .patch import ByForce, LinearPressure, Patch, PatchValue, PowerPressure

__version__ = _core.version

__all__ = [
    "AbsentError",
    "ArgumentError",
    "BristleError",
    "ByForce",
    "Contact",
    "ConvergenceError",
    "DefinitionError",
    "Gradient",
    "Law",
    "LimitError",
    "LimitSurface",
    "LinearPressure",
    "NoMemoryError",
    "Parts",
    "PartValues",
    "Patch",
    "PatchValue",
    "PowerPressure",
    "Sensitivity",
    "Slip",
    "StoppedError",
]
