#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hosts made of namespaces: each with a name, a network, an sshd, processes, shared memory and a /tmp of its own.

    hosts.py N COMMAND...     runs the command on the first of N hosts; `mpirun --hostfile /srv/hostfile` reaches all

All hosts share the files of the machine and /srv, like hosts with a network file system. `hosts.py` needs root.
"""

import os
import signal
import subprocess
import sys
import time

import machine

SSHD = "/usr/sbin/sshd"
SLOTS = 2  # ranks that a host may take
NETWORK = "10.77.0."

SSHD_CONFIG = """\
Port 22
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/user_key.pub
PermitRootLogin prohibit-password
PasswordAuthentication no
UsePAM no
StrictModes no
PidFile none
"""
SSH_CONFIG = """\
Host *
  IdentityFile {folder}/user_key
  IdentitiesOnly yes
  UserKnownHostsFile /dev/null
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking no
  ConnectTimeout 20
  LogLevel ERROR
"""
# Script of the first process of a host, which then becomes sshd. $1: name of the host.
FIRST = """\
set -e
read -r ready <{folder}/$1.go
mount --make-rprivate /
for place in /tmp /dev/shm /run; do mount -t tmpfs "of_$1" $place; done
mkdir /run/sshd
mount --bind {folder}/etc_hosts /etc/hosts
hostname "$1"
ip link set lo up
exec {sshd} -D -e -f {folder}/sshd_config
"""


def run(*words, **more):
    return subprocess.run(words, check=True, **more)


class Host:
    """One host. Its first process is its sshd: `kill()` ends all processes of the host at once."""

    def __init__(self, number, folder):
        self.name, self.address, self.port = f"host{number}", f"{NETWORK}{number}", f"port{number}"
        go = os.path.join(folder, f"{self.name}.go")
        os.mkfifo(go)
        kinds = ["--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "--net", "--ipc", "--uts"]
        script = FIRST.format(folder=folder, sshd=SSHD)
        with open(os.path.join(folder, f"{self.name}.log"), "w", encoding="utf-8") as log:
            self.outer = subprocess.Popen(["unshare", *kinds, "bash", "-c", script, "bash", self.name], stderr=log,
                                          stdin=subprocess.DEVNULL)
        self.first = self._child()
        # One end of a cable in the host, the other one in the switch.
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", str(self.first))
        run("ip", "link", "set", self.port, "master", "switch", "up")
        for line in (f"addr add {self.address}/24 dev eth0", "link set eth0 up"):
            run("nsenter", "-t", str(self.first), "-n", "ip", *line.split())
        with open(go, "w", encoding="utf-8") as file:
            file.write("ready\n")

    def _child(self):
        """Process id of the first process, when it is in its namespaces."""
        path = f"/proc/{self.outer.pid}/task/{self.outer.pid}/children"
        while True:
            with open(path, encoding="utf-8") as file:
                children = file.read().split()
            if children and os.readlink(f"/proc/{children[0]}/ns/net") != os.readlink("/proc/self/ns/net"):
                return int(children[0])
            if self.outer.poll() is not None:
                raise RuntimeError(f"{self.name} did not start")
            time.sleep(0.01)

    def command(self, words):
        """The command line that runs words on this host, from the machine outside of all hosts."""
        there = f'cd {machine.SHARED} && exec "$@"'
        return ["nsenter", "-t", str(self.first), "-a", "--", "sh", "-c", there, "sh", *words]

    def processes(self, name="lbm"):
        """Process ids, as the machine sees them, of the programs of that name on this host."""
        found, own = [], os.readlink(f"/proc/{self.first}/ns/pid")
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/comm", encoding="utf-8") as file:
                    if file.read().strip() == name and os.readlink(f"/proc/{entry}/ns/pid") == own:
                        found.append(int(entry))
            except OSError:  # has just ended
                continue
        return sorted(found)

    def is_up(self):
        return self.outer.poll() is None

    def cut(self):
        """Pulls the cable."""
        run("ip", "link", "set", self.port, "down")

    def kill(self):
        os.kill(self.first, signal.SIGKILL)


class Hosts:
    """N hosts at one switch. Inside machine.enter() only."""

    def __init__(self, number, rate="10gbit", delay="1ms"):
        self.folder = machine.SHARED
        self._write_files(number)
        run("ip", "link", "add", "switch", "type", "bridge")
        run("ip", "link", "set", "switch", "up")
        self.hosts = [Host(n, self.folder) for n in range(1, number + 1)]
        self.network = self._shape(rate, delay)
        self._wait()

    def __getitem__(self, number):
        return self.hosts[number]

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def _write_files(self, number):
        for key in ("host_key", "user_key"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(self.folder, key))
        self._write("sshd_config", SSHD_CONFIG.format(folder=self.folder))
        self._write("ssh_config", SSH_CONFIG.format(folder=self.folder))
        numbers = range(1, number + 1)
        self._write("etc_hosts", "127.0.0.1 localhost\n" + "".join(f"{NETWORK}{n} host{n}\n" for n in numbers))
        self._write("hostfile", "".join(f"host{n} slots={SLOTS}\n" for n in numbers))

    def _shape(self, rate, delay):
        """Limits the speed of the cables; returns what this kernel could do, in words."""
        ways = [(f"{delay} and {rate}", f"netem delay {delay} rate {rate}"),
                (f"{rate}, no delay (this kernel has no netem)", f"tbf rate {rate} burst 10mb latency 50ms")]
        for words, how in ways:
            lines = [["tc", "qdisc", "replace", "dev", host.port, "root", *how.split()] for host in self.hosts]
            if all(subprocess.run(line, stderr=subprocess.DEVNULL).returncode == 0 for line in lines):
                return words
        return "no limit (this kernel has neither netem nor tbf)"

    def _wait(self):
        """Until every sshd answers the first host."""
        end = time.monotonic() + 60
        for host in self.hosts:
            while self.on_first(["ssh", "-F", f"{self.folder}/ssh_config", host.name, "true"], stderr=subprocess.DEVNULL).wait() != 0:
                if time.monotonic() > end:
                    raise RuntimeError(f"sshd of {host.name} does not answer")
                time.sleep(0.1)

    def environment(self):
        """For mpirun: root, ssh with the keys of these hosts, nothing of the user's."""
        return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR="/tmp",
                    OMPI_MCA_plm_rsh_agent=f"ssh -F {self.folder}/ssh_config", LBM_CACHE_DIR="/tmp/lbm_cache",
                    OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="1")

    def on_first(self, words, **more):
        """Starts words on the first host, with the environment above."""
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(self.hosts[0].command(words), env=self.environment(), **more)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    machine.need("sshd" if os.path.exists(SSHD) else SSHD, "ssh", "ssh-keygen", "mpirun", "ip", "unshare", "nsenter")
    machine.enter()
    sys.exit(Hosts(int(sys.argv[1])).on_first(sys.argv[2:], stdin=None).wait())
