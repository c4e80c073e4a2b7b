// SPDX-License-Identifier: Apache-2.0

// Facts of the user's file, for which a flow is made.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/scalars.hpp"
#include "cases/cli/init/init.hpp"
#include "cases/geometry/mesh_shape.hpp"
#include "cases/geometry/surface/mesh_prepare.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

using geometry::Affine;
// clang-tidy 14 does not see that they are used.
using geometry::operator-;  // NOLINT(misc-unused-using-decls)
using geometry::operator*;  // NOLINT(misc-unused-using-decls)

// "-x" as a direction.
Vec3 direction(const std::string& axis) {
  Vec3 result{0, 0, 0};
  result[static_cast<std::size_t>(axis.back() - 'x')] = axis.front() == '-' ? -1 : 1;
  return result;
}

Affine turn_of(const std::vector<Rotation>& all) {
  Affine turn;
  for (const Rotation& r : all) turn = geometry::rotation(r.axis, r.degrees) * turn;
  return turn;
}

geometry::PreparedMesh read_body(const io::Json& values) {
  const auto open = values.at("open").get<std::string>();
  geometry::PrepareOptions options;
  if (!open.empty()) {
    options.open = open == "fill" ? geometry::OpenSurface::fill : geometry::OpenSurface::shell;
  }
  try {
    return geometry::load_mesh(values.at("stl"), {}, options);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    if (!open.empty() || what.find("open: fill") == std::string::npos) throw;
    throw UsageError(what + " (lbm init: --open fill or --open shell)");
  }
}

// By --length or --scale; size: of the body in units of the file.
double scale_of(const io::Json& values, const Vec3& size) {
  const double length = values.at("length"), scale = values.at("scale");
  const std::string spans =
      fmt::format("the body in {} is {:.4g} units wide, {:.4g} high, {:.4g} long",
                  io::text_in(values.at("stl")), size[0], size[1], size[2]);
  if (length > 0 && scale > 0)
    throw UsageError("--length, --scale: found both, must be one of them: " + spans);
  if (scale > 0) return scale;
  if (length == 0) throw UsageError("missing: --length M, or --scale M: " + spans);
  if (!(size[2] > 0)) throw UsageError("--length: " + spans + ": give --scale");
  // Short where that changes nothing: 0.001, not 0.00099999998.
  const double exact = length / size[2];
  const double close = std::stod(fmt::format("{:.5g}", exact));
  return std::abs(close / exact - 1) < 1e-5 ? close : exact;
}

void add_body(io::Json& values) {
  const std::string stream = values.at("stream");
  std::string up = values.at("up");
  if (up.empty()) up = stream.back() == 'z' ? "y" : "z";
  values["up"] = up;
  if (up.back() == stream.back()) {
    throw UsageError(
        fmt::format("--up: found {}, must be another axis than --stream {}", up, stream));
  }
  geometry::PreparedMesh prepared = read_body(values);
  const auto rotate = rotations(direction(stream), direction(up));
  const geometry::Mesh mesh = geometry::moved(std::move(prepared.mesh), turn_of(rotate));
  geometry::Box box;
  for (const auto& p : mesh.vertices) box.add(p);
  const double scale = scale_of(values, box.high - box.low);
  const Vec3 low = scale * box.low, size = scale * (box.high - box.low);
  std::vector<std::string> texts;
  texts.reserve(rotate.size());
  for (const Rotation& r : rotate) {
    texts.push_back(fmt::format("[{}, {}, {}, {}]", r.axis[0], r.axis[1], r.axis[2], r.degrees));
  }
  values.update({{"rotate", fmt::format("[{}]", fmt::join(texts, ", "))},
                 {"w", size[0]},
                 {"h", size[1]},
                 {"l", size[2]},
                 {"low_x", low[0]},
                 {"low_y", low[1]},
                 {"low_z", low[2]},
                 {"scale", scale},
                 {"area", scale * scale * geometry::frontal_area(mesh, 2)},
                 {"triangles", mesh.triangles.size()},
                 {"closed", prepared.closed},
                 {"has_rotate", !rotate.empty()}});
}

