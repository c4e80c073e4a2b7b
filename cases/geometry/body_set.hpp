// The bodies of a case in its box, as the lattice asks for them.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cases/geometry/shape.hpp"
#include "solver/lattice/solid_geometry.hpp"

namespace lbm::geometry {

struct Body {
  std::string name;
  ShapePtr shape;
};

// Where bodies overlap, the first one holds the cell. A body that reaches over a periodic face
// comes in again on the other side; along an axis on which it is infinite it does not repeat.
class BodySet : public SolidGeometry {
 public:
  // `cells` are the sizes of the box. Throws UsageError for more than 65534 bodies.
  BodySet(const std::array<int, 3>& cells, const std::array<bool, 3>& periodic,
          std::vector<Body> bodies);

  void plane(int z, std::span<std::uint16_t> body) const override;

  // The surface first met counts, also where it is that of another body than `body`. A link that
  // leaves the box over a face that is not periodic is mirrored there. At least 1e-6.
  double wall_distance(int body, const std::array<double, 3>& fluid,
                       const std::array<double, 3>& solid) const override;
  std::array<int, 2> plane_range() const override;

  // Names of the bodies that hold no cell's centre for certain: their bounds lie beside the box.
  std::vector<std::string> outside() const;

  const std::vector<Body>& bodies() const { return bodies_; }
  // How often wall_distance() was asked for what is no link from a fluid to a solid cell, and said
  // 0.5. More than zero is a mistake worth a line in a report.
  std::uint64_t missed() const { return missed_; }
  // How often rounding hid the surface from a link, so that it was found by halving the link.
  std::uint64_t halved() const { return halved_; }

 private:
  // A body where it is, or moved by whole periods.
  struct Image {
    int body;
    Vec shift;
    Box bounds;  // moved
  };
  void add_images(int body, const std::array<bool, 3>& periodic);
  void list_by_plane();
  const std::vector<std::int32_t>& near(double z) const;
  void add_to_plane(const Image& image, int z, std::span<std::uint16_t> body) const;
  bool holds_cells(const Image& image) const;
  std::array<int, 2> cells_of(const Image& image, int axis) const;
  double first_entry(const Segment& s) const;
  double first_entry_in_box(const Segment& s) const;
  bool inside(const Vec& p) const;  // any body, any image

  std::array<int, 3> cells_;
  std::array<bool, 3> periodic_;
  std::vector<Body> bodies_;
  std::vector<Image> images_;  // bodies in order
  // Images, in order, that a link from plane z up may meet, for z from -1 to cells_[2]: without it,
  // a case of many small bodies would look at all of them for each link.
  std::vector<std::vector<std::int32_t>> near_plane_;
  mutable std::atomic<std::uint64_t> missed_{0}, halved_{0};
};

}  // namespace lbm::geometry
