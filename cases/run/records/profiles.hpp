// SPDX-License-Identifier: Apache-2.0

// Profiles along the centre lines of the box (profile_x.csv and the like).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

// Collects velocity and density along the three lines through the middle of the box from passing
// planes. If the middle lies between cells, the cells around it are averaged.
class Profiles {
 public:
  explicit Profiles(const Grid& grid);

  // velocity_scale: multiplies velocities.
  void add_plane(int z, std::span<const float> drho, std::span<const float> velocity,
                 float velocity_scale);
  // Values along an axis, by cell; component: 0 to 2 of the velocity, 3 for the density.
  const std::vector<double>& along(std::size_t axis, std::size_t component) const {
    return lines_[axis].values[component];
  }
  // Restores values of along(); ignores those of wrong length.
  void set(std::size_t axis, std::size_t component, std::vector<double> values);
  // Writes profile_x.csv, profile_y.csv, profile_z.csv; spacing: cell size. Returns the file names.
  std::vector<std::string> write(const io::RunDirectory& directory, double spacing,
                                 const std::vector<std::string>& comments) const;

 private:
  struct Line {
    std::array<std::vector<double>, 4> values;  // ux, uy, uz, density
  };
  void add_cell(Line& line, int at, double share, std::size_t cell, std::span<const float> drho,
                std::span<const float> velocity, float velocity_scale);

  Grid grid_;
  std::array<Line, 3> lines_;
};

}  // namespace lbm::cases
