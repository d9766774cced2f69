"""Dry friction between surfaces that slide and spin on each other.

SI units and radians. Friction is always the force on the body, so it opposes its motion.
"""

from . import _common, _core
from .body import Body, BodyContact, BodyPusher, BodyStep, Grip, Load
from .cone import FrictionCone, LimitPolyhedron, Polyhedron, WrenchCone
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
from .grasp import Grasp, GraspForce, grip_force
from .law import Law
from .limit import LimitError, LimitSurface
from .mechanism import Constrained, ConstrainedValue, Hold, Mechanism, Slide
from .patch import ByForce, LinearPressure, Patch, PatchValue, PowerPressure
from .profile import Profile
from .result import Event, Result
from .scenario import Mistake, run, Scenario, ScenarioError
from .slider import Push, Pusher, Slider, SliderRate, SliderStep

__version__ = _core.version

__all__ = [
    "AbsentError",
    "ArgumentError",
    "Body",
    "BodyContact",
    "BodyPusher",
    "BodyStep",
    "BristleError",
    "ByForce",
    "Constrained",
    "ConstrainedValue",
    "Contact",
    "ConvergenceError",
    "DefinitionError",
    "Event",
    "FrictionCone",
    "Gradient",
    "Grasp",
    "GraspForce",
    "Grip",
    "grip_force",
    "Hold",
    "Law",
    "LimitError",
    "LimitPolyhedron",
    "LimitSurface",
    "LinearPressure",
    "Load",
    "Mechanism",
    "Mistake",
    "NoMemoryError",
    "Parts",
    "PartValues",
    "Patch",
    "PatchValue",
    "Polyhedron",
    "PowerPressure",
    "Profile",
    "Push",
    "Pusher",
    "Result",
    "run",
    "Scenario",
    "ScenarioError",
    "Sensitivity",
    "Slide",
    "Slider",
    "SliderRate",
    "SliderStep",
    "Slip",
    "StoppedError",
    "WrenchCone",
]
