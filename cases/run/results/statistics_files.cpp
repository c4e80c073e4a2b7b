// SPDX-License-Identifier: Apache-2.0

// Time statistics of a region.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/model/regions.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_planes.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

// The steps of samples: number n = 0, 1, ... is the step nearest to first + n x interval.
class SampleSteps {
 public:
  SampleSteps(const Case& lbm_case, const Derived& derived, const Statistics& statistics) {
    const double begin = std::max(1.0, std::ceil(statistics.start * derived.steps_per_time - 1e-6));
    double offset = 0;
    if (statistics.every_steps) {
      interval_ = static_cast<double>(*statistics.every_steps);
    } else {
      const Body& body = *turning_body(lbm_case, statistics.phase);
      interval_ = steps_per_turn(body, derived);
      offset = statistics.phase_angle / std::copysign(360, *body.motion.rate) * interval_;
    }
    // A step that rounds up to the begin counts.
    const double late = statistics.every_steps ? 0 : 0.5;
    first_ = offset + std::ceil((begin - late - offset) / interval_) * interval_;
  }

  double interval() const { return interval_; }
  std::int64_t step(std::int64_t number) const {
    return std::llround(first_ + static_cast<double>(number) * interval_);
  }
  // The number of samples up to the step, which is that of the next one.
  std::int64_t count(std::int64_t until) const {
    const double left = (static_cast<double>(until) + 0.5 - first_) / interval_;
    auto number = static_cast<std::int64_t>(std::max(0.0, std::ceil(left)));
    while (number > 0 && step(number - 1) > until) --number;
    while (step(number) <= until) ++number;
    return number;
  }

 private:
  double first_, interval_;  // steps
};

// The mean of a field over time, or the root mean square of its fluctuations.
struct Moment {
  fields::Kind kind;
  bool rms;
};

// In the order of the arrays of a file: by macroscopic field, the kinds that equal it but for a
// factor and a summand. The summand cancels in fluctuations; kinds without one show them.
// Scalars come behind.
std::vector<Moment> moments_in_file(std::size_t scalars) {
  std::vector<Moment> all;
  for (const bool rms : {false, true}) {
    for (std::size_t field = 0; field < macro_fields.size(); ++field) {
      for (std::size_t kind = 0; kind < fields::kind_rows.size(); ++kind) {
        const fields::KindFacts& facts = fields::kind_rows[kind];
        if (facts.source != Macro(field) || (rms && facts.added != 0)) continue;
        all.push_back({fields::Kind(kind), rms});
      }
    }
    for (std::size_t s = 0; s < scalars; ++s) all.push_back({fields::scalar_kind(s), rms});
  }
  return all;
}

std::vector<io::ArrayInfo> arrays_of(const Statistics& statistics, const FileUnits& units) {
  std::vector<io::ArrayInfo> all;
  for (const auto& [kind, rms] : moments_in_file(units.scalars.size())) {
    all.push_back(array_info(kind, statistics.style, units));
    all.back().name.insert(0, rms ? "rms_" : "mean_");
  }
  if (statistics.stresses) {
    all.push_back(array_info(fields::Kind::velocity, statistics.style, units));
    all.back().name = "reynolds_stress";
    all.back().components = 6;
    if (units.physical) all.back().unit = "m^2/s^2";
    for (std::size_t s = 0; s < units.scalars.size(); ++s) {
      all.push_back(array_info(fields::scalar_kind(s), statistics.style, units));
      all.back().name = "velocity_" + all.back().name + "_flux";
      all.back().components = 3;
    }
  }
  return all;
}

// In private memory, or for `shared` in memory that other writers can map. Throws ResourceError.
fields::RunningMoments make_sums(const fields::MomentsShape& shape, bool shared) {
  const auto in_shared_memory = [&] {
    SharedMemory memory = SharedMemory::create(shape.bytes(), "time statistics");
    touch_host_memory(memory.data(), memory.memory().size());
    return fields::RunningMoments(shape, std::move(memory));
  };
  try {
    if (shared) return in_shared_memory();
  } catch (const ResourceError&) {
    // A system without such memory: all samples come here.
  }
  return fields::RunningMoments(shape);
}

// Samples at ends of sweeps, files during and at the end of the run.
class StatisticsFiles final : public FieldConsumer {
 public:
  StatisticsFiles(const ResultContext& context, const Statistics& statistics)
      : context_(context),
        statistics_(statistics),
        grid_(grid_shape(context.lbm_case)),
        box_(region_box(context.lbm_case, context.model.derived, statistics.region)),
        units_(file_units(context.lbm_case, context.model.derived, statistics.style.units)),
        steps_(context.lbm_case, context.model.derived, statistics),
        moments_(make_sums(shape_of(statistics, box_, context.model.lattice.scalar_count()),
                           context.shared_sums)),
        series_(context, statistics.name, statistics.style, units_.time) {}

