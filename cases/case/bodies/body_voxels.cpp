// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "cases/case/case_location.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using Labels = std::map<std::int64_t, std::int64_t>;  // number of voxels by label

// The number that the same bytes are in the other byte order.
std::int64_t swapped(std::int64_t label, io::VoxelType type) {
  const std::size_t size = io::bytes_of(type);
  const auto bytes = static_cast<std::uint64_t>(label);
  std::uint64_t other = 0;
  for (std::size_t i = 0; i < size; ++i) other = other << 8 | (bytes >> (8 * i) & 0xff);
  const bool with_sign = type == io::VoxelType::int16 || type == io::VoxelType::int32;
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const auto value = static_cast<std::int64_t>(other);
  return with_sign && (other & sign) != 0 ? value - 2 * static_cast<std::int64_t>(sign) : value;
}

// Each of the next three returns the end of a message that lists the labels of an image; empty if
// the image shows no such mistake. fluid: labels of the pores.

// The image lacks a label of `fluid`, but has all of them once their bytes are swapped.
std::string other_byte_order(const Labels& labels, const std::vector<std::int64_t>& fluid,
                             io::VoxelType type) {
  if (io::bytes_of(type) == 1) return "";
  const auto all = [&](const auto& is_there) {
    return std::all_of(fluid.begin(), fluid.end(), is_there);
  };
  if (all([&](std::int64_t label) { return labels.contains(label); })) return "";
  if (!all([&](std::int64_t label) { return labels.contains(swapped(label, type)); })) return "";
  return "; with their bytes in the other order these are those of fluid: change byte_order";
}

// The image has two labels, and more than half of its voxels are fluid: pores and solid may be
// swapped.
std::string other_way_round(const Labels& labels, const std::vector<std::int64_t>& fluid) {
  if (labels.size() != 2) return "";
  const auto& [first, first_voxels] = *labels.begin();
  const auto& [second, second_voxels] = *labels.rbegin();
  const bool is_first = std::count(fluid.begin(), fluid.end(), first) > 0;
  if (is_first == (std::count(fluid.begin(), fluid.end(), second) > 0)) return "";
  const std::int64_t pores = is_first ? first_voxels : second_voxels,
                     others = is_first ? second_voxels : first_voxels;
  if (pores <= others) return "";
  return fmt::format(
      "; if the pores have the label {0}, write fluid: [{0}], which makes {1:.3g} % fluid",
      is_first ? second : first,
      100 * static_cast<double>(others) / static_cast<double>(pores + others));
}

// The image has as many labels as one of grey values, which nobody has segmented.
std::string grey_values(const Labels& labels) {
  constexpr std::size_t many = 100;
  if (labels.size() < many) return "";
  return fmt::format("; {} different labels: if these are grey values, segment the image first",
                     labels.size());
}

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

double count_of(const geometry::Voxels& n) {
  return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
}

constexpr double most_voxels = 2e9;  // of all bodies

// An image of 1e9 voxels is read in a few seconds: that much is worth waiting for, whatever the
// limit. part: voxels that are read; cells: what is made of them.
TimeLimit limit_for(double part, double cells, const std::vector<VoxelFacts>& before,
                    const TimeLimit& limit) {
  double all = std::max(part, cells);
  for (const VoxelFacts& f : before) {
    all += std::max(static_cast<double>(count_of(f.labels)), count_of(f.cells));
  }
  return all <= most_voxels ? TimeLimit() : limit;
}

// A part of an image may lack a label that the whole has.
void check_labels(const Body& body, const VoxelFacts& facts, const std::string& key,
                  std::vector<std::string>& warnings) {
  for (const std::int64_t label : body.fluid) {
    if (facts.labels.contains(label)) continue;
    if (body.crop_from || body.crop_to) {
      warnings.push_back(fmt::format(
          "{}: no voxel of the part between crop_from and crop_to has the label {}: its labels are "
          "{}",
          key, label, labels_text(facts.labels)));
      continue;
    }
    const std::string hint =
        other_byte_order(facts.labels, body.fluid, facts.type) + grey_values(facts.labels);
    throw UsageError(fmt::format("{}: no voxel has the label {} of fluid: its labels are {}{}",
                                 facts.file, label, labels_text(facts.labels),
                                 hint.empty() ? ": write those of the pores" : hint));
  }
}

// The labels may be right, but not the changes.
void check_shares(const VoxelFacts& facts) {
  if (facts.fluid_share > 0 && facts.fluid_share < 1) return;
  if (facts.fluid_share == 0) {
    throw UsageError(fmt::format(
        "{}: no cell of the image is fluid{}: look at fluid and at the changes of the image",
        facts.file,
        facts.connected ? fmt::format(", since no pore leads through it along {} (connected)",
                                      "xyz"[*facts.connected])
                        : ""));
  }
  throw UsageError(fmt::format(
      "{}: all voxels are fluid, nothing is solid: fluid must name the labels of the pores "
      "alone, of {}",
      facts.file, labels_text(facts.labels)));
}

