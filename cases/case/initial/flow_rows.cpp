// SPDX-License-Identifier: Apache-2.0
#include "cases/case/initial/flow_rows.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <vector>

#include "cases/case/case_location.hpp"
#include "cases/case/units_table.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

class ArrayRows final : public FlowRows {
 public:
  ArrayRows(const Case& lbm_case, const Derived& derived, FlowArrays arrays)
      : FlowRows(lbm_case.grid.cells, "initial arrays"), arrays_(std::move(arrays)) {
    const auto count = static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) *
                       static_cast<std::size_t>(cells_[2]);
    check_size("velocity", arrays_.velocity, 3 * count);
    if (arrays_.pressure) check_size("pressure", *arrays_.pressure, count);
    if (arrays_.density) check_size("density", *arrays_.density, count);
    if (arrays_.pressure && arrays_.density) {
      throw UsageError(source_ + ": found pressure and density, must be at most one of them");
    }
    for (std::size_t s = 0; s < arrays_.scalars.size(); ++s) {
      check_size(lbm_case.scalars[s].name.c_str(), arrays_.scalars[s], count);
      has_scalar_[s] = true;
    }
    scalars_ = lbm_case.scalars;
    const Units units = make_units(lbm_case, derived);
    velocity_factor_ = 1 / units.velocity;
    scalar_factor_ = arrays_.density ? 1 / units.density : 3 / units.pressure;
    scalar_zero_ = arrays_.density ? units.density : 0;
  }

  void read(int y, int z, std::span<const CellRun> runs, std::span<FlowCell> to) const override {
    const std::size_t first = (static_cast<std::size_t>(z) * static_cast<std::size_t>(cells_[1]) +
                               static_cast<std::size_t>(y)) *
                              static_cast<std::size_t>(cells_[0]);
    std::visit(
        [&](auto values) {
          visit_cells(runs, [&](std::size_t x) {
            const auto* const u = &values[3 * (first + x)];
            to[x] = {0, u[0] * velocity_factor_, u[1] * velocity_factor_, u[2] * velocity_factor_};
          });
        },
        arrays_.velocity);
    for (std::size_t s = 0; s < arrays_.scalars.size(); ++s) {
      std::visit(
          [&](auto values) {
            visit_cells(runs, [&](std::size_t x) {
              to[x][4 + s] = stored_value(scalars_[s], double{values[first + x]});
            });
          },
          arrays_.scalars[s]);
    }
    const auto& scalar = arrays_.density ? arrays_.density : arrays_.pressure;
    if (!scalar) return;
    std::visit(
        [&](auto values) {
          visit_cells(runs, [&](std::size_t x) {
            to[x][0] = (values[first + x] - scalar_zero_) * scalar_factor_;
          });
        },
        *scalar);
  }

 private:
  void check_size(const char* name, const FlowArrays::Values& values, std::size_t wanted) const {
    const std::size_t found = std::visit([](auto all) { return all.size(); }, values);
    if (found == wanted) return;
    throw UsageError(fmt::format("{}: {}: found {} values, must be {} for {} x {} x {} cells",
                                 source_, name, found, wanted, cells_[0], cells_[1], cells_[2]));
  }

  FlowArrays arrays_;
  std::vector<ScalarKeys> scalars_;
  double velocity_factor_ = 1, scalar_factor_ = 1, scalar_zero_ = 0;
};

// velocity in lattice units = factor x value; density - 1 = factor x (value - zero).
struct Conversion {
  std::string scalar;  // the array: density or pressure
  double velocity = 1, scalar_factor = 1, scalar_zero = 0;
  double length = 1;  // cells of the case per unit of length of the file
};

