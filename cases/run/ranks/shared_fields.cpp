// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/shared_fields.hpp"

#include <algorithm>

#include "cases/run/results/field_outputs.hpp"

namespace lbm::cases {

SharedFields::SharedFields(const Case& lbm_case, const Setup& setup)
    : case_(lbm_case), setup_(setup), outputs_(field_outputs(lbm_case)) {}

FieldPlanes& SharedFields::planes_of(int output) {
  return planes_.try_emplace(output, case_, setup_, outputs_.at(static_cast<std::size_t>(output)))
      .first->second;
}

void SharedFields::open(std::int64_t step, int output, const io::ImagePlace& place) {
  // Of earlier steps there may be images left of which this process has no planes.
  std::erase_if(images_, [&](const Image& image) { return image.step < step; });
  FieldPlanes& planes = planes_of(output);
  images_.push_back({step, output, &planes, walls_at(case_, setup_, step),
                     io::VtkhdfPart::open(place, planes.geometry(), planes.arrays())});
}

bool SharedFields::reaches(std::int64_t step, const tiling::FieldBox& box) const {
  const auto is_of = [&](const Image& image) { return image.is_of(step, box); };
  return std::any_of(images_.begin(), images_.end(), is_of) &&
         std::all_of(images_.begin(), images_.end(),
                     [&](const Image& image) { return !is_of(image) || image.part.has_value(); });
}

std::vector<ImageErrorMessage> SharedFields::write(std::int64_t step, const tiling::FieldBox& box,
                                                   int z, bool last, std::span<const float> density,
                                                   std::span<const float> velocity) {
  std::vector<ImageErrorMessage> errors;
  const fields::FieldPlane here{density, velocity};
  for (Image& image : images_) {
    if (!image.is_of(step, box) || image.failed) continue;
    const auto arrays = image.planes->make({z, nullptr, &here, nullptr}, image.walls);
    int error = image.part->write_plane(image.planes->index(z), arrays);
    if (error == 0 && last) error = image.part->sync();
    if (error == 0) continue;
    image.failed = true;
    errors.push_back({step, image.output, error});
  }
  if (last) std::erase_if(images_, [&](const Image& image) { return image.is_of(step, box); });
  return errors;
}

}  // namespace lbm::cases
