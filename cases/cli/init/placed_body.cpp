// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/placed_body.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cases/cli/init/case_text.hpp"
#include "cases/geometry/surface/frontal_area.hpp"
#include "cases/geometry/surface/mesh_file.hpp"
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

// Turns `stream` to z and `up` to y; both are axes, and not the same one.
std::vector<Rotation> rotations(const Vec3& stream, const Vec3& up) {
  const auto fits = [&](const Affine& a) {
    return a(stream) == Vec3{0, 0, 1} && a(up) == Vec3{0, 1, 0};
  };
  if (fits(Affine())) return {};
  std::vector<Rotation> single;
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    for (const double degrees : {90.0, -90.0, 180.0}) single.push_back({axis, degrees});
  }
  const auto affine = [](const Rotation& r) { return geometry::rotation(r.axis, r.degrees); };
  for (const Rotation& r : single) {
    if (fits(affine(r))) return {r};
  }
  for (const Rotation& first : single) {
    for (const Rotation& second : single) {
      if (fits(affine(second) * affine(first))) return {first, second};
    }
  }
  return {};  // not reached: two of them make all 24
}

geometry::PreparedMesh read(const Answers& answers) {
  const std::string& file = answers.text("stl");
  const bool open = answers.given("open");
  geometry::PrepareOptions options;
  if (open) {
    options.open =
        answers.text("open") == "fill" ? geometry::OpenSurface::fill : geometry::OpenSurface::shell;
  }
  try {
    return geometry::load_mesh(file, {}, options);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    if (open || what.find("open: fill") == std::string::npos) throw;
    throw UsageError(what + " (lbm init: --open fill or --open shell)");
  }
}

double scale_of(const Answers& answers, const Vec3& size) {
  const auto length = answers.maybe_positive("length");
  const auto scale = answers.maybe_positive("scale");
  const std::string spans =
      fmt::format("the body in {} is {:.4g} units wide, {:.4g} high, {:.4g} long",
                  answers.text("stl"), size[0], size[1], size[2]);
  if (length && scale)
    throw UsageError("--length, --scale: found both, must be one of them: " + spans);
  if (!length && !scale) throw UsageError("missing: --length M, or --scale M: " + spans);
  if (scale) return *scale;
  if (!(size[2] > 0)) throw UsageError("--length: " + spans + ": give --scale");
  // Short where that changes nothing: 0.001, not 0.00099999998.
  const double exact = *length / size[2];
  const double close = rounded(exact, 5);
  return std::abs(close / exact - 1) < 1e-5 ? close : exact;
}

}  // namespace

PlacedBody place_body(const Answers& answers) {
  const std::string stream = answers.text("stream");
  std::string up = answers.text("up");
  if (up.empty()) up = stream.back() == 'z' ? "y" : "z";
  if (up.back() == stream.back()) {
    throw UsageError(
        fmt::format("--up: found {}, must be another axis than --stream {}", up, stream));
  }
  geometry::PreparedMesh prepared = read(answers);
  PlacedBody body;
  body.up = up;
  body.rotate = rotations(direction(stream), direction(up));
  Affine turn;
  for (const Rotation& r : body.rotate) turn = geometry::rotation(r.axis, r.degrees) * turn;
  const geometry::Mesh mesh = geometry::moved(std::move(prepared.mesh), turn);
  geometry::Box box;
  for (const auto& p : mesh.vertices) box.add(p);
  body.size = box.high - box.low;
  body.scale = scale_of(answers, body.size);
  body.low = body.scale * box.low;
  body.size = body.scale * body.size;
  body.frontal_area = body.scale * body.scale * geometry::frontal_area(mesh, 2);
  body.text = fmt::format(
      "body: {} triangles, {}, {:.4g} m wide, {:.4g} m high, {:.4g} m long, {:.4g} m^2 towards the "
      "stream",
      mesh.triangles.size(), prepared.closed ? "closed" : "not closed", body.size[0], body.size[1],
      body.size[2], body.frontal_area);
  return body;
}

}  // namespace lbm::cases::init
