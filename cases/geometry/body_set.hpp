// SPDX-License-Identifier: Apache-2.0

// The bodies of a case, placed in the box of the lattice.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cases/geometry/shape.hpp"
#include "solver/boundary/solid_cells.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

struct Body {
  std::string name;
  ShapePtr shape;
};

// Where bodies overlap, the first one owns the cell. A body that reaches over a periodic face
// reappears on the other side, except along an axis on which it is infinite.
class BodySet : public SolidGeometry {
 public:
  // cells: size of the box. Once the limit is reached, plane() throws TimeLimitReached and
  // wall_distance() answers 0.5 for every link. Throws UsageError for more than 65534 bodies.
  BodySet(const std::array<int, 3>& cells, const std::array<bool, 3>& periodic,
          std::vector<Body> bodies, const TimeLimit& limit = {});

  void plane(int z, std::span<std::uint16_t> body) const override;

  // Share of the link up to the first surface, whichever body it belongs to; at least 1e-6. A link
  // that leaves the box over a non-periodic face is mirrored there.
  double wall_distance(int body, const std::array<double, 3>& fluid,
                       const std::array<double, 3>& solid) const override;
  // That of whichever surface comes first; at least 0.06. The surface of voxels is that of the
  // voxels.
  double slant(const std::array<double, 3>& fluid,
               const std::array<double, 3>& solid) const override;
  std::array<int, 2> plane_range() const override;

  // Names of the bodies that own no cell in the planes that plane() was asked for: too small, or
  // hidden by bodies before them.
  std::vector<std::string> without_cells() const;

  // A body in place or shifted by whole periods.
  struct Image {
    int body;
    Vec shift;
    Box bounds;  // after the shift
  };

  const std::vector<Body>& bodies() const { return bodies_; }
  // All that may meet the box, in the order of the bodies.
  const std::vector<Image>& images() const { return images_; }
  // Calls of wall_distance() for links that do not lead from a fluid to a solid cell; they returned
  // 0.5. Reports warn when this is not zero.
  std::uint64_t missed() const { return missed_; }

 private:
  void add_images(int body, const std::array<bool, 3>& periodic);
  void list_by_plane();
  const std::vector<std::int32_t>& near(double z) const;
  void add_to_plane(const Image& image, int z, std::span<std::uint16_t> body) const;
  bool holds_cells(const Image& image) const;
  std::array<int, 2> cells_of(const Image& image, int axis) const;
  double share_of(const Vec& fluid, const Vec& solid) const;
  double slope_at(const Vec& point, const Vec& along, std::size_t axis) const;
  double first_entry(const Segment& s) const;
  double first_entry_in_box(const Segment& s) const;
  bool inside(const Vec& p) const;  // any body, any image

  std::array<int, 3> cells_;
  std::array<bool, 3> periodic_;
  std::vector<Body> bodies_;
  TimeLimit limit_;
  std::vector<Image> images_;  // in the order of the bodies
  // Images, in order, that links upwards from plane z may meet, z = -1 .. cells_[2]. Spares a case
  // of many small bodies a search through all of them for each link.
  std::vector<std::vector<std::int32_t>> near_plane_;
  mutable std::vector<std::atomic<bool>> seen_;  // bodies that own a cell
  mutable std::atomic<std::uint64_t> missed_{0};
};

}  // namespace lbm::geometry
