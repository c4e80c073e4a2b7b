// SPDX-License-Identifier: Apache-2.0

// The search over steps and planes a visit; and the speed of a device that makes two steps in one
// pass over its memory: the caches of a CPU or the chip of a GPU carry planes from step to step.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "solver/backend/pass_plan.hpp"
#include "solver/core/error.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::tiling {
namespace {

constexpr double as_fast = 1.003;     // a smaller gain is not worth more memory
constexpr double much_slower = 1.02;  // ends the search over fewer steps

// Planes a visit, most first. Many planes make large launches, but take memory from more steps.
// Haloed tiles must be large: small ones compute most planes twice.
// So must be those of passes of two steps: beginning one takes as long as several planes.
std::vector<int> planes_to_try(const Lattice& lattice, const ScheduleRequest& request,
                               int together) {
  if (request.planes_per_visit) return {*request.planes_per_visit};
  std::vector<int> planes = {16, 8, 4, 2, 1};
  if (together > 1) planes = {64, 48, 32, 24, 16, 8};
  if (request.scheme == Scheme::halo) planes.insert(planes.begin(), {64, 32});
  std::erase_if(planes, [&](int b) { return b > lattice.nz && b > 1; });
  return planes;
}

// Steps a visit, most first (fewest first for haloed tiles): at most the steps between two outputs,
// and at most nz.
std::vector<int> steps_to_try(const Lattice& lattice, const ScheduleRequest& request,
                              int together) {
  if (request.steps_per_visit) return {*request.steps_per_visit};
  const std::int64_t stretch = request.run.stretch();
  const int most =
      static_cast<int>(std::min<std::int64_t>({256, lattice.nz, request.run.most_steps()}));
  std::vector<int> steps;
  for (int k :
       {256, 192, 160, 128, 112, 96, 80, 64, 56, 48, 40, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1}) {
    // Sweeps of equal length: as many sweeps, but no more levels than they need.
    if (k > most && !steps.empty()) continue;
    steps.push_back(next_sweep_steps(stretch, std::min(k, most), together));
  }
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (request.scheme == Scheme::halo) std::reverse(steps.begin(), steps.end());
  return steps;
}

struct Candidate {
  ScheduleOptions options;
  std::uint64_t bytes = 0;
  Prediction prediction;
};

// together: updates that may run in one pass.
void add_candidates(const Lattice& lattice, const ScheduleRequest& request, int together,
                    std::uint64_t budget,
                    const std::function<std::uint64_t(const ScheduleOptions&)>& bytes_of,
                    std::vector<Candidate>& all) {
  const DeviceSpeeds& speeds = request.speeds();
  const Scheme scheme = request.scheme.value_or(Scheme::wavefront);
  double best = 1e300;
  for (const int planes : planes_to_try(lattice, request, together)) {
    // Wavefront: more steps help until filling the pipeline costs more. Once a candidate is clearly
    // slower than the best one so far, fewer steps cannot win, so stop. Haloed tiles have a best
    // number of steps for each size, and predicting more steps takes long.
    if (scheme == Scheme::halo) best = 1e300;
    for (const int steps : steps_to_try(lattice, request, together)) {
      // Skip tiles that are mostly halo: they are slow, and predicting them is expensive.
      if (scheme == Scheme::halo && !request.steps_per_visit && steps > 2 * planes) continue;
      const ScheduleOptions options{scheme, steps, planes, 1, std::min(together, steps)};
      if (request.neighbours.any() && lattice.nz < least_slab_planes(options)) continue;
      const std::uint64_t bytes = bytes_of(options);
      if (bytes > budget) continue;
      all.push_back({options, bytes,
                     predict(lattice, options, request.run, speeds, request.neighbours,
                             request.visits.get())});
      const double seconds = all.back().prediction.seconds;
      best = std::min(best, seconds);
      if (seconds > much_slower * best) break;
    }
  }
}

std::vector<Candidate> candidates(
    const Lattice& lattice, const ScheduleRequest& request, std::uint64_t budget,
    const std::function<std::uint64_t(const ScheduleOptions&)>& bytes_of) {
  std::vector<Candidate> all;
  const int most = request.scheme == Scheme::halo ? 1 : gpu_steps_per_pass(lattice, request);
  for (int together = most; together >= 1; --together) {
    add_candidates(lattice, request, together, budget, bytes_of, all);
  }
  return all;
}

std::string reason_for_numbers(const ScheduleRequest& request, std::size_t compared) {
  const bool k = request.steps_per_visit.has_value(), b = request.planes_per_visit.has_value();
  if (k && b) return "k and B as the case says";
  const std::string model = compared == 1
                                ? "the only choice that fits"
                                : fmt::format("the fastest of {} choices by the model", compared);
  if (k) return "k as the case says, B " + model;
  return b ? "B as the case says, k " + model : "k and B " + model;
}

}  // namespace

