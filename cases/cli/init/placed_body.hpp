// SPDX-License-Identifier: Apache-2.0

// A body from a file, turned into the axes of a wind tunnel: x across, y up, z along the stream.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case_bodies.hpp"
#include "cases/cli/init/answers.hpp"

namespace lbm::cases::init {

struct PlacedBody {
  double scale = 1;              // m for a unit of the file
  std::string up;                // axis of the file
  std::vector<Rotation> rotate;  // multiples of 90 degrees; none to two
  Vec3 low{}, size{};            // m, after both
  double frontal_area = 0;       // m^2, seen along the stream
  std::string text;              // "body: 123 triangles, closed, 4.2 m long, ..."
};

// By --stl, --length or --scale, --stream, --up and --open. Throws UsageError.
PlacedBody place_body(const Answers& answers);

}  // namespace lbm::cases::init
