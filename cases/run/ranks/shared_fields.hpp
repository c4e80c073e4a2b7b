// SPDX-License-Identifier: Apache-2.0

// Files of output fields that the root shares: the side of the processes that write planes of
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/hdf5/vtkhdf_part.hpp"

namespace lbm::cases {

// Used by one thread.
class SharedFields {
 public:
  // Both must outlive it.
  SharedFields(const Case& lbm_case, const Setup& setup);

  // An image of that step, which is later than those of planes that came.
  void open(std::int64_t step, int output, const io::ImagePlace& place);
  // Whether images of the box are shared, and all within reach: otherwise none of them is written
  // here.
  bool reaches(std::int64_t step, const tiling::FieldBox& box) const;
  // Writes plane z of these images; they are on the disk when it returns after the last plane of
  // this process. An image that has failed is not tried again.
  std::vector<ImageErrorMessage> write(std::int64_t step, const tiling::FieldBox& box, int z,
                                       bool last, std::span<const float> density,
                                       std::span<const float> velocity);

 private:
  struct Image {
    std::int64_t step;
    int output;
    FieldPlanes* planes;
    fields::WallsAround walls;
    std::optional<io::VtkhdfPart> part;  // nothing: not within reach
    bool failed = false;

    bool is_of(std::int64_t of_step, const tiling::FieldBox& box) const {
      return step == of_step && planes->box().loaded == box;
    }
  };
  FieldPlanes& planes_of(int output);

  const Case& case_;
  const Setup& setup_;
  std::vector<FieldOutput> outputs_;
  std::map<int, FieldPlanes> planes_;  // of outputs that were shared
  std::vector<Image> images_;
};

}  // namespace lbm::cases
