# SPDX-License-Identifier: Apache-2.0
"""Slurm on hosts made of namespaces: munged and slurmd on each of them, slurmctld on the first. It ends with the machine."""

import os
import subprocess
import time

import machine

PROGRAMS = ("/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "sbatch", "srun", "scancel", "scontrol",
            "sinfo", "squeue")
FOLDER = os.path.join(machine.SHARED, "slurm")
# Tests wait for jobs: short intervals. No cgroups, which a container may not have.
CONFIG = """\
ClusterName=hosts
SlurmctldHost={first}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=/run/munge.socket
StateSaveLocation=/tmp/slurmctld
SlurmdSpoolDir=/tmp/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2
ReturnToService=2
KillWait={kill_wait}
MailProg=/bin/true
GresTypes=gpu
NodeName={nodes} Gres=gpu:{gpus} CPUs={cores} RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """Inside machine.enter(), on all of the hosts. Jobs see GPUs that do not exist: `lbm` finds none."""

    def __init__(self, hosts, cores=64, gpus=4, kill_wait=30):
        self.hosts = hosts
        os.mkdir(FOLDER)
        names = ",".join(host.name for host in hosts.hosts)
        self._write("slurm.conf", CONFIG.format(first=hosts[0].name, nodes=names, gpus=gpus, cores=cores,
                                                kill_wait=kill_wait))
        # Slurm counts files; these are no devices, so it warns.
        for gpu in range(gpus):
            self._write(f"gpu{gpu}", "")
        self._write("gres.conf", f"NodeName={names} Name=gpu File={FOLDER}/gpu[0-{gpus - 1}]\n")
        with open(os.path.join(FOLDER, "munge.key"), "wb") as key:
            key.write(os.urandom(128))
        os.chmod(os.path.join(FOLDER, "munge.key"), 0o400)
        for host in hosts.hosts:
            # Debian's default folders of logs and seeds belong to users that these hosts do not use.
            self._daemon(host, "munged", "--foreground", "--force", "--socket=/run/munge.socket", "--log-file=/tmp/munged.log",
                         f"--key-file={FOLDER}/munge.key", "--pid-file=/run/munged.pid", "--seed-file=/tmp/munge.seed")
        self._daemon(hosts[0], "slurmctld", "-D")
        for host in hosts.hosts:
            self._daemon(host, "slurmd", "-D", "-N", host.name)
        self._wait()

    def _write(self, name, text):
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text)

    def environment(self):
        return dict(self.hosts.environment(), SLURM_CONF=os.path.join(FOLDER, "slurm.conf"))

    def _daemon(self, host, name, *options):
        with open(os.path.join(FOLDER, f"{name}_{host.name}.log"), "w", encoding="utf-8") as log:
            subprocess.Popen(host.command([f"/usr/sbin/{name}", *options]), env=self.environment(), stdout=log, stderr=log,
                             stdin=subprocess.DEVNULL)

    def call(self, *words, env=None):
        """Output of a command on the first host; its messages, too."""
        done = subprocess.run(self.hosts[0].command(words), env={**self.environment(), **(env or {})}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout

    def _wait(self):
        end = time.monotonic() + 60
        while self.call("sinfo", "-h", "-t", "idle", "-o", "%D").strip() != str(len(self.hosts.hosts)):
            if time.monotonic() > end:
                raise RuntimeError(f"Slurm did not start:\n{self.call('sinfo', '-N', '-l')}{self.logs()}")
            time.sleep(0.5)

    def logs(self, last=30):
        text = ""
        for name in sorted(os.listdir(FOLDER)):
            if name.endswith(".log"):
                with open(os.path.join(FOLDER, name), encoding="utf-8", errors="replace") as file:
                    text += f"--- {name}\n" + "".join(file.readlines()[-last:])
        return text

    def state(self, job):
        """`PENDING`, `RUNNING`, `COMPLETED`, `TIMEOUT` ..., and the exit code as Slurm writes it."""
        words = self.call("scontrol", "show", "job", "-o", job).split()
        found = dict(word.split("=", 1) for word in words if "=" in word)
        return found.get("JobState", "UNKNOWN"), found.get("ExitCode", "")
