"""Run a command with a fault, and judge what it left: exit status, messages, files, memory."""

import collections
import os
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import commands

OLD = b"an older file\n"
PATIENCE = 120  # a command takes much less than a second; longer is a hang [s]

Result = collections.namedtuple("Result", "status out err files left")


class Bench:
    """The programs, the inputs, and what each command gives without a fault."""

    def __init__(self, bristle, shim, folder):
        self.bristle, self.shim, self.folder = bristle, shim, folder
        self.inputs = os.path.join(folder, "in")
        commands.prepare(bristle, self.inputs)
        self.references = {}

    def words(self, command, more=()):
        program = os.path.join(os.path.dirname(self.bristle), command.program)
        return [program] + [w.replace("IN/", self.inputs + "/") for w in command.words] + list(more)

    def exists(self, command):
        """Is its program there, and was it built with the library that the command needs?"""
        if not os.path.exists(self.words(command)[0]):
            return False
        if "out.h5" not in command.outputs:
            return True
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            done = subprocess.run(self.words(command), cwd=folder, capture_output=True, env=self.environment())
        return b"built without HDF5" not in done.stderr

    def environment(self, more=()):
        path = os.path.join(self.inputs, "bin") + ":" + os.environ["PATH"]
        return {**os.environ, "PATH": path, "LC_ALL": "C", "BRISTLE_GNUPLOT_SECONDS": "40", **dict(more)}

    def start_folder(self, command, holds_old=True):
        """A new folder with older files where the command writes."""
        folder = tempfile.mkdtemp(dir=self.folder)
        for name in command.outputs if holds_old else ():
            if "." in name:
                with open(os.path.join(folder, name), "wb") as to:
                    to.write(OLD)
        return folder

    def run(self, command, before=(), more=(), environment=(), folder=None, keep=False):
        """Run it in a folder of its own; `before` are words in front of it, `more` those behind."""
        own = folder or self.start_folder(command)
        log = os.path.join(self.folder, os.path.basename(own) + ".log")
        more_environment = dict(environment, FAULTS_LOG=log)
        status, out, err = call(list(before) + self.words(command, more), own, self.environment(more_environment))
        result = Result(status, out, err, read_files(own), read_log(log))
        if not keep:
            shutil.rmtree(own)
        return result

    def reference(self, command):
        if command.name not in self.references:
            got = self.run(command)
            if got.status != 0:
                raise SystemExit("%s does not run: %r" % (command.name, got))
            self.references[command.name] = got
        return self.references[command.name]


def call(words, folder, environment):
    """Run a program in a group of processes of its own, which ends with it. Returns status, stdout, stderr."""
    child = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=environment, start_new_session=True)
    try:
        out, err = child.communicate(timeout=PATIENCE)
        return child.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        return "hangs", out, err


def read_log(log):
    """The lines of the preloaded library's report."""
    if not os.path.exists(log):
        return []
    with open(log) as lines:
        text = lines.read().splitlines()
    os.remove(log)
    return text


def read_files(folder):
    files = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as data:
                files[os.path.relpath(path, folder)] = data.read()
    return files


def is_output(command, name):
    return name in command.outputs or os.path.dirname(name) in command.outputs


def same(a, b):
    return a == b or commands.normalise(a) == commands.normalise(b)


def judge_files(command, got, reference, may_keep=()):
    """Every file is the older one or the complete new one, and there is no other."""
    problems = []
    for name, data in got.files.items():
        if name == command.journal and got.status != 0 or name in may_keep:
            continue
        if not is_output(command, name):
            problems.append("leaves the file %s" % name)
        elif data != OLD and not same(data, reference.files.get(name, b"")) and not command.may_report(name, got.status):
            problems.append("%s is neither the older file nor the complete new one" % name)
    for name in command.outputs:
        if "." in name and name not in got.files:
            problems.append("%s is gone" % name)
    return problems


def judge(command, got, reference, allowed=(0, 1), may_keep=()):
    """What is wrong after a fault; an empty list: nothing."""
    if got.status == "hangs":
        return ["does not end within %d s" % PATIENCE]
    if got.status < 0:
        return ["ends by signal %s" % signal.Signals(-got.status).name]
    problems = judge_files(command, got, reference, may_keep)
    if got.status not in allowed:
        problems.append("exit status %d" % got.status)
    if got.status == 0:
        if not same(got.out, reference.out):
            problems.append("exit status 0, but other text on stdout")
        problems += ["exit status 0, but %s is not written" % name for name, data in reference.files.items()
                     if not same(got.files.get(name, b""), data)]
    elif not any(line.startswith(b"bristle: ") or line.endswith(b" FAILED") for line in got.err.splitlines()):
        problems.append("no message on stderr: %r" % got.err[:200])
    return problems + ["%s does not free all memory" % line.split()[2].split("+")[0] for line in got.left[1:2]]


def merged(bench, files):
    """What a part of a sweep holds, as CSV; its bytes depend on the order of failures."""
    folder = tempfile.mkdtemp(dir=bench.folder)
    with open(os.path.join(folder, "part"), "wb") as to:
        to.write(files["out.part"])
    subprocess.run([bench.bristle, "sweep", "--merge", "part", "-q", "-o", "out.csv"], cwd=folder, check=True)
    return read_files(folder)["out.csv"]


def judge_resumed(bench, command, folder, keep=False):
    """After --resume all files are those of a run without a fault."""
    more = ["--resume"] if os.path.exists(os.path.join(folder, command.journal)) else []
    got = bench.run(command, more=more, folder=folder, keep=keep)
    if got.status != 0:
        return ["resumed: exit status %s, %r" % (got.status, got.err[:300])]
    reference = bench.reference(command)
    if "out.part" in got.files:
        return [] if merged(bench, got.files) == merged(bench, reference.files) else ["resumed: the part differs"]
    return ["resumed %s: %s differs, %d bytes" % (more, name, len(got.files.get(name, b"")))
            for name in set(reference.files) | set(got.files)
            if not same(reference.files.get(name, b""), got.files.get(name, b""))]


class Campaign:
    """Faults of many commands, in two threads; counts them and collects what they find."""

    def __init__(self, title):
        self.title = title
        self.counts = collections.Counter()
        self.findings = collections.OrderedDict()

    def run(self, tasks):
        """`tasks`: (name, label of the fault, function that returns problems)"""
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for name, label, problems in pool.map(lambda t: (t[0], t[1], t[2]()), tasks):
                self.counts[name] += 1
                for problem in problems:
                    self.findings.setdefault((name, problem), []).append(label)

    def report(self):
        print("%s: %d faults" % (self.title, sum(self.counts.values())))
        print("  " + ", ".join("%s %d" % pair for pair in self.counts.items()))
        for (name, problem), labels in self.findings.items():
            print("FAILED: %s: %s (%d: %s)" % (name, problem, len(labels), ", ".join(labels[:6])))
        return not self.findings


def spread(count, most):
    """At most `most` of the numbers 1 to `count`: the first ones, then evenly spaced ones."""
    if count <= most:
        return list(range(1, count + 1))
    first = most // 2
    step = (count - first) / (most - first)
    return list(range(1, first + 1)) + sorted({first + round(step * (i + 1)) for i in range(most - first)})
