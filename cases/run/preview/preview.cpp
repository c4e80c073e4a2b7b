// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "cases/geometry/shape.hpp"
#include "cases/run/output_file.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/preview/body_views.hpp"
#include "cases/run/setup/shares.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::Box, geometry::Vec;
using geometry::operator+;  // NOLINT(misc-unused-using-decls)
using geometry::operator*;  // NOLINT(misc-unused-using-decls)

// In units of the case; empty where the mean flow does not enter. A formula or table has a
// direction, but no speed here: the result is then a unit vector.
std::optional<Vec3> entering(const Case& lbm_case, const Derived& derived,
                             const FaceCondition& condition, std::size_t face,
                             const std::string& key) {
  if (condition.type != BoundaryKind::velocity && condition.type != BoundaryKind::far_field) {
    return std::nullopt;
  }
  Vec3 inward{};
  inward[face / 2] = face % 2 == 0 ? 1 : -1;
  Vec3 mean = condition.velocity, result = inward;
  if (condition.velocity_formulas) {
    const FaceFormulas formulas(lbm_case, derived, static_cast<int>(face), key + ".velocity",
                                *condition.velocity_formulas);
    mean = Vec3{};
    for (const Vec3& u : formulas.sample()) {
      for (std::size_t i = 0; i < 3; ++i) mean[i] += u[i];
    }
  } else if (condition.profile == InletProfile::table) {
    mean = VelocityTable(path_of(lbm_case, condition.file)).fastest();
  } else {
    result = mean;
  }
  return geometry::dot(mean, inward) > 0 ? std::optional(result) : std::nullopt;
}

std::optional<Wind> wind_of_inlets(const Case& lbm_case, const Derived& derived) {
  Vec3 sum{};
  std::vector<std::string> keys;
  const auto add = [&](const FaceCondition& condition, std::size_t face, const std::string& key,
                       double area) {
    const auto velocity = entering(lbm_case, derived, condition, face, key);
    if (!velocity) return;
    sum = sum + area * *velocity;
    keys.push_back(key);
  };
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const std::string key = validation::face_key(face);
    const auto [a, b] = validation::transverse(face);
    const auto& cells = lbm_case.grid.cells;
    add(lbm_case.faces[face], face, key, 1.0 * cells[a] * cells[b]);
    // The area of a patch decides nothing but its share beside other inlets.
    for (const Patch& patch : lbm_case.faces[face].patches) {
      add(patch, face, key + ".patches." + patch.name, 1);
    }
  }
  if (keys.empty() || geometry::length(sum) == 0) return std::nullopt;
  const std::string more = keys.size() > 1 ? fmt::format(" and {} more", keys.size() - 1) : "";
  return Wind{geometry::unit(sum), keys.front() + more};
}

constexpr double most_pixels_of_a_cell = 48, most_slender = 12, worth_enlarging = 1.5;

// Lengths of a box as they are shown: long boxes are shortened.
Vec extent_of(const Box& region) {
  Vec extent;
  for (std::size_t a = 0; a < 3; ++a) extent[a] = region.high[a] - region.low[a];
  const double least = *std::max_element(extent.begin(), extent.end()) / most_slender;
  for (double& length : extent) length = std::max(length, least);
  return extent;
}

// Pixels of a cell, equal in all views.
double scale_of(const Box& region) {
  constexpr double most_width = 900, most_height = 560;
  const auto [x, y, z] = extent_of(region);
  return std::min({most_width / (x + y), most_height / (y + z), most_pixels_of_a_cell});
}

// The part around the bodies, where that enlarges them.
std::optional<Box> around_bodies(const Box& whole, const Box& bodies) {
  if (bodies.empty()) return std::nullopt;
  double largest = 0;
  for (std::size_t a = 0; a < 3; ++a) largest = std::max(largest, bodies.high[a] - bodies.low[a]);
  const double around = std::max(1.0, 0.06 * largest);
  Box close = bodies;
  for (std::size_t a = 0; a < 3; ++a) {
    close.low[a] = std::max(bodies.low[a] - around, 0.0);
    close.high[a] = std::min(bodies.high[a] + around, whole.high[a]);
  }
  const bool larger = scale_of(close) >= worth_enlarging * scale_of(whole);
  return larger ? std::optional(close) : std::nullopt;
}

