"""Friction in one's own time loop: a mass on a belt, pulled back by a spring, sticks and slips.

    python own_loop.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

from bristle import Law

MASS, STIFFNESS, BELT, FN = 1.0, 100.0, 0.01, 9.81  # kg, N/m, m/s, N
STEP, DURATION = 1e-4, 20.0  # s


def main(path: str) -> None:
    law = Law(mu_c=0.3, mu_s=0.4, v_stribeck=5e-3, sigma0=2000, sigma1=3, sigma2=1)
    z = law.state()
    x, v = 0.0, BELT
    rows = np.empty((round(DURATION / STEP), 3))
    for i in range(len(rows)):
        friction = -law.step(z, v - BELT, FN, STEP)  # a law resists the motion over the belt
        v += STEP * (friction - STIFFNESS * x) / MASS
        x += STEP * v
        rows[i] = x, v, friction
    t = STEP * np.arange(len(rows))
    slips = np.count_nonzero((rows[1:, 1] < -0.5 * BELT) & (rows[:-1, 1] >= -0.5 * BELT))
    print(f"{slips} slips in {DURATION:g} s, friction up to {rows[:, 2].max():.2f} N")

    figure, axes = plt.subplots(3, 1, sharex=True, figsize=(8, 6))
    for axis, column, label in zip(axes, rows.T, ("x [m]", "v [m/s]", "friction [N]")):
        axis.plot(t[::20], column[::20], linewidth=1)
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    axes[-1].set_xlabel("t [s]")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "own_loop.png")