// Pores, and the image without those that body.connected makes solid.
geometry::VoxelPlanesPtr without_closed_pores(const Body& body, geometry::VoxelPlanesPtr image,
                                              const TimeLimit& limit, VoxelFacts& facts) {
  geometry::VoxelPaths paths;
  if (body.connected) {
    const auto parts =
        geometry::connected(*image, static_cast<std::size_t>(*body.connected), limit);
    image = parts.image;
    paths = parts.after;
    if (parts.before.fluid > 0) {
      facts.closed_share =
          1 - static_cast<double>(paths.fluid) / static_cast<double>(parts.before.fluid);
    }
  } else {
    paths = geometry::find_paths(*image, limit);
  }
  facts.fluid_share = static_cast<double>(paths.fluid) / count_of(facts.cells);
  for (std::size_t a = 0; a < 3 && paths.fluid > 0; ++a) {
    facts.through_share[a] =
        static_cast<double>(paths.through[a]) / static_cast<double>(paths.fluid);
  }
  return image;
}

// Where the image begins, in cells. The validator has seen that this is a whole number.
geometry::Voxels corner_of(const Body& body, const Units& units) {
  const Vec3 place = body.translate.value_or(Vec3{});
  const auto reservoir = body.reservoir.value_or(std::array{0, 0, 0});
  geometry::Voxels corner{};
  for (std::size_t a = 0; a < 3; ++a) {
    corner[a] = std::llround(to_cells(units, place[a])) + reservoir[a];
  }
  return corner;
}

// Without this a reservoir would be cut off by the box.
void check_reservoir(const Body& body, const geometry::Voxels& corner,
                     const geometry::Voxels& cells, const std::array<int, 3>& box) {
  const auto reservoir = body.reservoir.value_or(std::array{0, 0, 0});
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t end = corner[a] + cells[a] + reservoir[a];
    if (reservoir[a] == 0 || end <= box[a]) continue;
    throw UsageError(fmt::format(
        "reservoir: found {} along {}: the image and its reservoirs need {} cells, the box has "
        "{}: make grid.cells larger",
        reservoir[a], "xyz"[a], end, box[a]));
  }
}

// Shares, and so the porosity, would not be those of the flow.
std::string cut_off_text(const geometry::Voxels& corner, const geometry::Voxels& cells,
                         const std::array<int, 3>& box) {
  bool cut = false;
  for (std::size_t a = 0; a < 3; ++a) cut = cut || corner[a] < 0 || corner[a] + cells[a] > box[a];
  if (!cut) return "";
  return fmt::format(
      ": the box of {} x {} x {} cells cuts off a part of the image, {} x {} x {} cells from [{}, "
      "{}, {}] on; what is said about it is about the whole image: crop it by crop_from and "
      "crop_to, or change grid.cells",
      box[0], box[1], box[2], cells[0], cells[1], cells[2], corner[0], corner[1], corner[2]);
}

// True if a force or the conditions of the faces drive a flow along the axis.
bool driven_along(const Case& lbm_case, std::size_t axis) {
  const auto& acceleration = lbm_case.force.acceleration;
  if (acceleration && (*acceleration)[axis] != 0) return true;
  const Face& low = lbm_case.faces[2 * axis];
  const Face& high = lbm_case.faces[2 * axis + 1];
  if (low.pressure_drop || high.pressure_drop) return true;
  return low.type == BoundaryKind::pressure || low.type == BoundaryKind::velocity;
}

// Warns of an image that fills the section of the box and has no pore along the flow.
void check_way_through(const Case& lbm_case, const VoxelFacts& facts,
                       std::vector<std::string>& warnings) {
  const std::string key = where(lbm_case, "bodies." + facts.body + ".file");
  if (facts.through_share == Vec3{}) {
    warnings.push_back(key +
                       ": no pore leads through the image along any axis: look at fluid, whose "
                       "labels may be those of the solid, and at cells; it has " +
                       facts.text());
    return;
  }
  const auto& box = lbm_case.grid.cells;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    const bool fills = facts.cells[b] >= box[b] && facts.cells[c] >= box[c];
    if (facts.through_share[a] > 0 || !fills || !driven_along(lbm_case, a)) continue;
    warnings.push_back(
        fmt::format("{}: no pore leads through the image along {}, an axis of the flow, so it lets "
                    "pass nothing but by edges of voxels and periodic faces: drive the flow along "
                    "another axis, turn the image (axes), or look at fluid and cells; it has {}",
                    key, "xyz"[a], facts.text()));
  }
}

}  // namespace

