#include "cases/app/field_files.hpp"

#include <algorithm>

namespace lbm::app {
namespace {

// The fields that are made: for a surface its scalar comes first, for means the solid cells last.
std::vector<fields::Kind> kinds_of(const FieldOutput& output) {
  std::vector<fields::Kind> kinds = output.fields;
  if (output.isosurface) kinds.insert(kinds.begin(), *output.isosurface);
  if (output.average > 1) kinds.push_back(fields::Kind::solid);
  return kinds;
}

bool needs_halo(const std::vector<fields::Kind>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), fields::needs_gradient);
}

// Those in the file; a surface's scalar is the first one, and what is on it comes behind.
std::vector<io::ArrayInfo> arrays_of(const FieldOutput& output, const FileUnits& units) {
  std::vector<io::ArrayInfo> all;
  if (output.isosurface) all.push_back(array_info(*output.isosurface, output.style, units));
  for (const fields::Kind kind : output.fields)
    all.push_back(array_info(kind, output.style, units));
  return all;
}

}  // namespace

OutputSchedule schedule_of(const FieldOutput& output, const Derived& derived) {
  std::vector<std::int64_t> at;
  for (const double time : output.times) at.push_back(step_at(time, derived.steps_per_time));
  if (output.at_end) at.push_back(derived.steps);
  return {std::move(at), output.every_steps.value_or(0), derived.steps,
          output.every_time.value_or(0) * derived.steps_per_time};
}

FieldFiles::FieldFiles(const ResultContext& context, const FieldOutput& output)
    : context_(context),
      output_(output),
      grid_(grid_shape(context.lbm_case)),
      box_(box_of(context.lbm_case, context.setup.derived, output)),
      units_(file_units(context.lbm_case, context.setup.derived,
                        units_of(context.lbm_case, output.style))),
      schedule_(schedule_of(output, context.setup.derived)),
      kinds_(kinds_of(output)),
      maker_(grid_, box_, kinds_, units_.scales, context.setup.derived.viscosity),
      series_(context, output.name, output.style, output.isosurface.has_value()) {}

fields::HaloBox FieldFiles::box_of(const Case& lbm_case, const Derived& derived,
                                   const FieldOutput& output) {
  return fields::with_halo(grid_shape(lbm_case), region_box(lbm_case, derived, output.region),
                           needs_halo(kinds_of(output)));
}

bool FieldFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (output_.at_end && step == context_.last_step);
}

std::optional<std::uint64_t> FieldFiles::predicted_bytes(const Case& lbm_case,
                                                         const Derived& derived,
                                                         const FieldOutput& output) {
  if (output.isosurface) return std::nullopt;
  const FileUnits units = file_units(lbm_case, derived, units_of(lbm_case, output.style));
  const auto geometry = image_geometry(region_box(lbm_case, derived, output.region), output.average,
                                       units.scales.length);
  return io::predicted_image_bytes(geometry, arrays_of(output, units),
                                   field_info(lbm_case, derived, 0, units),
                                   image_options(output.style));
}

void FieldFiles::begin(std::int64_t step) {
  const auto geometry = image_geometry(box_.wanted, output_.average, units_.scales.length);
  const io::FieldInfo info = field_info(context_.lbm_case, context_.setup.derived, step, units_);
  Image image{
      fields::PlaneWindow(grid_, box_), walls_at(context_.lbm_case, context_.setup, step), {}, {}};
  if (output_.average > 1) {
    std::vector<int> components;
    for (const fields::Kind kind : kinds_) components.push_back(components_of(kind));
    const auto& n = box_.wanted.count;
    image.means.emplace(n[0], n[1], n[2], output_.average, std::move(components));
  }
  const auto arrays = arrays_of(output_, units_);
  image.file = output_.isosurface
                   ? series_.open_surface(step, geometry, arrays, *output_.value, info)
                   : series_.open(step, geometry, arrays, info);
  images_.emplace(step, std::move(image));
}

// In the image.
int FieldFiles::plane_index(int z) const {
  const int nz = grid_.cells[2];
  return (z - box_.wanted.begin[2] + nz) % nz / box_.wanted.stride;
}

void FieldFiles::add_plane(std::int64_t step, int z, std::span<const float> density,
                           std::span<const float> velocity) {
  Image& image = images_.at(step);
  const auto make = [&](int at, const fields::FieldPlane* below, const fields::FieldPlane* here,
                        const fields::FieldPlane* above) {
    make_plane(image, {at, below, here, above});
  };
  if (box_.has_halo) {
    image.window.add(z, density, velocity, make);
  } else {
    const fields::FieldPlane plane{density, velocity};
    make(z, nullptr, &plane, nullptr);
  }
  if (image.planes < box_.wanted.count[2]) return;
  series_.add(*image.file, static_cast<double>(step) * units_.time);
  images_.erase(step);
}

void FieldFiles::make_plane(Image& image, const fields::PlaneTriple& planes) {
  ++image.planes;
  const auto arrays = maker_.make(planes, image.walls);
  const int z = plane_index(planes.z);
  if (!image.means) return image.file->write_plane(z, arrays);
  const auto* means = image.means->add(z, arrays, arrays.back());
  if (means == nullptr) return;
  // Without the solid mask.
  const std::vector<std::span<const float>> spans(means->begin(), means->end() - 1);
  image.file->write_plane(z / output_.average, spans);
}

}  // namespace lbm::app
