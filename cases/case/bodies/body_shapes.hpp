// SPDX-License-Identifier: Apache-2.0

// Bodies by their keys: the shapes with a closed form, one entry of a table each, the transform of
// a body, and bounds that are enough to find a body that misses the box or is hardly resolved,
// without reading meshes. Lengths are in units of the case, bounds and extents in cells.
//
// Bodies of surfaces from files (body_surfaces.cpp) and of images of voxels (body_voxels.cpp). The
// image by the keys of its body: the size of its voxels, its changes (crop, resample, axes, coarsen
// or refine, mirror, repeat, in this order), and a box of its size (body_image.cpp, which does not
// handle the key `connected`).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/shape.hpp"
#include "cases/geometry/surface/mesh_prepare.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"
#include "io/text/json.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// A shape before the transform of its body, by the keys of the body, which the table of keys has
// checked.
struct ClosedForm {
  geometry::ShapePtr (*make)(const Body& body);
  // The largest n . p of its points p (the support function). Null: the shape has no bounds.
  double (*support)(const Body& body, const Vec3& n);
  // Smallest extent after the scale of the body: a diameter, edge or height. Null: it has none.
  double (*extent)(const Body& body);
  bool is_round = false;  // without flat ends or faces
};

// Null for files and combinations.
const ClosedForm* closed_form(const Body& body);

// Factors along x, y and z.
Vec3 scale_of(const Body& body);

// From the coordinates of the shape: scale, then rotate in order, then translate.
geometry::Affine transform_of(const Body& body);

// Direction of the first half axis of an elliptic cylinder: body.direction, else the first
// coordinate axis across the cylinder. Empty: no direction is given, and the cylinder lies along no
// coordinate axis.
std::optional<Vec3> direction_of(const Body& body);

// The axis along which a polygon is extruded, as a number.
int extrusion_axis(const Body& polygon);

// Least thickness, in cells, of a box or a flat cylinder at its orientation: links pass through a
// thinner one from fluid to fluid. Empty for other shapes.
std::optional<double> tight_thickness(const Body& body, VelocitySet velocities);

// In cells from the corner of the box.
using Bounds = geometry::Box;

// The bodies of a case by name. The case must outlive it.
class BodyIndex {
 public:
  explicit BodyIndex(const Case& lbm_case);

  // Null if no body has this name.
  const Body* find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, const Body*> bodies_;
};

// The bounds of all bodies of a case, each found once, whatever the number of combinations that it
// is a part of. Requires acyclic combinations. Case and units must outlive it.
class BodyBounds {
 public:
  BodyBounds(const Case& lbm_case, const Units& units) : index_(lbm_case), units_(units) {}

  // An axis-aligned box that contains the transformed body, not always the smallest. Empty for
  // planes (unbounded), meshes (unknown here), and combinations of these.
  std::optional<Bounds> of(const Body& body);

 private:
  // In units of the case.
  std::optional<Bounds> known(const Body& body);
  std::optional<Bounds> combined(const Body& body);

  BodyIndex index_;
  const Units& units_;
  std::map<std::string, std::optional<Bounds>> known_;
};

// Smallest extent of the shape in cells: a diameter, edge or height. Empty for planes, meshes and
// combinations.
std::optional<double> smallest_extent(const Body& body, const Units& units);

// True if no corner of the box lies on the solid side of the plane.
bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units);

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
    geometry::PreparedMesh prepared;
    bool closed = false;         // else the surface is filled, or a shell
    geometry::ShapePtr shape{};  // closed: of the newest body, for others at the same place
    geometry::Affine place{};
  };
  File& file_of(const Body& body);
  SurfaceFacts facts_of(const Body& body, const File& file) const;
  double thickness_of(const Body& body) const;  // in cells

  const Case& case_;
  const Units& units_;
  const TimeLimit& limit_;
  std::map<std::string, File> files_;  // by everything that changes the surface
  std::size_t triangles_ = 0;          // of all bodies so far
};

