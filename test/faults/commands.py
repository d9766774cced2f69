"""The commands that the campaign of faults runs: small inputs, and what each command writes."""

import math
import os
import random
import re
import subprocess

FILES = {
    "rig.yaml": """
law: {kind: lugre, mu_c: 1, mu_s: 1.5, v_s: 1e-3, sigma0: 1e5, sigma1: 1, sigma2: 0.6}
rig: {mass: 1, stiffness: 2, pull: 0.1}
duration: 0.2
output: {every: 0.01}
""",
    "motion.yaml": "law: {kind: dahl, mu_c: 1, sigma0: 1e3}\nmotion: {file: v.csv}\n",
    "v.csv": "t,v\n0,0\n0.5,0.1\n1,-0.1\n",
    "puck.yaml": """
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 0.3
""",
    "cells.yaml": """
model: distributed
friction: {mu_c: 0.3, mu_s: 0.4, v_s: 1e-3, sigma0: 1e5, sigma1: 100, elasto_plastic: true, s_ba: 0.9}
contact: {patch: {shape: grid, size: [0.02, 0.01], file: map.csv}, normal_force: {kind: sine, mean: 2, amplitude: 1, frequency: 3}}
motion: {vx: {kind: ramp, from: 0, to: 0.1, start: 0, end: 0.1}, vy: 0.01, w: {file: w.csv, column: w}}
duration: 0.1
""",
    "map.csv": "1,2,3\n3,2,1\n",
    "w.csv": "t,w\n0,0\n1,1\n",
    "reduced.yaml": """
model: reduced
friction: {mu: 0.3}
contact: {patch: {shape: polygon, vertices: [[0, 0], [0.02, 0], [0, 0.01]]}, normal_force: 1, surface: {method: exact, n: 6}}
motion: {vx: 0.1, vy: 0, w: 1}
duration: 0.05
""",
    "slider.yaml": """
slider: {mass: 0.5, inertia: 2.0833e-4, height: 0.08, mu: 0.31, e: [1, 1, 0.01], gravity: 9.8,
         velocity: [0.7, 0.9, 10], patch: {shape: rectangle, size: [0.05, 0.05]}}
model: quadratic
step: 0.01
duration: 0.1
""",
    "mechanism.yaml": """
mechanism: {kind: two-link, masses: [1, 1], lengths: [1, 2], gravity: 9.8, path: {kind: parabola, beta: 0.25, gamma: 0},
            torque: [1, 0], start: {x: 1.2, elbow: down}, mu: 0.1, mu_s: 0.12, law: coulomb}
duration: 0.2
output: {every: 0.01}
""",
    "block.yaml": """
M: [[2, 0], [0, 2]]
Q: [3, -19.6]
A: [[0, 1]]
b: [0]
J: [[1, 0], [0, 1]]
qd: [0.1, 0]
mu: 0.3
mu_s: 0.4
""",
    "old.yaml": """
body: {mass: 0.2, size: [0.1, 0.1]}
friction: {mu: 0.5}
contact: {patch: {shape: disc, radius: 0.01}, normal_force: {kind: control, start: 3, least: 0.5, most: 9}}
duration: 0.1
""",
    "disc.yaml": "shape: disc\nradius: 0.01\n",
    "plate.yaml": "shape: rectangle\nsize: [0.1, 0.1]\n",
    "pad.yaml": "shape: rectangle\nsize: [0.01, 0.006]\n",
    "forces.csv": "fx,fy,fz\n0,0,1\n1,0,1\n0.2,0.1,2\n",
    "cases.csv": "friction.mu,body.mass\n0.1,0.2\n0.3,0.1\n-1,0.1\n",
    "noisy.yaml": """
law: {kind: lugre, mu_c: 0.3, mu_s: 0.45, v_s: 0.01, sigma0: 1500, sigma1: 4, sigma2: 2.5}
motion: {velocity: {kind: sine, amplitude: 0.05, frequency: 1}}
duration: 1
output: {every: 0.01}
noise: {column: f, deviation: 0.01, seed: 7}
""",
    "finger.yaml": """
friction: {mu_c: 0.5, mu_s: 0.6, v_s: 0.01, sigma0: 3000, sigma1: 5, sigma2: 2}
model: blocks
contact: {normal_force: 10, patch: {shape: rectangle, size: [0.02, 0.012]}}
motion:
  vx: {kind: sine, amplitude: 0.02, frequency: 0.8}
  vy: {kind: sine, amplitude: 0.012, frequency: 0.5, phase: 1}
  w: {kind: sine, amplitude: 2, frequency: 0.37}
duration: 1
output: {every: 0.02}
noise: [{column: fx, deviation: 0.03}, {column: fy, deviation: 0.03}, {column: tau, deviation: 2e-4}]
""",
}


class Command:
    """A command line, the files that it writes to its folder, and whether it can be resumed."""

    def __init__(self, name, words, outputs=(), resumes=False, program="bristle", slow=False):
        self.name = name
        self.words = words
        self.outputs = list(outputs)
        self.resumes = resumes
        self.program = program
        self.slow = slow  # left to the long campaign

    def may_report(self, name, status):
        """A report that says which figure could not be made; the best so far of a fit that was stopped."""
        return status == 1 and (name == "out/report.md" or self.words[0] == "fit")

    @property
    def journal(self):
        return self.outputs[0] + ".journal" if self.resumes else None


