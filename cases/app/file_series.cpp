#include "cases/app/file_series.hpp"

#include <fmt/format.h>

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

}  // namespace

FileSeries::FileSeries(const ResultContext& context, std::string name, const FileStyle& style,
                       bool surface)
    : context_(context),
      name_(std::move(name)),
      style_(style),
      in_pvd_(surface || style.format == FieldFormat::vti),
      series_(context.directory.file(name_ + ".hdf.series")) {}

std::filesystem::path FileSeries::stem(std::int64_t step) const {
  return context_.directory.file(fmt::format("{}_{:09d}", name_, step));
}

std::unique_ptr<FieldFile> FileSeries::open(std::int64_t step, const io::ImageGeometry& geometry,
                                            std::span<const io::ArrayInfo> arrays,
                                            const io::FieldInfo& info) const {
  return std::make_unique<ImageFile>(
      io::make_image_writer(stem(step), geometry, arrays, info, image_options(style_)));
}

void FileSeries::add(FieldFile& file, double time) {
  const std::string name = file.close();
  series_.add(name, time);
  files_.push_back(name);
}

}  // namespace lbm::app
