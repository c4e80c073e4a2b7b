// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/field_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/model/regions.hpp"
#include "cases/run/results/plane_files.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Mean interval in steps of the first thousand outputs, rounded; 0 for fewer than two outputs.
std::int64_t mean_interval(const std::vector<OutputTimes>& all) {
  std::int64_t outputs = 0, step = 0;
  for (; outputs < 1000; ++outputs) {
    std::optional<std::int64_t> next;
    for (const OutputTimes& times : all) {
      const auto own = times.next_output_after(step);
      if (own && (!next || *own < *next)) next = own;
    }
    if (!next) break;
    step = *next;
  }
  return outputs < 2 ? 0 : (2 * step + outputs) / (2 * outputs);
}

// The named outputs, then the pictures as outputs.
std::vector<FieldOutput> plane_outputs(const Case& lbm_case, const Derived& derived) {
  std::vector<FieldOutput> all = field_outputs(lbm_case);
  for (const Picture& p : lbm_case.pictures) all.push_back(fields_of(lbm_case, derived, p));
  return all;
}

// Takes the fields of the whole box at the end of the run.
class EndFields : public FieldConsumer {
 public:
  explicit EndFields(const ResultContext& context) : context_(context) {}
  bool wants(std::int64_t step) const override { return step == context_.last_step; }
  std::optional<std::int64_t> next_after(std::int64_t) const override { return std::nullopt; }
  tiling::FieldBox box() const override { return tiling::whole_box(context_.model.lattice); }

 protected:
  ResultContext context_;
};

// Profiles along the centre lines.
class ProfileFiles final : public EndFields {
 public:
  using EndFields::EndFields;
  void begin(std::int64_t) override {
    profiles_ = Profiles(context_.lbm_case);
    planes_ = 0;
  }
  void add_plane(std::int64_t step, int z, const FieldPlane& plane) override {
    const Case& lbm_case = context_.lbm_case;
    const FileUnits units = file_units(lbm_case, context_.model.derived, {});
    profiles_.add_plane(z, plane, static_cast<float>(units.scales.velocity));
    if (++planes_ < lbm_case.grid.cells[2]) return;
    const std::vector<std::string> comments = {
        fmt::format("{}: velocity along a line through the middle of the box, step {}, time {:.6g} "
                    "{}",
                    lbm_case.name, step, static_cast<double>(step) * units.time,
                    units.physical ? "s" : "L/U"),
        units.physical
            ? "position in m, velocity in m/s, density in initial ones"
            : "position in reference lengths, velocity in reference velocities, density in "
              "initial ones"};
    files_ = profiles_.write(context_.directory, units.scales.length, comments);
  }
  std::string state_name() const override { return "profiles"; }
  std::vector<std::string> files() const override { return files_; }

 private:
  Profiles profiles_{context_.lbm_case};
  int planes_ = 0;
  std::vector<std::string> files_;
};

// Values for the expectations.
class ExpectedFields final : public EndFields {
 public:
  ExpectedFields(const ResultContext& context, Expectations& expectations)
      : EndFields(context), expectations_(expectations) {}
  void begin(std::int64_t) override { expectations_.begin_fields(); }
  void add_plane(std::int64_t, int z, const FieldPlane& plane) override {
    expectations_.add_plane(z, plane);
  }
  std::string state_name() const override { return "expected fields"; }

 private:
  Expectations& expectations_;
};

}  // namespace

io::Json FieldConsumer::save_state() const { return io::Json::object(); }

std::vector<FieldOutput> field_outputs(const Case& lbm_case) {
  const Output& output = lbm_case.output;
  std::vector<FieldOutput> all;
  if (output.at_end || output.every_steps || !output.times.empty()) {
    FieldOutput& first = all.emplace_back();
    first.name = "fields";
    first.every_steps = output.every_steps;
    first.times = output.times;
    first.at_end = output.at_end;
  }
  all.insert(all.end(), lbm_case.outputs.begin(), lbm_case.outputs.end());
  return all;
}

void limit_sweeps(const Case& lbm_case, const Derived& derived, bool in_order,
                  tiling::RunShape& run) {
  run.output_interval = run.longest_sweep = 0;
  const auto bound = [&run](std::int64_t steps) {
    run.output_interval = run.output_interval == 0 ? steps : std::min(run.output_interval, steps);
  };
  for (const Statistics& s : lbm_case.statistics) bound(least_interval(lbm_case, derived, s));
  for (const NamedQuantity& q : lbm_case.quantities) {
    if (is_of_region(*q.kind) && q.every_steps) bound(*q.every_steps);
  }
  std::vector<OutputTimes> all;  // of files and pictures
  for (const FieldOutput& o : plane_outputs(lbm_case, derived)) {
    all.push_back(schedule_of(o, derived));
  }
  if (!in_order) {
    run.longest_sweep = (most_early_outputs + 1) * mean_interval(all);
    return;
  }
  for (const OutputTimes& times : all) {
    if (times.count() > 1) bound(std::max<std::int64_t>(1, derived.steps / times.count()));
  }
}

