"""Dry friction between surfaces that slide and spin on each other.

SI units and radians. Friction is always the force on the body, so it opposes its motion.
"""

import sys as _sys

from . import _common, _core
from .body import Body, BodyContact, BodyPusher, BodyStep, Grip, Load
from .cone import FrictionCone, LimitPolyhedron, Polyhedron, WrenchCone
from .contact import Centres, Contact, Gradient, Parts, PartValues, Slip
from .engine import EngineError, EngineFriction
from .errors import (
    AbsentError,
    ArgumentError,
    BristleError,
    ConvergenceError,
    DefinitionError,
    NoMemoryError,
    StoppedError,
)
from .fit_law import Estimate, fit_law, LawFit
from .fit_pressure import fit_pressure, fit_pushes, PressureFit, PushesFit
from .gradient import GradientFlag, Rollout, RolloutGradient, StepGradient
from .grasp import Grasp, GraspForce, grip_force
from .law import Anisotropy, Law
from .limit import LimitError, LimitSurface
from .mechanism import Constrained, ConstrainedValue, Hold, Mechanism, Slide
from .field import Field
from .patch import ByForce, Hertz, HertzValue, LinearPressure, Patch, PatchValue, PowerPressure
from .profile import Profile
from .result import Event, Result
from .scenario import Mistake, run, Scenario, ScenarioError, ScenarioProblem
from .slider import Push, PushGradient, Pusher, Slider, SliderRate, SliderStep
from .sweep import Index, LocalError, sweep, Sweep, sweep_local
from .workers import set_workers
from .worlds import Worlds
from .worlds_gradient import WorldsGradient, WorldsRollout

__version__ = _core.version

__all__ = [
    "AbsentError",
    "Anisotropy",
    "ArgumentError",
    "Body",
    "BodyContact",
    "BodyPusher",
    "BodyStep",
    "BristleError",
    "ByForce",
    "Centres",
    "Constrained",
    "ConstrainedValue",
    "Contact",
    "ConvergenceError",
    "DefinitionError",
    "EngineError",
    "EngineFriction",
    "Estimate",
    "Event",
    "Field",
    "fit_law",
    "fit_pressure",
    "fit_pushes",
    "FrictionCone",
    "Gradient",
    "GradientFlag",
    "Grasp",
    "GraspForce",
    "Grip",
    "grip_force",
    "Hertz",
    "HertzValue",
    "Hold",
    "Index",
    "Law",
    "LawFit",
    "LimitError",
    "LimitPolyhedron",
    "LimitSurface",
    "LinearPressure",
    "Load",
    "LocalError",
    "Mechanism",
    "Mistake",
    "NoMemoryError",
    "Parts",
    "PartValues",
    "Patch",
    "PatchValue",
    "Polyhedron",
    "PowerPressure",
    "PressureFit",
    "Profile",
    "Push",
    "PushGradient",
    "Pusher",
    "PushesFit",
    "Result",
    "Rollout",
    "RolloutGradient",
    "run",
    "Scenario",
    "ScenarioError",
    "ScenarioProblem",
    "set_workers",
    "Slide",
    "Slider",
    "SliderRate",
    "SliderStep",
    "Slip",
    "StepGradient",
    "StoppedError",
    "sweep",
    "Sweep",
    "sweep_local",
    "Worlds",
    "WorldsGradient",
    "WorldsRollout",
    "WrenchCone",
]

for _name in __all__:
    _thing = globals()[_name]
    if isinstance(_thing, type):
        if not issubclass(_thing, (BaseException, tuple)):
            _common.hint_class(_thing)
    else:
        globals()[_name] = _common.hinted(_thing)
        setattr(_sys.modules[_thing.__module__], _name, globals()[_name])
del _name, _thing
