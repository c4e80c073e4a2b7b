// The centre lines of the box: what profile_x.csv and its likes hold.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

// Velocity and density along the three lines through the middle of the box, from the planes as they
// pass. Where the middle lies between cells it is the mean of the cells around it.
class Profiles {
 public:
  explicit Profiles(const Grid& grid);

  // Velocities are multiplied by velocity_scale.
  void add_plane(int z, std::span<const float> density, std::span<const float> velocity,
                 float velocity_scale);
  // Along an axis, by cell; component: 0 to 2 of the velocity, 3 for the density.
  const std::vector<double>& along(std::size_t axis, std::size_t component) const {
    return lines_[axis].values[component];
  }
  // Puts back what along() gave; wrong lengths are left out.
  void set(std::size_t axis, std::size_t component, std::vector<double> values);
  // Writes profile_x.csv, profile_y.csv, profile_z.csv; spacing: cell size. Returns their names.
  std::vector<std::string> write(const io::RunDirectory& directory, double spacing,
                                 const std::vector<std::string>& comments) const;

 private:
  struct Line {
    std::array<std::vector<double>, 4> values;  // ux, uy, uz, density
  };
  void add_cell(Line& line, int at, double share, std::size_t cell, std::span<const float> density,
                std::span<const float> velocity, float velocity_scale);

  Grid grid_;
  std::array<Line, 3> lines_;
};

}  // namespace lbm::cases
