// What a run writes of its fields: VTKHDF files and centre-line profiles.
//
// Everything is dimensionless: lengths in reference lengths, velocities in reference velocities,
// times in convective times, density in units of the initial one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/app/case.hpp"
#include "cases/app/derived.hpp"
#include "io/run_directory.hpp"
#include "io/series_writer.hpp"
#include "io/vtkhdf_writer.hpp"
#include "tiling/pipeline.hpp"

namespace lbm::app {

// Velocity and density along the three lines through the middle of the box, from the planes as they
// pass. Where the middle lies between cells it is the mean of the cells around it.
class Profiles {
 public:
  explicit Profiles(const Grid& grid);

  // velocity in the units that it shall be written in.
  void add_plane(int z, std::span<const float> density, std::span<const float> velocity);
  // Writes profile_x.csv, profile_y.csv, profile_z.csv; spacing: cell size. Returns their names.
  std::vector<std::string> write(const io::RunDirectory& directory, double spacing,
                                 const std::vector<std::string>& comments) const;

 private:
  struct Line {
    std::vector<double> values[4];  // ux, uy, uz, density
  };
  void add_cell(Line& line, int at, double share, std::size_t cell, std::span<const float> density,
                std::span<const float> velocity);

  Grid grid_;
  Line lines_[3];
};

class FieldOutputs final : public tiling::FieldSink {
 public:
  // Fields are written at the steps of the case's schedule; profiles at the end of the run.
  FieldOutputs(const Case& lbm_case, const Derived& derived, const io::RunDirectory& directory);

  // Bytes that all field files will take.
  std::uint64_t predicted_bytes() const;
  // Whether the fields after this step are wanted.
  bool wants(std::int64_t step) const;
  void on_plane(std::int64_t step, int z, std::span<const float> density,
                std::span<const float> velocity) override;
  // Names of the files that are complete.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void open_file(std::int64_t step);
  void finish(std::int64_t step);
  bool writes_file(std::int64_t step) const;

  const Case& case_;
  const Derived& derived_;
  const io::RunDirectory& directory_;
  io::ImageGeometry geometry_;
  io::SeriesWriter series_;
  std::unique_ptr<io::VtkhdfWriter> writer_;  // of the step under way
  std::string file_name_;
  std::optional<Profiles> profiles_;
  int planes_ = 0;  // of the step under way
  std::vector<float> scaled_;
  std::vector<std::string> files_;
};

}  // namespace lbm::app
