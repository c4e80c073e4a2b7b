// SPDX-License-Identifier: Apache-2.0

// `lbm check --preview`: the bodies in the box, and the flow that comes to them, as a picture,
// which Python draws; and the views
// of the bodies along an axis that are in it.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/body_set.hpp"
#include "cases/geometry/local_thickness.hpp"

namespace lbm::cases {

// A view along an axis, of a viewer before the box at its lower end (x, y) or above it (z):
// third-angle projection. Axes of the picture to the right and upwards.
struct ViewAxes {
  std::size_t axis = 0, right = 1, up = 2;
  bool right_falls = false;  // the coordinate falls to the right
  bool from_above = false;   // the viewer is at the upper end of the axis
};
// From upstream, where the stream comes along x: y falls to the right.
inline constexpr ViewAxes front_view{0, 1, 2, true, false};
inline constexpr ViewAxes side_view{1, 0, 2, false, false};
inline constexpr ViewAxes top_view{2, 0, 1, false, true};

// A body at a pixel.
struct BodyPixel {
  static constexpr float none = std::numeric_limits<float>::quiet_NaN();

  float thickness = none;  // in cells, at most `most_thickness`; not a number: no body here
  float light = 0;         // brightness, 0 to 1

  bool is_body() const { return thickness == thickness; }
};

// Thicker is not told apart, in cells.
inline constexpr double most_thickness = 10;

// Pixels in rows from the top, [height][width].
struct BodyView {
  int width = 0, height = 0;
  std::vector<BodyPixel> pixels;
  const BodyPixel& at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

// The bodies of a set within a box of cells.
class BodyViews {
 public:
  // Takes images of voxels into memory, one bit a voxel: throws ResourceError, and UsageError for
  // their files. The set must outlive the object, and its shapes have no time limit.
  BodyViews(const geometry::BodySet& set, const std::array<int, 3>& cells);

  // The bounds of all bodies within the box; empty where there are none.
  const geometry::Box& bounds() const { return bounds_; }

  // The part `region` of the box on width x height pixels.
  BodyView view(const ViewAxes& axes, const geometry::Box& region, int width, int height,
                int threads) const;

 private:
  const geometry::BodySet& set_;
  std::vector<geometry::ShapePtr> shapes_;           // for each body
  std::vector<geometry::LocalThickness> thickness_;  // of these
  geometry::Box bounds_;
};

// Which way the flow goes, as far as the case says so before a run.
struct Wind {
  Vec3 direction{};  // unit vector
  std::string text;  // the key that makes it: "boundaries.z_min"
};

// The mean velocity of the faces and patches through which it enters the box; else the body force
// with pressure drops and differences of pressure faces; else the uniform initial velocity. Empty
// where none of them has a direction. Inlets of a formula or table count as normal to their face.
std::optional<Wind> wind_of(const Case& lbm_case, const Derived& derived);

// Throws UsageError where `file` cannot be written, does not end in .png, is case_file, or exists
// without `overwrite`, or where there is no Python that draws; before any work.
void check_preview_file(const std::filesystem::path& file, const std::filesystem::path& case_file,
                        bool overwrite);

// Draws and writes it. derived: of validate(). Throws as above, UsageError for files of bodies, and
// ResourceError where Python fails.
void write_preview(const Case& lbm_case, const Derived& derived, const std::filesystem::path& file,
                   bool overwrite);

}  // namespace lbm::cases
