#include "cases/case/bodies/body_voxels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/bodies/voxel_hints.hpp"
#include "cases/case/case_files.hpp"
#include "cases/case/case_location.hpp"
#include "cases/geometry/voxel_paths.hpp"
#include "cases/geometry/voxel_shape.hpp"
#include "io/voxels/voxel_file.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using Labels = std::map<std::int64_t, std::int64_t>;

std::int64_t count_of(const Labels& labels) {
  std::int64_t count = 0;
  for (const auto& [label, voxels] : labels) count += voxels;
  return count;
}

// The labels with their shares, those with most voxels first; at most eight.
std::string labels_text(const Labels& labels) {
  constexpr std::size_t most = 8;
  const auto all = static_cast<double>(count_of(labels));
  std::vector<std::pair<std::int64_t, std::int64_t>> sorted(labels.begin(), labels.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [label, voxels] : sorted) {
    if (texts.size() == most) break;
    texts.push_back(fmt::format("{} ({:.3g} %)", label, 100 * static_cast<double>(voxels) / all));
  }
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     sorted.size() > most ? fmt::format(" and {} more", sorted.size() - most) : "");
}

io::VoxelHints hints_of(const Body& body) {
  io::VoxelHints hints;
  if (body.cells) {
    hints.voxels = {(*body.cells)[0], (*body.cells)[1], (*body.cells)[2]};
  }
  hints.type = body.type;
  if (body.byte_order) hints.big_endian = *body.byte_order == ByteOrder::big;
  if (body.header_bytes) hints.offset = static_cast<std::uint64_t>(*body.header_bytes);
  hints.dataset = body.dataset;
  return hints;
}

// An image is read twice, in 6 s for 1e9 voxels: that much is worth waiting for, whatever the
// limit.
TimeLimit limit_for(const io::VoxelFormat& format, const std::vector<VoxelFacts>& before,
                    const TimeLimit& limit) {
  constexpr double most_voxels = 2e9;  // of all bodies
  const auto count = [](const std::array<std::int64_t, 3>& n) {
    return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
  };
  double all = count(format.voxels);
  for (const VoxelFacts& f : before) all += count(f.voxels);
  return all <= most_voxels ? TimeLimit() : limit;
}

void check_labels(const Body& body, const VoxelFacts& facts) {
  for (const std::int64_t label : body.fluid) {
    if (facts.labels.contains(label)) continue;
    const std::string hint =
        other_byte_order(facts.labels, body.fluid, facts.type) + grey_values(facts.labels);
    throw UsageError(fmt::format("{}: no voxel has the label {} of fluid: its labels are {}{}",
                                 facts.file, label, labels_text(facts.labels),
                                 hint.empty() ? ": write those of the pores" : hint));
  }
  if (facts.fluid_share < 1) return;
  throw UsageError(fmt::format(
      "{}: all voxels are fluid, nothing is solid: fluid must name the labels of the pores "
      "alone, of {}",
      facts.file, labels_text(facts.labels)));
}

}  // namespace

std::string VoxelFacts::text() const {
  const auto& [x, y, z] = through_share;
  return fmt::format(
      "{} x {} x {} voxels of {}, {:.4g} % fluid, of which {:.3g}, {:.3g} and {:.3g} % are in "
      "pores that lead through along x, y and z; labels: {}",
      voxels[0], voxels[1], voxels[2], to_string(type), 100 * fluid_share, 100 * x, 100 * y,
      100 * z, labels_text(labels) + other_way_round(labels, fluid) + grey_values(labels));
}

io::Json voxels_json(const std::vector<VoxelFacts>& facts) {
  io::Json json = io::Json::array();
  for (const VoxelFacts& f : facts) {
    io::Json labels = io::Json::array();
    for (const auto& [label, voxels] : f.labels) {
      labels.push_back({{"label", label}, {"voxels", voxels}});
    }
    json.push_back({{"body", f.body},
                    {"file", f.file},
                    {"voxels", f.voxels},
                    {"type", to_string(f.type)},
                    {"labels", std::move(labels)},
                    {"fluid_share", f.fluid_share},
                    {"through_share", f.through_share}});
  }
  return json;
}

geometry::ShapePtr make_voxels(const Case& lbm_case, const Units& units, const Body& body,
                               const TimeLimit& limit, std::vector<VoxelFacts>& facts,
                               std::vector<std::string>& warnings) {
  auto image = std::make_shared<const io::VoxelImage>(
      io::find_voxel_format(path_of(lbm_case, body.file), hints_of(body)));
  const io::VoxelFormat& format = image->format();
  const TimeLimit own = limit_for(format, facts, limit);
  VoxelFacts f{.body = body.name,
               .file = std::filesystem::absolute(format.file).string(),
               .voxels = format.voxels,
               .type = format.type,
               .fluid = body.fluid,
               .labels = image->count(own)};
  std::int64_t fluid = 0;
  for (const auto& [label, count] : f.labels) {
    if (std::count(body.fluid.begin(), body.fluid.end(), label) > 0) fluid += count;
  }
  f.fluid_share = static_cast<double>(fluid) / static_cast<double>(count_of(f.labels));
  check_labels(body, f);
  const geometry::VoxelPaths paths = geometry::find_paths(*image, body.fluid, own);
  for (std::size_t a = 0; a < 3; ++a) {
    f.through_share[a] = static_cast<double>(paths.through[a]) / static_cast<double>(fluid);
  }
  if (f.through_share == Vec3{}) {
    warnings.push_back(where(lbm_case, "bodies." + body.name + ".file") +
                       ": no pore leads through the image along any axis: look at fluid, whose "
                       "labels may be those of the solid, and at cells; it has " +
                       f.text());
  }
  facts.push_back(std::move(f));
  std::array<std::int64_t, 3> corner{};
  const Vec3 place = body.translate.value_or(Vec3{});  // whole cells: the validator has looked
  for (std::size_t a = 0; a < 3; ++a) corner[a] = std::llround(to_cells(units, place[a]));
  return std::make_shared<geometry::VoxelShape>(std::move(image), body.fluid, corner,
                                                lbm_case.grid.cells);
}

}  // namespace lbm::cases
