#include "cases/app/outputs.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "solver/core/error.hpp"

namespace lbm::app {
FieldOutputs::FieldOutputs(const Case& lbm_case, const Derived& derived,
                           const io::RunDirectory& directory, Expectations& expectations)
    : case_(lbm_case),
      derived_(derived),
      directory_(directory),
      expectations_(expectations),
      series_(directory.file("fields.hdf.series")),
      last_step_(derived.steps) {
  const double spacing = 1 / derived.length;
  geometry_.points = lbm_case.grid.cells;
  geometry_.origin = {spacing / 2, spacing / 2, spacing / 2};
  geometry_.spacing = {spacing, spacing, spacing};
}

std::uint64_t FieldOutputs::predicted_bytes(std::int64_t after_step) const {
  return static_cast<std::uint64_t>(derived_.outputs.count(after_step)) *
         io::predicted_file_bytes(geometry_.points);
}

bool FieldOutputs::writes_file(std::int64_t step) const {
  return derived_.outputs.next_output_after(step - 1) == step ||
         (case_.output.at_end && step == last_step_);
}

bool FieldOutputs::writes_profiles(std::int64_t step) const {
  return case_.output.profiles && step == last_step_;
}

bool FieldOutputs::wants(std::int64_t step) const {
  return writes_file(step) || writes_profiles(step) || is_judged(step);
}

bool FieldOutputs::is_judged(std::int64_t step) const {
  return expectations_.wants_fields() && step == last_step_;
}

bool FieldOutputs::wants_any() const {
  return derived_.outputs.count() > 0 || case_.output.profiles || expectations_.wants_fields();
}

void FieldOutputs::open_file(std::int64_t step, Output& output) {
  io::FieldInfo info;
  info.step = step;
  info.time = static_cast<double>(step) / derived_.convective_time;
  info.attributes = {{"case", case_.name},
                     {"lbm_version", LBM_VERSION},
                     {"units",
                      "lengths / reference length, velocities / reference velocity, "
                      "times / convective time, density / initial density"},
                     {"reference_length_cells", derived_.length},
                     {"reference_velocity_cells_per_step", derived_.velocity},
                     {"reynolds", derived_.reynolds}};
  output.file_name = fmt::format("fields_{:09d}.vtkhdf", step);
  output.writer =
      std::make_unique<io::VtkhdfWriter>(directory_.file(output.file_name), geometry_, info);
}

void FieldOutputs::on_sweep(std::int64_t step) {
  Output& output = outputs_[step];
  if (writes_file(step)) open_file(step, output);
  if (writes_profiles(step)) output.profiles.emplace(case_.grid);
  output.judged = is_judged(step);
  if (output.judged) expectations_.begin_fields();
}

// The index keeps what is not later than `step`.
void FieldOutputs::continue_files(std::int64_t step) {
  const double last = static_cast<double>(step) / derived_.convective_time;
  std::vector<std::pair<std::string, double>> kept;
  std::error_code ec;
  if (!std::filesystem::exists(series_.path(), ec)) return;
  try {
    const YAML::Node index = YAML::LoadFile(series_.path().string());
    for (const auto& entry : index["files"]) {
      const double time = parse_number(entry["time"].Scalar()).value();
      if (time <= last) kept.emplace_back(entry["name"].Scalar(), time);
    }
  } catch (const std::exception&) {  // of YAML, or a number that is none
    throw UsageError(series_.path().string() +
                     ": cannot be continued: it is no index of field files; move it away, or "
                     "choose another --out");
  }
  series_.start_with(kept);
}

void FieldOutputs::on_plane(std::int64_t step, int z, std::span<const float> density,
                            std::span<const float> velocity) {
  Output& output = outputs_.at(step);
  const auto scale = static_cast<float>(1 / derived_.velocity);
  if (output.writer) output.writer->write_plane(z, density, velocity, scale);
  if (output.profiles) output.profiles->add_plane(z, density, velocity, scale);
  if (output.judged) expectations_.add_plane(z, density, velocity);
  if (++output.planes < case_.grid.cells[2]) return;
  finish(step, output);
  outputs_.erase(step);
}

void FieldOutputs::finish(std::int64_t step, Output& output) {
  const double time = static_cast<double>(step) / derived_.convective_time;
  if (output.writer) {
    output.writer->close();
    series_.add(output.file_name, time);
    files_.push_back(output.file_name);
  }
  if (!output.profiles) return;
  const std::vector<std::string> comments = {
      fmt::format("{}: velocity along a line through the middle of the box, step {}, {:.6g} "
                  "convective times",
                  case_.name, step, time),
      "position in reference lengths, velocity in reference velocities, density in initial ones"};
  for (auto& name : output.profiles->write(directory_, 1 / derived_.length, comments)) {
    files_.push_back(name);
  }
}

}  // namespace lbm::app