// The three views of a part of the box as text of the head; appends what is seen in them.
// views: null without bodies.
io::Json block_of(const Box& region, const BodyViews* views, int threads,
                  std::vector<float>& numbers) {
  const Vec extent = extent_of(region);
  const double scale = scale_of(region);
  io::Json block{{"low", region.low}, {"high", region.high}, {"views", io::Json::array()}};
  for (const ViewAxes& axes : {front_view, side_view, top_view}) {
    const int width = std::max(1, static_cast<int>(std::lround(extent[axes.right] * scale)));
    const int height = std::max(1, static_cast<int>(std::lround(extent[axes.up] * scale)));
    block["views"].push_back({{"along", axes.axis},
                              {"right", axes.right},
                              {"up", axes.up},
                              {"right_falls", axes.right_falls},
                              {"from_above", axes.from_above},
                              {"pixels", {width, height}}});
    if (views == nullptr) continue;
    const BodyView seen = views->view(axes, region, width, height, threads);
    for (const BodyPixel& pixel : seen.pixels) numbers.push_back(pixel.thickness);
    for (const BodyPixel& pixel : seen.pixels) numbers.push_back(pixel.light);
  }
  return block;
}

std::string preview_data(const Case& lbm_case, const Derived& derived) {
  const auto& cells = lbm_case.grid.cells;
  const std::optional<Wind> wind = wind_of(lbm_case, derived);
  const Box whole{{0, 0, 0}, {1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]}};
  const CaseShapes shapes = make_shapes(lbm_case, derived, TimeLimit());
  std::optional<BodyViews> views;
  if (shapes.set != nullptr) views.emplace(*shapes.set, cells);
  const int threads = cpu_threads_here(1, std::int64_t{1} << 40);
  io::Json head{{"title", lbm_case.name}, {"cells", cells}, {"blocks", io::Json::array()}};
  if (lbm_case.units == UnitSystem::si) head["cell"] = make_units(lbm_case, derived).length;
  if (wind) head["wind"] = {{"direction", wind->direction}, {"text", wind->text}};
  std::vector<float> numbers;
  const BodyViews* seen = views ? &*views : nullptr;
  head["blocks"].push_back(block_of(whole, seen, threads, numbers));
  const auto close = views ? around_bodies(whole, views->bounds()) : std::nullopt;
  if (close) head["blocks"].push_back(block_of(*close, seen, threads, numbers));
  return head.dump() + "\n" +
         std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
}

std::string python_for_preview() {
  std::string python = find_python({"lbm.pictures", "matplotlib"});
  if (python.empty()) throw UsageError("--preview: " + no_python_for_pictures());
  return python;
}

}  // namespace

std::optional<Wind> wind_of(const Case& lbm_case, const Derived& derived) {
  if (auto wind = wind_of_inlets(lbm_case, derived)) return wind;
  const Vec3 gradient =
      pressure_gradient(lbm_case, make_units(lbm_case, derived), {{0, 0, 0}, lbm_case.grid.cells});
  if (geometry::length(gradient) > 0) {
    const auto& force = lbm_case.force.acceleration;
    const bool is_force = force && geometry::length(*force) > 0;
    return Wind{geometry::unit(gradient),
                is_force ? "force.acceleration" : "a pressure difference"};
  }
  const Vec3 velocity = lbm_case.initial.velocity.value_or(Vec3{});
  if (lbm_case.initial.flow != InitialFlow::uniform || geometry::length(velocity) == 0) return {};
  return Wind{geometry::unit(velocity), "initial.velocity"};
}

void check_preview_file(const std::filesystem::path& file, const std::filesystem::path& case_file,
                        bool overwrite) {
  if (file.extension() != ".png") {
    throw UsageError(fmt::format("--preview {}: must end in .png", file.string()));
  }
  std::error_code ignored;
  if (std::filesystem::weakly_canonical(file, ignored) ==
      std::filesystem::weakly_canonical(case_file, ignored)) {
    throw UsageError(
        fmt::format("--preview {}: is the case itself; choose another file", file.string()));
  }
  check_output_file("--preview", file, overwrite);
  (void)python_for_preview();
}

void write_preview(const Case& lbm_case, const Derived& derived, const std::filesystem::path& file,
                   bool overwrite) {
  check_output_file("--preview", file, overwrite);
  Drawing drawing(python_for_preview(), {file.string(), "--preview"});
  drawing.write(preview_data(lbm_case, derived));
  if (!drawing.close()) {
    throw ResourceError(
        fmt::format("--preview {}: was not drawn: lbm pictures failed, see above", file.string()));
  }
}

}  // namespace lbm::cases