io::VoxelImage open_image(const io::Json& values) {
  io::VoxelHints hints;
  if (values.at("has_voxels")) {
    const std::string list = "[" + io::text_in(values.at("voxels")) + "]";
    hints.voxels = YAML::Load(list).as<std::array<std::int64_t, 3>>();
  }
  if (values.at("has_type")) {
    const auto words = enum_names(io::VoxelType{});
    const auto at = std::find(words.begin(), words.end(), io::text_in(values.at("type")));
    hints.type = static_cast<io::VoxelType>(at - words.begin());
  }
  if (values.at("has_dataset")) hints.dataset = values.at("dataset");
  return io::VoxelImage(io::find_voxel_format(io::text_in(values.at("image")), hints));
}

std::string labels_of(const io::VoxelImage& image) {
  std::vector<std::string> labels;
  for (const auto& [label, voxels] : image.count(TimeLimit())) {
    labels.push_back(labels.size() < 8 ? std::to_string(label) : "...");
    if (labels.back() == "...") break;
  }
  return fmt::format("{}", fmt::join(labels, ", "));
}

// Reads the image plane by plane, which counts as periodic.
void add_image(io::Json& values) {
  const io::VoxelImage image = open_image(values);
  (void)cells_of_image({}, image.format());
  check_spacing({}, image.format(), values.at("voxel"));
  const std::int64_t label = *parse_whole(io::text_in(values.at("pore")));
  const auto [nx, ny, nz] = image.format().voxels;
  const auto size = static_cast<std::size_t>(nx * ny);
  std::vector<std::int64_t> labels(size);
  std::vector<char> first, before, here(size);
  std::int64_t pores = 0, sides = 0;
  const auto differ = [&](const std::vector<char>& a) {
    for (std::size_t i = 0; i < size; ++i) sides += a[i] != here[i] ? 1 : 0;
  };
  for (std::int64_t z = 0; z < nz; ++z) {
    image.plane(z, labels);
    for (std::size_t i = 0; i < size; ++i) here[i] = labels[i] == label ? 1 : 0;
    pores += std::count(here.begin(), here.end(), char{1});
    for (std::int64_t y = 0; y < ny; ++y) {
      const char* row = here.data() + y * nx;
      const char* next = here.data() + (y + 1) % ny * nx;
      for (std::int64_t x = 0; x < nx; ++x) {
        sides += (row[x] != next[x] ? 1 : 0) + (row[x] != row[(x + 1) % nx] ? 1 : 0);
      }
    }
    z == 0 ? void(first = here) : differ(before);
    before = here;
  }
  differ(first);  // the last plane with the first one
  const auto x = static_cast<double>(nx), y = static_cast<double>(ny), z = static_cast<double>(nz);
  if (sides == 0) {
    throw UsageError(
        fmt::format("{}: found {} pores (label {}) in {:.0f} voxels, must have pores and solid: "
                    "give --pore one of the labels {}",
                    image.format().file.string(), pores, label, x * y * z, labels_of(image)));
  }
  // A smooth surface that lies in all directions alike has 2/3 of the area of its staircase.
  values.update({{"nx", x},
                 {"ny", y},
                 {"nz", z},
                 {"porosity", static_cast<double>(pores) / (x * y * z)},
                 {"surface", 2.0 / 3 * static_cast<double>(sides) / (x * y * z)}});
}

}  // namespace

std::vector<Rotation> rotations(const Vec3& stream, const Vec3& up) {
  std::vector<std::vector<Rotation>> all{{}};
  for (const std::size_t count : {1U, 2U}) {
    const auto shorter = all;
    for (const auto& one : shorter) {
      if (one.size() + 1 != count) continue;
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        for (const double degrees : {90.0, -90.0, 180.0}) {
          all.push_back(one);
          all.back().push_back({axis, degrees});
        }
      }
    }
  }
  return *std::find_if(all.begin(), all.end(), [&](const std::vector<Rotation>& some) {
    const Affine turn = turn_of(some);  // two make all 24
    return turn(stream) == Vec3{0, 0, 1} && turn(up) == Vec3{0, 1, 0};
  });
}

void add_facts(const Flow& flow, io::Json& values) {
  const auto facts = flow.file["facts"].as<std::string>("");
  if (facts == "body") add_body(values);
  if (facts == "image") add_image(values);
}

}  // namespace lbm::cases::init