// Facts about the image of a body. Labels are counted in the file, or in its part between crop_from
// and crop_to. Shares are those of the image as it lies in the box, after all changes.
struct VoxelFacts {
  std::string body, file;                // the file of the labels with its whole path
  std::array<std::int64_t, 3> voxels{};  // of the file
  io::VoxelType type = io::VoxelType::uint8;
  std::string voxel_size{};                     // "0.002 x 0.002 x 0.002 mm"; empty: not told
  std::vector<std::int64_t> fluid;              // labels of the pores
  std::map<std::int64_t, std::int64_t> labels;  // voxels of each
  std::string changes;                          // "cropped and turned"; empty: none
  std::array<std::int64_t, 3> cells{};          // of the image in the box, along x, y, z
  double fluid_share = 0;                       // of all its cells: the porosity
  // Along x, y, z: the share of the fluid in pores that reach both faces of the image.
  Vec3 through_share{};
  std::optional<int> connected;  // axis: all pores that do not lead through along it are solid
  double closed_share = 0;       // share of these pores in the fluid there would be without it

  // "100 x 100 x 200 voxels of uint8, 38.1 % fluid, of which 98, 97.5 and 99.1 % are in pores that
  // lead through along x, y and z; labels: 0 (38.1 %), 255 (61.9 %)", and what of it looks like a
  // mistake; with changes "100 x 100 x 200 voxels of uint8; labels of the part: ...; cropped and
  // mirrored to 50 x 50 x 200 cells, 38.1 % fluid, of which ...; connected: z made 1.2 % of the
  // fluid solid".
  std::string text() const;
};

// One object for each, with the members' names; `labels` as a list of {label, voxels}.
io::Json voxels_json(const std::vector<VoxelFacts>& facts);

// The cells and shares of fluid of all images by their labels alone, which takes a fraction of the
// time. A body with `connected`, or an image that is wrong or beyond 2e9 voxels: all solid, the
// least that it may need.
std::vector<VoxelFacts> facts_of_labels(const Case& lbm_case);

// The voxel body in cells; counts its labels. Throws UsageError: the file is wrong, the changes do
// not suit it, a label of body.fluid has no voxel, or all cells are fluid or solid. Throws
// TimeLimitReached, but not below 2e9 voxels. warnings: no way through, a part outside the box.
geometry::ShapePtr make_voxels(const Case& lbm_case, const Units& units, const Body& body,
                               const TimeLimit& limit, std::vector<VoxelFacts>& facts,
                               std::vector<std::string>& warnings);

// Format of the file of a body, as far as the keys of the body give it.
io::VoxelHints hints_of(const Body& body);

// Throws UsageError where the edge of a cell of the image is not `spacing`, in m. A unit that the
// file does not tell may be m, mm, um or nm; an edge of 1 without a unit tells nothing.
void check_spacing(const Body& body, const io::VoxelFormat& format, double spacing);

// "0.002 x 0.002 x 0.002 mm", without a unit if the body tells it; empty if neither the file nor
// the body does.
std::string voxel_size_text(const Body& body, const io::VoxelFormat& format);

// The part of an image of `file` voxels that is read. Throws UsageError, which names the key, if
// the part is not within the image.
geometry::VoxelRange part_of_file(const Body& body, const geometry::Voxels& file);

// Cells of the image along x, y, z of the box. Throws UsageError, which names the key: the part is
// not within the image, its voxels are no cubes, a factor does not divide it, or the result is
// longer than max_cells_per_axis.
geometry::Voxels cells_of_image(const Body& body, const io::VoxelFormat& format);

// "cropped, turned and mirrored"; empty if nothing is changed.
std::string changes_text(const Body& body);

// The image with its changes but those of part_of_file(), which `part` has. format: of the file.
// Throws as cells_of_image() does, and as geometry::turned() does.
geometry::VoxelPlanesPtr changed_image(const Body& body, const io::VoxelFormat& format,
                                       geometry::VoxelPlanesPtr part, const TimeLimit& limit);

// True if the case gives no size of its box and has exactly one body of voxels: the image of that
// body then sets the size.
bool has_box_of_image(const Case& lbm_case);

// Sets grid.cells, where has_box_of_image(): the image with its changes, and its reservoirs. Reads
// the header of the file. Readers of cases call it; code that builds a case without grid.cells must
// do so. Throws UsageError: the file is wrong, its changes do not suit it, or the body has a
// translate.
void resolve_image_grid(Case& lbm_case);

}  // namespace lbm::cases
