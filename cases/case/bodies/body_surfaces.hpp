// SPDX-License-Identifier: Apache-2.0

// Bodies of surfaces from files, in cells.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/combined.hpp"
#include "cases/geometry/surface/mesh_prepare.hpp"
#include "io/text/json.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// The surface in the file of a body, after repair, and its holes. Lengths, areas and volumes are in
// the units of the case (cells, or m), after `scale`.
struct SurfaceFacts {
  std::string body, file;  // the file with its whole path
  std::int64_t triangles = 0;
  geometry::OpenSurface open = geometry::OpenSurface::refuse;
  bool closed = true;
  std::int64_t open_edges = 0, odd_edges = 0;  // of one triangle; of three, five, ...
  geometry::Holes holes;
  double volume = 0;  // enclosed; of a body that is filled, by lines through it; of a shell, holes
                      // capped
  double thickness = 0;  // of a shell; else 0

  // "12 open edges in 1 hole, 4 m around, 1 m^2: filled, 0.5 m^3 are solid". unit: "m" or "cells".
  std::string text(const std::string& unit) const;
};

// One object for each, with the members' names.
io::Json surfaces_json(const std::vector<SurfaceFacts>& facts);

// "cells", or "m" with units: si.
std::string length_unit(const Case& lbm_case);

// Reads each file once for each choice of its solids. Case, units and limit must outlive it.
class BodySurfaces {
 public:
  BodySurfaces(const Case& lbm_case, const Units& units, const TimeLimit& limit)
      : case_(lbm_case), units_(units), limit_(limit) {}

  // The body in cells. place: from the units of the file to cells. Throws UsageError, with the
  // path, and TimeLimitReached. Called once for each body.
  geometry::ShapePtr make(const Body& body, const geometry::Affine& place);

  std::vector<std::string> warnings;
  std::vector<SurfaceFacts> facts;

 private:
  struct File {
    geometry::PreparedMesh prepared;  // its mesh is empty where `closed` has it
    geometry::ShapePtr closed;        // null for a surface that is filled or a shell
  };
  const File& file_of(const Body& body);
  SurfaceFacts facts_of(const Body& body, const File& file) const;
  double thickness_of(const Body& body) const;  // in cells

  const Case& case_;
  const Units& units_;
  const TimeLimit& limit_;
  std::map<std::string, File> files_;  // by everything that changes the surface
};

}  // namespace lbm::cases
