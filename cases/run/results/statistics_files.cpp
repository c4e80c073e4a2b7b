// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/statistics_files.hpp"

#include "cases/case/model/regions.hpp"
#include "cases/run/results/field_planes.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace lbm::cases {
namespace {

std::int64_t first_sample(const Statistics& statistics, const Derived& derived) {
  const double begin = std::ceil(statistics.start * derived.steps_per_time - 1e-6);
  const double every = static_cast<double>(*statistics.every_steps);
  return static_cast<std::int64_t>(std::max(1.0, std::ceil(begin / every))) *
         *statistics.every_steps;
}

std::vector<io::ArrayInfo> arrays_of(const Statistics& statistics, const FileUnits& units) {
  using fields::Kind;
  const auto named = [&](Kind kind, const char* name) {
    io::ArrayInfo info = array_info(kind, statistics.style, units);
    info.name = name;
    return info;
  };
  std::vector<io::ArrayInfo> all{
      named(Kind::velocity, "mean_velocity"), named(Kind::density, "mean_density"),
      named(Kind::pressure, "mean_pressure"), named(Kind::velocity, "rms_velocity"),
      named(Kind::pressure, "rms_pressure")};
  if (statistics.stresses) {
    all.push_back(named(Kind::velocity, "reynolds_stress"));
    all.back().components = 6;
    if (units.physical) all.back().unit = "m^2/s^2";
  }
  return all;
}

}  // namespace

std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived,
                              const Statistics& statistics) {
  const FileUnits units = file_units(lbm_case, derived, statistics.style.units);
  const auto geometry =
      image_geometry(region_box(lbm_case, derived, statistics.region), 1, units.scales.length);
  return io::predicted_vtkhdf_bytes(geometry, arrays_of(statistics, units),
                                    field_info(lbm_case, derived, 0, units),
                                    statistics.style.compression);
}

std::int64_t count_of_files(const Derived& derived, const Statistics& statistics,
                            std::int64_t after_step) {
  const std::int64_t every = *statistics.every_steps;
  const std::int64_t first = first_sample(statistics, derived),
                     last = derived.steps / every * every;
  if (first > last) return 0;
  if (!statistics.write_every_steps) return 1;
  const std::int64_t write = *statistics.write_every_steps;
  const std::int64_t before = std::max(after_step, first - 1), until = derived.steps - 1;
  const std::int64_t between = std::max<std::int64_t>(0, until / write - before / write);
  // The file at the end is left out if no sample follows the last intermediate one.
  const bool all_written = last % write == 0 && last > before && last < derived.steps;
  return between + (all_written ? 0 : 1);
}

io::PlaneArray saved_array(const Case& lbm_case, const Derived& derived,
                           const Statistics& statistics) {
  std::string name = "statistics_";
  for (const char c : statistics.name) name += c == '-' ? std::string("_2d") : std::string(1, c);
  const auto type =
      statistics.double_precision ? io::ElementType::float64 : io::ElementType::float32;
  const auto box = region_box(lbm_case, derived, statistics.region);
  return {name, type, box.count[2],
          box.plane_cells() * fields::RunningMoments::values_of(statistics.stresses)};
}

namespace {

std::uint64_t bytes_of(const Statistics& s, const tiling::FieldBox& box) {
  return fields::RunningMoments::bytes_needed(box.plane_cells(), box.count[2], s.stresses,
                                              s.double_precision);
}

// In private memory, or for `shared` in memory that other writers can map. Throws ResourceError.
fields::RunningMoments make_sums(const Statistics& s, const tiling::FieldBox& box, bool shared) {
  const auto in_shared_memory = [&] {
    SharedMemory memory = SharedMemory::create(bytes_of(s, box), "time statistics");
    touch_host_memory(memory.data(), memory.memory().size());
    return fields::RunningMoments(box.plane_cells(), box.count[2], s.stresses, s.double_precision,
                                  std::move(memory));
  };
  try {
    if (shared) return in_shared_memory();
  } catch (const ResourceError&) {
    // A system without such memory: all samples come here.
  }
  return fields::RunningMoments(box.plane_cells(), box.count[2], s.stresses, s.double_precision);
}

}  // namespace

