// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/shared_fields.hpp"

#include <algorithm>
#include <utility>

#include "cases/case/model/regions.hpp"
#include "cases/run/results/consumers.hpp"

namespace lbm::cases {

SharedFields::SharedFields(const Case& lbm_case, const Setup& setup)
    : case_(lbm_case), setup_(setup), outputs_(field_outputs(lbm_case)) {}

FieldPlanes& SharedFields::planes_of(int output) {
  return planes_.try_emplace(output, case_, setup_, outputs_.at(static_cast<std::size_t>(output)))
      .first->second;
}

tiling::FieldBox SharedFields::box_of_sums(int index) const {
  const Statistics& statistics = case_.statistics.at(static_cast<std::size_t>(index));
  return region_box(case_, setup_.derived, statistics.region);
}

fields::RunningMoments* SharedFields::sums_of(int index, const std::string& name) {
  auto [found, is_new] = opened_.try_emplace(index);
  if (is_new) {
    const Statistics& statistics = case_.statistics.at(static_cast<std::size_t>(index));
    const fields::MomentsShape shape = shape_of(statistics, box_of_sums(index));
    auto memory = SharedMemory::open(name, shape.bytes());
    if (memory) found->second = std::make_unique<fields::RunningMoments>(shape, std::move(*memory));
  }
  return found->second.get();
}

void SharedFields::open(std::int64_t step, const FieldOutputs::Shared& shared) {
  // Results of earlier steps may be left, for example where this process has no planes of them.
  std::erase_if(images_, [&](const Image& image) { return image.step < step; });
  std::erase_if(sums_, [&](const Sums& sums) { return sums.step < step; });
  const auto& [index, result] = shared;
  if (result.kind == SharedKind::sums) {
    sums_.push_back({step, box_of_sums(index), sums_of(index, result.sums), result.samples});
    return;
  }
  FieldPlanes& planes = planes_of(index);
  images_.push_back({step, index, &planes, planes.begin(step),
                     io::VtkhdfPart::open(result.image, planes.geometry(), planes.arrays())});
}

std::vector<SharedFields::Image*> SharedFields::images_of(const Plane& plane, bool derived) {
  std::vector<Image*> all;
  for (Image& image : images_) {
    const bool is_of = image.step == plane.step && image.planes->box().loaded == plane.box;
    if (is_of && image.is_derived() == derived) all.push_back(&image);
  }
  return all;
}

std::vector<SharedFields::Sums*> SharedFields::sums_of(const Plane& plane) {
  std::vector<Sums*> all;
  for (Sums& sums : sums_) {
    if (sums.step == plane.step && sums.box == plane.box) all.push_back(&sums);
  }
  return all;
}

SharedFields::Outcome SharedFields::add(const Plane& plane) {
  Outcome outcome;
  const auto images = images_of(plane, false), derived = images_of(plane, true);
  const auto sums = sums_of(plane);
  const auto has_part = [](const Image* image) { return image->part.has_value(); };
  // Kinds of which none is shared count as done.
  outcome.done.images = std::ranges::all_of(images, has_part);
  outcome.done.sums = std::ranges::all_of(sums, [](const Sums* of) { return of->sums != nullptr; });
  const bool reaches_derived = std::ranges::all_of(derived, has_part);
  outcome.done.derived = reaches_derived && !plane.near_end;
  outcome.needs_values =
      !outcome.done.images || !outcome.done.sums || (!derived.empty() && !outcome.done.derived);
  if (outcome.done.images) {
    for (Image* image : images) write(*image, plane, outcome);
  }
  if (reaches_derived) {
    for (Image* image : derived) write(*image, plane, outcome);
  }
  if (outcome.done.sums) {
    for (Sums* of : sums) {
      of->sums->add(of->box.index_of(plane.z, setup_.lattice.nz), of->samples, plane.drho,
                    plane.velocity);
    }
  }
  if (plane.last) {
    std::erase_if(images_, [&](const Image& image) {
      return image.step == plane.step && image.planes->box().loaded == plane.box;
    });
  }
  return outcome;
}

void SharedFields::write(Image& image, const Plane& plane, Outcome& outcome) const {
  if (image.failed) return;
  int error = 0;
  const auto tell = [&](std::optional<int> z) {
    if (z) outcome.derived.push_back({image.step, image.output, *z});
  };
  const auto write_plane = [&](int z, std::span<const std::span<const float>> arrays) {
    if (error == 0) error = image.part->write_plane(image.planes->index(z), arrays);
    if (error == 0 && image.is_derived()) tell(std::exchange(image.untold, z));
  };
  image.planes->add(image.waiting, plane.z, {plane.drho, plane.velocity}, write_plane);
  // The root closes the image when it has heard of all planes: of one only after the sync.
  if (error == 0 && plane.last) error = image.part->sync();
  if (error == 0 && plane.last) tell(std::exchange(image.untold, std::nullopt));
  if (error == 0) return;
  image.failed = true;
  outcome.errors.push_back({image.step, image.output, error});
}

}  // namespace lbm::cases
