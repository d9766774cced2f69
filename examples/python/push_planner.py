"""Planning pushes by sampling (MPPI): a tip pushes a box to a pose. Each step rolls out 512 changed plans, with the
friction of the tip different in each, weighs them by their cost and executes the first step of their mean.

    python push_planner.py [picture.png]
"""

import sys
import time

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from bristle import Patch, Pusher

GOAL, ARM = np.array([0.18, 0.06, 0.5]), 0.05  # [m, m, rad]; an angle counts as a distance at this radius [m]
SAMPLES, HORIZON, STEP = 512, 10, 0.008  # plans, steps of each, longest step [m]
SPREAD, HEAT = 0.004, 0.001  # of the changes, of the weights [m]
Array = NDArray[np.float64]


def plan(box: Pusher, pose: Array, tip: Array, steps: Array, random: np.random.Generator) -> Array:
    """Better steps (HORIZON, 2) of the tip [m]."""
    tried = steps + SPREAD * random.standard_normal((SAMPLES, HORIZON, 2))
    tried *= np.minimum(1.0, STEP / np.linalg.norm(tried, axis=-1, keepdims=True))
    tips = tip + np.cumsum(np.concatenate([np.zeros((SAMPLES, 1, 2)), tried], axis=1), axis=1)
    poses = box.rollout(pose, tips, mu=random.uniform(0.2, 0.4, SAMPLES))
    off = np.linalg.norm((poses - GOAL) * (1.0, 1.0, ARM), axis=-1)
    far = np.maximum(np.linalg.norm(tips - poses[..., :2], axis=-1) - 0.08, 0.0)
    cost = off[:, -1] + 0.3 * off.mean(axis=1) + 0.1 * far.mean(axis=1)
    weights = np.exp((cost.min() - cost) / HEAT)
    return np.asarray(np.einsum("i,ijk->jk", weights / weights.sum(), tried))


def main(path: str) -> None:
    box, random = Pusher(Patch.rectangle((0.1, 0.06)), mu=0.3, radius=0.005), np.random.default_rng(1)
    poses, tips = [np.zeros(3)], [np.array([-0.06, 0.0])]
    steps, times = np.tile([STEP, 0.0], (HORIZON, 1)), list[float]()
    while len(times) < 80 and np.linalg.norm((poses[-1] - GOAL) * (1.0, 1.0, ARM)) > 0.003:
        start = time.perf_counter()
        steps = plan(box, poses[-1], tips[-1], steps, random)
        times.append(time.perf_counter() - start)
        tips.append(tips[-1] + steps[0])
        poses.append(box.follow(poses[-1], tips[-2:])[-1])
        steps = np.vstack([steps[1:], np.zeros((1, 2))])
    x, y, theta = poses[-1] - GOAL
    print(f"{1e3 * np.hypot(x, y):.1f} mm and {np.degrees(theta):.1f} deg from the goal after {len(times)} steps")
    print(f"a plan takes {1e3 * np.median(times):.0f} ms")

    axis = plt.figure(figsize=(7, 5)).add_subplot(aspect="equal", xlabel="x [m]", ylabel="y [m]")
    for at, color in [*((pose, "black") for pose in [*poses[::8], poses[-1]]), (GOAL, "tab:green")]:
        c, s = np.cos(at[2]), np.sin(at[2])
        axis.plot(*(box.outline() @ [[c, s], [-s, c]] + at[:2]).T, color=color, alpha=0.5)
    axis.plot(*np.transpose(tips), color="tab:red", label="tip")
    axis.legend()
    axis.figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "push_planner.png")
