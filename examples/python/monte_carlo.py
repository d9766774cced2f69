"""Monte Carlo over the coefficient of friction: 10,000 pucks slide and spin to rest, all in one batch.

    python monte_carlo.py [picture.png]

Friction is in proportion to mu fn: one contact with mu = 1 serves them all, each with its own mu fn.
"""

import sys
import time

import matplotlib.pyplot as plt
import numpy as np

from bristle import Contact, Patch

COUNT, STEP, DURATION = 10000, 5e-4, 0.6  # -, s, s
MASS, INERTIA = 0.17, 1e-4  # kg, kg m^2


def main(path: str) -> None:
    mu = np.random.default_rng(1).normal(0.30, 0.03, COUNT).clip(0.1)
    contact = Contact(Patch.disc(0.035), 1.0, "reduced")
    q, v = np.zeros((COUNT, 3)), np.tile([1.0, 0.0, 30.0], (COUNT, 1))
    z, f = contact.state(COUNT), np.empty((COUNT, 3))
    fn = mu * MASS * 9.81
    contact.steady(v, fn, z=z)  # they slide already
    start = time.perf_counter()
    steps = round(DURATION / STEP)
    for _ in range(steps):
        contact.step(z, v, fn, STEP, out=f)
        v += STEP * f / [MASS, MASS, INERTIA]
        q += STEP * v
    spent = time.perf_counter() - start
    distance = q[:, 0]
    print(f"{COUNT} pucks, {steps} steps in {spent:.2f} s: {1e9 * spent / steps / COUNT:.0f} ns each")
    print(f"they slide {distance.mean():.4f} m, standard deviation {distance.std():.4f} m")

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
    left.hist(distance, bins=80, color="tab:blue")
    left.set(xlabel="distance [m]", ylabel="pucks")
    right.plot(mu, distance, ".", markersize=1)
    order = np.sort(mu)
    right.plot(order, np.mean(distance * mu) / order, "k", label="in proportion to 1/mu")
    right.set_xlabel("mu [-]")
    right.set_ylabel("distance [m]")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "monte_carlo.png")
