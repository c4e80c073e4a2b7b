// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/profiles.hpp"

#include <fmt/format.h>

#include "io/text/csv.hpp"

namespace lbm::cases {
namespace {

// The cells around the middle of n cells: one, or two with weight 0.5 each.
struct Middle {
  int first, second;
  explicit Middle(int n) : first((n - 1) / 2), second(n / 2) {}
  // Weight of cell i in the value at the middle.
  double share(int i) const { return (i == first ? 0.5 : 0) + (i == second ? 0.5 : 0); }
};

}  // namespace

Profiles::Profiles(const Grid& grid) : grid_(grid) {
  for (int axis = 0; axis < 3; ++axis) {
    for (auto& values : lines_[axis].values) values.assign(grid.cells[axis], 0.0);
  }
}

void Profiles::set(std::size_t axis, std::size_t component, std::vector<double> values) {
  auto& line = lines_[axis].values[component];
  if (values.size() == line.size()) line = std::move(values);
}

void Profiles::add_cell(Line& line, int at, double share, std::size_t cell,
                        std::span<const float> drho, std::span<const float> velocity,
                        float velocity_scale) {
  for (std::size_t i = 0; i < 3; ++i) {
    const float value = velocity[3 * cell + i] * velocity_scale;
    line.values[i][at] += share * value;
  }
  line.values[3][at] += share * (1 + double{drho[cell]});
}

void Profiles::add_plane(int z, std::span<const float> drho, std::span<const float> velocity,
                         float velocity_scale) {
  const auto& [nx, ny, nz] = grid_.cells;
  const Middle mx(nx), my(ny), mz(nz);
  const auto cell = [nx = nx](int x, int y) { return static_cast<std::size_t>(y) * nx + x; };
  for (const int y : {my.first, my.second}) {
    for (const int x : {mx.first, mx.second}) {
      add_cell(lines_[2], z, 0.25, cell(x, y), drho, velocity, velocity_scale);
    }
  }
  const double share = mz.share(z) / 2;
  if (share == 0) return;
  for (int x = 0; x < nx; ++x) {
    for (const int y : {my.first, my.second}) {
      add_cell(lines_[0], x, share, cell(x, y), drho, velocity, velocity_scale);
    }
  }
  for (int y = 0; y < ny; ++y) {
    for (const int x : {mx.first, mx.second}) {
      add_cell(lines_[1], y, share, cell(x, y), drho, velocity, velocity_scale);
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
    io::write_file_atomically(directory.file(names.back()), io::csv_text(table));
  }
  return names;
}

}  // namespace lbm::cases
