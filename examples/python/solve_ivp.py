"""The same slip-stick motion by SciPy's LSODA and Radau and by ours: time and error.

    python solve_ivp.py [picture.png]

An object in a gripper whose force oscillates (after Waltersson & Karayiannidis, Fig 29), with a contact of 3
bristles; scipy integrates pose, velocity and bristles with our rates.
"""

import sys
import time

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from bristle import Body, BodyContact, Contact, Law, Patch, Profile

GRIP = Profile.sine(1.73, 0.91, 2.0)
MASS, INERTIA = 0.2, 5.4e-4
CONTACT = Contact(Patch.disc(0.01), Law.from_mu(1.0, r=0.0067, mass=MASS, fn=3.0), "reduced")
DURATION = 1.0


def rate(t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
    x, h, theta, vx, vy, w = y[:6]
    slip = (vx + w * h, vy - w * x, w)  # of the body over the fingers, which are at the origin
    (fx, fy, tau), dz = CONTACT.eval(y[6:], slip, GRIP(t))
    ax, ay = 2 * fx / MASS, 2 * fy / MASS - 9.81
    turn = 2 * (tau - x * fy + h * fx) / INERTIA
    return np.array([vx, vy, w, ax, ay, turn, *dz])


def main(path: str) -> None:
    body = Body(MASS, INERTIA, [BodyContact(CONTACT, GRIP, count=2)], pose=(0.002, 0, 0),
                gravity=(0, -9.81), start="relaxed")  # fmt: skip
    exact = body.simulate(DURATION, rtol=1e-10, atol=1e-12, atol_z=1e-14)
    y0 = np.array([0.002, 0, 0, 0, 0, 0, *CONTACT.state()])
    atol = [1e-8] * 6 + [1e-10] * 3
    start = time.perf_counter()
    ours = body.simulate(DURATION)
    report = [("bristle", time.perf_counter() - start, abs(ours["y"] - exact["y"]).max())]
    for method in ("LSODA", "Radau"):
        start = time.perf_counter()
        answer = solve_ivp(rate, (0, DURATION), y0, method, exact["t"], rtol=1e-6, atol=atol)
        report.append((method, time.perf_counter() - start, abs(answer.y[1] - exact["y"]).max()))
    for name, spent, error in report:
        print(f"{name:8s} {1e3 * spent:8.1f} ms, error {error:.1e} m")
    ours.plot("y", "theta", "fn", path=path)
    plt.close("all")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "solve_ivp.png")
