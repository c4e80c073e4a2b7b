// SPDX-License-Identifier: Apache-2.0

// `lbm plan`: predicts memory, schedule and speed of a case on this machine and for variations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/run/machines/described_machine.hpp"
#include "cases/run/results/result_sizes.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// The case with one variation. Links and GPUs are hypothetical; docs/plan.md has their numbers.
struct WhatIf {
  std::string name;
  bool assumed = false;  // a speed is assumed instead of measured here
  std::optional<tiling::ScheduleChoice> plan;
  std::optional<tiling::Prediction> prediction;  // empty if nothing fits or was measured
};

// The case with one of the two representations.
struct RepresentationPlan {
  Representation representation = Representation::populations;
  double bytes_per_cell = 0;                     // stored values
  std::array<int, 3> largest{};                  // as in CasePlan
  std::optional<tiling::ScheduleChoice> plan;    // empty: does not fit
  std::optional<tiling::Prediction> prediction;  // empty if nothing fits or was measured
};

// The ranks that a case is planned for.
struct Processes {
  int count = 1;
  int per_host = 1;             // ranks on one host, which share its memory
  double bytes_per_second = 0;  // between ranks of two hosts; 0: no limit
  double latency = 0;           // seconds, between the same
};

struct CasePlan {
  explicit CasePlan(const Case& c) : lbm_case(c) {}

  const Case& lbm_case;
  Derived derived;
  Lattice lattice;      // the whole grid
  Processes processes;  // memory and queues are of one rank, speeds of all
  int slab_planes = 0;  // of the thickest slab; several ranks only
  tiling::Neighbours neighbours;
  std::string machine;                   // a described one (PlanOptions::machine); empty: this one
  std::vector<std::string> assumptions;  // of that description
  std::string device;
  BackendKind backend = BackendKind::cpu;
  bool shares_memory = true;  // the device has no memory of its own: a CPU, an integrated GPU
  DeviceSpeeds speeds;
  std::string speeds_file;           // cache of `speeds`; empty: none
  double bytes_per_cell = 0;         // stored values
  double padded_bytes_per_cell = 0;  // including padding
  std::uint64_t device_allowed = 0, device_free = 0;
  std::uint64_t host_allowed = 0;
  std::string refusal;                // error of `lbm run` for too little memory; empty if it runs
  std::vector<std::string> warnings;  // of `lbm run`
  std::optional<tiling::ScheduleChoice> plan;             // empty: nothing fits the device
  std::uint64_t device_least = 0;                         // for the smallest schedule
  std::uint64_t host_needed = 0;                          // including the device's, if shared
  std::optional<tiling::Prediction> prediction, in_core;  // in_core: of the grid if it fitted
  std::array<int, 3> largest{};          // grid of the same shape that fits this machine
  std::array<int, 3> largest_in_core{};  // ... and that fits the device
  int largest_nz = 0;                    // with nx and ny of the case
  std::vector<ResultSize> results;
  std::uint64_t checkpoint_bytes = 0;  // of one checkpoint
  // largest number at once, without those requested by signals
  std::int64_t checkpoints_on_disk = 0;
  std::vector<WhatIf> what_ifs;
  std::string representation_reason;  // why lattice.representation; empty: the case says it
  // Both, for a collision that allows both; else empty. `better` is what auto takes.
  std::vector<RepresentationPlan> representations;
};

// lbm_case must outlive the result. derived: of validate(). Never throws for too little memory.
CasePlan plan_case(const Case& lbm_case, const Derived& derived, Backend& backend,
                   const Processes& processes = {});
// For a machine that is not this one. machine: needed during the call only.
CasePlan plan_case(const Case& lbm_case, const Derived& derived, const DescribedMachine& machine,
                   const Processes& processes = {});

// Options of the user.
struct PlanOptions {
  int processes = 1;
  int per_host = 0;           // 0: all
  double network = 0;         // GB/s between ranks of two hosts; 0: no limit
  double latency = 0;         // microseconds, between the same
  std::string machine{};      // a known one or a JSON file (described_machine()); empty: this one
  bool measure = false;       // measure the device's speeds anew
  bool command_line = false;  // messages name command-line options instead of arguments
};

// Checks the case and plans it for its device on this machine. lbm_case must outlive the result.
// Throws UsageError, but never for too little memory.
CasePlan plan_here(const Case& lbm_case, const PlanOptions& options);

std::string plan_text(const CasePlan& plan);
io::Json plan_json(const CasePlan& plan);

}  // namespace lbm::cases
