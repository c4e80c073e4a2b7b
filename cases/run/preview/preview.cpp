// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/preview.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "cases/geometry/shape.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/files/place.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

using geometry::Box, geometry::LocalThickness, geometry::Segment, geometry::Vec;
using geometry::operator-;  // NOLINT(misc-unused-using-decls)

constexpr double begins_before = 0.01;  // lines begin so far before a body, in cells
// Thickness is measured once for a square of so many pixels, since it costs ten times what the
// surface does.
constexpr int square_pixels = 3;
constexpr double same_side = 0.95;  // cosine of the angle between normals

// The nearest surface at a pixel.
struct Nearest {
  double depth = std::numeric_limits<double>::infinity();  // from the viewer
  int body = -1;
  Segment line{};  // which the body meets there, in the coordinates of its shape
  double share = 0;
};

// From pixels to cells.
class Projection {
 public:
  Projection(const ViewAxes& axes, const Box& region, int width, int height)
      : axes_(axes),
        region_(region),
        per_x_((region.high[axes.right] - region.low[axes.right]) / width),
        per_y_((region.high[axes.up] - region.low[axes.up]) / height) {}

  double right_at(double x) const {
    return axes_.right_falls ? region_.high[axes_.right] - x * per_x_
                             : region_.low[axes_.right] + x * per_x_;
  }
  double up_at(double y) const { return region_.high[axes_.up] - y * per_y_; }
  double x_of(double right) const {
    return (axes_.right_falls ? region_.high[axes_.right] - right
                              : right - region_.low[axes_.right]) /
           per_x_;
  }
  double y_of(double up) const { return (region_.high[axes_.up] - up) / per_y_; }

 private:
  const ViewAxes& axes_;
  const Box& region_;
  double per_x_, per_y_;
};

// Pixels that a stretch overlaps: [first, last).
std::array<int, 2> pixels_of(double a, double b, int count) {
  const auto [low, high] = std::minmax(a, b);
  const double first = std::clamp(std::floor(low), 0.0, 1.0 * count);
  return {static_cast<int>(first),
          static_cast<int>(std::clamp(std::max(std::ceil(high), first + 1), first, 1.0 * count))};
}

Box common(const Box& a, const Box& b) {
  Box box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] = std::max(a.low[i], b.low[i]);
    box.high[i] = std::min(a.high[i], b.high[i]);
  }
  return box;
}

// Light comes from above the viewer's left shoulder.
float light_of(const ViewAxes& axes, const Vec& inward) {
  const double right = axes.right_falls ? inward[axes.right] : -inward[axes.right];
  const double up = -inward[axes.up];
  const double near = axes.from_above ? -inward[axes.axis] : inward[axes.axis];
  const double lit = -0.35 * right + 0.5 * up + 0.79 * near;
  return static_cast<float>(0.6 + 0.4 * std::clamp(lit, 0.0, 1.0));
}

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

BodyViews::BodyViews(const geometry::BodySet& set, const std::array<int, 3>& cells) : set_(set) {
  for (const geometry::Body& body : set.bodies()) {
    const auto* voxels = dynamic_cast<const geometry::VoxelShape*>(body.shape.get());
    shapes_.push_back(voxels != nullptr ? voxels->in_memory() : body.shape);
    thickness_.emplace_back(
        *shapes_.back(),
        voxels != nullptr ? geometry::SurfaceKind::voxels : geometry::SurfaceKind::smooth, cells,
        most_thickness);
  }
  const Box box{{0, 0, 0}, {1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]}};
  for (const auto& image : set.images()) {
    const Box part = common(image.bounds, box);
    if (!part.empty()) bounds_.add(part);
  }
}

