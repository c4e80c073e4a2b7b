// SPDX-License-Identifier: Apache-2.0
#include "cases/run/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cases/case/model/regions.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/cascade.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/time_loop.hpp"
#include "solver/backend/speeds.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::string exit_reason_of(const RunStats& stats) {
  if (stats.stopped_by != 0) return "interrupted by " + signal_name(stats.stopped_by);
  if (stats.at_walltime) return "walltime reached";
  return stats.steady ? "steady" : "completed";
}

// Measured once per device: it takes longer than a small run.
double copy_bandwidth(Backend& backend) {
  static std::mutex mutex;
  static std::map<std::string, double> measured;
  const std::scoped_lock lock(mutex);
  double& speed = measured[backend.device_name()];
  if (speed == 0) speed = measure_copy_bandwidth(backend);
  return speed;
}

constexpr const char* axis_names = "xyz";

tiling::FieldBox field_box(const CellBox& box, const std::array<int, 3>& cells) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (box.begin[a] >= 0 && box.begin[a] < box.end[a] && box.end[a] <= cells[a]) continue;
    throw UsageError(fmt::format(
        "box: found cells {} to {} along {}, must be a part of 0 to {}, not empty (the end is not "
        "in it)",
        box.begin[a], box.end[a], axis_names[a], cells[a]));
  }
  if (box.stride < 1) {
    throw UsageError(fmt::format("stride: found {}, must be at least 1", box.stride));
  }
  return {box.begin, box.count(), box.stride};
}

Vec3 place_in_box(const Units& units, const Vec3& place, const std::array<int, 3>& cells) {
  const Vec3 at = to_cells(units, place);
  for (std::size_t a = 0; a < 3; ++a) {
    if (at[a] >= 0 && at[a] <= cells[a]) continue;
    throw UsageError(fmt::format("probe: found {} = {:.6g}, must be from 0 to {:.6g}, in the box",
                                 axis_names[a], place[a], cells[a] * units.length));
  }
  return at;
}

// A share of the value of a place, by the cell that gives it.
struct Share {
  std::size_t point;
  std::array<int, 3> cell;
  double weight;
};

// The rectangle of all cells of a plane's shares.
tiling::FieldBox box_around(int z, const std::vector<Share>& shares) {
  std::array<int, 3> low = shares[0].cell, high = low;
  for (const Share& share : shares) {
    for (std::size_t a = 0; a < 2; ++a) {
      low[a] = std::min(low[a], share.cell[a]);
      high[a] = std::max(high[a], share.cell[a]);
    }
  }
  return {{low[0], low[1], z}, {high[0] - low[0] + 1, high[1] - low[1] + 1, 1}};
}

}  // namespace

// The parts of a run and the order of its life. Each member refers only to members above it.
struct Simulation::Run {
  // Ends the other ranks with the run of the root. After an error they cannot go on: then all
  // processes end at once.
  class OtherRanks {
   public:
    // ranks: null for one process.
    explicit OtherRanks(tiling::Ranks* ranks) : ranks_(ranks) {}
    ~OtherRanks() {
      if (ranks_ == nullptr) return;
      if (error != exit_ok) ranks_->abort(error);
      tell_others(*ranks_, tag_end, {});
    }
    OtherRanks(const OtherRanks&) = delete;
    OtherRanks& operator=(const OtherRanks&) = delete;

    ExitCode error = exit_ok;  // that has ended the run

   private:
    tiling::Ranks* ranks_;
  };

  Run(Case lbm_case, const RunOptions& options, RunCallbacks with, tiling::Ranks* ranks)
      : callbacks(std::move(with)),
        notices(callbacks.notice),
        prepared(std::move(lbm_case), options, ranks, notices),
        others(ranks),
        results(prepared, options, notices) {}

  // Begins the run where it has not begun. Throws RunEnded after an error or a stop before it.
  TimeLoop& running() {
    if (!loop && !is_lost() && !results.stats.stopped()) begin();
    if (loop && !is_lost()) return *loop;
    throw RunEnded("the run has ended: " + results.stats.exit_reason);
  }

  // False: interrupted.
  bool advance_to(std::int64_t step) {
    if (!loop && !is_lost()) begin();
    if (!loop && results.stats.stopped()) return true;
    TimeLoop& to_advance = running();
    try {
      const bool completed = to_advance.advance(step);
      finish_if_over();
      return completed;
    } catch (const DivergedError& caught) {
      const DivergedError advised(fmt::format("{}; {}", caught.what(), advice(caught)));
      fail(advised);
      throw advised;
    } catch (const std::exception& caught) {
      fail(caught);
      throw;
    }
  }

