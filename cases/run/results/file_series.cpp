#include "cases/run/results/file_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "cases/fields/quantities.hpp"
#include "io/vtk/make_image_writer.hpp"

namespace lbm::cases {
namespace {

class ImageFile final : public FieldFile {
 public:
  explicit ImageFile(std::unique_ptr<io::ImageWriter> writer) : writer_(std::move(writer)) {}
  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    writer_->write_plane(z, arrays);
  }
  std::optional<io::ImagePlace> share() override { return writer_->share(); }
  void add_plane(int z) override { writer_->add_plane(z); }
  void fail(int error) override { writer_->end_with(error); }
  std::string close() override {
    writer_->close();
    return writer_->path().filename().string();
  }

 private:
  std::unique_ptr<io::ImageWriter> writer_;
};

// The scalar of an isosurface; of a vector its magnitude.
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
  std::size_t cells_ = 0;  // of one plane
  std::vector<float> length_;
};

// True for "_p0012" and the like.
bool is_piece(std::string_view text) {
  return text.starts_with("_p") && text.size() > 2 &&
         text.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

}  // namespace

std::optional<std::int64_t> step_of_file(std::string_view file, std::string_view output,
                                         std::string_view ending) {
  const auto drop = [&](std::string_view start) {
    const bool there = file.starts_with(start);
    if (there) file.remove_prefix(start.size());
    return there;
  };
  if (!drop(output) || !drop("_")) return std::nullopt;
  std::int64_t step = 0;
  const std::size_t digits = std::min(file.find_first_not_of("0123456789"), file.size());
  const auto [end, error] = std::from_chars(file.data(), file.data() + digits, step);
  if (digits < 9 || error != std::errc()) return std::nullopt;
  file.remove_prefix(digits);
  if (!file.ends_with(ending)) {
    // ".pvti" lists the pieces.
    return file == fmt::format(".p{}", ending.substr(1)) ? std::optional(step) : std::nullopt;
  }
  file.remove_suffix(ending.size());
  return file.empty() || is_piece(file) ? std::optional(step) : std::nullopt;
}

FileSeries::FileSeries(const ResultContext& context, std::string name, const FileStyle& style,
                       bool surface)
    : context_(context),
      name_(std::move(name)),
      style_(style),
      ending_(surface                            ? ".vtp"
              : style.format == FieldFormat::vti ? ".vti"
                                                 : ".vtkhdf"),
      series_(context.directory.file(name_ + (ending_ == ".vtkhdf" ? ".hdf.series" : ".pvd"))) {}

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

void FileSeries::continue_after(std::int64_t step, double time) {
  series_.continue_after(time);
  std::vector<std::filesystem::path> later;
  std::error_code ignored;  // ignored: a remaining file only takes space
  std::filesystem::directory_iterator it(context_.directory.path(), ignored), end;
  for (; !ignored && it != end; it.increment(ignored)) {
    const auto of_file = step_of_file(it->path().filename().string(), name_, ending_);
    if (of_file && *of_file > step) later.push_back(it->path());
  }
  for (const std::filesystem::path& path : later) std::filesystem::remove(path, ignored);
}

void FileSeries::add(FieldFile& file, double time) {
  const std::string name = file.close();
  series_.add(name, time);
  files_.push_back(name);
}

}  // namespace lbm::cases
