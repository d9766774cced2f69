"""Calls of the system that fail, and signals at every call, by strace's injection."""

import os
import re
import shutil
import signal
import subprocess

import harness

# What a call may fail with. Left out: calls that cannot fail, or only by an error of the program, and brk, which
# reports an error in another form than strace does.
ERRORS = {
    "access": ["EIO"], "clone": ["EAGAIN"], "clone3": ["EAGAIN"], "close": ["EIO"],
    "fchmod": ["EPERM"], "fcntl": ["ENOLCK"], "fsync": ["EIO"], "ftruncate": ["ENOSPC"], "fstat": ["EIO"],
    "getdents64": ["EIO"], "link": ["EPERM", "ENOSPC"], "lseek": ["EINVAL"], "mkdir": ["ENOSPC"], "mmap": ["ENOMEM"],
    "newfstatat": ["EACCES"], "openat": ["EMFILE", "EIO"], "pipe": ["EMFILE"], "pipe2": ["EMFILE"],
    "poll": ["ENOMEM", "EINTR"], "pread64": ["EIO", "EINTR"], "pwrite64": ["ENOSPC", "EINTR"], "read": ["EIO"],
    "readlink": ["EIO"], "rename": ["EACCES"], "sched_getaffinity": ["EINVAL"], "unlink": ["EACCES"],
    "vfork": ["EAGAIN"], "wait4": ["EINTR"], "write": ["ENOSPC", "EIO"],
}
SIGNALS = ("SIGKILL", "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def works():
    """Is there a strace that may trace?"""
    try:
        return subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def list_calls(bench, command):
    """The calls of the command's main thread after it has set its handlers: (name, number of such calls so far)."""
    log = os.path.join(bench.folder, "calls-" + command.name)
    got = bench.run(command, before=["strace", "-f", "-qq", "-o", log])
    if got.status != 0:
        raise SystemExit("strace %s: %r" % (command.name, got.err))
    counts, calls, is_armed, main = {}, [], False, None
    for line in open(log, errors="replace"):
        found = re.match(r"(\d+) +(\w+)\(", line)
        main = main or (found and found.group(1))
        if found and found.group(1) == main:
            name = found.group(2)
            counts[name] = counts.get(name, 0) + 1
            is_armed = is_armed or "rt_sigaction(SIGINT" in line
            if is_armed and name != "exit_group":
                calls.append((name, counts[name]))
    os.remove(log)
    return calls


def inject(name, what, number):
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + name, "-e",
            "inject=%s:%s:when=%d" % (name, what, number)]


def is_temporary(name):
    return os.path.basename(name).startswith((".bristle-",)) or name.endswith(".begun")


def error_task(bench, command, name, error, number):
    def task():
        folder = bench.start_folder(command)
        got = bench.run(command, before=inject(name, "error=" + error, number), folder=folder, keep=True)
        # a file that cannot be removed stays; an input that cannot be read is bad input
        keep = [f for f in got.files if name == "unlink" and (is_temporary(f) or f == command.journal)]
        problems = harness.judge(command, got, bench.reference(command), (0, 1, 2), keep)
        if command.resumes and got.status == 1 and not problems:
            problems += harness.judge_resumed(bench, command, folder)
        shutil.rmtree(folder, ignore_errors=True)
        return problems

    return command.name, "%s %d %s" % (name, number, error), task


def judge_killed(bench, command, got, folder, how):
    """After a signal: older or complete files; after SIGKILL the next command also removes what was left."""
    expected = (-getattr(signal, how), 0, 1)
    if got.status not in expected:
        return ["%s: status %s, %r" % (how, got.status, got.err[:200])]
    left = [f for f in got.files if is_temporary(f) and how == "SIGKILL"]
    problems = harness.judge_files(command, got, bench.reference(command), left)
    if command.resumes:
        return problems + harness.judge_resumed(bench, command, folder)
    again = bench.run(command, folder=folder, keep=True)
    return problems + ["after %s: %s" % (how, p) for p in harness.judge(command, again, bench.reference(command))]


def signal_task(bench, command, name, how, number):
    def task():
        folder = bench.start_folder(command)
        got = bench.run(command, before=inject(name, "signal=" + how, number), folder=folder, keep=True)
        problems = judge_killed(bench, command, got, folder, how)
        shutil.rmtree(folder, ignore_errors=True)
        return problems

    return command.name, "%s %d %s" % (name, number, how), task


def choose(tasks, most):
    return [tasks[i - 1] for i in harness.spread(len(tasks), most)]


def errors(bench, chosen, most):
    """Each call of the system fails once."""
    tasks = []
    for command in chosen:
        own = [error_task(bench, command, name, error, number) for name, number in list_calls(bench, command)
               for error in ERRORS.get(name, ())]
        tasks += choose(own, most)
    return tasks


def signals(bench, chosen, most):
    """A signal during each call of the system."""
    tasks = []
    for command in chosen:
        if command.program == "bristle":
            own = [signal_task(bench, command, name, how, number) for name, number in list_calls(bench, command)
                   for how in SIGNALS]
            tasks += choose(own, most)
    return tasks
