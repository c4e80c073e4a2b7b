// SPDX-License-Identifier: Apache-2.0

// Triangles on a picture: what lies nearest to the viewer at each pixel.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "cases/run/pictures/isosurface.hpp"
#include "cases/run/pictures/picture_values.hpp"
#include "cases/run/pictures/view.hpp"
#include "io/files/worker_team.hpp"

namespace lbm::cases {

// What a part of a pixel shows.
struct Seen {
  float near = -std::numeric_limits<float>::infinity();  // towards the viewer; -infinity: nothing
  float colour = 0;  // the coloured number; not a number: a body
  float light = 0;   // brightness, 0 to 1

  bool is_anything() const { return near > -std::numeric_limits<float>::infinity(); }
};

// Samples in rows from the top, `samples` x `samples` of them for a pixel. Triangles may come in
// any order: the result is the same bits, also where two are equally near. Light comes from above
// the viewer's left shoulder; both sides of a surface are lit.
class DepthBuffer {
 public:
  static constexpr int samples = 2;

  // Shows the outline on width x height pixels.
  DepthBuffer(const View& view, const Outline& outline, int width, int height);

  // bodies: the triangles have the colour of bodies. team: shares the work.
  void add(std::span<const Triangle> triangles, bool bodies, io::WorkerTeam& team);

  // Samples, [samples * height][samples * width].
  std::span<const Seen> seen() const { return seen_; }
  int width() const { return width_; }
  int height() const { return height_; }
  static std::uint64_t bytes(int width, int height);

 private:
  struct Corner {  // of a triangle on the picture, in samples
    float x, y, near, colour, light;
  };
  Corner corner_of(const SurfacePoint& point, bool body) const;
  void draw(const std::array<Corner, 3>& triangle, int top, int bottom);

  View view_;
  Outline outline_;
  int width_, height_;
  double scale_;  // samples for a cell
  std::vector<Seen> seen_;
  std::vector<std::array<Corner, 3>> corners_;  // of the triangles being added
};

}  // namespace lbm::cases
