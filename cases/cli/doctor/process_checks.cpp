// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cases/cli/doctor/checks.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases::doctor {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

Check cpu_check(const DoctorFacts& facts) {
  const UsableCpus& cpus = facts.cpus;
  const auto count = [](int n) { return n > 0 ? fmt::format("{}", n) : std::string("unknown"); };
  std::string text =
      fmt::format("this process may use {} of {}", count(cpus.allowed), count(cpus.online));
  if (!facts.cpu.empty()) text += "; " + facts.cpu;
  if (cpus.quota > 0 && cpus.quota < cpus.allowed) {
    return {Verdict::fallback, "CPUs",
            fmt::format("{}; the control group gives the time of {:.3g}", text, cpus.quota),
            fmt::format("device.threads: {:.0f}", std::max(1.0, cpus.quota))};
  }
  if (cpus.allowed == 1 && cpus.online > 1) {
    return {Verdict::fallback, "CPUs", text + ": it is bound to one",
            "mpirun --bind-to none, or more CPUs a task (srun -c)"};
  }
  return {Verdict::ok, "CPUs", text, ""};
}

Check mpi_check(const DoctorFacts& facts) {
  if (!facts.build.mpi.empty()) {
    return {Verdict::ok, "MPI",
            fmt::format("built in (MPI {}), {}", facts.build.mpi, facts.mpi_library), ""};
  }
  const std::string remedy = "build from source where an MPI is installed (docs/install.md)";
  if (facts.started_by_mpi) {
    return {Verdict::refused, "MPI",
            "not built in, but this process is one of several: runs refuse to start", remedy, true};
  }
  return {Verdict::fallback, "MPI", "not built in: a run is one process with one GPU", remedy};
}

// Only runs on several hosts use it.
Check nccl_check(const DoctorFacts& facts) {
  const NcclVersions& nccl = facts.nccl;
  if (nccl.found > 0) {
    return {Verdict::ok, "NCCL",
            fmt::format("{}.{}.{}: GPUs of several hosts can exchange planes (exchange: nccl)",
                        nccl.found / 10000, nccl.found / 100 % 100, nccl.found % 100),
            ""};
  }
  const std::string remedy = nccl.built_in
                                 ? "pip install nvidia-nccl-cu13, and its folder in LD_LIBRARY_PATH"
                                 : "build where nccl.h is installed (docs/install.md)";
  return {
      facts.started_by_mpi ? Verdict::fallback : Verdict::ok, "NCCL",
      std::string(nccl.built_in ? "libnccl.so.2 was not found, from 2.17.1 on" : "not built in") +
          ": planes between hosts travel as messages (exchange: mpi)",
      facts.started_by_mpi ? remedy : ""};
}

void check_ranks(const DoctorFacts& facts, Checks& checks) {
  if (!facts.ranks_share) return;
  if (*facts.ranks_share) {
    checks.push_back({Verdict::ok, "shared memory",
                      "ranks of this host, or of this container, can share memory "
                      "(exchange: host)",
                      ""});
    return;
  }
  checks.push_back({Verdict::fallback, "shared memory",
                    "ranks of this host cannot share memory: halo planes travel as messages "
                    "(exchange: mpi)",
                    "mount /proc, and allow memfd_create and /proc/PID/fd (docker run "
                    "--pid=host for ranks in several containers)"});
}

Check hdf5_check(const DoctorFacts& facts) {
  return {Verdict::ok, "HDF5",
          fmt::format("{}, {}; every file has one writer, so both kinds serve", facts.build.hdf5,
                      facts.build.hdf5_parallel ? "parallel" : "serial"),
          ""};
}

Check vtk_check(const DoctorFacts& facts) {
  if (!facts.build.vtk.empty()) return {Verdict::ok, "VTK", facts.build.vtk, ""};
  return {Verdict::fallback, "VTK",
          "not built in: output.format vtkhdf works, other formats and isosurfaces do not",
          "build where VTK is installed, or use output.format: vtkhdf"};
}

bool is_network(const std::string& kind) {
  static constexpr std::array<std::string_view, 6> kinds{"nfs",  "lustre", "gpfs",
                                                         "ceph", "beegfs", "cifs"};
  return std::count(kinds.begin(), kinds.end(), kind) > 0;
}

Check disk_check(const DiskFacts& disk) {
  const std::string name = "disk";
  if (!disk.known) {
    return {Verdict::fallback, name, "the system does not describe " + disk.path,
            "use --out DIR with another directory"};
  }
  const std::string text =
      fmt::format("{}: {} free of {}, {}{}", disk.path, human_bytes(disk.free),
                  human_bytes(disk.total), disk.kind, is_network(disk.kind) ? " (network)" : "");
  if (!disk.writable) {
    return {Verdict::refused, name, text + "; not writable: no results can go here",
            "use --out DIR, or another working directory"};
  }
  if (disk.kind == "tmpfs") {
    return {Verdict::fallback, name, text + ": results take the host's memory",
            "use --out DIR on a disk"};
  }
  if (disk.free < gibibyte) {
    return {Verdict::fallback, name, text + ": little room for results",
            "use --out DIR on another disk"};
  }
  return {Verdict::ok, name, text, ""};
}

// MPI keeps the messages between ranks of a host there.
Check shm_check(const DoctorFacts& facts) {
  const DiskFacts& shm = *facts.shm;
  const bool needed = !facts.build.mpi.empty();
  if (!shm.known || !shm.writable) {
    const std::string text = shm.known ? "not writable" : "missing";
    if (!needed) return {Verdict::ok, "/dev/shm", text + "; without MPI nothing needs it", ""};
    return {Verdict::fallback, "/dev/shm", text + ": MPI may refuse to start, or be slow",
            "mount a tmpfs at /dev/shm"};
  }
  const std::string text =
      fmt::format("{} free of {}", human_bytes(shm.free), human_bytes(shm.total));
  if (!needed || shm.free >= gibibyte / 4) return {Verdict::ok, "/dev/shm", text, ""};
  return {Verdict::fallback, "/dev/shm", text + ": little for MPI with many ranks",
          "docker run --shm-size 1g, or --ipc=host"};
}

}  // namespace

void check_processes(const DoctorFacts& facts, Checks& checks) {
  checks.push_back(cpu_check(facts));
  checks.push_back(mpi_check(facts));
  if (!facts.build.mpi.empty() && facts.cuda.built_in) checks.push_back(nccl_check(facts));
  check_ranks(facts, checks);
  checks.push_back(hdf5_check(facts));
  checks.push_back(vtk_check(facts));
  if (facts.here) checks.push_back(disk_check(*facts.here));
  if (facts.shm) checks.push_back(shm_check(facts));
}

Checks all_checks(const DoctorFacts& facts) {
  Checks checks;
  check_gpus(facts, checks);
  check_memory(facts, checks);
  check_processes(facts, checks);
  return checks;
}

}  // namespace lbm::cases::doctor
