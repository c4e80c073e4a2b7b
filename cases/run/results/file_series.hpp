// SPDX-License-Identifier: Apache-2.0

// The files of one output, one for each time, and their index; names, geometry and format of field
// files.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case/units_table.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "io/image/image.hpp"
#include "io/text/series_writer.hpp"

namespace lbm::cases {

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
