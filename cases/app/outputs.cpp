#include "cases/app/outputs.hpp"

#include <fmt/format.h>

#include "io/csv.hpp"

namespace lbm::app {
namespace {

// The cells around the middle of n: one, or two with half the weight each.
struct Middle {
  int first, second;
  explicit Middle(int n) : first((n - 1) / 2), second(n / 2) {}
  // Share of cell i in the value in the middle.
  double share(int i) const { return (i == first ? 0.5 : 0) + (i == second ? 0.5 : 0); }
};

}  // namespace

Profiles::Profiles(const Grid& grid) : grid_(grid) {
  for (int axis = 0; axis < 3; ++axis) {
    for (auto& values : lines_[axis].values) values.assign(grid.cells[axis], 0.0);
  }
}

void Profiles::add_cell(Line& line, int at, double share, std::size_t cell,
                        std::span<const float> density, std::span<const float> velocity,
                        float velocity_scale) {
  for (std::size_t i = 0; i < 3; ++i) {
    const float value = velocity[3 * cell + i] * velocity_scale;
    line.values[i][at] += share * value;
  }
  line.values[3][at] += share * density[cell];
}

void Profiles::add_plane(int z, std::span<const float> density, std::span<const float> velocity,
                         float velocity_scale) {
  const auto& [nx, ny, nz] = grid_.cells;
  const Middle mx(nx), my(ny), mz(nz);
  const auto cell = [nx = nx](int x, int y) { return static_cast<std::size_t>(y) * nx + x; };
  for (const int y : {my.first, my.second}) {
    for (const int x : {mx.first, mx.second}) {
      add_cell(lines_[2], z, 0.25, cell(x, y), density, velocity, velocity_scale);
    }
  }
  const double share = mz.share(z) / 2;
  if (share == 0) return;
  for (int x = 0; x < nx; ++x) {
    for (const int y : {my.first, my.second}) {
      add_cell(lines_[0], x, share, cell(x, y), density, velocity, velocity_scale);
    }
  }
  for (int y = 0; y < ny; ++y) {
    for (const int x : {mx.first, mx.second}) {
      add_cell(lines_[1], y, share, cell(x, y), density, velocity, velocity_scale);
    }
  }
}

std::vector<std::string> Profiles::write(const io::RunDirectory& directory, double spacing,
                                         const std::vector<std::string>& comments) const {
  std::vector<std::string> names;
  for (int axis = 0; axis < 3; ++axis) {
    const char letter = "xyz"[axis];
    io::CsvTable table{comments, {std::string(1, letter), "ux", "uy", "uz", "density"}, {}};
    auto& position = table.data.emplace_back();
    for (int i = 0; i < grid_.cells[axis]; ++i) position.push_back((i + 0.5) * spacing);
    for (const auto& values : lines_[axis].values) table.data.push_back(values);
    names.push_back(fmt::format("profile_{}.csv", letter));
    io::write_csv(directory.file(names.back()), table);
  }
  return names;
}

FieldOutputs::FieldOutputs(const Case& lbm_case, const Derived& derived,
                           const io::RunDirectory& directory)
    : case_(lbm_case),
      derived_(derived),
      directory_(directory),
      series_(directory.file("fields.hdf.series")),
      last_step_(derived.steps) {
  const double spacing = 1 / derived.length;
  geometry_.points = lbm_case.grid.cells;
  geometry_.origin = {spacing / 2, spacing / 2, spacing / 2};
  geometry_.spacing = {spacing, spacing, spacing};
}

std::uint64_t FieldOutputs::predicted_bytes() const {
  return static_cast<std::uint64_t>(derived_.outputs.count()) *
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
  return writes_file(step) || writes_profiles(step);
}

bool FieldOutputs::wants_any() const {
  return derived_.outputs.count() > 0 || case_.output.profiles;
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
}

void FieldOutputs::on_plane(std::int64_t step, int z, std::span<const float> density,
                            std::span<const float> velocity) {
  Output& output = outputs_.at(step);
  const auto scale = static_cast<float>(1 / derived_.velocity);
  if (output.writer) output.writer->write_plane(z, density, velocity, scale);
  if (output.profiles) output.profiles->add_plane(z, density, velocity, scale);
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
