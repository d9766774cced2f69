"""Limit surfaces of five shapes: all wrenches that friction of a patch can give.

    python limit_surfaces.py [picture.png]
"""

import sys

import numpy as np

import bristle
from bristle import LimitSurface, Patch, plot

SHAPES = {
    "disc": Patch.disc(0.01),
    "ring": Patch.ring(0.01),
    "rectangle": Patch.rectangle((0.03, 0.01)),
    "three points": Patch.points([(0.0, 0.012), (-0.01, -0.006), (0.01, -0.006)]),
    "L": Patch.polygon([(0, 0), (0.03, 0), (0.03, 0.01), (0.01, 0.01), (0.01, 0.03), (0, 0.03)]),
}


def main(path: str) -> None:
    surfaces = [LimitSurface(patch) for patch in SHAPES.values()]
    for name, surface in zip(SHAPES, surfaces):
        ellipsoid = LimitSurface(surface.patch, method="ellipsoid")
        worst = bristle.LimitError(*ellipsoid.error()).max
        x, y = 1e3 * np.array(surface.patch.cop)
        print(
            f"{name:13s} CoP ({x:5.2f}, {y:5.2f}) mm, torque {1e3 * surface.r:.3f} mm mu N, "
            f"an ellipsoid is off by up to {100 * worst:.1f} %"
        )
    plot.limit_surface(*surfaces, path=path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "limit_surfaces.png")