  bool wants(std::int64_t step) const override {
    return steps_.count(step) > steps_.count(step - 1);
  }
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    const std::int64_t next = steps_.step(steps_.count(step));
    if (next > context_.model.derived.steps) return std::nullopt;
    return next;
  }
  tiling::FieldBox box() const override { return box_; }
  void begin(std::int64_t step) override {
    if (!first_taken_) first_taken_ = step;
  }
  void add_plane(std::int64_t step, int z, const FieldPlane& plane) override {
    moments_.add(box_.index_of(z, grid_.cells[2]), samples_at(step), plane);
    count_plane(step);
  }
  std::optional<SharedResult> share(std::int64_t step) override {
    if (moments_.shared_name().empty()) return std::nullopt;
    return SharedResult{SharedKind::sums, {}, moments_.shared_name(), samples_at(step)};
  }
  void plane_done(std::int64_t step, int) override { count_plane(step); }
  // Writes the statistics so far at the end of the run; no file without samples.
  void finish(std::int64_t step) override {
    if (samples_ > 0 && samples_ != written_) write(step);
  }
  std::vector<std::string> files() const override { return series_.files(); }
  void sync_files() override { series_.flush(); }
  void continue_files(std::int64_t step) override { series_.continue_after(step); }

  // Continues the sums of a checkpoint for the same region; otherwise starts anew.
  std::string state_name() const override { return "statistics." + statistics_.name; }
  io::Json save_state() const override {
    return {{"first_sample_step", first_taken_.value_or(-1)},
            {"samples", samples_},
            {"sampling", sampling()},
            {"scalar", "density - 1"}};
  }
  void load_state(const io::Json& state) override {
    first_taken_.reset();
    samples_ = planes_ = 0;
    if (io::text_in(io::member(state, "sampling")) != sampling()) return;
    const std::int64_t first = io::whole_in(io::member(state, "first_sample_step")).value_or(-1);
    if (first < 0) return;
    first_taken_ = first;
    has_densities_ = io::member(state, "scalar").is_null();
    samples_ = io::whole_in(io::member(state, "samples")).value_or(0);
  }
  std::optional<io::PlaneArray> plane_array() const override {
    return saved_array(context_.lbm_case, context_.model.derived, statistics_);
  }
  void save_planes(const TakePlanes& take) const override {
    for (int plane = 0; plane < box_.count[2]; ++plane) take(plane, moments_.plane_bytes(plane));
  }
  std::span<std::byte> plane_to_load(std::int64_t plane) override {
    return moments_.plane_bytes(static_cast<int>(plane));
  }
  void planes_loaded() override {
    if (std::exchange(has_densities_, false)) moments_.shift_means_of(Macro::density, -1);
  }

 private:
  // Identifies the samples: sums of other samples cannot be continued.
  std::string sampling() const {
    const auto& [b, n, stride] = box_;
    return fmt::format("{} from {}, cells {} {} {} + {} {} {} by {}", steps_.interval(),
                       steps_.step(0), b[0], b[1], b[2], n[0], n[1], n[2], stride);
  }
  // Number of samples in the sums, including the one of this step.
  std::int64_t samples_at(std::int64_t step) const {
    return steps_.count(step) - steps_.count(*first_taken_ - 1);
  }

  void count_plane(std::int64_t step) {
    if (++planes_ < box_.count[2]) return;
    planes_ -= box_.count[2];
    ++samples_;
    const std::int64_t every = statistics_.write_every_steps.value_or(0);
    if (every > 0 && step % every == 0 && step < context_.last_step) write(step);
  }

  void write(std::int64_t step) {
    io::FieldInfo info = field_info(context_.lbm_case, context_.model.derived, step, units_);
    info.attributes.emplace_back("samples", static_cast<double>(samples_));
    info.attributes.emplace_back("first_sample_step",
                                 static_cast<double>(first_taken_.value_or(steps_.step(0))));
    const std::vector<io::ArrayInfo> arrays = arrays_of(statistics_, units_);
    const auto file =
        series_.open(step, image_geometry(box_, 1, units_.scales.length), arrays, info);
    const auto cells = static_cast<std::size_t>(box_.plane_cells());
    std::vector<std::vector<float>> values;
    values.reserve(arrays.size());
    for (const io::ArrayInfo& array : arrays) {
      values.emplace_back(cells * static_cast<std::size_t>(array.components));
    }
    const std::vector<std::span<const float>> spans(values.begin(), values.end());
    for (int plane = 0; plane < box_.count[2]; ++plane) {
      in_parts(threads_of_plane(box_.plane_cells()), cells,
               [&](std::size_t from, std::size_t to) { fill(plane, from, to, values); });
      file->write_plane(plane, spans);
    }
    series_.add(*file, step);
    written_ = samples_;
  }

  // Fills cells from ... to - 1 of arrays_of() a plane.
  void fill(int plane, std::size_t from, std::size_t to,
            std::vector<std::vector<float>>& arrays) const {
    std::vector<float> value(to - from);
    // Component `at` of an array from the values of that number.
    const auto set = [&](int number, std::size_t array, std::size_t at, const auto& convert) {
      moments_.get(plane, number, from, value);
      const std::size_t components =
          arrays[array].size() / static_cast<std::size_t>(moments_.shape().cells);
      for (std::size_t i = 0; i < value.size(); ++i) {
        arrays[array][components * (from + i) + at] = static_cast<float>(convert(double{value[i]}));
      }
    };
    const int means = moments_.shape().means();
    const auto scalars = units_.scalars.size();
    std::size_t array = 0;
    for (const Moment& moment : moments_in_file(scalars)) {
      const fields::KindFacts& facts = fields::facts_of(moment.kind);
      const auto scalar = fields::scalar_of(moment.kind);
      const int first =
          (scalar ? macro_values + static_cast<int>(*scalar) : first_value_of(*facts.source)) +
          (moment.rms ? means : 0);
      const double factor = units_.scales.of(moment.kind) / facts.divisor;
      const double added = units_.scales.added_to(moment.kind);
      for (int i = 0; i < facts.components; ++i) {
        set(first + i, array, static_cast<std::size_t>(i), [&](double v) {
          if (moment.rms) return std::sqrt(std::max(v, 0.0)) * factor;
          return (v + facts.added) * factor + added;
        });
      }
      ++array;
    }
    if (!statistics_.stresses) return;
    const double u = units_.scales.velocity;
    for (int i = 0; i < 6; ++i) {
      const int number = means + (i < 3 ? first_value_of(Macro::velocity) + i : means + i - 3);
      set(number, array, static_cast<std::size_t>(i), [u](double v) { return v * u * u; });
    }
    for (std::size_t s = 0; s < scalars; ++s) {
      const double factor = u * units_.scales.of(fields::scalar_kind(s));
      ++array;
      for (int i = 0; i < 3; ++i) {
        set(2 * means + 3 + 3 * static_cast<int>(s) + i, array, static_cast<std::size_t>(i),
            [factor](double v) { return v * factor; });
      }
    }
  }

  ResultContext context_;
  const Statistics& statistics_;
  fields::GridShape grid_;
  tiling::FieldBox box_;
  FileUnits units_;
  SampleSteps steps_;
  std::optional<std::int64_t> first_taken_;  // first sample in the sums
  fields::RunningMoments moments_;
  FileSeries series_;
  std::int64_t samples_ = 0, planes_ = 0;  // complete samples; planes of an incomplete one
  std::int64_t written_ = -1;              // samples in the newest file
  bool has_densities_ = false;  // sums of an older version, whose means are of the density
};

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

