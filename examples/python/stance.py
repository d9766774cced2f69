"""Where can a standing robot lean? A linear program over contact forces in friction polyhedra.

    python stance.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from bristle import FrictionCone

WEIGHT = 300.0  # N; three feet on slopes: places [m] and normals
PLACES = np.array([(0.4, 0.0, 0.0), (-0.2, 0.35, 0.1), (-0.2, -0.35, 0.1)])
NORMALS = np.array([(-0.3, 0.0, 1.0), (0.2, -0.3, 1.0), (0.2, 0.3, 1.0)])


def program(mu: float) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """A f <= b for all forces f, and G f = the wrench that they give."""
    hulls = [FrictionCone(normal, mu).polyhedron(8, f_max=400.0) for normal in NORMALS]
    a, g, row = np.zeros((sum(len(hull.b) for hull in hulls), 9)), np.zeros((6, 9)), 0
    for i, (hull, (x, y, z)) in enumerate(zip(hulls, PLACES)):
        a[row : row + len(hull.b), 3 * i : 3 * i + 3] = hull.A
        row += len(hull.b)
        g[:3, 3 * i : 3 * i + 3] = np.eye(3)
        g[3:, 3 * i : 3 * i + 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return a, np.concatenate([hull.b for hull in hulls]), g


def reach(mu: float, direction: NDArray[np.float64]) -> NDArray[np.float64]:
    """The farthest place of the centre of mass in a direction [m]; unknowns: forces, x, y."""
    a, b, g = program(mu)
    lever = np.zeros((6, 2))
    lever[3, 1], lever[4, 0] = -WEIGHT, WEIGHT  # torque of the weight at (x, y)
    equal = np.hstack([g, lever])
    answer = linprog(
        np.concatenate([np.zeros(9), -direction]), np.hstack([a, np.zeros((len(a), 2))]), b,
        equal, [0, 0, WEIGHT, 0, 0, 0], bounds=[(None, None)] * 11,
    )  # fmt: skip
    return np.array(answer.x[9:])


def main(path: str) -> None:
    figure, axis = plt.subplots(figsize=(6, 6))
    axis.plot(*PLACES[[0, 1, 2, 0], :2].T, "k--", label="feet")
    for mu in (0.4, 0.25, 0.15):  # each is within the one before
        angles = np.linspace(0, 2 * np.pi, 48)
        edge = np.array([reach(mu, np.array([np.cos(a), np.sin(a)])) for a in angles])
        area = 0.5 * abs(np.sum(edge[:-1, 0] * edge[1:, 1] - edge[1:, 0] * edge[:-1, 1]))
        print(f"mu {mu}: the centre of mass may be anywhere in {1e4 * area:.0f} cm^2")
        axis.fill(edge[:, 0], edge[:, 1], edgecolor="white", label=f"mu = {mu}")
    axis.set(aspect="equal", xlabel="x of the centre of mass [m]", ylabel="y [m]")
    axis.legend()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "stance.png")
