// The files of one output, one for each time, and their index.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/run/results/file_style.hpp"
#include "io/text/series_writer.hpp"
#include "io/vtk/surface_writer.hpp"

namespace lbm::cases {

// An incomplete file: an image or a surface.
class FieldFile {
 public:
  virtual ~FieldFile() = default;
  // arrays: of the output's fields, [ny][nx][components]; z: of the image.
  virtual void write_plane(int z, std::span<const std::span<const float>> arrays) = 0;
  // As in ImageWriter.
  virtual std::optional<io::ImagePlace> share() { return std::nullopt; }
  virtual void add_plane([[maybe_unused]] int z) {}
  virtual void fail([[maybe_unused]] int error) {}
  virtual std::string close() = 0;  // returns the file's name
};

// The step of a file of that output, or of one of its pieces: "cut_000000120.vti",
// "cut_000000120_p0003.vti". Empty for all other files.
std::optional<std::int64_t> step_of_file(std::string_view file, std::string_view output,
                                         std::string_view ending);

class FileSeries {
 public:
  // name: of the output.
  FileSeries(const ResultContext& context, std::string name, const FileStyle& style, bool surface);

  std::unique_ptr<FieldFile> open(std::int64_t step, const io::ImageGeometry& geometry,
                                  std::span<const io::ArrayInfo> arrays,
                                  const io::FieldInfo& info) const;
  // An isosurface of array 0 (the magnitude of a vector), with the other arrays on it.
  std::unique_ptr<FieldFile> open_surface(std::int64_t step, const io::ImageGeometry& geometry,
                                          std::span<const io::ArrayInfo> arrays, double value,
                                          const io::FieldInfo& info) const;
  void add(FieldFile& file, double time);
  // Continues the existing index up to `time`, which is that of `step`. Removes files of later
  // steps, including those not in the index. Throws as SeriesWriter; then no file is removed.
  void continue_after(std::int64_t step, double time);
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::filesystem::path stem(std::int64_t step) const;

  ResultContext context_;
  std::string name_;
  FileStyle style_;
  std::string_view ending_;  // of its files; lists of pieces have a `p` after the dot
  io::SeriesWriter series_;
  std::vector<std::string> files_;
};

}  // namespace lbm::cases