def table():
    """All commands; IN is the folder of the inputs."""
    draws = ["IN/puck.yaml", "--vary", "friction.mu=[-1, 0.1, 0.3]", "--draw", "body.mass=lognormal:0.1:0.2",
             "--samples", "4", "--want", "final.theta,contacts[0].slipped"]
    run = lambda name, *more: ["run", "IN/%s.yaml" % name] + list(more)
    return [
        Command("version", ["--version"]),
        Command("help", ["--help"]),
        Command("help.run", ["help", "run"], slow=True),
        Command("help.friction", ["help", "friction"]),
        Command("help.topics", ["help", "topics"], slow=True),
        Command("help.man", ["help", "--man"], slow=True),
        Command("help.bash", ["help", "--bash"], slow=True),
        Command("help.zsh", ["help", "--zsh"], slow=True),
        Command("help.schema", ["help", "--schema"], slow=True),
        Command("new", ["new", "body", "--force", "-o", "body.yaml"], ["body.yaml"]),
        Command("upgrade", ["upgrade", "IN/old.yaml", "-o", "new.yaml"], ["new.yaml"]),
        Command("check", ["check", "IN/puck.yaml", "IN/motion.yaml", "IN/block.yaml", "IN/disc.yaml"]),
        Command("run.rig", run("rig")),
        Command("run.motion", run("motion", "-o", "out.csv"), ["out.csv"]),
        Command("run.body", run("puck", "-o", "out.npz", "--json"), ["out.npz"]),
        Command("run.cells", run("cells", "-o", "out.csv"), ["out.csv"]),
        Command("run.reduced", run("reduced", "-o", "out.csv"), ["out.csv"]),
        Command("run.slider", run("slider", "-o", "out.csv"), ["out.csv"]),
        Command("run.mechanism", run("mechanism", "-o", "out.csv"), ["out.csv"]),
        Command("run.plot", run("puck", "-q", "-o", "out.csv", "--plot", "out.png"), ["out.csv", "out.png"]),
        Command("run.animate", run("puck", "-q", "-o", "out.csv", "--animate", "out.gif"), ["out.csv", "out.gif"]),
        Command("run.sensitivity", run("puck", "--sensitivity", "friction.mu", "-o", "out.csv"), ["out.csv"]),
        Command("surface", ["surface", "IN/disc.yaml", "-o", "out.csv"], ["out.csv"]),
        Command("surface.twists", ["surface", "IN/plate.yaml", "--twists", "IN/twists.csv", "--method", "table", "-o",
                                   "out.csv"], ["out.csv"]),
        Command("surface.plot", ["surface", "IN/plate.yaml", "--json", "-o", "out.npz", "--plot", "out.svg"],
                ["out.npz", "out.svg"]),
        Command("cone.print", ["cone", "--mu", "0.5", "--faces", "6", "--print", "h", "-o", "out.csv"], ["out.csv"]),
        Command("cone.check", ["cone", "--mu", "0.5", "--check", "IN/forces.csv", "-o", "out.csv", "--plot",
                               "out.pdf"], ["out.csv", "out.pdf"]),
        Command("cone.project", ["cone", "--mu", "0.5", "--project", "IN/forces.csv"]),
        Command("cone.patch", ["cone", "--mu", "0.5", "--patch-wrench", "IN/plate.yaml", "--faces", "12", "--print",
                               "h", "-o", "out.csv"], ["out.csv"]),
        Command("cone.free", ["cone", "--mu", "0.5", "--patch-wrench", "IN/plate.yaml", "--pressure", "free",
                              "--print", "v", "-o", "out.csv"], ["out.csv"]),
        Command("convert", ["convert", "IN/disc.yaml", "--to", "mujoco", "--mu", "0.5", "--fn", "10", "--plot",
                            "out.png"], ["out.png"]),
        Command("constrained", ["constrained", "IN/block.yaml", "--json", "--set", "normal=[0, 1]"]),
        Command("fit.law", ["fit", "law", "IN/noisy.csv", "--law", "lugre", "-o", "out.yaml", "--plot", "out.png"],
                ["out.yaml", "out.png"]),
        Command("fit.law.auto", ["fit", "law", "IN/noisy.csv", "--json"], slow=True),
        Command("fit.contact", ["fit", "contact", "IN/finger.csv", "--patch", "IN/pad.yaml", "--cells", "3", "-o",
                                "out.yaml"], ["out.yaml"]),
        Command("fit.pressure", ["fit", "pressure", "IN/pairs.csv", "--outline", "IN/plate.yaml", "--cells", "4",
                                 "-o", "out.yaml"], ["out.yaml"]),
        Command("fit.pushes", ["fit", "pushes", "IN/pushes.csv", "--outline", "IN/plate.yaml", "--tip-radius",
                               "0.005", "--cells", "3", "-o", "out.yaml"], ["out.yaml"]),
        Command("fit.predict", ["fit", "pushes", "IN/paths.csv", "--outline", "IN/plate.yaml", "--tip-radius",
                                "0.005", "--predict", "-o", "out.csv"], ["out.csv"]),
        Command("sweep", ["sweep"] + draws + ["--jobs", "2", "-o", "out.csv"], ["out.csv", "out.csv.json"], True),
        Command("sweep.npz", ["sweep"] + draws + ["--jobs", "1", "-o", "out.npz", "--plot", "out.png"],
                ["out.npz", "out.png"], True),
        Command("sweep.h5", ["sweep"] + draws + ["--jobs", "1", "-o", "out.h5"], ["out.h5"], True),
        Command("sweep.stdout", ["sweep", "IN/puck.yaml", "--cases", "IN/cases.csv", "--want", "max.x", "--jobs",
                                 "2"]),
        Command("sweep.tables", ["sweep", "IN/puck.yaml", "--cases", "IN/cases.csv", "--want", "final.x", "--jobs",
                                 "2", "--tables", "tables", "-o", "out.csv"], ["out.csv", "out.csv.json", "tables"],
                True),
        Command("sweep.part", ["sweep"] + draws + ["--jobs", "1", "--shard", "1/1", "-o", "out.part"], ["out.part"],
                True),
        Command("sweep.merge", ["sweep", "--merge", "IN/part1", "IN/part2", "-o", "out.npz"], ["out.npz"]),
        Command("sweep.local", ["sweep", "IN/rig.yaml", "--local", "--draw", "rig.mass=uniform:0.9:1.1", "--want",
                                "final.x"]),
        Command("sweep.sobol", ["sweep", "IN/rig.yaml", "--sobol", "--draw", "rig.mass=uniform:0.9:1.1", "--draw",
                                "rig.pull=uniform:0.1:0.2", "--samples", "2", "--want", "final.x", "--jobs", "2",
                                "-o", "out.csv"], ["out.csv", "out.csv.json"], True),
        Command("reproduce.list", ["--list"], program="bristle-reproduce"),
        Command("reproduce", ["wk-fig8", "-o", "out"], ["out"], program="bristle-reproduce"),
        Command("bench.list", ["--list"], program="bristle-bench"),
    ]


