"""A gnuplot that is missing, crashes, hangs or prints nothing."""

import os
import shutil
import signal
import subprocess
import time

import commands
import harness

# what gnuplot does instead, and a part of the message that follows; None: the picture is drawn
FAULTS = {
    "missing": (None, b"needs gnuplot"),
    "fails": ("echo no such terminal >&2; exit 1", b"no such terminal"),
    "crashes": ("kill -SEGV $$", b"gnuplot failed"),
    "is killed": ("echo half a picture; kill -KILL $$", b"gnuplot failed"),
    "prints nothing": ("cat >/dev/null", b"gnuplot failed"),
    "stops reading": ("exec <&-; echo half; exit 2", b"gnuplot failed"),
    "hangs": ("exec sleep 100", b"did not finish within"),
    "hangs in the middle": ("echo half; exec sleep 100", b"did not finish within"),
    "ignores signals": ("trap '' TERM INT HUP; while :; do sleep 1; done", b"did not finish within"),
    "leaves a child": ("sleep 100 & echo half; exit 1", b"gnuplot"),
    "prints many messages": ("yes no such font | head -c 3000000 >&2; exit 1", b"no such font"),
    "cannot be started": ("#not", b""),
}


def task_of(bench, command, label):
    script, message = FAULTS[label]

    def task():
        folder = bench.start_folder(command)
        own = os.path.join(bench.folder, "bin-%s-%s" % (command.name, label.replace(" ", "-")))
        os.mkdir(own)
        if script:
            commands.write_gnuplot(own, script)
        if label == "cannot be started":
            os.chmod(os.path.join(own, "gnuplot"), 0o644)
        system = "" if not script or label == "cannot be started" else ":/usr/bin:/bin"
        seconds = "1" if "sleep" in (script or "") else "40"
        got = bench.run(command, environment={"PATH": own + system, "BRISTLE_GNUPLOT_SECONDS": seconds}, folder=folder)
        shutil.rmtree(own)
        problems = harness.judge(command, got, bench.reference(command), (1,))
        if message not in got.err:
            problems.append("message: %r" % got.err[:200])
        return problems

    return command.name, label, task


def stop_task(bench, command, how):
    """A signal while gnuplot hangs: the command ends, and so does gnuplot."""

    def task():
        folder = bench.start_folder(command)
        own = os.path.join(bench.folder, "bin-%s-%s" % (command.name, how))
        os.mkdir(own)
        commands.write_gnuplot(own, 'echo $$ >"%s/pid"; exec sleep 100' % own)
        child = subprocess.Popen(bench.words(command), cwd=folder, env=bench.environment({"PATH": own + ":/usr/bin:/bin"}),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pid = wait_for_number(own + "/pid")
        child.send_signal(getattr(signal, how))
        problems = []
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            problems.append("%s: does not end while gnuplot hangs" % how)
        if not ends(pid):
            os.kill(pid, signal.SIGKILL)
            problems.append("%s: gnuplot still runs" % how)
        left = [f for f in harness.read_files(folder) if f.startswith(".")]
        return problems + ["%s: leaves %s" % (how, left)] * bool(left)

    return command.name, how + " while it hangs", task


def wait_for_number(path):
    for _ in range(400):
        if os.path.exists(path) and open(path).read().strip():
            return int(open(path).read())
        time.sleep(0.02)
    raise SystemExit("gnuplot was not started")


def ends(pid):
    """Does the process end within a few seconds?"""
    for _ in range(100):
        if not is_alive(pid):
            return True
        time.sleep(0.05)
    return False


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as text:
            return text.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def pictures(bench, chosen, most):
    drawn = [c for c in chosen if any(n.endswith((".png", ".svg", ".pdf", ".gif")) for n in c.outputs)]
    tasks = [task_of(bench, command, label) for command in drawn[:max(1, most // 12)] for label in FAULTS]
    return tasks + [stop_task(bench, command, how) for command in drawn[:max(1, most // 12)]
                    for how in ("SIGTERM", "SIGINT", "SIGHUP")]
