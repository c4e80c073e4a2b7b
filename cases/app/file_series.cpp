#include "cases/app/file_series.hpp"

#include <fmt/format.h>

#include "cases/fields/quantities.hpp"

namespace lbm::app {
namespace {

class ImageFile final : public FieldFile {
 public:
  explicit ImageFile(std::unique_ptr<io::ImageWriter> writer) : writer_(std::move(writer)) {}
  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    writer_->write_plane(z, arrays);
  }
  std::string close() override {
    writer_->close();
    return writer_->path().filename().string();
  }

 private:
  std::unique_ptr<io::ImageWriter> writer_;
};

// Surfaces are where a number has a value: of a vector, its length.
class SurfaceFile final : public FieldFile {
 public:
  explicit SurfaceFile(std::unique_ptr<io::ImageWriter> writer) : file_(std::move(writer)) {}
  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    std::vector<std::span<const float>> all(arrays.begin(), arrays.end());
    if (arrays[0].size() == 3 * cells_) {
      fields::magnitude(arrays[0], length_);
      all[0] = length_;
    }
    file_.write_plane(z, all);
  }
  std::string close() override { return file_.close(); }
  void set_cells(std::size_t cells) { cells_ = cells; }

 private:
  ImageFile file_;
  std::size_t cells_ = 0;  // of a plane
  std::vector<float> length_;
};

}  // namespace

FileSeries::FileSeries(const ResultContext& context, std::string name, const FileStyle& style,
                       bool surface)
    : context_(context),
      name_(std::move(name)),
      style_(style),
      series_(context.directory.file(name_ + (surface || style.format == FieldFormat::vti
                                                  ? std::string(".pvd")
                                                  : ".hdf.series"))) {}

std::filesystem::path FileSeries::stem(std::int64_t step) const {
  return context_.directory.file(fmt::format("{}_{:09d}", name_, step));
}

std::unique_ptr<FieldFile> FileSeries::open(std::int64_t step, const io::ImageGeometry& geometry,
                                            std::span<const io::ArrayInfo> arrays,
                                            const io::FieldInfo& info) const {
  return std::make_unique<ImageFile>(
      io::make_image_writer(stem(step), geometry, arrays, info, image_options(style_)));
}

std::unique_ptr<FieldFile> FileSeries::open_surface(std::int64_t step,
                                                    const io::ImageGeometry& geometry,
                                                    std::span<const io::ArrayInfo> arrays,
                                                    double value, const io::FieldInfo& info) const {
  std::vector<io::ArrayInfo> all(arrays.begin(), arrays.end());
  all[0].name += all[0].components == 1 ? "" : "_magnitude";
  all[0].components = 1;
  io::SurfaceOptions options;
  options.value = value;
  options.compression = style_.compression;
  auto file = std::make_unique<SurfaceFile>(
      io::make_surface_writer(stem(step), geometry, all, info, options));
  file->set_cells(static_cast<std::size_t>(geometry.points[0]) *
                  static_cast<std::size_t>(geometry.points[1]));
  return file;
}

void FileSeries::add(FieldFile& file, double time) {
  const std::string name = file.close();
  series_.add(name, time);
  files_.push_back(name);
}

}  // namespace lbm::app