std::unique_ptr<fields::RunningMoments> open_sums(const Statistics& s, const tiling::FieldBox& box,
                                                  const std::string& name) {
  auto memory = SharedMemory::open(name, bytes_of(s, box));
  if (!memory) return nullptr;
  return std::make_unique<fields::RunningMoments>(box.plane_cells(), box.count[2], s.stresses,
                                                  s.double_precision, std::move(*memory));
}

std::uint64_t statistics_bytes(const Case& lbm_case, const Derived& derived) {
  std::uint64_t bytes = 0;
  for (const Statistics& s : lbm_case.statistics) {
    bytes += bytes_of(s, region_box(lbm_case, derived, s.region));
  }
  return bytes;
}

StatisticsFiles::StatisticsFiles(const ResultContext& context, const Statistics& statistics)
    : context_(context),
      statistics_(statistics),
      grid_(grid_shape(context.lbm_case)),
      box_(region_box(context.lbm_case, context.model.derived, statistics.region)),
      units_(file_units(context.lbm_case, context.model.derived, statistics.style.units)),
      every_(*statistics.every_steps),
      first_(first_sample(statistics, context.model.derived)),
      moments_(make_sums(statistics, box_, context.shared_sums)),
      series_(context, statistics.name, statistics.style, units_.time) {}

std::optional<std::int64_t> StatisticsFiles::next_after(std::int64_t step) const {
  const std::int64_t next =
      step < first_ ? first_ : first_ + ((step - first_) / every_ + 1) * every_;
  if (next > context_.model.derived.steps) return std::nullopt;
  return next;
}

void StatisticsFiles::begin(std::int64_t step) {
  if (!first_taken_) first_taken_ = step;
}

io::Json StatisticsFiles::save_state() const {
  return {{"first_sample_step", first_taken_.value_or(-1)},
          {"samples", samples_},
          {"sampling", sampling()},
          {"scalar", "density - 1"}};
}

void StatisticsFiles::load_state(const io::Json& state) {
  first_taken_.reset();
  samples_ = planes_ = 0;
  if (io::text_in(io::member(state, "sampling")) != sampling()) return;
  const std::int64_t first = io::whole_in(io::member(state, "first_sample_step")).value_or(-1);
  if (first < 0) return;
  first_taken_ = first;
  has_densities_ = io::member(state, "scalar").is_null();
  samples_ = io::whole_in(io::member(state, "samples")).value_or(0);
}

void StatisticsFiles::planes_loaded() {
  if (std::exchange(has_densities_, false)) moments_.shift_means_of_scalar(-1);
}

void StatisticsFiles::continue_files(std::int64_t step) { series_.continue_after(step); }

// Identifies the samples: sums of other samples cannot be continued.
std::string StatisticsFiles::sampling() const {
  const auto& [b, n, stride] = box_;
  return fmt::format("{} from {}, cells {} {} {} + {} {} {} by {}", every_, first_, b[0], b[1],
                     b[2], n[0], n[1], n[2], stride);
}

std::optional<io::PlaneArray> StatisticsFiles::plane_array() const {
  return saved_array(context_.lbm_case, context_.model.derived, statistics_);
}

void StatisticsFiles::save_planes(const TakePlanes& take) const {
  for (int plane = 0; plane < moments_.planes(); ++plane) take(plane, moments_.plane_bytes(plane));
}

void StatisticsFiles::add_plane(std::int64_t step, int z, std::span<const float> drho,
                                std::span<const float> velocity) {
  moments_.add(box_.index_of(z, grid_.cells[2]), samples_at(step), drho, velocity);
  count_plane(step);
}