  // Frees the lattice, and completes what can be completed of the files and the report.
  // Another error in here must not hide the first one.
  void give_up(const std::string& exit_reason) {
    results.stats.exit_reason = exit_reason;
    const auto attempt = [this](const auto& work) {
      try {
        work();
      } catch (const std::exception& error) {
        notices.warn(error.what());
      }
    };
    loop.reset();  // hands out what is under way, so that these files are complete
    attempt([this] { results.records.flush(); });
    attempt([this] { results.fields.flush(); });
    attempt([this] { results.fields.finish_pictures(); });
    results.warn_if_moved();
    attempt([this] { write_report(prepared, results); });
  }

  // An error has ended the run.
  bool is_lost() const { return others.error != exit_ok; }

  RunCallbacks callbacks;
  Notices notices;
  PreparedRun prepared;
  OtherRanks others;  // end before the halo planes in `prepared`, which wait for their neighbours
  RunResults results;
  std::optional<TimeLoop> loop;

 private:
  void begin() {
    try {
      if (prepared.ranks == nullptr) {
        prepared.copy_bytes_per_second = copy_bandwidth(*prepared.backend);
      }
      run_coarser_grids(prepared, results, callbacks);
      if (results.stats.stopped()) return write_report(prepared, results);
      make_loop();
      results.write_case(prepared.lbm_case);
    } catch (const UsageError& error) {  // no report: nothing has begun
      others.error = error.exit_code();
      results.stats.exit_reason = error.what();
      throw;
    } catch (const std::exception& caught) {
      fail(caught);
      throw;
    }
  }

  // Where the checkpoint is damaged, tries the one before; but not with several ranks, since the
  // others have read theirs already.
  void make_loop() {
    std::optional<Restart>& restart = prepared.restart;
    std::size_t told = 0;
    if (restart && !restart->changes().empty()) {
      notices.note(
          fmt::format("changed since the checkpoint: {}", fmt::join(restart->changes(), ", ")));
    }
    while (true) {
      for (; restart && told < restart->notes().size(); ++told)
        notices.note(restart->notes()[told]);
      if (results.continues) {
        results.checkpoints.continue_from(restart->step(), restart->damaged());
      }
      try {
        loop.emplace(prepared, results, callbacks);
        return;
      } catch (const DamagedCheckpoint& error) {
        --told;  // fall_back() takes back that the run goes on from this one
        if (prepared.ranks != nullptr || !restart->fall_back(error.what())) throw;
      }
    }
  }

  void finish_if_over() {
    RunStats& stats = results.stats;
    if (!loop->ended() && !stats.stopped()) return;
    stats.exit_reason = exit_reason_of(stats);
    if (!stats.stopped()) {
      results.fields.finish(stats.steps);
      results.fields.finish_pictures();
      results.quantities.write_phases(results.directory);
      stats.complete = true;
    }
    results.warn_if_moved();
    write_report(prepared, results);
  }

  void fail(const std::exception& caught) {
    const Error error = as_error(caught);
    others.error = error.exit_code();
    give_up(error.what());
  }

  // A remedy for the divergence, and how to see the flow before it diverged.
  std::string advice(const DivergedError& error) const {
    std::string remedy = remedy_for_divergence(prepared.lbm_case, prepared.setup.derived,
                                               results.records.last_mach());
    const auto& sample = results.records.last_sample();
    const bool finite = dynamic_cast<const CheckerboardError*>(&error) != nullptr;
    if (finite || !sample || sample->step == 0) return remedy;
    return fmt::format("{}; run.steps: {} ends before it, with the fields of that step", remedy,
                       sample->step);
  }
};

Simulation::Simulation(Case lbm_case, const RunOptions& options, RunCallbacks callbacks,
                       tiling::Ranks* ranks) {
  if (ranks == nullptr && tiling::started_with_others()) {
    throw UsageError("found several processes, must be one: use mpirun with the program lbm run");
  }
  run_ = std::make_unique<Run>(std::move(lbm_case), options, std::move(callbacks), ranks);
}

Simulation::~Simulation() {
  if (!run_->loop || is_over()) return;
  run_->give_up(fmt::format("closed after step {} of {}", step(), end()));
}

void Simulation::begin() { running(); }

TimeLoop& Simulation::running() { return run_->running(); }

bool Simulation::advance(std::int64_t steps) {
  running();
  if (is_over()) {
    throw RunEnded(fmt::format("advance: the run is over ({} at step {})",
                               run_->results.stats.exit_reason, step()));
  }
  const std::int64_t left = end() - step();
  if (steps < 1 || steps > left) {
    throw UsageError(fmt::format(
        "advance: found {} steps, must be from 1 to {}: the case ends at step {} (run.steps, "
        "run.convective_times, run.time or run.revolutions)",
        steps, left, end()));
  }
  return run_->advance_to(step() + steps);
}

bool Simulation::advance_to_end() { return run_->advance_to(end()); }

std::int64_t Simulation::step() const {
  return run_->loop ? run_->loop->step() : run_->results.stats.steps;
}