class FlowFile final : public FlowRows {
 public:
  FlowFile(const Case& lbm_case, const Derived& derived)
      : FlowRows({}, fmt::format("{}: {}", where(lbm_case, "initial.file"),
                                 path_of(lbm_case, lbm_case.initial.file))),
        key_(where(lbm_case, "initial.file")),
        reader_(path_of(lbm_case, lbm_case.initial.file)) {
    if (reader_.components("velocity") != 3) refuse("has no velocity of three components");
    convert_ = conversion(lbm_case, derived);
    scalars_ = lbm_case.scalars;
    for (std::size_t s = 0; s < scalars_.size(); ++s) {
      has_scalar_[s] = reader_.components(scalars_[s].name) == 1;
      if (!has_scalar_[s] || reader_.text("units") != file_units_text::lattice) continue;
      // Values are as that run stored them: relative to its own reference and difference.
      const double difference = positive(scalars_[s].name + "_difference");
      scalars_[s].reference -= reader_.number(scalars_[s].name + "_reference").value_or(NAN);
      scalars_[s].reference /= difference;
      scalars_[s].difference /= difference;
    }
    find_cells();
    check_box(lbm_case.grid.cells);
    most_planes_ = static_cast<std::size_t>(omp_get_max_threads()) + 4;
  }

  void read(int y, int z, std::span<const CellRun> runs, std::span<FlowCell> to) const override {
    const auto plane = this->plane(z);
    const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(cells_[0]);
    visit_cells(runs, [&](std::size_t x) {
      const float* const u = &plane->velocity[3 * (first + x)];
      to[x] = {(plane->scalar[first + x] - convert_.scalar_zero) * convert_.scalar_factor,
               u[0] * convert_.velocity, u[1] * convert_.velocity, u[2] * convert_.velocity};
      for (std::size_t s = 0; s < scalars_.size(); ++s) {
        if (has_scalar_[s]) to[x][4 + s] = stored_value(scalars_[s], plane->scalars[s][first + x]);
      }
    });
  }

 private:
  struct Plane {
    int z;
    std::vector<float> velocity, scalar;
    std::array<std::vector<float>, most_scalars> scalars{};
  };

