// SPDX-License-Identifier: Apache-2.0

// Results that the root shares with other processes: the side of these processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cases/fields/running_moments.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/hdf5/vtkhdf_image.hpp"

namespace lbm::cases {

// Used by one thread.
class SharedFields {
 public:
  // A plane of the slab of this process.
  struct Plane {
    std::int64_t step;
    tiling::FieldBox box;
    int z;
    bool last;      // of the step and box from this process
    bool near_end;  // one of two at either end of the slab: planes of other slabs need its values
    std::span<const float> drho, velocity;  // [ny][nx], [ny][nx][3]
  };
  struct Outcome {
    PlaneDone done;
    bool needs_values = false;  // the root needs the plane's values for some result
    std::vector<DerivedMessage> derived;
    std::vector<ImageErrorMessage> errors;
  };

  // Keeps the references.
  SharedFields(const Case& lbm_case, const Setup& setup);

  // Opens a shared result of `step`, which must not precede the steps of earlier calls.
  void open(std::int64_t step, const FieldOutputs::Shared& shared);
  // Writes the plane into the shared results of its step and box. If one result of a kind cannot be
  // reached, the plane goes into none of this kind. The call for the last plane syncs the images.
  // An image that has failed is not tried again.
  Outcome add(const Plane& plane);

 private:
  struct Image {
    std::int64_t step;
    int output;
    FieldPlanes* planes;
    FieldPlanes::Step waiting;
    std::optional<io::VtkhdfPart> part;  // empty: the file cannot be reached
    std::optional<int> untold = {};      // the newest derived plane, not yet reported
    bool failed = false;
    bool is_derived() const { return planes->box().has_halo; }  // SharedKind::derived
  };
  struct Sums {
    std::int64_t step;
    tiling::FieldBox box;
    fields::RunningMoments* sums;  // null: the memory cannot be reached
    std::int64_t samples;
  };
  FieldPlanes& planes_of(int output);
  tiling::FieldBox box_of_sums(int index) const;
  fields::RunningMoments* sums_of(int index, const std::string& name);
  std::vector<Image*> images_of(const Plane& plane, bool derived);
  std::vector<Sums*> sums_of(const Plane& plane);
  void write(Image& image, const Plane& plane, Outcome& outcome) const;

  const Case& case_;
  const Setup& setup_;
  std::vector<FieldOutput> outputs_;
  std::map<int, FieldPlanes> planes_;                              // of outputs that were shared
  std::map<int, std::unique_ptr<fields::RunningMoments>> opened_;  // of statistics, by index
  std::vector<Image> images_;
  std::vector<Sums> sums_;
};

}  // namespace lbm::cases
