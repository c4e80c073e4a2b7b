// SPDX-License-Identifier: Apache-2.0

// Computes the arrays of a named output from the macroscopic fields, plane by plane; and the
// series of its files with their index: names, geometry and format.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case/model/case_model.hpp"
#include "cases/case/units_table.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "io/image/image.hpp"
#include "io/text/series_writer.hpp"

namespace lbm::cases {

// Threads that make the values of a plane of so many cells: all cores for large planes, up to 16.
int threads_of_plane(std::int64_t cells);

// Walls of the box and of bodies, with their velocities at a step.
fields::WallsAround walls_at(const Case& lbm_case, const CaseModel& model, std::int64_t step);

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
  const fields::HaloBox& box() const { return box_; }
  const FileUnits& units() const { return units_; }
  // Kinds that add() passes on: those of the file, with means followed by the solid mask.
  const std::vector<fields::Kind>& kinds() const { return kinds_; }
  io::ImageGeometry geometry() const;
  std::vector<io::ArrayInfo> arrays() const { return arrays_of(output_, units_); }

  // Index of plane z of the grid in the region.
  int index(int z) const { return box_.wanted.index_of(z, grid_.cells[2]); }

  // The planes of a step that lack neighbours, and its walls.
  struct Step {
    fields::PlaneWindow window;
    fields::WallsAround walls;
  };
  Step begin(std::int64_t step) const;
  // Calls take(z, arrays) with the arrays of each plane that has its neighbours once this one is
  // there. The arrays are valid until the next call (FieldMaker::make()).
  template <class Take>
  void add(Step& step, int z, const FieldPlane& plane, const Take& take) {
    step.window.add(z, plane, [&](const fields::PlaneTriple& planes) {
      take(planes.z, maker_.make(planes, step.walls));
    });
  }

 private:
  const Case& case_;
  const CaseModel& model_;
  const FieldOutput& output_;
  fields::GridShape grid_;
  fields::HaloBox box_;
  FileUnits units_;
  std::vector<fields::Kind> kinds_;
  int threads_;
  fields::FieldMaker maker_;
};

// Points at the centres of the cells of a box, or of cubes of `edge` cells.
io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell);

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units);

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units);

// The step of a file of that output, or of one of its pieces: "cut_000000120.vtp",
// "cut_000000120_p0003.vtp". Empty for all other files.
std::optional<std::int64_t> step_of_file(std::string_view file, std::string_view output,
                                         std::string_view ending);

class FileSeries {
 public:
  // name: of the output. step_time: time of a step, in units of the files. With an isovalue the
  // files are isosurfaces of array 0, with the other arrays on them.
  FileSeries(const ResultContext& context, std::string name, const FileStyle& style,
             double step_time, std::optional<double> isovalue = {});

  std::unique_ptr<io::ImageWriter> open(std::int64_t step, const io::ImageGeometry& geometry,
                                        std::span<const io::ArrayInfo> arrays,
                                        const io::FieldInfo& info) const;
  // Writes the index.
  void flush() { series_.flush(); }
  // Closes the file and adds it to the index.
  void add(io::ImageWriter& file, std::int64_t step);
  // Continues the existing index up to `step`. Removes files of later steps, including those not in
  // the index. Throws as SeriesWriter; then no file is removed.
  void continue_after(std::int64_t step);
  const std::vector<std::string>& files() const { return files_; }

 private:
  ResultContext context_;
  std::string name_;
  FileStyle style_;
  double step_time_;
  std::optional<double> isovalue_;
  std::string_view ending_;  // of its files; lists of pieces have a `p` after the dot
  io::SeriesWriter series_;
  std::vector<std::string> files_;
};

}  // namespace lbm::cases
