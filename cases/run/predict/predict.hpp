// SPDX-License-Identifier: Apache-2.0

// `lbm check` and `lbm plan`: what is known of a case without computing it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cases/case/units.hpp"
#include "cases/run/predict/time_to_answer.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

struct DescribedMachine;

// The answer of a command: the object of --json, and the page for people, which is made of the same
// values by a template (check.txt, plan.txt).
struct Answer {
  io::Json json;
  std::string text;
};

// Derived numbers of a case. Throws if the case cannot run here. A missing device is only a
// warning, so that cases can be checked on other machines. Bodies and inlet profiles are looked at
// cell by cell as long as that takes no more than `limit` and 32 MiB; else a warning says that they
// were not.
Answer check_case(const Case& lbm_case, const TimeLimit& limit = {});

struct PlanOptions {
  int processes = 1;          // each with such a device
  int per_host = 0;           // of these on one host, whose memory they share; 0: all
  double network = 0;         // GB/s between ranks of two hosts; 0: no limit
  double latency = 0;         // microseconds, between the same
  std::string machine{};      // a known one or a JSON file (described_machine()); empty: this one
  bool measure = false;       // measure the device's speeds anew
  bool command_line = false;  // messages name options instead of arguments
};

// Memory, schedule and speed of a case for its device on this machine or a described one, and for
// variations (docs/plan.md has the keys). Throws UsageError, but never for too little memory: then
// `fits` is false, and `refusal` the error of `lbm run`.
Answer plan_case(const Case& lbm_case, const PlanOptions& options = {});
// The same for this device. machine: what it is described by; null: it is here.
Answer plan_case(const Case& lbm_case, const PlanOptions& options, Backend& backend,
                 const DescribedMachine* machine = nullptr);

// The templates of the pages; CMake writes these functions.
const char* check_page();
const char* plan_page();
using Choice = std::optional<tiling::ScheduleChoice>;  // empty: nothing fits
using Predicted = std::optional<tiling::Prediction>;   // empty if nothing fits or was measured
// Adds a schedule, its memory and its speed to an answer.
void add_schedule(const Choice& plan, const Predicted& prediction, io::Json& json);
// Adds the grids of run.cascade to an answer: cells, steps, and the share of all their updates in
// those of the case's own grid, if none ends early.
void add_coarser_grids(const Case& lbm_case, const Derived& derived, io::Json& json);
// Adds the estimated steps of a steady flow to an answer, and its time where the seconds of a step
// are known. Steps have two significant digits. Nothing without an estimate.
void add_time_to_answer(const Case& lbm_case, const Derived& derived,
                        const std::optional<TimeToAnswer>& estimate,
                        std::optional<double> seconds_of_step, io::Json& json);
// Adds the sizes of files to the answer of `lbm plan`: members of the JSON, and lines of the page.
void add_files(const Case& lbm_case, const Derived& derived, const Lattice& lattice, io::Json& json,
               io::Json& words);

}  // namespace lbm::cases
