// SPDX-License-Identifier: Apache-2.0

// The sizes of results; and the consumer for named quantities of a region that need its fields: of
// gradients, or of a patch.
#include "cases/run/results/field_consumer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cases/case/limits.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/fields/field_maker.hpp"
#include "cases/geometry/shape.hpp"
#include "cases/run/records/step_logs.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/results/plane_files.hpp"

namespace lbm::cases {
namespace {

// Sums over the fluid cells of a region, plane by plane. Sums of planes are added in the order of
// z, so schedule and ranks change no bit.
class RegionQuantity final : public FieldConsumer {
 public:
  RegionQuantity(const ResultContext& context, std::size_t position, Quantities& quantities)
      : context_(context),
        position_(position),
        asked_(context.lbm_case.quantities[position]),
        quantities_(quantities),
        numbers_(quantities.numbers(position)),
        grid_(grid_shape(context.lbm_case)),
        region_(context.lbm_case, context.model.derived, asked_),
        box_(fields::with_halo(grid_, region_.box(), numbers_.field->of_gradients)) {
    if (!asked_.scalar.empty()) scalar_ = scalar_named(context.lbm_case, asked_.scalar);
    if (!context.model.boundaries.none()) solids_ = context.model.boundaries.view();
  }

  bool wants(std::int64_t step) const override {
    return quantities_.wants(position_, step) || step == context_.last_step;
  }
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    return quantities_.next_after(position_, step);
  }
  tiling::FieldBox box() const override { return box_.loaded; }
  void begin(std::int64_t step) override {
    Sums sums{std::vector<Sum>(static_cast<std::size_t>(region_.box().count[2])),
              fields::PlaneWindow(grid_, box_)};
    if (box_.has_halo) sums.walls = walls_at(context_.lbm_case, context_.model, step);
    under_way_.insert_or_assign(step, std::move(sums));
  }
  void add_plane(std::int64_t step, int z, const FieldPlane& plane) override {
    Sums& sums = under_way_.at(step);
    sums.window.add(z, plane, [&](const fields::PlaneTriple& planes) {
      sums.planes[static_cast<std::size_t>(planes.z - region_.box().begin[2])] =
          sum_of(planes, sums.walls);
      ++sums.count;
    });
    if (sums.count < region_.box().count[2]) return;
    QuantityNumbers numbers = numbers_;
    for (const Sum& part : sums.planes) {
      numbers.sum += part.number;
      numbers.speeds += part.speed;
    }
    quantities_.take(position_, step, numbers);
    under_way_.erase(step);
  }
  // The values are part of the state of Quantities.
  std::string state_name() const override { return "quantity." + asked_.name; }

 private:
  // Over fluid cells, in lattice units.
  struct Sum {
    double number = 0;  // the field; for driven flows the velocity along the drive
    double speed = 0;   // for driven flows only
  };
  struct Sums {
    std::vector<Sum> planes;  // by plane of the box
    fields::PlaneWindow window;
    std::optional<fields::WallsAround> walls = {};  // at the step, for fields of gradients
    int count = 0;                                  // planes that have been summed
  };