  // The caller of the constructor adds the key.
  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(reader_.path().string() + ": " + why);
  }

  double positive(const std::string& name) const {
    const auto value = reader_.number(name);
    if (value && *value > 0 && std::isfinite(*value)) return *value;
    refuse(fmt::format("has no attribute {} > 0, must be a file of the results of lbm", name));
  }

  Conversion conversion(const Case& lbm_case, const Derived& derived) {
    Conversion convert;
    // A density has lost the small differences of its pressure.
    convert.scalar = reader_.components("pressure") == 1 ? "pressure" : "density";
    if (reader_.components(convert.scalar) != 1) {
      refuse("has no density and no pressure, must have one: add it to outputs.NAME.fields");
    }
    const bool is_density = convert.scalar == "density";
    convert.scalar_zero = is_density ? 1 : 0;
    const double their_velocity = positive("reference_velocity_cells_per_step");
    const double change = derived.velocity / their_velocity;
    const std::string units = reader_.text("units").value_or("");
    if (units == file_units_text::reference) {
      convert.velocity = derived.velocity;
      convert.scalar_factor =
          is_density ? change * change : 3 * derived.velocity * derived.velocity;
      convert.length = derived.length;
    } else if (units == file_units_text::lattice) {
      convert.velocity = change;
      convert.scalar_factor = (is_density ? 1 : 3) * change * change;
      convert.length = derived.length / positive("reference_length_cells");
    } else if (units == file_units_text::physical) {
      set_si(lbm_case, derived, their_velocity, convert);
    } else {
      refuse("its attribute units is not one of lbm, must be a file of the results of lbm");
    }
    return convert;
  }

  void set_si(const Case& lbm_case, const Derived& derived, double their_velocity,
              Conversion& convert) const {
    if (lbm_case.units != UnitSystem::si) {
      refuse(
          "is in SI units, and the case has units: lattice: write the file with "
          "outputs.NAME.units: reference");
    }
    const Units units = make_units(lbm_case, derived);
    convert.velocity = 1 / units.velocity;
    convert.length = 1 / units.length;
    convert.scalar_factor = 3 / units.pressure;
    if (convert.scalar == "pressure") return;
    // p = (density - density_0) c_s^2, with the speed of sound of that run.
    const double sound = positive("reference_velocity") / their_velocity;
    convert.scalar_zero = positive("reference_density");
    convert.scalar_factor *= sound * sound / 3;
  }

  // A slice has two points across with the same values (io/image/image.hpp).
  void find_cells() {
    const io::ImageGeometry& image = reader_.geometry();
    for (std::size_t a = 0; a < 3; ++a) {
      const double spacing = image.spacing[a];
      if (!(spacing > 0)) refuse(fmt::format("has a spacing of {} along {}", spacing, "xyz"[a]));
      const double first = image.origin[a] / spacing;  // of the first point, in its cells
      const bool flat = image.points[a] == 2 && std::abs(first) < 1e-3;
      cells_[a] = flat ? 1 : image.points[a];
      if (flat || std::abs(first - 0.5) < 1e-3) continue;
      refuse(
          fmt::format("begins {:.6g} cells along {} from the corner of the box, must be of all "
                      "cells of the box: not a slice, a part, or every second cell",
                      first - 0.5, "xyz"[a]));
    }
  }

  void check_box(const std::array<int, 3>& cells) const {
    std::array<double, 3> size{};
    bool same = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const double edge = reader_.geometry().spacing[a] * convert_.length;
      size[a] = cells_[a] * edge;
      // Half a cell of the coarser grid. Nothing depends on an axis with one cell.
      same = same && (cells_[a] == 1 || std::abs(size[a] - cells[a]) <= std::max(1.0, edge) / 2);
    }
    if (same) return;
    refuse(fmt::format(
        "its box has {:.6g} x {:.6g} x {:.6g} cells of the case, must have {} x {} x {}: give a "
        "file of the same box, and fluid.length the same length as there",
        size[0], size[1], size[2], cells[0], cells[1], cells[2]));
  }

  std::shared_ptr<const Plane> plane(int z) const {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(planes_.begin(), planes_.end(),
                                    [&](const auto& plane) { return plane->z == z; });
    if (found != planes_.end()) {
      planes_.splice(planes_.begin(), planes_, found);
      return planes_.front();
    }
    if (planes_.size() >= most_planes_) planes_.pop_back();
    planes_.push_front(read_plane(z));
    return planes_.front();
  }

  std::shared_ptr<const Plane> read_plane(int z) const {
    const std::size_t count = static_cast<std::size_t>(cells_[0]) * cells_[1];
    auto plane =
        std::make_shared<Plane>(Plane{z, std::vector<float>(3 * count), std::vector<float>(count)});
    try {
      reader_.read_plane("velocity", z, {cells_[0], cells_[1]}, plane->velocity);
      reader_.read_plane(convert_.scalar, z, {cells_[0], cells_[1]}, plane->scalar);
      for (std::size_t s = 0; s < scalars_.size(); ++s) {
        if (!has_scalar_[s]) continue;
        plane->scalars[s].resize(count);
        reader_.read_plane(scalars_[s].name, z, {cells_[0], cells_[1]}, plane->scalars[s]);
      }
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", key_, error.what()));
    }
    return plane;
  }

  std::string key_;
  io::VtkhdfReader reader_;
  Conversion convert_;
  std::vector<ScalarKeys> scalars_;
  std::size_t most_planes_ = 0;
  mutable std::mutex mutex_;
  mutable std::list<std::shared_ptr<const Plane>> planes_;  // the latest first
};

}  // namespace

std::shared_ptr<const FlowRows> make_flow_of_arrays(const Case& lbm_case, const Derived& derived,
                                                    FlowArrays arrays) {
  return std::make_shared<const ArrayRows>(lbm_case, derived, std::move(arrays));
}

std::shared_ptr<const FlowRows> open_flow_file(const Case& lbm_case, const Derived& derived) {
  try {
    return std::make_shared<const FlowFile>(lbm_case, derived);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", where(lbm_case, "initial.file"), error.what()));
  }
}

}  // namespace lbm::cases
