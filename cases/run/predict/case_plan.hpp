// What `lbm plan` says: memory, schedule and speed of a case on this machine, and of what-ifs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/run/results/result_sizes.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// The case with one thing changed. Links and GPUs are made up; docs/plan.md has the numbers.
struct WhatIf {
  std::string name;
  bool assumed = false;  // a speed in it was assumed, not measured here
  std::optional<tiling::ScheduleChoice> plan;
  std::optional<tiling::Prediction> prediction;  // empty where nothing fits or nothing was measured
};

// The processes that a case is planned for.
struct Processes {
  int count = 1;
  int per_host = 1;             // that share its memory
  double bytes_per_second = 0;  // of messages between two of them; 0: no limit
};

struct CasePlan {
  explicit CasePlan(const Case& c) : lbm_case(c) {}

  const Case& lbm_case;
  Derived derived;
  Lattice lattice;      // of the whole grid
  Processes processes;  // memory and queues are those of one, speeds of all
  int slab_planes = 0;  // of the thickest slab, where there are several
  tiling::Neighbours neighbours;
  std::string device;
  BackendKind backend = BackendKind::cpu;
  DeviceSpeeds speeds;
  std::string speeds_file;           // that keeps them; empty where none does
  double bytes_per_cell = 0;         // of stored values
  double padded_bytes_per_cell = 0;  // and what the layout adds
  std::uint64_t device_allowed = 0, device_free = 0;
  std::uint64_t host_allowed = 0;
  std::string refusal;                         // of `lbm run`, for want of memory; empty if it runs
  std::vector<std::string> warnings;           // of `lbm run`
  std::optional<tiling::ScheduleChoice> plan;  // empty: nothing fits the device
  std::uint64_t device_least = 0;              // that the smallest schedule needs
  std::uint64_t host_needed = 0;               // on a CPU with the device's
  std::optional<tiling::Prediction> prediction, in_core;  // in_core: if it fitted
  std::array<int, 3> largest{};          // grid of the same shape that fits this machine
  std::array<int, 3> largest_in_core{};  // and the device alone
  int largest_nz = 0;                    // with the same nx and ny
  std::vector<ResultSize> results;
  std::uint64_t checkpoint_bytes = 0;    // of one
  std::int64_t checkpoints_on_disk = 0;  // at most at one time, but for those asked by signals
  std::vector<WhatIf> what_ifs;
};

// lbm_case must outlive the result. Never throws for want of memory.
CasePlan plan_case(const Case& lbm_case, Backend& backend, const Processes& processes = {});

// As users ask for it.
struct PlanOptions {
  int processes = 1;
  int per_host = 0;           // 0: all
  double network = 0;         // GB/s of messages between two processes; 0: no limit
  bool measure = false;       // the device's speeds, anew
  bool command_line = false;  // messages name options of the command, not arguments
};

// Judges the case and plans it for its device on this machine. lbm_case must outlive the result.
// Throws UsageError, but never for want of memory.
CasePlan plan_here(const Case& lbm_case, const PlanOptions& options);

std::string plan_text(const CasePlan& plan);
io::Json plan_json(const CasePlan& plan);

}  // namespace lbm::cases
