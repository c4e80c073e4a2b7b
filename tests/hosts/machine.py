# SPDX-License-Identifier: Apache-2.0
"""A machine of its own inside this one: namespaces that take everything in them along when they end.

`enter()` starts the calling script again as the first process of new PID, mount, network, IPC and UTS namespaces. When that
process ends, also by SIGKILL, the kernel kills all processes in them, and removes their networks, mounts and files.
"""

import os
import shutil
import signal
import subprocess
import sys

# Files that all hosts see: a file system in memory, in the new mount namespace only.
SHARED = "/srv"
INSIDE = "LBM_MACHINE_INSIDE"
SKIPPED = 77  # exit status: ctest shows the test as skipped


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def need(*programs):
    """Skips unless this is root and all these programs are there."""
    missing = [name for name in programs if not shutil.which(name)]
    if os.geteuid() != 0:
        skip("found no root, which makes namespaces")
    if missing:
        skip(f"missing: {', '.join(missing)} (Debian, Ubuntu: .ci/install hosts)")


def enter():
    """Returns inside the new machine; the process outside waits for its end, and ends with its exit status."""
    if os.environ.get(INSIDE):
        os.environ.pop(INSIDE)
        # The parent may have gone before.
        for line in (["mount", "-t", "tmpfs", "-o", "size=4g", "shared", SHARED], ["ip", "link", "set", "lo", "up"]):
            subprocess.run(line, check=True)
        return
    kinds = ["--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "--net", "--ipc", "--uts"]
    if subprocess.run(["unshare", *kinds, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("this system makes no namespaces (unshare --pid --mount --net --ipc --uts)")
    program = [sys.executable, "-B", *sys.argv]
    # A signal of ctest or of a terminal ends this process and, by --kill-child, the machine.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    os.execvpe("unshare", ["unshare", *kinds, *program], dict(os.environ, **{INSIDE: "1"}))