std::string VoxelFacts::text() const {
  const std::string file_text =
      fmt::format("{} x {} x {} voxels of {}{}{}", voxels[0], voxels[1], voxels[2], to_string(type),
                  voxel_size.empty() ? "" : ", each ", voxel_size);
  const auto& [x, y, z] = through_share;
  const std::string shares = fmt::format(
      "{:.4g} % fluid, of which {:.3g}, {:.3g} and {:.3g} % are in pores that lead through along "
      "x, y and z",
      100 * fluid_share, 100 * x, 100 * y, 100 * z);
  const std::string labels_found =
      labels_text(labels) + other_way_round(labels, fluid) + grey_values(labels);
  if (changes.empty() && !connected) {
    return fmt::format("{}, {}; labels: {}", file_text, shares, labels_found);
  }
  return fmt::format("{}; labels{}: {}; {}{} x {} x {} cells, {}{}", file_text,
                     changes.starts_with("cropped") ? " of the part" : "", labels_found,
                     changes.empty() ? "" : changes + " to ", cells[0], cells[1], cells[2], shares,
                     connected ? fmt::format("; connected: {} made {:.3g} % of the fluid solid",
                                             "xyz"[*connected], 100 * closed_share)
                               : "");
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
                    {"voxel_size", f.voxel_size},
                    {"labels", std::move(labels)},
                    {"changes", f.changes},
                    {"cells", f.cells},
                    {"fluid_share", f.fluid_share},
                    {"through_share", f.through_share},
                    {"closed_share", f.closed_share}});
  }
  return json;
}

std::vector<VoxelFacts> facts_of_labels(const Case& lbm_case) {
  std::vector<VoxelFacts> all;
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid || body.shape != BodyShape::voxels) continue;
    VoxelFacts& f = all.emplace_back();
    try {
      const io::VoxelImage image(
          io::find_voxel_format(path_of(lbm_case, body.file), hints_of(body)));
      const geometry::VoxelRange part = part_of_file(body, image.format().voxels);
      f.cells = cells_of_image(body, image.format());
      if (body.connected || count_of(part.size()) > most_voxels) continue;
      f.labels = image.count(part, TimeLimit());
    } catch (const UsageError&) {  // make_voxels() reports it
    }
    double fluid = 0;
    for (const std::int64_t label : body.fluid) {
      if (f.labels.contains(label)) fluid += static_cast<double>(f.labels.at(label));
    }
    if (fluid > 0) f.fluid_share = fluid / static_cast<double>(count_of(f.labels));
  }
  return all;
}

geometry::ShapePtr make_voxels(const Case& lbm_case, const Units& units, const Body& body,
                               const TimeLimit& limit, std::vector<VoxelFacts>& facts,
                               std::vector<std::string>& warnings) {
  auto image = std::make_shared<const io::VoxelImage>(
      io::find_voxel_format(path_of(lbm_case, body.file), hints_of(body)));
  const io::VoxelFormat& format = image->format();
  const geometry::VoxelRange part = part_of_file(body, format.voxels);
  const geometry::Voxels cells = cells_of_image(body, format);
  if (lbm_case.units == UnitSystem::si) check_spacing(body, format, units.length);
  const TimeLimit own = limit_for(count_of(part.size()), count_of(cells), facts, limit);
  geometry::ReadVoxels read = geometry::read_voxels(image, body.fluid, part, own);
  VoxelFacts f{.body = body.name,
               .file = std::filesystem::absolute(format.file).string(),
               .voxels = format.voxels,
               .type = format.type,
               .voxel_size = voxel_size_text(body, format),
               .fluid = body.fluid,
               .labels = std::move(read.labels),
               .changes = changes_text(body),
               .cells = cells,
               .connected = body.connected};
  check_labels(body, f, where(lbm_case, "bodies." + body.name + ".fluid"), warnings);
  const geometry::VoxelPlanesPtr planes =
      without_closed_pores(body, changed_image(body, format, std::move(read.image), own), own, f);
  check_shares(f);
  check_way_through(lbm_case, f, warnings);
  facts.push_back(std::move(f));
  const geometry::Voxels corner = corner_of(body, units);
  check_reservoir(body, corner, cells, lbm_case.grid.cells);
  if (const std::string cut = cut_off_text(corner, cells, lbm_case.grid.cells); !cut.empty()) {
    warnings.push_back(where(lbm_case, "bodies." + body.name) + cut);
  }
  return std::make_shared<geometry::VoxelShape>(planes, corner, lbm_case.grid.cells);
}

}  // namespace lbm::cases
