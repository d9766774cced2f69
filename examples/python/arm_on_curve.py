"""An arm of two links whose end rubs on a curve: a mechanism from three functions.

    python arm_on_curve.py [picture.png]
"""

import sys
from typing import Any

import numpy as np

from bristle import Law, Mechanism

M1, M2, L1, L2, G = 1.0, 0.5, 0.4, 0.3, 9.81  # kg, m, m/s^2; point masses at the links' ends
Array = np.ndarray[Any, np.dtype[np.float64]]

def joints(q: Array) -> tuple[Array, Array, Array]:
    """Place of the end, its Jacobian, and that of the first link's end."""
    a, b = q[0], q[0] + q[1]
    end = np.array([L1 * np.cos(a) + L2 * np.cos(b), L1 * np.sin(a) + L2 * np.sin(b)])
    first = L1 * np.array([[-np.sin(a), 0], [np.cos(a), 0]])
    last = L2 * np.array([[-np.sin(b)] * 2, [np.cos(b)] * 2])
    return end, first + last, first


def bias(q: Array, qd: Array) -> Array:
    """Acceleration of the end at qdd = 0: centripetal."""
    a, b, wa, wb = q[0], q[0] + q[1], qd[0], qd[0] + qd[1]
    inner, outer = -L1 * wa**2, -L2 * wb**2
    return np.array([inner * np.cos(a) + outer * np.cos(b), inner * np.sin(a) + outer * np.sin(b)])


def dynamics(t: float, q: Array, qd: Array) -> tuple[Array, Array, float, float]:
    end, j2, j1 = joints(q)
    elbow, pull = L1 * np.array([np.cos(q[0]), np.sin(q[0])]), np.array([0.0, -G])
    mass = M1 * j1.T @ j1 + M2 * j2.T @ j2
    force = M1 * j1.T @ (pull + qd[0] ** 2 * elbow) + M2 * j2.T @ (pull - bias(q, qd))
    return mass, force, float(G * (M1 * elbow[1] + M2 * end[1])), 0.0


def parabola(t: float, q: Array, qd: Array) -> tuple[Array, Array, Array]:
    (x, y), j, _ = joints(q)
    slope = np.array([-2.0 * x, 1.0])
    curve = 2.0 * (j @ qd)[0] ** 2 - slope @ bias(q, qd)
    return (slope @ j)[None], np.array([curve]), np.array([y - x**2 + 0.3])


def touch(t: float, q: Array, qd: Array) -> tuple[Array, Array, Array, Array]:
    end, j, _ = joints(q)
    return end, j, bias(q, qd), np.array([[-2.0 * end[0], 1.0]]) / np.hypot(1.0, 2.0 * end[0])


def main(path: str) -> None:
    arm = Mechanism(dynamics, parabola, touch, Law(kind="stiction", mu_c=0.25, mu_s=0.35))
    result = arm.simulate(2.0, q=[-1.9, 1.55], project=True, rtol=1e-8, atol=1e-9)
    print(", ".join(f"{event.t:.3f} s {event.kind}" for event in result.events))
    result.plot("x", "y", "fn", "qd1", "qd2", path=path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "arm_on_curve.png")
