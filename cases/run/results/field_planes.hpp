// What a named output makes of density and velocity, plane by plane, whoever writes it.
#pragma once

#include <span>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/run/results/file_style.hpp"

namespace lbm::cases {

class FieldPlanes {
 public:
  // All must outlive it.
  FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output);
  // Of cells that the output's region does not say.
  FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output,
              const tiling::FieldBox& wanted);

  static fields::HaloBox box_of(const Case& lbm_case, const Derived& derived,
                                const FieldOutput& output);
  // Those in the file; a surface's scalar is the first one, and what is on it comes behind.
  static std::vector<io::ArrayInfo> arrays_of(const FieldOutput& output, const FileUnits& units);

  const fields::GridShape& grid() const { return grid_; }
  const fields::HaloBox& box() const { return box_; }
  const FileUnits& units() const { return units_; }
  // Those that make() gives: with means over cells the solid mask is last, beside those of the
  // file.
  const std::vector<fields::Kind>& kinds() const { return kinds_; }
  io::ImageGeometry geometry() const;
  std::vector<io::ArrayInfo> arrays() const { return arrays_of(output_, units_); }
  // Each plane of the image is made of one plane of the grid, and of no other.
  bool is_plane_by_plane() const;

  // Of plane z of the grid, in an image without means.
  int index(int z) const;
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
  fields::FieldMaker maker_;
};

}  // namespace lbm::cases
