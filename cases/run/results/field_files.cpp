// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/field_files.hpp"

#include "cases/case/model/regions.hpp"
#include "cases/fields/quantities.hpp"
#include "io/hdf5/vtkhdf_image.hpp"

namespace lbm::cases {
namespace {

// Sharing syncs the file: with a smaller image that costs more than it gains.
constexpr std::uint64_t least_shared_bytes = std::uint64_t{1} << 16;

}  // namespace

OutputTimes schedule_of(const FieldOutput& output, const Derived& derived) {
  std::vector<std::int64_t> at;
  for (const double time : output.times) at.push_back(step_at(time, derived.steps_per_time));
  if (output.at_end) at.push_back(derived.steps);
  return {std::move(at), output.every_steps.value_or(0), derived.steps,
          output.every_time.value_or(0) * derived.steps_per_time};
}

FieldFiles::FieldFiles(const ResultContext& context, const FieldOutput& output)
    : context_(context),
      output_(output),
      planes_(context.lbm_case, context.model, output),
      schedule_(schedule_of(output, context.model.derived)),
      series_(context, output.name, output.style, planes_.units().time,
              output.isosurface ? output.value : std::nullopt) {}

bool FieldFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (output_.at_end && step == context_.last_step);
}

std::optional<std::uint64_t> FieldFiles::predicted_bytes(const Case& lbm_case,
                                                         const Derived& derived,
                                                         const FieldOutput& output) {
  if (output.isosurface) return std::nullopt;
  const FileUnits units = file_units(lbm_case, derived, output.style.units);
  const auto geometry = image_geometry(region_box(lbm_case, derived, output.region), output.average,
                                       units.scales.length);
  return io::predicted_vtkhdf_bytes(geometry, FieldPlanes::arrays_of(output, units),
                                    field_info(lbm_case, derived, 0, units),
                                    output.style.compression);
}

void FieldFiles::begin(std::int64_t step) {
  const io::FieldInfo info =
      field_info(context_.lbm_case, context_.model.derived, step, planes_.units());
  Image image{fields::PlaneWindow(planes_.grid(), planes_.box(), planes_.threads()),
              walls_at(context_.lbm_case, context_.model, step),
              {},
              {},
              std::vector<bool>(static_cast<std::size_t>(planes_.box().wanted.count[2]))};
  if (output_.average > 1) {
    std::vector<int> components;
    for (const fields::Kind kind : planes_.kinds()) components.push_back(components_of(kind));
    const auto& n = planes_.box().wanted.count;
    image.means.emplace(n[0], n[1], n[2], output_.average, std::move(components));
  }
  image.file = series_.open(step, planes_.geometry(), planes_.arrays(), info);
  images_.emplace(step, std::move(image));
}

void FieldFiles::add_plane(std::int64_t step, int z, std::span<const float> drho,
                           std::span<const float> velocity) {
  const auto found = images_.find(step);
  if (found == images_.end()) return;  // other writers have done all planes that need this one
  Image& image = found->second;
  planes_.add(image.window, image.walls, z, {drho, velocity},
              [&](int at, const auto& arrays) { take_plane(image, planes_.index(at), arrays); });
  close_if_complete(step, image);
}

std::optional<SharedResult> FieldFiles::share(std::int64_t step) {
  const auto bytes = predicted_bytes(context_.lbm_case, context_.model.derived, output_);
  if (!planes_.has_plane_each() || bytes.value_or(0) < least_shared_bytes) return std::nullopt;
  auto place = images_.at(step).file->share();
  if (!place) return std::nullopt;
  const bool derived = planes_.box().has_halo;
  return SharedResult{derived ? SharedKind::derived : SharedKind::image, std::move(*place), {}};
}

void FieldFiles::plane_done(std::int64_t step, int z) {
  const auto found = images_.find(step);
  if (found == images_.end() || !set_done(found->second, planes_.index(z))) return;
  found->second.file->add_plane(planes_.index(z));
  close_if_complete(step, found->second);
}

bool FieldFiles::set_done(Image& image, int z) {
  auto done = image.done.at(static_cast<std::size_t>(z));
  if (done) return false;
  done = true;
  ++image.planes;
  return true;
}

void FieldFiles::fail(std::int64_t step, int error) { images_.at(step).file->end_with(error); }

void FieldFiles::close_if_complete(std::int64_t step, Image& image) {
  if (image.planes < planes_.box().wanted.count[2]) return;
  series_.add(*image.file, step);
  images_.erase(step);
}

void FieldFiles::take_plane(Image& image, int z, std::span<const std::span<const float>> arrays) {
  if (!set_done(image, z)) return;
  if (!image.means) return write(image, z, arrays);
  const auto* means = image.means->add(z, arrays, arrays.back());
  if (means == nullptr) return;
  // Without the solid mask, which is last.
  const std::vector<std::span<const float>> spans(means->begin(), means->end() - 1);
  write(image, z / output_.average, spans);
}

void FieldFiles::write(Image& image, int z, std::span<const std::span<const float>> arrays) const {
  if (!output_.isosurface || components_of(*output_.isosurface) == 1) {
    return image.file->write_plane(z, arrays);
  }
  std::vector<std::span<const float>> all(arrays.begin(), arrays.end());
  std::vector<float> length;
  length.resize(arrays[0].size() / 3);
  fields::magnitude(arrays[0], length);
  all[0] = length;
  image.file->write_plane(z, all);
}

}  // namespace lbm::cases