double Simulation::time() const {
  return static_cast<double>(step()) * make_units(lbm_case(), run_->prepared.setup.derived).time;
}

std::int64_t Simulation::end() const { return run_->prepared.setup.derived.steps; }

bool Simulation::is_over() const {
  return run_->results.stats.stopped() || (run_->loop && run_->loop->ended());
}

bool Simulation::is_lost() const { return run_->is_lost(); }

const Case& Simulation::lbm_case() const { return run_->prepared.lbm_case; }

std::vector<std::string> Simulation::warnings() const { return run_->notices.texts(); }

std::string Simulation::directory() const { return run_->results.directory.path().string(); }

io::Json Simulation::report() const { return report_json(run_->prepared, run_->results); }

const std::vector<std::string>& Simulation::bodies() const { return run_->prepared.setup.bodies; }

const std::vector<BodyForces>& Simulation::forces() const {
  return run_->results.records.last_forces();
}

std::string Simulation::save(const std::string& file) {
  if (file.empty() && run_->results.directory.is_nowhere()) {
    throw UsageError("checkpoint: missing: a file, since the run has no directory");
  }
  running().save(file);
  return file.empty() ? run_->results.checkpoints.newest().string() : file;
}

const PreparedRun& Simulation::prepared() const { return run_->prepared; }

const RunResults& Simulation::results() const { return run_->results; }

std::array<int, 3> CellBox::count() const {
  std::array<int, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) n[a] = (end[a] - begin[a] - 1) / stride + 1;
  return n;
}

void Simulation::check(const CellBox& box) const { field_box(box, lbm_case().grid.cells); }

void Simulation::read(fields::Kind kind, const CellBox& box, std::optional<FieldUnits> units,
                      std::span<float> to) {
  FieldOutput output;
  output.fields = {kind};
  output.style.units = units;
  const tiling::FieldBox wanted = field_box(box, lbm_case().grid.cells);
  TimeLoop& loop = running();
  FieldPlanes planes(lbm_case(), prepared().setup, output, wanted);
  const std::size_t plane_values =
      static_cast<std::size_t>(wanted.plane_cells()) * fields::components_of(kind);
  FieldPlanes::Step waiting = planes.begin(step());
  const auto take = [&](int z, const auto& arrays) {
    std::copy(arrays[0].begin(), arrays[0].end(),
              to.begin() + static_cast<std::ptrdiff_t>(planes.index(z) * plane_values));
  };
  loop.read_fields(planes.box().loaded,
                   [&](int z, const FieldPlane& plane) { planes.add(waiting, z, plane, take); });
}

std::vector<float> Simulation::read(fields::Kind kind, const CellBox& box) {
  const tiling::FieldBox wanted = field_box(box, lbm_case().grid.cells);
  std::vector<float> values(static_cast<std::size_t>(wanted.plane_cells()) * wanted.count[2] *
                            fields::components_of(kind));
  read(kind, box, std::nullopt, values);
  return values;
}

PointValues Simulation::probe(const std::vector<Vec3>& places) {
  TimeLoop& loop = running();
  const Setup& setup = prepared().setup;
  const Case& lbm_case = prepared().lbm_case;
  const Units units = make_units(lbm_case, setup.derived);
  std::map<int, std::vector<Share>> by_plane;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 place = place_in_box(units, places[i], lbm_case.grid.cells);
    const auto cells = cells_around(lbm_case, setup.boundaries, place);
    if (cells.empty()) {
      throw UsageError(fmt::format(
          "probe: found a place inside a body, [{:.6g}, {:.6g}, {:.6g}], must be in the fluid",
          places[i][0], places[i][1], places[i][2]));
    }
    for (const PointCell& c : cells) by_plane[c.cell[2]].push_back({i, c.cell, c.weight});
  }
  PointValues values{std::vector<double>(places.size()), std::vector<double>(3 * places.size())};
  for (const auto& [z, shares] : by_plane) {
    const tiling::FieldBox box = box_around(z, shares);
    loop.read_fields(box, [&, &shares = shares](int, const FieldPlane& plane) {
      for (const Share& share : shares) {
        const auto at = static_cast<std::size_t>(share.cell[1] - box.begin[1]) * box.count[0] +
                        static_cast<std::size_t>(share.cell[0] - box.begin[0]);
        const auto cell = plane.at(at);
        values.pressure[share.point] += share.weight * cell[first_value_of(Macro::density)];
        for (std::size_t a = 0; a < 3; ++a) {
          values.velocity[3 * share.point + a] +=
              share.weight * cell[first_value_of(Macro::velocity) + a];
        }
      }
    });
  }
  for (double& p : values.pressure) p = from_density_difference(units, p);
  for (double& v : values.velocity) v *= units.velocity;
  return values;
}

}  // namespace lbm::cases
