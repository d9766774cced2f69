"""Pivot a box between two fingers by the grip alone, in many worlds: an environment with Gymnasium's interface.

Gravity turns the box about the fingers if the grip is loose; if it is too loose, the box falls. Each world has its own
mass, friction and finger size. Vectorised as gymnasium.vector.VectorEnv; the spaces are defined here, so that Gymnasium
is not needed. pivot_search.py finds a policy.
"""

from typing import Any, NamedTuple

import numpy as np

from bristle import BodyContact, Contact, Patch, Worlds

ARM, TARGET, G = 0.03, np.radians(-50), 9.81  # m from the fingers to the centre of mass; rad; m/s^2
H, STEPS, LENGTH = 1e-3, 10, 80  # s, steps for each action, actions of an episode
Array = np.ndarray[Any, Any]


class Box(NamedTuple):
    """gymnasium.spaces.Box, as far as it is needed."""

    low: float
    high: float
    shape: tuple[int, ...]

    def contains(self, x: Array) -> bool:
        return x.shape == self.shape and bool((x >= self.low).all() and (x <= self.high).all())


class PivotEnv:
    """Action (n, 1): grip force, 0.3 N (-1) to 30 N (1). Observation (n, 3): remaining angle [rad], spin [10 rad/s],
    slip [cm]. An episode ends after 0.8 s (truncated); more than 3 cm of slip is a loss (terminated)."""

    def __init__(self, num_envs: int, seed: int = 0) -> None:
        self.num_envs, self.random = num_envs, np.random.default_rng(seed)
        self.action_space, self.observation_space = Box(-1, 1, (num_envs, 1)), Box(-np.inf, np.inf, (num_envs, 3))
        fingers = BodyContact(Contact(Patch.disc(0.01, pressure="hertz"), 0.8, "ellipsoid"), 30.0, count=2)
        self.worlds = Worlds([fingers], num_envs, mass=0.15, inertia=2e-4)
        self.time = np.zeros(num_envs, int)  # actions since the reset

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        self.random = self.random if seed is None else np.random.default_rng(seed)
        draw, n = self.random.uniform, self.num_envs
        mask = (options or {}).get("reset_mask", np.ones(n, bool))  # as in Gymnasium 1.0
        mass, mu, scale = draw(0.12, 0.18, n), draw(0.7, 0.9, n), draw(0.9, 1.1, n)
        self.worlds.reset(mask, pose=(ARM, 0, 0), twist=(0, 0, 0), mass=mass, inertia=mass / 750, mu=mu, scale=scale)
        self.worlds.load[1] = -G * self.worlds.mass
        self.time[mask] = 0
        return self.observe(), {}

    def observe(self) -> Array:
        """Of all worlds. The slip is the distance from the fingers to the point of the box that they held."""
        x, y, angle = self.worlds.pose
        slip = np.hypot(x - ARM * np.cos(angle), y - ARM * np.sin(angle))
        return np.stack([angle - TARGET, self.worlds.twist[2] / 10, 100 * slip], axis=-1)

    def step(self, action: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        self.worlds.step(H, normal_force=3.0 * 10.0 ** np.clip(action[:, 0], -1, 1), steps=STEPS)
        self.time += 1
        seen = self.observe()
        ends, error = self.time >= LENGTH, np.abs(seen[:, 0])
        reward = -H * STEPS * (error + 0.3 * seen[:, 2]) - np.where(ends, error, 0.0)  # mainly the last angle
        return seen, reward, seen[:, 2] > 3.0, ends, {}
