// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/derived.hpp"
#include "cases/case/model/case_shapes.hpp"
#include "cases/case/units.hpp"
#include "cases/run/output_file.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/preview/body_views.hpp"
#include "cases/run/preview/wind.hpp"
#include "cases/run/setup/shares.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::Box, geometry::Vec;

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
