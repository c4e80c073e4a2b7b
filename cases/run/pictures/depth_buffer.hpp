// SPDX-License-Identifier: Apache-2.0

// Triangles on a picture: what lies nearest to the viewer at each pixel.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "cases/run/pictures/isosurface.hpp"
#include "cases/run/pictures/view.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {

// The visible surface at one sample of a pixel.
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

  // Calls make(from, to, mesh) for parts of 0 ... count - 1, by so many threads, each with
  // an empty mesh, and draws the meshes. bodies: they have the colour of bodies.
  template <class Make>
  void draw(int count, bool bodies, int threads, const Make& make) {
    parts_.resize(std::min(static_cast<std::size_t>(count), 4 * static_cast<std::size_t>(threads)));
    in_parts(threads, parts_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const auto bound = [&](std::size_t part) {
          return static_cast<int>(static_cast<std::size_t>(count) * part / parts_.size());
        };
        parts_[i].mesh.clear();
        make(bound(i), bound(i + 1), parts_[i].mesh);
        project(parts_[i], bodies);
      }
    });
    in_parts(threads, bands(), [&](int first, int last) {
      for (int band = first; band < last; ++band) draw_band(band);
    });
  }

  const View& view() const { return view_; }
  const Outline& outline() const { return outline_; }
  // Samples, [samples * height][samples * width].
  std::span<const Seen> seen() const { return seen_; }
  int width() const { return width_; }
  int height() const { return height_; }
  static std::uint64_t bytes(int width, int height);

 private:
  struct Corner {  // of a triangle on the picture, in samples
    float x, y, near, colour, light;
  };
  // A band of rows is drawn by one thread. Narrow, as the triangles of a layer lie close together.
  static constexpr int rows_of_band = 4;
  int bands() const { return (samples * height_ + rows_of_band - 1) / rows_of_band; }

  struct Part {
    SurfaceMesh mesh;
    std::vector<Corner> corners;           // of its points
    std::vector<std::size_t> first;        // of each band, and the end: index in `triangles`
    std::vector<std::uint32_t> triangles;  // their numbers, by the bands that they touch
  };
  Corner corner_of(const SurfacePoint& point, bool body) const;
  // Sorts the triangles by the bands of rows that they touch.
  void project(Part& part, bool bodies) const;
  void draw_band(int band);
  void draw(const Corner& a, const Corner& b, const Corner& c, int top, int bottom);

  View view_;
  Outline outline_;
  int width_, height_;
  double scale_;  // samples for a cell
  std::vector<Seen> seen_;
  std::vector<Part> parts_;  // of the meshes being drawn; kept for reuse
};

}  // namespace lbm::cases