tiling::OutputShape output_shape(const Case& lbm_case, const Derived& derived) {
  const auto& n = lbm_case.grid.cells;
  tiling::OutputShape shape;
  const auto count = [&](std::int64_t cells) {
    shape.field_cells = std::max(shape.field_cells, cells);
  };
  if (lbm_case.output.profiles || expects_fields(lbm_case)) count(std::int64_t{n[0]} * n[1]);
  for (const FieldOutput& output : plane_outputs(lbm_case, derived)) {
    count(FieldPlanes::box_of(lbm_case, derived, output).loaded.plane_cells());
  }
  for (const Statistics& s : lbm_case.statistics) {
    count(region_box(lbm_case, derived, s.region).plane_cells());
  }
  bool points = !lbm_case.probes.empty();
  for (const NamedQuantity& q : lbm_case.quantities) {
    points |= is_at_point(*q.kind);
    if (!is_of_region(*q.kind) || is_of_box_sums(q)) continue;
    const bool halo = q.field && facts_of(*q.field).of_gradients;
    const tiling::FieldBox box = QuantityRegion(lbm_case, derived, q).box();
    count(fields::with_halo(grid_shape(lbm_case), box, halo).loaded.plane_cells());
  }
  shape.boxes = static_cast<int>(summed_boxes(lbm_case, derived).size());
  if (points) {
    // An upper bound: no cell is omitted as solid.
    shape.probes = probe_cells(lbm_case, derived, Boundaries()).size();
  }
  return shape;
}

FieldOutputs::FieldOutputs(const Case& lbm_case, const CaseModel& model,
                           const io::RunDirectory& directory, Expectations& expectations,
                           Quantities& quantities, Notices& notices, bool shared_sums)
    : last_step_(model.derived.steps),
      host_bytes_(statistics_bytes(lbm_case, model.derived) +
                  pictures_bytes(lbm_case, model.derived)),
      stops_on_error_(lbm_case.output.stops_on_error),
      notices_(notices) {
  const ResultContext context{lbm_case, model, directory, last_step_, shared_sums};
  for (const FieldOutput& output : field_outputs(lbm_case)) {
    consumers_.push_back(make_field_files(context, output));
  }
  outputs_ = consumers_.size();
  for (const Picture& picture : lbm_case.pictures) {
    consumers_.push_back(make_picture_files(context, picture, notices));
  }
  if (!lbm_case.pictures.empty()) {
    const std::string python = python_for_pictures(lbm_case);
    if (!python.empty()) {
      drawing_.emplace(python, std::vector<std::string>{directory.path().string(), "--follow"});
    } else {
      notices.warn(fmt::format(
          "pictures: their data are in *.picture files, and lbm pictures {} draws them: {}",
          directory.path().string(), no_python_for_pictures()));
    }
  }
  first_statistics_ = consumers_.size();
  statistics_ = lbm_case.statistics.size();
  for (const Statistics& statistics : lbm_case.statistics) {
    consumers_.push_back(make_statistics_files(context, statistics));
  }
  if (lbm_case.output.profiles) consumers_.push_back(std::make_unique<ProfileFiles>(context));
  if (expects_fields(lbm_case)) {
    consumers_.push_back(std::make_unique<ExpectedFields>(context, expectations));
  }
  for (std::size_t i = 0; i < lbm_case.quantities.size(); ++i) {
    const NamedQuantity& quantity = lbm_case.quantities[i];
    if (!is_of_region(*quantity.kind) || is_of_box_sums(quantity)) continue;
    consumers_.push_back(make_region_quantity(context, i, quantities));
  }
}

bool FieldOutputs::wants(std::int64_t step) const {
  return std::any_of(consumers_.begin(), consumers_.end(),
                     [&](const auto& consumer) { return consumer->wants(step); });
}

std::optional<std::int64_t> FieldOutputs::next_of(bool in_order, std::int64_t step) const {
  std::optional<std::int64_t> next;
  for (const auto& consumer : consumers_) {
    if (in_order && consumer->takes_mixed_steps()) continue;
    const auto own = consumer->next_after(step);
    if (own) next = next ? std::min(*next, *own) : own;
  }
  return next;
}

FieldOutputs::Wanted FieldOutputs::wanted(std::int64_t step) const {
  Wanted wanted;
  for (const auto& consumer : consumers_) {
    if (!consumer->wants(step)) continue;
    const tiling::FieldBox box = consumer->box();
    const auto found = std::find(wanted.boxes.begin(), wanted.boxes.end(), box);
    const auto at = static_cast<std::size_t>(found - wanted.boxes.begin());
    if (found == wanted.boxes.end()) {
      wanted.boxes.push_back(box);
      wanted.consumers.emplace_back();
    }
    wanted.consumers[at].push_back(consumer.get());
  }
  return wanted;
}

