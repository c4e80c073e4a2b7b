// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/field_planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/regions.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "io/vtk/surface_writer.hpp"

namespace lbm::cases {
namespace {

// Kinds to compute: for a surface its scalar comes first, for means the solid mask comes last.
std::vector<fields::Kind> kinds_of(const Case& lbm_case, const FieldOutput& output) {
  std::vector<fields::Kind> kinds = fields_in(output, lbm_case.scalars.size());
  if (output.isosurface) kinds.insert(kinds.begin(), *output.isosurface);
  if (output.average > 1) kinds.push_back(fields::Kind::solid);
  return kinds;
}

bool needs_halo(const std::vector<fields::Kind>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), fields::needs_gradient);
}

// Cells of a plane from which more threads than one pay.
constexpr std::int64_t least_shared_cells = 1 << 16;

// True for "_p0012" and the like.
bool is_piece(std::string_view text) {
  return text.starts_with("_p") && text.size() > 2 &&
         text.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

}  // namespace

// While a GPU computes, the cores have little else to do.
int threads_of_plane(std::int64_t cells) {
  if (cells < least_shared_cells) return 1;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16);
}

fields::WallsAround walls_at(const Case& lbm_case, const CaseModel& model, std::int64_t step) {
  const FaceBoundaries specs = plain_faces(lbm_case, model.derived);
  std::array<fields::FaceVelocity, 6> faces;
  for (std::size_t f = 0; f < 6; ++f) {
    const BoundaryCondition& rule = specs[f].condition;
    const bool wall = rule.kind == BoundaryKind::wall;
    const FaceCondition& asked = lbm_case.faces[f];
    const bool uniform = rule.kind == BoundaryKind::velocity &&
                         asked.profile.value_or(InletProfile::uniform) == InletProfile::uniform &&
                         rule.turbulence.rms == 0;
    if ((!wall && !uniform) || !lbm_case.faces[f].patches.empty()) continue;
    faces[f].is_wall = wall;
    faces[f].velocity = rule.velocity;
    for (double& v : *faces[f].velocity) v *= rule.factor.at(static_cast<double>(step));
  }
  return {grid_shape(lbm_case), model.boundaries, faces, static_cast<double>(step),
          immersed_bodies(model.lattice, &model.boundaries, step - 1)};
}

FieldPlanes::FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output)
    : FieldPlanes(lbm_case, model, output, region_box(lbm_case, model.derived, output.region)) {}

FieldPlanes::FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output,
                         const tiling::FieldBox& wanted)
    : case_(lbm_case),
      model_(model),
      output_(output),
      grid_(grid_shape(lbm_case)),
      box_(fields::with_halo(grid_, wanted, needs_halo(kinds_of(lbm_case, output)))),
      units_(file_units(lbm_case, model.derived, output.style.units)),
      kinds_(kinds_of(lbm_case, output)),
      threads_(threads_of_plane(box_.loaded.plane_cells())),
      maker_(grid_, box_, kinds_, units_.scales, model.derived.viscosity, threads_) {}

fields::HaloBox FieldPlanes::box_of(const Case& lbm_case, const Derived& derived,
                                    const FieldOutput& output) {
  return fields::with_halo(grid_shape(lbm_case), region_box(lbm_case, derived, output.region),
                           needs_halo(kinds_of(lbm_case, output)));
}

std::vector<io::ArrayInfo> FieldPlanes::arrays_of(const FieldOutput& output,
                                                  const FileUnits& units) {
  std::vector<io::ArrayInfo> all;
  const std::vector<fields::Kind> kinds = fields_in(output, units.scalars.size());
  if (output.isosurface) {
    io::ArrayInfo& scalar = all.emplace_back(array_info(*output.isosurface, output.style, units));
    if (scalar.components > 1) scalar.name += "_magnitude";
    // Not written; VTK has one array of a name, and `fields` may have this one, too.
    const bool twice = std::find(kinds.begin(), kinds.end(), *output.isosurface) != kinds.end();
    if (twice && scalar.components == 1) scalar.name += "_isosurface";
    scalar.components = 1;
  }
  for (const fields::Kind kind : kinds) {
    all.push_back(array_info(kind, output.style, units));
  }
  return all;
}

io::ImageGeometry FieldPlanes::geometry() const {
  return image_geometry(box_.wanted, output_.average, units_.scales.length);
}

FieldPlanes::Step FieldPlanes::begin(std::int64_t step) const {
  return {fields::PlaneWindow(grid_, box_, threads_), walls_at(case_, model_, step)};
}

