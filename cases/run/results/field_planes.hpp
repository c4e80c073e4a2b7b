// SPDX-License-Identifier: Apache-2.0

// Computes the arrays of a named output from density less 1 and velocity, plane by plane.
#pragma once

#include <span>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/run/results/file_style.hpp"

namespace lbm::cases {

// Threads that make the values of a plane of so many cells: all cores for large planes, up to 16.
int threads_of_plane(std::int64_t cells);

class FieldPlanes {
 public:
  // All arguments must outlive the object.
  FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output);
  // For other cells than the output's region.
  FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output,
              const tiling::FieldBox& wanted);

  static fields::HaloBox box_of(const Case& lbm_case, const Derived& derived,
                                const FieldOutput& output);
  // Arrays in the file. For a surface, its scalar comes first (of a vector its magnitude), then the
  // fields on it.
  static std::vector<io::ArrayInfo> arrays_of(const FieldOutput& output, const FileUnits& units);

  // So many threads compute the arrays of a plane.
  int threads() const { return threads_; }
  const fields::GridShape& grid() const { return grid_; }
  const fields::HaloBox& box() const { return box_; }
  const FileUnits& units() const { return units_; }
  // Kinds that make() returns: those of the file, with means followed by the solid mask.
  const std::vector<fields::Kind>& kinds() const { return kinds_; }
  io::ImageGeometry geometry() const;
  std::vector<io::ArrayInfo> arrays() const { return arrays_of(output_, units_); }
  // True if the image has a plane for each plane of the region.
  bool has_plane_each() const;

  // Index in the image of plane z of the grid; not for means.
  int index(int z) const;
  // Calls take(z, arrays) with the arrays of each plane that has its neighbours once this one is
  // there. Where planes need none, the window stays empty.
  template <class Take>
  void add(fields::PlaneWindow& window, const fields::WallsAround& walls, int z,
           const fields::FieldPlane& plane, const Take& take) {
    const auto make = [&](int at, const fields::FieldPlane* below, const fields::FieldPlane* here,
                          const fields::FieldPlane* above) {
      take(at, maker_.make({at, below, here, above}, walls));
    };
    if (box_.has_halo) return window.add(z, plane.drho, plane.velocity, make);
    make(z, nullptr, &plane, nullptr);
  }
  // As FieldMaker::make().
  std::span<const std::span<const float>> make(const fields::PlaneTriple& planes,
                                               const fields::WallsAround& walls) {
    return maker_.make(planes, walls);
  }

 private:
  const FieldOutput& output_;
  fields::GridShape grid_;
  fields::HaloBox box_;
  FileUnits units_;
  std::vector<fields::Kind> kinds_;
  int threads_;
  fields::FieldMaker maker_;
};

}  // namespace lbm::cases