int gpu_steps_per_pass(const Lattice& lattice, const ScheduleRequest& request) {
  constexpr double long_run = 1e12;  // cell updates
  if (request.steps_per_pass) return *request.steps_per_pass;
  if (request.run.most_steps() < 2 || !request.steps_in_one_pass) return 1;
  if (request.steps_in_one_pass(lattice) < 2) return 1;
  const double updates = static_cast<double>(lattice.layout.cells()) * lattice.nz *
                         static_cast<double>(request.run.steps);
  if (!request.speeds || updates <= long_run) return 2;
  const auto& speed = request.speeds().update(lattice);
  const double blocked = speed.blocked_bytes_per_second * relative_pass_speed(lattice);
  return blocked > speed.bytes_per_second ? 2 : 1;
}

std::optional<ScheduleChoice> fastest_choice(
    const Lattice& lattice, const ScheduleRequest& request, std::uint64_t device_budget,
    const std::function<std::uint64_t(const ScheduleOptions&)>& device_bytes) {
  if (!request.speeds().measured(lattice)) return std::nullopt;
  const auto all = candidates(lattice, request, device_budget, device_bytes);
  if (all.empty()) return std::nullopt;
  const auto seconds = [](const Candidate& c) { return c.prediction.seconds; };
  const double best = seconds(*std::min_element(
      all.begin(), all.end(), [&](auto& a, auto& b) { return seconds(a) < seconds(b); }));
  const Candidate* chosen = nullptr;
  for (const Candidate& c : all) {
    if (seconds(c) > as_fast * best) continue;
    if (chosen == nullptr || c.bytes < chosen->bytes) chosen = &c;
  }
  return ScheduleChoice{
      chosen->options, chosen->bytes, lattice.bytes(),
      fmt::format("{}; {}",
                  request.scheme ? "the case asks for it"
                                 : fmt::format("the lattice does not fit the device's {}",
                                               human_bytes(device_budget)),
                  reason_for_numbers(request, all.size())),
      chosen->prediction};
}

namespace {

bool is_gpu(const Backend& backend) { return backend.threads() == 0; }

ScheduleOptions blocked_options(const Backend& backend) {
  return {Scheme::in_core, blocked_steps, blocked_planes(is_gpu(backend)), 1, 2};
}

// Bytes per second that the updates must read and write, best of a few sweeps.
double blocked_speed(Backend& backend, const Lattice& lattice) {
  constexpr int sweeps = 3;
  const Boundaries plain_walls;
  Pipeline pipeline({.backend = backend,
                     .lattice = lattice,
                     .boundaries = plain_walls,
                     .store = make_store(backend, lattice, Scheme::in_core, {}),
                     .options = blocked_options(backend)});
  double best = 1e30;
  for (int i = 0; i < sweeps; ++i) {
    bool asked = false;
    const auto one = [&]() -> std::optional<Sweep> {
      if (std::exchange(asked, true)) return std::nullopt;
      return Sweep{blocked_steps};
    };
    const auto begin = std::chrono::steady_clock::now();
    pipeline.run(one, nullptr);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (i > 0) best = std::min(best, spent.count());  // the first one finds new pages
  }
  return 2.0 * static_cast<double>(lattice.layout.cells()) * lattice.nz * blocked_steps *
         lattice.layout.values_per_cell * static_cast<double>(bytes_per_value(lattice.storage)) /
         best;
}

}  // namespace

void measure_blocked(Backend& backend, std::size_t budget, DeviceSpeeds& speeds) {
  // Far larger than caches; rows as long as in large grids, where blocking gains the least.
  const bool gpu = is_gpu(backend);
  const int nx = gpu ? 1024 : 512, nz = gpu ? 96 : 32;
  const int ny = gpu ? 1024 : std::max(128, 16 * backend.threads());
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = true;
  for_each_kernel([&](StorageType storage, Representation representation) {
    const Lattice lattice = make_lattice(nx, ny, nz, storage, 0.6, faces, representation);
    if (gpu && backend.steps_per_pass(lattice) < blocked_steps) return;
    if (device_bytes_needed(lattice, Boundaries(), blocked_options(backend), {}) > budget) return;
    try {
      speeds.update(storage, representation).blocked_bytes_per_second =
          blocked_speed(backend, lattice);
    } catch (const ResourceError&) {  // another process took the memory
    }
  });
}

}  // namespace lbm::tiling