  Sum sum_of(const fields::PlaneTriple& planes,
             const std::optional<fields::WallsAround>& walls) const {
    const tiling::FieldBox& box = region_.box();
    const auto nx = static_cast<std::size_t>(box.count[0]);
    const fields::Gradients gradients(grid_, box_);
    const std::size_t slopes = scalar_ ? 3 : 9;  // of a cell
    std::vector<float> gradient(walls ? slopes * nx : 0);
    std::array<double, std::max(9, macro_values + most_scalars)> values{};
    Sum sum;
    for (int j = 0; j < box.count[1]; ++j) {
      if (walls && scalar_) {
        const ScalarSpec& spec = context_.model.lattice.scalars[*scalar_];
        gradients.of_scalar(planes, static_cast<int>(*scalar_), spec, j, gradient);
      } else if (walls) {
        gradients.compute(planes, *walls, j, gradient);
      }
      for (int i = 0; i < box.count[0]; ++i) {
        const int x = box.begin[0] + i, y = box.begin[1] + j;
        if (!region_.holds(x, y, planes.z) || solids_.is_solid(x, y, planes.z)) continue;
        const auto cell = static_cast<std::size_t>(box_.loaded_cell(i, j));
        if (walls) {
          std::copy_n(&gradient[slopes * static_cast<std::size_t>(i)], slopes, values.begin());
        } else {
          std::ranges::copy(planes.here->at(cell), values.begin());
        }
        if (is_of_driven_flow(*asked_.kind)) {
          const double* const u = &values[first_value_of(Macro::velocity)];
          sum.number += geometry::dot(numbers_.along, {u[0], u[1], u[2]});
          sum.speed += std::hypot(u[0], u[1], u[2]);
        } else {
          sum.number += numbers_.field->of_cell(values.data());
        }
      }
    }
    return sum;
  }

  ResultContext context_;
  std::size_t position_;
  const NamedQuantity& asked_;
  Quantities& quantities_;
  QuantityNumbers numbers_;
  fields::GridShape grid_;
  QuantityRegion region_;
  fields::HaloBox box_;
  std::optional<std::size_t> scalar_;  // whose dissipation it is
  BoundaryView solids_;
  std::map<std::int64_t, Sums> under_way_;  // by step
};

}  // namespace

std::vector<ResultSize> result_sizes(const Case& lbm_case, const Derived& derived,
                                     std::int64_t after_step) {
  std::vector<ResultSize> sizes;
  // each: bytes of a file; empty: unknown.
  const auto add = [&](const std::string& name, ResultKind kind, std::int64_t files,
                       std::optional<std::uint64_t> each, bool compressed) {
    if (each) each = saturating_multiply(static_cast<std::uint64_t>(files), *each);
    sizes.push_back({name, kind, files, each, compressed});
  };
  const std::vector<FieldOutput> outputs = field_outputs(lbm_case);
  const std::size_t unnamed = outputs.size() - lbm_case.outputs.size();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const FieldOutput& o = outputs[i];
    add(i < unnamed ? "output" : "outputs." + o.name,
        o.isosurface ? ResultKind::surface : ResultKind::fields,
        schedule_of(o, derived).count(after_step), predicted_bytes(lbm_case, derived, o),
        o.style.compression > 0);
  }
  for (const Picture& picture : lbm_case.pictures) {
    const auto files =
        schedule_of(fields_of(lbm_case, derived, picture), derived).count(after_step);
    add("pictures." + picture.name, ResultKind::pictures, files,
        predicted_bytes(lbm_case, derived, picture), true);
  }
  for (const Statistics& s : lbm_case.statistics) {
    add("statistics." + s.name, ResultKind::statistics,
        count_of_files(lbm_case, derived, s, after_step), predicted_bytes(lbm_case, derived, s),
        s.style.compression > 0);
  }
  for (const Probe& probe : lbm_case.probes) {
    const std::int64_t rows = count_of_rows(probe, derived, after_step);
    sizes.push_back({"probes." + probe.name, ResultKind::probes, rows,
                     predicted_bytes(lbm_case, derived, probe, rows)});
  }
  return sizes;
}

std::uint64_t total_bytes(std::span<const ResultSize> results) {
  std::uint64_t bytes = 0;
  for (const ResultSize& result : results) bytes = saturating_add(bytes, result.bytes.value_or(0));
  return bytes;
}

std::int64_t count_of_field_files(std::span<const ResultSize> results) {
  std::int64_t files = 0;
  for (const ResultSize& result : results) {
    const bool of_fields = result.kind == ResultKind::fields || result.kind == ResultKind::surface;
    if (of_fields) files += result.count;
  }
  return files;
}

ConsumerPtr make_region_quantity(const ResultContext& context, std::size_t position,
                                 Quantities& quantities) {
  return std::make_unique<RegionQuantity>(context, position, quantities);
}

}  // namespace lbm::cases