io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell) {
  io::ImageGeometry geometry{};
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.points[a] = box.count[a] / edge;
    geometry.origin[a] = (box.begin[a] + 0.5 * edge * box.stride - 0.5 * (box.stride - 1)) * cell;
    geometry.spacing[a] = edge * box.stride * cell;
  }
  return geometry;
}

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units) {
  io::FieldInfo info;
  info.step = step;
  info.time = static_cast<double>(step) * units.time;
  info.attributes = {{"case", lbm_case.name},
                     {"lbm_version", LBM_VERSION},
                     {"units", units.text},
                     {"reference_length_cells", derived.length},
                     {"reference_velocity_cells_per_step", derived.velocity},
                     {"reynolds", derived.reynolds}};
  if (misses_target(lbm_case, derived)) {
    info.attributes.emplace_back("target_reynolds", *lbm_case.fluid.target_reynolds);
  }
  if (units.physical) {
    info.attributes.emplace_back("reference_velocity", lbm_case.fluid.velocity.value_or(0));
    info.attributes.emplace_back("reference_density", lbm_case.fluid.density.value_or(1));
  }
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    info.attributes.emplace_back(scalar.name + "_reference", scalar.reference);
    info.attributes.emplace_back(scalar.name + "_difference", scalar.difference);
  }
  return info;
}

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units) {
  io::ArrayInfo info;
  info.name = units.name_of(kind);
  info.components = components_of(kind);
  info.unit = units.of(kind);
  if (style.precision == FieldPrecision::float16) info.precision = io::Precision::float16;
  if (kind == fields::Kind::solid) info.precision = io::Precision::uint8;
  return info;
}

std::optional<std::int64_t> step_of_file(std::string_view file, std::string_view output,
                                         std::string_view ending) {
  const auto drop = [&](std::string_view start) {
    const bool there = file.starts_with(start);
    if (there) file.remove_prefix(start.size());
    return there;
  };
  if (!drop(output) || !drop("_")) return std::nullopt;
  std::int64_t step = 0;
  const std::size_t digits = std::min(file.find_first_not_of("0123456789"), file.size());
  const auto [end, error] = std::from_chars(file.data(), file.data() + digits, step);
  if (digits < 9 || error != std::errc()) return std::nullopt;
  file.remove_prefix(digits);
  if (!file.ends_with(ending)) {
    // The list of the pieces: ".pvtp" for ".vtp".
    return file == fmt::format(".p{}", ending.substr(1)) ? std::optional(step) : std::nullopt;
  }
  file.remove_suffix(ending.size());
  return file.empty() || is_piece(file) ? std::optional(step) : std::nullopt;
}

FileSeries::FileSeries(const ResultContext& context, std::string name, const FileStyle& style,
                       double step_time, std::optional<double> isovalue)
    : context_(context),
      name_(std::move(name)),
      style_(style),
      step_time_(step_time),
      isovalue_(isovalue),
      ending_(isovalue ? ".vtp" : ".hdf"),
      series_(context.directory.file(name_ + (ending_ == ".hdf" ? ".hdf.series" : ".pvd"))) {}

std::unique_ptr<io::ImageWriter> FileSeries::open(std::int64_t step,
                                                  const io::ImageGeometry& geometry,
                                                  std::span<const io::ArrayInfo> arrays,
                                                  const io::FieldInfo& info) const {
  const auto stem = context_.directory.file(fmt::format("{}_{:09d}", name_, step));
  if (!isovalue_) {
    return std::make_unique<io::VtkhdfImage>(stem.with_ending(".hdf"), geometry, arrays, info,
                                             io::ImageOptions{.compression = style_.compression});
  }
  io::SurfaceOptions options;
  options.value = *isovalue_;
  options.compression = style_.compression;
  return io::make_surface_writer(stem, geometry, arrays, info, options);
}

void FileSeries::continue_after(std::int64_t step) {
  series_.continue_after(static_cast<double>(step) * step_time_);
  for (const std::string& name : context_.directory.names()) {
    const auto of_file = step_of_file(name, name_, ending_);
    // Errors are ignored: a remaining file only takes space.
    if (of_file && *of_file > step) (void)context_.directory.file(name).remove();
  }
}

void FileSeries::add(io::ImageWriter& file, std::int64_t step) {
  file.close();
  const std::string name = file.path().filename().string();
  series_.add(name, static_cast<double>(step) * step_time_);
  files_.push_back(name);
}

}  // namespace lbm::cases