std::optional<SharedResult> StatisticsFiles::share(std::int64_t step) {
  if (moments_.shared_name().empty()) return std::nullopt;
  return SharedResult{SharedKind::sums, {}, moments_.shared_name(), samples_at(step)};
}

void StatisticsFiles::plane_done(std::int64_t step, int) { count_plane(step); }

void StatisticsFiles::count_plane(std::int64_t step) {
  if (++planes_ < box_.count[2]) return;
  planes_ -= box_.count[2];
  ++samples_;
  const std::int64_t every = statistics_.write_every_steps.value_or(0);
  if (every > 0 && step % every == 0 && step < context_.last_step) write(step);
}

void StatisticsFiles::finish(std::int64_t step) {
  if (samples_ > 0 && samples_ != written_) write(step);
}

void StatisticsFiles::write(std::int64_t step) {
  io::FieldInfo info = field_info(context_.lbm_case, context_.model.derived, step, units_);
  info.attributes.emplace_back("samples", static_cast<double>(samples_));
  info.attributes.emplace_back("first_sample_step",
                               static_cast<double>(first_taken_.value_or(first_)));
  const auto file = series_.open(step, image_geometry(box_, 1, units_.scales.length),
                                 arrays_of(statistics_, units_), info);
  PlaneArrays arrays;
  for (int plane = 0; plane < box_.count[2]; ++plane) write_plane(*file, plane, arrays);
  series_.add(*file, step);
  written_ = samples_;
}

void StatisticsFiles::write_plane(io::ImageWriter& file, int plane, PlaneArrays& arrays) const {
  const auto cells = static_cast<std::size_t>(box_.plane_cells());
  arrays.resize(cells, statistics_.stresses);
  in_parts(threads_of_plane(box_.plane_cells()), cells,
           [&](std::size_t from, std::size_t to) { fill(plane, from, to, arrays); });
  std::vector<std::span<const float>> all{arrays.mean, arrays.density, arrays.pressure, arrays.rms,
                                          arrays.rms_pressure};
  if (statistics_.stresses) all.emplace_back(arrays.stress);
  file.write_plane(plane, all);
}

void StatisticsFiles::fill(int plane, std::size_t from, std::size_t to, PlaneArrays& arrays) const {
  std::vector<float> value(to - from);
  const double u = units_.scales.velocity, p = units_.scales.pressure / 3;
  const auto each = [&](int number, const auto& visit) {
    moments_.get(plane, number, from, value);
    for (std::size_t i = 0; i < value.size(); ++i) visit(from + i, double{value[i]});
  };
  const auto single = [](double v) { return static_cast<float>(v); };
  for (int i = 0; i < 3; ++i) {
    const auto a = static_cast<std::size_t>(i);
    each(i, [&](std::size_t c, double v) { arrays.mean[3 * c + a] = single(v * u); });
    each(4 + i, [&](std::size_t c, double v) {
      arrays.rms[3 * c + a] = single(std::sqrt(std::max(v, 0.0)) * u);
      if (statistics_.stresses) arrays.stress[6 * c + a] = single(v * u * u);
    });
    if (!statistics_.stresses) continue;
    each(8 + i, [&](std::size_t c, double v) { arrays.stress[6 * c + 3 + a] = single(v * u * u); });
  }
  each(3, [&](std::size_t c, double v) {
    arrays.density[c] = single((1 + v) * units_.scales.density);
    arrays.pressure[c] = single(v * p);
  });
  each(7, [&](std::size_t c, double v) {
    arrays.rms_pressure[c] = single(std::sqrt(std::max(v, 0.0)) * p);
  });
}

void StatisticsFiles::PlaneArrays::resize(std::size_t cells, bool stresses) {
  for (std::vector<float>* of_vector : {&mean, &rms}) of_vector->resize(3 * cells);
  for (std::vector<float>* of_scalar : {&density, &pressure, &rms_pressure}) {
    of_scalar->resize(cells);
  }
  if (stresses) stress.resize(6 * cells);
}

}  // namespace lbm::cases
