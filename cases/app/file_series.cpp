#include "cases/app/file_series.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "cases/app/scalars.hpp"
#include "solver/core/error.hpp"

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

void FileSeries::continue_after(double time) {
  std::vector<std::pair<std::string, double>> kept;
  std::error_code ec;
  if (!std::filesystem::exists(series_.path(), ec)) return;
  try {
    const YAML::Node index = YAML::LoadFile(series_.path().string());
    for (const auto& entry : index["files"]) {
      const double at = parse_number(entry["time"].Scalar()).value();
      if (at <= time) kept.emplace_back(entry["name"].Scalar(), at);
    }
  } catch (const std::exception&) {  // of YAML, or a number that is none
    throw UsageError(series_.path().string() +
                     ": cannot be continued: it is no index of field files; move it away, or "
                     "choose another --out");
  }
  series_.start_with(kept);
}

}  // namespace lbm::app
