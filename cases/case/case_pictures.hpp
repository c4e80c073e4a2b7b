// SPDX-License-Identifier: Apache-2.0

// Pictures of a run: slices, projections and surfaces as PNG files. Units as in case.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case_outputs.hpp"

namespace lbm::cases {

// The coloured number of a cell; `vorticity`: its magnitude.
enum class PictureQuantity {
  speed,
  velocity_x,
  velocity_y,
  velocity_z,
  density,
  pressure,
  vorticity,
  vorticity_x,
  vorticity_y,
  vorticity_z,
  q_criterion
};
constexpr auto enum_names(PictureQuantity) {
  return std::array{"speed",       "velocity_x",  "velocity_y", "velocity_z",
                    "density",     "pressure",    "vorticity",  "vorticity_x",
                    "vorticity_y", "vorticity_z", "q_criterion"};
}

// viridis, inferno: equal steps of the number look like equal steps of colour; coolwarm: two
// colours around white, for numbers of both signs; grey: black to white.
enum class ColourMap { viridis, inferno, coolwarm, grey };
constexpr auto enum_names(ColourMap) {
  return std::array{"viridis", "inferno", "coolwarm", "grey"};
}

// The number of a column of cells: that of its fluid cells.
enum class ProjectionKind { mean, maximum };
constexpr auto enum_names(ProjectionKind) { return std::array{"mean", "maximum"}; }

struct Picture {
  std::string name;
  PictureQuantity quantity = PictureQuantity::speed;
  Region region;               // with a slice, whose `at` may be empty: the middle of the region
  std::optional<int> project;  // axis of a projection, instead of a slice
  ProjectionKind by = ProjectionKind::mean;
  // The isosurface of this number at `value`, in units of the picture, instead of a slice;
  // `quantity` colours it.
  std::optional<PictureQuantity> surface;
  std::optional<double> value;
  bool bodies = true;                         // surfaces only: bodies are drawn, too
  std::optional<std::array<double, 2>> view;  // azimuth and elevation of the viewer, in degrees
  std::optional<int> up;                      // axis that points upwards; empty: z
  std::optional<std::int64_t> every_steps;
  std::optional<double> every_time;
  std::vector<double> times;
  bool at_end = true;
  std::optional<std::array<std::int64_t, 2>> size;  // pixels; empty: after the shape of the region
  std::optional<ColourMap> colours;                 // empty: after the quantity
  std::optional<std::array<double, 2>> range;       // of the colours, in units of the picture
  std::optional<FieldUnits> units;                  // empty: units of the case
};

// Where surfaces are looked at from: azimuth, elevation.
inline constexpr std::array<double, 2> default_view{-60, 25};

// The axis that is normal to a slice or projection; of a valid case.
inline int normal_axis(const Picture& picture) {
  return picture.project.value_or(picture.region.slice.value_or(2));
}

}  // namespace lbm::cases
