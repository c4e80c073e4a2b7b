// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/field_files.hpp"

#include "cases/case/model/regions.hpp"
#include "io/hdf5/vtkhdf_image.hpp"

namespace lbm::cases {
namespace {

// Sharing syncs the file: with a smaller image that costs more than it gains.
constexpr std::uint64_t least_shared_bytes = std::uint64_t{1} << 16;

}  // namespace

PlaneFiles::PlaneFiles(const ResultContext& context, FieldOutput output)
    : context_(context),
      output_(std::move(output)),
      planes_(context.lbm_case, context.model, output_),
      schedule_(schedule_of(output_, context.model.derived)) {}

bool PlaneFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (output_.at_end && step == context_.last_step);
}

void PlaneFiles::begin(std::int64_t step) {
  Image image{planes_.begin(step), open(step)};
  const auto& n = planes_.box().wanted.count;
  image.done.resize(static_cast<std::size_t>(n[2]));
  if (output_.average > 1) {
    std::vector<int> components;
    for (const fields::Kind kind : planes_.kinds()) components.push_back(components_of(kind));
    image.means.emplace(n[0], n[1], n[2], output_.average, std::move(components));
  }
  images_.emplace(step, std::move(image));
}

void PlaneFiles::add_plane(std::int64_t step, int z, std::span<const float> drho,
                           std::span<const float> velocity) {
  const auto found = images_.find(step);
  if (found == images_.end()) return;  // other writers have done all planes that need this one
  Image& image = found->second;
  planes_.add(image.waiting, z, {drho, velocity},
              [&](int at, const auto& arrays) { take_plane(image, planes_.index(at), arrays); });
  close_if_complete(step, image);
}

void PlaneFiles::plane_done(std::int64_t step, int z) {
  const auto found = images_.find(step);
  if (found == images_.end() || !set_done(found->second, planes_.index(z))) return;
  found->second.file->add_plane(planes_.index(z));
  close_if_complete(step, found->second);
}

bool PlaneFiles::set_done(Image& image, int z) {
  auto done = image.done.at(static_cast<std::size_t>(z));
  if (done) return false;
  done = true;
  ++image.planes;
  return true;
}

void PlaneFiles::close_if_complete(std::int64_t step, Image& image) {
  if (image.planes < planes_.box().wanted.count[2]) return;
  complete(*image.file, step);
  images_.erase(step);
}

void PlaneFiles::take_plane(Image& image, int z,
                            std::span<const std::span<const float>> arrays) const {
  if (!set_done(image, z)) return;
  std::vector<std::span<const float>> all(arrays.begin(), arrays.end());
  if (image.means) {
    const auto* means = image.means->add(z, arrays, arrays.back());
    if (means == nullptr) return;
    all.assign(means->begin(), means->end() - 1);  // without the solid mask
    z /= output_.average;
  }
  std::vector<float> length;
  if (output_.isosurface && components_of(*output_.isosurface) > 1) {
    length.resize(all[0].size() / 3);
    fields::magnitude(all[0], length);
    all[0] = length;
  }
  image.file->write_plane(z, all);
}

FieldFiles::FieldFiles(const ResultContext& context, const FieldOutput& output)
    : PlaneFiles(context, output),
      series_(context, output.name, output.style, planes_.units().time,
              output.isosurface ? output.value : std::nullopt) {}

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

std::unique_ptr<io::ImageWriter> FieldFiles::open(std::int64_t step) {
  return series_.open(step, planes_.geometry(), planes_.arrays(),
                      field_info(context_.lbm_case, context_.model.derived, step, planes_.units()));
}

std::optional<SharedResult> FieldFiles::share(std::int64_t step) {
  // Planes of means and surfaces are no planes of the image.
  if (output_.average > 1 || output_.isosurface) return std::nullopt;
  const auto bytes = predicted_bytes(context_.lbm_case, context_.model.derived, output_);
  if (bytes.value_or(0) < least_shared_bytes) return std::nullopt;
  auto place = file_of(step).share();
  if (!place) return std::nullopt;
  const bool derived = planes_.box().has_halo;
  return SharedResult{derived ? SharedKind::derived : SharedKind::image, std::move(*place), {}};
}

}  // namespace lbm::cases
