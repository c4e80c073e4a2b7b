// SPDX-License-Identifier: Apache-2.0

// Prints a real schedule as JSON lines, for docs/figures/plan_figure.py:
//
//   schedule_dump SCHEME NZ K B PERIODIC SWEEPS
//
// SCHEME is in_core, wavefront or halo; PERIODIC is 0 or 1; SWEEPS sweeps of K steps each follow
// one another. The first line has the promised slots, each further line one visit. Plane, level and
// sweep numbers start at 0 (level 0: as loaded). Exit 2 and one line on stderr for wrong arguments.
#include <charconv>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tiling/schedule/schedule.hpp"

namespace {

using namespace lbm::tiling;

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument("not a whole number: " + std::string(text));
  }
  return value;
}

Scheme scheme_of(std::string_view name) {
  for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront, Scheme::halo}) {
    if (name == to_string(scheme)) return scheme;
  }
  throw std::invalid_argument("scheme must be in_core, wavefront or halo");
}

class Dump {
 public:
  explicit Dump(int nz) : moved_{std::vector<int>(nz, 0), std::vector<int>(nz, 0)} {}

  void print(const Visit& visit) {
    std::printf("{\"visit\": %d, \"started\": %zu, \"completed\": %d, \"loads\": ", visit_++,
                visit.started.size(), visit.sweeps_completed);
    transfers(visit.loads, moved_[0]);
    std::printf(", \"updates\": [");
    for (const Update& u : visit.updates) {
      for (const int slot : u.out) note(slot);
      std::printf("%s{\"sweep\": %d, \"level\": %d, \"first_plane\": %d, \"count\": %zu}",
                  &u == visit.updates.data() ? "" : ", ", u.sweep, u.level, u.first_plane,
                  u.out.size());
    }
    std::printf("], \"stores\": ");
    transfers(visit.stores, moved_[1]);
    std::printf(", \"slots_used\": %d}\n", slots_used_);
  }

 private:
  // A plane moves once per sweep each way, so counting tells the sweep.
  void transfers(const std::vector<Transfer>& all, std::vector<int>& times) {
    std::printf("[");
    for (const Transfer& t : all) {
      note(t.slot);
      std::printf("%s{\"sweep\": %d, \"plane\": %d}", &t == all.data() ? "" : ", ",
                  times.at(t.plane)++, t.plane);
    }
    std::printf("]");
  }
  void note(int slot) { slots_used_ = slot < slots_used_ ? slots_used_ : slot + 1; }

  std::vector<int> moved_[2];  // loads and stores so far, per plane
  int visit_ = 0, slots_used_ = 0;
};

void dump(char** argument) {
  const PlaneGrid grid{number(argument[2]), number(argument[5]) != 0};
  const ScheduleOptions options{scheme_of(argument[1]), number(argument[3]), number(argument[4])};
  int sweeps_left = number(argument[6]);
  const auto scheduler = make_scheduler(grid, options);
  std::printf(
      "{\"scheme\": \"%s\", \"nz\": %d, \"k\": %d, \"B\": %d, \"periodic\": %s, "
      "\"sweeps\": %d, \"slots\": %d}\n",
      to_string(options.scheme), grid.nz, options.steps_per_visit, options.planes_per_visit,
      grid.periodic ? "true" : "false", sweeps_left, scheduler->slots());
  Dump dump(grid.nz);
  if (const auto prologue = scheduler->prologue()) dump.print(*prologue);
  const auto source = [&]() -> std::optional<Sweep> {
    if (sweeps_left <= 0) return std::nullopt;
    --sweeps_left;
    return Sweep{options.steps_per_visit, false, false};
  };
  while (const auto visit = scheduler->next(source)) dump.print(*visit);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: schedule_dump in_core|wavefront|halo NZ K B PERIODIC SWEEPS\n");
    return 2;
  }
  try {
    dump(argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schedule_dump: %s\n", error.what());
    return 2;
  }
  return 0;
}