def write_measurements(bristle, folder):
    """Tables that are computed: data of fits, parts of a sweep."""

    def call(*words):
        subprocess.run([bristle] + list(words), cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def rows(name):
        return [line.strip().split(",") for line in open(os.path.join(folder, name))]

    def write(name, header, lines):
        with open(os.path.join(folder, name), "w") as to:
            to.write("\n".join([header] + [",".join(map(str, line)) for line in lines]) + "\n")

    rng = random.Random(1)
    write("twists.csv", "vx,vy,w", [[rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-30, 30)] for _ in range(20)])
    call("run", "noisy.yaml", "-q", "-o", "noisy.csv")
    call("run", "finger.yaml", "-q", "-o", "finger.csv")
    call("surface", "plate.yaml", "--twists", "twists.csv", "-q", "-o", "friction.csv")
    write("pairs.csv", "fx,fy,tau,vx,vy,w",
          [[-float(x) for x in row[3:6]] + row[:3] for row in rows("friction.csv")[1:]])
    angles = [0.3927 * i for i in range(16)]
    starts = [[0.09 * math.cos(a), 0.09 * math.sin(a), a + 0.4] for a in angles]
    paths = [[0, 0, 0, x, y, x - 0.06 * math.cos(b), y - 0.06 * math.sin(b)] for x, y, b in starts]
    write("paths.csv", "x0,y0,th0,tipx0,tipy0,tipx1,tipy1", paths)
    call("fit", "pushes", "paths.csv", "--outline", "plate.yaml", "--tip-radius", "0.005", "--predict", "-o", "ends.csv")
    write("pushes.csv", "x0,y0,th0,tipx0,tipy0,tipx1,tipy1,x1,y1,th1",
          [path + end for path, end in zip(paths, rows("ends.csv")[1:])])
    for part in "12":
        call("sweep", "puck.yaml", "--vary", "friction.mu=[-1, 0.1, 0.3]", "--want", "final.x", "--shard",
             part + "/2", "-q", "-o", "part" + part)


def prepare(bristle, folder):
    """Write the inputs, and a gnuplot that draws nothing but reads its script."""
    os.makedirs(os.path.join(folder, "bin"))
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w") as to:
            to.write(text.lstrip("\n"))
    write_gnuplot(os.path.join(folder, "bin"), "cat >/dev/null; echo a picture")
    write_measurements(bristle, folder)


def write_gnuplot(folder, text):
    path = os.path.join(folder, "gnuplot")
    with open(path, "w") as to:
        to.write("#!/bin/sh\n%s\n" % text)
    os.chmod(path, 0o755)


def normalise(text):
    """What two runs print alike: without times."""
    text = re.sub(rb'"wall_s": [^,}]*', b'"wall_s": 0', text)
    return re.sub(rb"[0-9.e+-]+( (m?s|us|min)\b|/s\b)", b"T", text)