BodyView BodyViews::view(const ViewAxes& axes, const Box& region, int width, int height,
                         int threads) const {
  BodyView view{width, height, {}};
  view.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const Projection projection(axes, region, width, height);

  const auto find = [&](const geometry::BodySet::Image& image, int x, int y, Nearest& nearest) {
    const Box part = common(image.bounds, region);
    // Moves a ray into the body: to its middle where the body is narrower than a pixel. A ray stays
    // off the very edge, where the body has no thickness.
    const auto within = [](double at, double low, double high, double size) {
      const double edge = std::min(0.01, 0.25 * (high - low));
      return high - low < size ? 0.5 * (low + high) : std::clamp(at, low + edge, high - edge);
    };
    Vec from;
    from[axes.right] =
        within(projection.right_at(x + 0.5), part.low[axes.right], part.high[axes.right],
               std::abs(projection.right_at(1) - projection.right_at(0)));
    from[axes.up] = within(projection.up_at(y + 0.5), part.low[axes.up], part.high[axes.up],
                           projection.up_at(0) - projection.up_at(1));
    Vec to = from;
    const double low = std::max(image.bounds.low[axes.axis] - begins_before, region.low[axes.axis]);
    const double high =
        std::min(image.bounds.high[axes.axis] + begins_before, region.high[axes.axis]);
    // Depth grows away from the viewer; what is behind the nearest surface does not count.
    const double sign = axes.from_above ? -1 : 1;
    const double begin = axes.from_above ? -high : low;
    const double end = std::min(axes.from_above ? -low : high, nearest.depth);
    if (begin >= end) return;
    from[axes.axis] = sign * begin;
    to[axes.axis] = sign * end;
    const Segment line{from - image.shift, to - image.shift};
    const auto share = thickness_[static_cast<std::size_t>(image.body)].entry(line);
    if (share) nearest = {begin + *share * (end - begin), image.body, line, *share};
  };

  const auto draw_band = [&](int top) {
    const int bottom = std::min(top + square_pixels, height);
    std::vector<Nearest> nearest(static_cast<std::size_t>(width) *
                                 static_cast<std::size_t>(bottom - top));
    const auto at = [&](int x, int y) -> Nearest& {
      return nearest[static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    };
    for (const auto& image : set_.images()) {
      const Box part = common(image.bounds, region);
      if (part.empty()) continue;
      const auto rows = pixels_of(projection.y_of(part.high[axes.up]),
                                  projection.y_of(part.low[axes.up]), height);
      const auto columns = pixels_of(projection.x_of(part.low[axes.right]),
                                     projection.x_of(part.high[axes.right]), width);
      for (int y = std::max(rows[0], top); y < std::min(rows[1], bottom); ++y) {
        for (int x = columns[0]; x < columns[1]; ++x) find(image, x, y, at(x, y));
      }
    }
    for (int left = 0; left < width; left += square_pixels) {
      const int right = std::min(left + square_pixels, width);
      // One number for all pixels of the square that show the same body from the same side.
      int known_body = -1;
      Vec known_side{};
      float known = BodyPixel::none;
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
          const Nearest& here = at(x, y);
          if (here.body < 0) continue;
          const LocalThickness& thickness = thickness_[static_cast<std::size_t>(here.body)];
          const geometry::SurfacePoint point = thickness.point_at(here.line, here.share);
          if (here.body != known_body || geometry::dot(point.inward, known_side) < same_side) {
            known_body = here.body;
            known_side = point.inward;
            known = static_cast<float>(thickness.at(point));
          }
          view.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)] = {known, light_of(axes, point.inward)};
        }
      }
    }
  };

  in_parts(threads, (height + square_pixels - 1) / square_pixels, [&](int first, int last) {
    for (int band = first; band < last; ++band) draw_band(square_pixels * band);
  });
  return view;
}

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
  io::check_output_file("--preview", file, overwrite);
  (void)python_for_preview();
}

void write_preview(const Case& lbm_case, const Derived& derived, const std::filesystem::path& file,
                   bool overwrite) {
  io::check_output_file("--preview", file, overwrite);
  Drawing drawing(python_for_preview(), {file.string(), "--preview"});
  drawing.write(preview_data(lbm_case, derived));
  if (!drawing.close()) {
    throw ResourceError(
        fmt::format("--preview {}: was not drawn: lbm pictures failed, see above", file.string()));
  }
}

}  // namespace lbm::cases