std::int64_t least_interval(const Case& lbm_case, const Derived& derived,
                            const Statistics& statistics) {
  const double interval = SampleSteps(lbm_case, derived, statistics).interval();
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(interval));
}

std::int64_t count_of_files(const Case& lbm_case, const Derived& derived,
                            const Statistics& statistics, std::int64_t after_step) {
  const SampleSteps steps(lbm_case, derived, statistics);
  const std::int64_t samples = steps.count(derived.steps);
  if (samples == 0) return 0;
  const std::int64_t first = steps.step(0), last = steps.step(samples - 1);
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
  const auto shape = shape_of(statistics, region_box(lbm_case, derived, statistics.region),
                              static_cast<int>(lbm_case.scalars.size()));
  return {name, shape.double_precision ? io::ElementType::float64 : io::ElementType::float32,
          shape.planes, shape.plane_values()};
}

fields::MomentsShape shape_of(const Statistics& statistics, const tiling::FieldBox& box,
                              int scalars) {
  return {box.plane_cells(), box.count[2], statistics.stresses, statistics.double_precision,
          scalars};
}

std::uint64_t statistics_bytes(const Case& lbm_case, const Derived& derived) {
  std::uint64_t bytes = 0;
  for (const Statistics& s : lbm_case.statistics) {
    bytes += shape_of(s, region_box(lbm_case, derived, s.region),
                      static_cast<int>(lbm_case.scalars.size()))
                 .bytes();
  }
  return bytes;
}

ConsumerPtr make_statistics_files(const ResultContext& context, const Statistics& statistics) {
  return std::make_unique<StatisticsFiles>(context, statistics);
}

}  // namespace lbm::cases
