"""Turning a tool between two fingers: SciPy plans the grip that lets it pivot by 30 degrees and catches it again, from
derivatives of the run. The plan starts from a grip that holds: friction with bristles has a slope there, too.

    python pivot.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from bristle import Body, BodyContact, Contact, Patch

GOAL, KNOTS, STEPS, H, NEAR, REST = np.radians(-30.0), 20, 1000, 1e-3, np.radians(0.05), 0.01  # [rad], [s], [rad/s]
FINGERS = BodyContact(Contact(Patch.disc(0.012), 0.8), count=2)
TOOL = Body(0.2, 5e-4, [FINGERS], pose=(0.03, 0.0, 0.0), gravity=(0.0, -9.81), start="relaxed")
Array = NDArray[np.float64]


class Plan:
    """Residuals of a grip and their derivatives; counts runs and sweeps."""

    runs = sweeps = 0

    def residuals(self, grip: Array) -> Array:
        self.run, self.runs = TOOL.rollout(STEPS, H, normal_force=grip), self.runs + 1
        off, rate = self.run.pose[-1, 2] - GOAL, self.run.velocity[-1, 2]
        if abs(off) < NEAR and abs(rate) < REST:
            raise StopIteration
        return np.concatenate([[10.0 * off, 0.5 * rate], 0.01 * np.diff(grip)])

    def slopes(self, _: Array) -> Array:
        angle = self.run.vjp(pose=[0, 0, 10.0], by_law=False).normal_force[:, 0]
        rate = self.run.vjp(velocity=[0, 0, 0.5], by_law=False).normal_force[:, 0]
        self.sweeps += 2
        return np.vstack([angle, rate, 0.01 * np.diff(np.eye(KNOTS), axis=0)])


def main(path: str) -> None:
    plan, grip = Plan(), np.full(KNOTS, 6.0)
    held = TOOL.rollout(STEPS, H, normal_force=grip)
    first, slope = np.degrees([held.pose[-1, 2], held.vjp(pose=[0, 0, 1]).normal_force.sum()])
    print(f"6 N hold it at {first:.3f} degrees, with a slope of {slope:.3f} degrees/N")
    try:
        least_squares(plan.residuals, grip, jac=plan.slopes, bounds=(0.5, 20.0))
    except StopIteration:
        run, angle = plan.run, np.degrees(plan.run.pose[:, 2])
    print(f"{plan.runs} runs and {plan.sweeps} sweeps: {angle[-1]:.2f} degrees, {run.velocity[-1, 2]:.4f} rad/s")
    figure, (above, below) = plt.subplots(2, 1, sharex=True)
    above.set_ylabel("grip of a finger [N]")
    above.plot(np.linspace(0.0, STEPS * H, KNOTS), run.normal_force[:, 0], ".-", color="#08306b")
    below.plot(run.t, angle, color="#cb181d")
    below.set(xlabel="t [s]", ylabel="angle [degrees]")
    figure.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pivot.png")
