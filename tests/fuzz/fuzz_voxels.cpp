// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cases/geometry/voxels/voxel_images.hpp"
#include "io/voxels/voxel_image.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {
namespace {

// The first byte says which kind of file it is; of a raw one the next five say size and type.
struct Named {
  const char* name;
  io::VoxelHints hints;
  std::string_view bytes;
};

Named named(std::string_view bytes) {
  constexpr std::array names{"image.npy", "image.raw", "image.tif"};
  constexpr std::size_t raw = 1;
  const auto number = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.empty()) return {names[0], {}, bytes};
  const std::size_t kind = number(0) % names.size();
  if (kind != raw || bytes.size() < 6) return {names[kind], {}, bytes.substr(1)};
  io::VoxelHints hints;
  hints.voxels = {number(1), number(2), number(3)};
  hints.type = static_cast<io::VoxelType>(number(4) % 6);
  hints.big_endian = number(5) % 2 == 1;
  return {names[raw], hints, bytes.substr(6)};
}

}  // namespace

void read_voxels(std::string_view bytes) {
  const Named file = named(bytes);
  const std::string path = file_of(file.name, file.bytes).string();
  (void)accepts([&] {
    const auto image =
        std::make_shared<const io::VoxelImage>(io::find_voxel_format(path, file.hints));
    const auto& n = image->format().voxels;
    const auto labels = image->count({});
    std::int64_t voxels = 0;
    for (const auto& [label, count] : labels) voxels += count;
    require(voxels == n[0] * n[1] * n[2], "not all voxels are counted");
    const std::int64_t first = image->label(0, 0, 0);
    require(labels.contains(first), "the first label is not counted");
    const geometry::LabelledVoxels solids(image, {first}, {{}, n});
    const geometry::VoxelPaths paths = geometry::find_paths(solids, {});
    require(paths.fluid == labels.at(first), "a pore is lost");
    for (const std::int64_t through : paths.through) {
      require(through >= 0 && through <= paths.fluid, "more voxels lead through than are fluid");
    }
    const geometry::ConnectedVoxels kept = geometry::connected(solids, 2, {});
    require(kept.before.fluid == paths.fluid && kept.before.through == paths.through,
            "pores are not the same a second time");
    require(kept.after.fluid == paths.through[2], "another pore than those through is kept");
  });
}

}  // namespace lbm::fuzz