std::int64_t FieldOutputs::most_plane_cells(const Lattice&) const {
  std::int64_t most = 0;
  for (const auto& consumer : consumers_) most = std::max(most, consumer->box().plane_cells());
  return most;
}

void FieldOutputs::on_sweep(std::int64_t step) {
  Wanted& now = under_way_[step] = wanted(step);
  for (const auto& consumers : now.consumers) {
    for (FieldConsumer* consumer : consumers) {
      attempt(*consumer, [&] { consumer->begin(step); });
    }
  }
  // More than the number of sweeps that can overlap.
  constexpr std::size_t most_under_way = 4096;
  if (under_way_.size() > most_under_way) under_way_.erase(under_way_.begin());
}

// consumers_ begins with those of field_outputs(), in order; those of statistics are in order from
// first_statistics_ on.
std::vector<FieldOutputs::Shared> FieldOutputs::share(std::int64_t step) {
  std::vector<Shared> all;
  Wanted& now = under_way_.at(step);
  const auto share_one = [&](std::size_t consumer_number, std::size_t index) {
    FieldConsumer& consumer = *consumers_[consumer_number];
    if (!consumer.wants(step)) return;
    attempt(consumer, [&] {
      auto result = consumer.share(step);
      if (!result) return;
      now.shared[&consumer] = result->kind;
      all.push_back({static_cast<int>(index), std::move(*result)});
    });
  };
  for (std::size_t i = 0; i < outputs_; ++i) share_one(i, i);
  for (std::size_t i = 0; i < statistics_; ++i) share_one(first_statistics_ + i, i);
  return all;
}

std::vector<char> FieldOutputs::wants_values(std::int64_t step) const {
  std::vector<char> wanted;
  const Wanted& now = under_way_.at(step);
  for (const auto& consumers : now.consumers) {
    wanted.push_back(std::any_of(consumers.begin(), consumers.end(), [&](const auto* consumer) {
      return !now.shared.contains(consumer);
    }));
  }
  return wanted;
}

void FieldOutputs::add_plane(std::int64_t step, int box, int z, const FieldPlane& plane,
                             const PlaneDone& done) {
  const Wanted& now = under_way_.at(step);
  for (FieldConsumer* consumer : now.consumers[static_cast<std::size_t>(box)]) {
    const auto shared = now.shared.find(consumer);
    attempt(*consumer, [&] {
      if (shared == now.shared.end() || !done.has(shared->second)) {
        consumer->add_plane(step, z, plane);
      } else if (shared->second != SharedKind::derived) {  // on_derived_plane() reports these
        consumer->plane_done(step, z);
      }
    });
  }
}

void FieldOutputs::on_derived_plane(std::int64_t step, int output, int z) {
  FieldConsumer& consumer = *consumers_.at(static_cast<std::size_t>(output));
  attempt(consumer, [&] { consumer.plane_done(step, z); });
}

void FieldOutputs::on_error_of(const std::string& writer, std::int64_t step, int output,
                               int error) {
  FieldConsumer& consumer = *consumers_.at(static_cast<std::size_t>(output));
  attempt(consumer, [&] {
    try {
      consumer.fail(step, error);
    } catch (const ResourceError& failure) {
      throw ResourceError(writer + ": " + failure.what());
    }
  });
}

void FieldOutputs::finish(std::int64_t step) {
  for (const auto& consumer : consumers_) {
    attempt(*consumer, [&] { consumer->finish(step); });
  }
}

void FieldOutputs::finish_pictures() {
  if (drawing_ && !drawing_->close()) {
    notices_.warn("pictures: not all were drawn; lbm pictures draws *.picture files again");
  }
  drawing_.reset();
}

void FieldOutputs::flush() {
  for (const auto& consumer : consumers_) {
    attempt(*consumer, [&] { consumer->sync_files(); });
  }
}

void FieldOutputs::attempt(FieldConsumer& consumer, const std::function<void()>& work) {
  if (failed_.contains(&consumer)) return;
  try {
    work();
  } catch (const ResourceError& error) {
    if (stops_on_error_) throw;
    failed_.insert(&consumer);
    notices_.warn(fmt::format("{}; the run goes on without this output", error.what()));
  }
}

std::vector<Stateful*> FieldOutputs::parts() const {
  std::vector<Stateful*> parts;
  for (const auto& consumer : consumers_) parts.push_back(consumer.get());
  return parts;
}

std::vector<std::string> FieldOutputs::files() const {
  std::vector<std::string> names;
  for (const auto& consumer : consumers_) {
    for (std::string& name : consumer->files()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace lbm::cases
