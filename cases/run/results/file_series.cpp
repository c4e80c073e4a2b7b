// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/file_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "io/hdf5/vtkhdf_image.hpp"
#include "io/vtk/surface_writer.hpp"

namespace lbm::cases {
namespace {

// True for "_p0012" and the like.
bool is_piece(std::string_view text) {
  return text.starts_with("_p") && text.size() > 2 &&
         text.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

}  // namespace

io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell) {
  io::ImageGeometry geometry{};
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.points[a] = box.count[a] / edge;
    geometry.origin[a] = (box.begin[a] + 0.5 * edge * box.stride - 0.5 * (box.stride - 1)) * cell;
    geometry.spacing[a] = edge * box.stride * cell;
  }
  return geometry;
}

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units) {
  io::FieldInfo info;
  info.step = step;
  info.time = static_cast<double>(step) * units.time;
  info.attributes = {{"case", lbm_case.name},
                     {"lbm_version", LBM_VERSION},
                     {"units", units.text},
                     {"reference_length_cells", derived.length},
                     {"reference_velocity_cells_per_step", derived.velocity},
                     {"reynolds", derived.reynolds}};
  if (misses_target(lbm_case, derived)) {
    info.attributes.emplace_back("target_reynolds", *lbm_case.fluid.target_reynolds);
  }
  if (units.physical) {
    info.attributes.emplace_back("reference_velocity", lbm_case.fluid.velocity.value_or(0));
    info.attributes.emplace_back("reference_density", lbm_case.fluid.density.value_or(1));
  }
  return info;
}

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units) {
  io::ArrayInfo info;
  info.name = to_string(kind);
  info.components = components_of(kind);
  info.unit = units.of(kind);
  if (style.precision == FieldPrecision::float16) info.precision = io::Precision::float16;
  if (kind == fields::Kind::solid) info.precision = io::Precision::uint8;
  return info;
}

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
    // The list of the pieces: ".pvtp" for ".vtp".
    return file == fmt::format(".p{}", ending.substr(1)) ? std::optional(step) : std::nullopt;
  }
  file.remove_suffix(ending.size());
  return file.empty() || is_piece(file) ? std::optional(step) : std::nullopt;
}

FileSeries::FileSeries(const ResultContext& context, std::string name, const FileStyle& style,
                       double step_time, std::optional<double> isovalue)
    : context_(context),
      name_(std::move(name)),
      style_(style),
      step_time_(step_time),
      isovalue_(isovalue),
      ending_(isovalue ? ".vtp" : ".hdf"),
      series_(context.directory.file(name_ + (ending_ == ".hdf" ? ".hdf.series" : ".pvd"))) {}

std::unique_ptr<io::ImageWriter> FileSeries::open(std::int64_t step,
                                                  const io::ImageGeometry& geometry,
                                                  std::span<const io::ArrayInfo> arrays,
                                                  const io::FieldInfo& info) const {
  const auto stem = context_.directory.file(fmt::format("{}_{:09d}", name_, step));
  if (!isovalue_) {
    return std::make_unique<io::VtkhdfImage>(stem.with_ending(".hdf"), geometry, arrays, info,
                                             io::ImageOptions{.compression = style_.compression});
  }
  io::SurfaceOptions options;
  options.value = *isovalue_;
  options.compression = style_.compression;
  return io::make_surface_writer(stem, geometry, arrays, info, options);
}

void FileSeries::continue_after(std::int64_t step) {
  series_.continue_after(static_cast<double>(step) * step_time_);
  for (const std::string& name : context_.directory.names()) {
    const auto of_file = step_of_file(name, name_, ending_);
    // Errors are ignored: a remaining file only takes space.
    if (of_file && *of_file > step) (void)context_.directory.file(name).remove();
  }
}

void FileSeries::add(io::ImageWriter& file, std::int64_t step) {
  file.close();
  const std::string name = file.path().filename().string();
  series_.add(name, static_cast<double>(step) * step_time_);
  files_.push_back(name);
}

}  // namespace lbm::cases
