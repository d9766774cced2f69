"""Full disks, read-only folders, closed pipes and closed descriptors."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

import harness

PAGE = 4096


class Disk:
    """A small file system of its own; only root may mount one."""

    def __init__(self, pages):
        self.folder = tempfile.mkdtemp()
        command = ["mount", "-t", "tmpfs", "-o", "size=%d" % (pages * PAGE), "tmpfs", self.folder]
        self.is_mounted = subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0

    def close(self):
        if self.is_mounted:
            for _ in range(50):  # an indexer or a late child may look at it
                if subprocess.run(["umount", self.folder], stderr=subprocess.DEVNULL).returncode == 0:
                    break
                time.sleep(0.1)
        os.rmdir(self.folder)


def write_old(command, folder):
    for name in command.outputs:
        if "." in name:
            with open(os.path.join(folder, name), "wb") as to:
                to.write(harness.OLD)


def fill(folder, left):
    """Fill the disk until `left` pages are free."""
    free = os.statvfs(folder).f_bavail - left
    with open(os.path.join(folder, "filler"), "wb") as to:
        to.write(bytes(max(free, 0) * PAGE))


def disk_task(bench, command, left):
    def task():
        disk = Disk(64)
        try:
            write_old(command, disk.folder)
            fill(disk.folder, left)
            got = bench.run(command, environment={"TMPDIR": disk.folder}, folder=disk.folder, keep=True)
            del got.files["filler"]
            problems = harness.judge(command, got, bench.reference(command), (0, 1))
            if command.resumes and got.status == 1:
                os.remove(os.path.join(disk.folder, "filler"))
                problems += harness.judge_resumed(bench, command, disk.folder, keep=True)
            return problems
        finally:
            disk.close()

    return command.name, "%d pages" % left, task


def disks(bench, chosen, most):
    """A disk with few pages left."""
    disk = Disk(1)
    disk.close()
    if not disk.is_mounted:
        print("skipped: small disks (only root may mount one)")
        return []
    sizes = [3, 0, 1, 2, 4, 6, 8, 12][:max(1, most)]
    return [disk_task(bench, command, left) for command in chosen if command.outputs and command.program == "bristle"
            for left in sizes]


def locked_task(bench, command):
    def task():
        disk = Disk(64)
        try:
            write_old(command, disk.folder)
            if disk.is_mounted:
                subprocess.run(["mount", "-o", "remount,ro", disk.folder], check=True)
            else:
                os.chmod(disk.folder, 0o555)
            got = bench.run(command, folder=disk.folder, keep=True)
            problems = harness.judge(command, got, bench.reference(command), (1,))
            os.chmod(disk.folder, 0o755) if not disk.is_mounted else None
            return problems
        finally:
            disk.close() if disk.is_mounted else shutil.rmtree(disk.folder)

    return command.name, "read-only", task


def locked(bench, chosen, most):
    """A folder where nothing can be written."""
    return [locked_task(bench, c) for c in chosen if c.outputs and c.program == "bristle"][:most]


def pipe_task(bench, command, is_ignored):
    """The reader of stdout has closed; SIGPIPE ends the command, or is ignored."""

    def task():
        folder = bench.start_folder(command)
        reader, writer = os.pipe()
        os.close(reader)
        child = subprocess.run(bench.words(command), cwd=folder, stdout=writer, stderr=subprocess.PIPE,
                               env=bench.environment(), timeout=harness.PATIENCE,
                               preexec_fn=lambda: signal.signal(signal.SIGPIPE,
                                                                signal.SIG_IGN if is_ignored else signal.SIG_DFL))
        os.close(writer)
        reference = bench.reference(command)
        got = harness.Result(child.returncode, reference.out, child.stderr, harness.read_files(folder), [])
        shutil.rmtree(folder)
        prints = len(reference.out) > 0
        expected = (1 if is_ignored else -signal.SIGPIPE) if prints else 0
        problems = [] if got.status == expected else ["status %d, expected %d" % (got.status, expected)]
        return problems + harness.judge_files(command, got, reference, [command.journal])

    return command.name, "closed pipe" + (", ignored" if is_ignored else ""), task


def pipes(bench, chosen, most):
    chosen = [c for c in chosen if c.program == "bristle"]
    return [pipe_task(bench, c, is_ignored) for c in chosen for is_ignored in (False, True)][:2 * most]


def closed_task(bench, command, closed):
    """Standard descriptors that are not open: no file may take their place."""

    def task():
        folder = bench.start_folder(command)
        redirections = " ".join("%s&-" % {0: "<", 1: ">", 2: "2>"}[fd] for fd in closed)
        script = 'exec "$@" ' + redirections
        got = bench.run(command, before=["sh", "-c", script, "sh"], folder=folder, keep=True)
        reference = bench.reference(command)
        shutil.rmtree(folder)
        problems = harness.judge_files(command, got, reference, [command.journal])
        if got.status not in (0, 1):
            problems.append("status %s" % got.status)
        if got.status == 0 and any(not harness.same(got.files.get(n, b""), d) for n, d in reference.files.items()):
            problems.append("exit status 0, but a file is not written")
        return problems

    return command.name, "closed %s" % (closed,), task


def closed(bench, chosen, most):
    return [closed_task(bench, c, which) for c in chosen if c.program == "bristle"
            for which in ((1,), (0, 1), (0, 1, 2))][:3 * most]
