// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/plane_files.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/case/limits.hpp"
#include "cases/case/model/regions.hpp"
#include "io/hdf5/vtkhdf_image.hpp"

namespace lbm::cases {
namespace {

// The step nearest to the m-th multiple of `interval`; at least 1.
double multiple(double m, double interval) { return std::max(1.0, std::round(m * interval)); }

// The first later step that is nearest to a multiple of `interval`.
std::int64_t next_multiple(double interval, std::int64_t step) {
  if (interval <= 1) return step + 1;
  const double begin = std::floor(static_cast<double>(step) / interval);
  for (double m = std::max(1.0, begin);; m += 1) {
    const double at = multiple(m, interval);
    if (!(at < static_cast<double>(max_steps) + 1)) return max_steps + 1;
    if (at > static_cast<double>(step)) return static_cast<std::int64_t>(at);
  }
}

// Number of steps up to `step` that are nearest to a multiple of `interval`.
std::int64_t multiples_until(double interval, std::int64_t step) {
  if (interval <= 1 || step < 1) return std::max<std::int64_t>(step, 0);
  const auto until = static_cast<double>(step);
  double m = std::floor((until + 0.5) / interval);
  while (m > 0 && multiple(m, interval) > until) m -= 1;
  while (multiple(m + 1, interval) <= until) m += 1;
  return static_cast<std::int64_t>(m);
}

// Sharing syncs the file: with a smaller image that costs more than it gains.
constexpr std::uint64_t least_shared_bytes = std::uint64_t{1} << 16;

// A named output: a file series of images or isosurfaces of some fields in a region.
class FieldFiles final : public PlaneFiles {
 public:
  FieldFiles(const ResultContext& context, const FieldOutput& output)
      : PlaneFiles(context, output),
        series_(context, output.name, output.style, planes_.units().time,
                output.isosurface ? output.value : std::nullopt) {}

  std::optional<SharedResult> share(std::int64_t step) override {
    // Planes of means and surfaces are no planes of the image.
    if (output_.average > 1 || output_.isosurface) return std::nullopt;
    const auto bytes = predicted_bytes(context_.lbm_case, context_.model.derived, output_);
    if (bytes.value_or(0) < least_shared_bytes) return std::nullopt;
    auto place = file_of(step).share();
    if (!place) return std::nullopt;
    const bool derived = planes_.box().has_halo;
    return SharedResult{derived ? SharedKind::derived : SharedKind::image, std::move(*place), {}};
  }
  std::vector<std::string> files() const override { return series_.files(); }
  std::string state_name() const override { return "outputs." + output_.name; }
  void sync_files() override { series_.flush(); }
  void continue_files(std::int64_t step) override { series_.continue_after(step); }

 private:
  std::unique_ptr<io::ImageWriter> open(std::int64_t step) override {
    return series_.open(
        step, planes_.geometry(), planes_.arrays(),
        field_info(context_.lbm_case, context_.model.derived, step, planes_.units()));
  }
  void complete(io::ImageWriter& file, std::int64_t step) override { series_.add(file, step); }

  FileSeries series_;
};

}  // namespace

OutputTimes::OutputTimes(std::vector<std::int64_t> at, std::int64_t every, std::int64_t last_step,
                         double every_time)
    : at_(std::move(at)), every_(every), last_step_(last_step), every_time_(every_time) {
  std::erase_if(at_, [&](std::int64_t step) { return step < 1 || step > last_step; });
  std::sort(at_.begin(), at_.end());
  at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
}

std::optional<std::int64_t> OutputTimes::next_output_after(std::int64_t step) const {
  step = std::max<std::int64_t>(step, 0);
  if (step >= last_step_) return std::nullopt;
  std::optional<std::int64_t> next;
  const auto listed = std::upper_bound(at_.begin(), at_.end(), step);
  if (listed != at_.end()) next = *listed;
  // Subtracts instead of adding: no overflow near the largest integers.
  if (every_ > 0 && every_ - step % every_ <= last_step_ - step) {
    const std::int64_t repeated = step + (every_ - step % every_);
    next = next ? std::min(*next, repeated) : repeated;
  }
  if (every_time_ > 0) {
    const auto timed = next_multiple(every_time_, step);
    if (timed <= last_step_) next = next ? std::min(*next, timed) : timed;
  }
  return next;
}

bool OutputTimes::repeats_at(std::int64_t step) const {
  return (every_ > 0 && step % every_ == 0) ||
         (every_time_ > 0 && next_multiple(every_time_, step - 1) == step);
}

std::int64_t OutputTimes::repeats_until(std::int64_t step) const {
  return (every_ > 0 ? step / every_ : 0) +
         (every_time_ > 0 ? multiples_until(every_time_, step) : 0);
}

std::int64_t OutputTimes::count(std::int64_t after) const {
  after = std::max<std::int64_t>(after, 0);
  if (after >= last_step_) return 0;
  const auto single = std::count_if(
      at_.begin(), at_.end(), [&](std::int64_t step) { return step > after && !repeats_at(step); });
  return single + repeats_until(last_step_) - repeats_until(after);
}

OutputTimes schedule_of(const FieldOutput& output, const Derived& derived) {
  std::vector<std::int64_t> at;
  for (const double time : output.times) at.push_back(step_at(time, derived.steps_per_time));
  if (output.at_end) at.push_back(derived.steps);
  return {std::move(at), output.every_steps.value_or(0), derived.steps,
          output.every_time.value_or(0) * derived.steps_per_time};
}

PlaneFiles::PlaneFiles(const ResultContext& context, FieldOutput output)
    : context_(context),
      output_(std::move(output)),
      planes_(context.lbm_case, context.model, output_),
      schedule_(schedule_of(output_, context.model.derived)) {}

bool PlaneFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (output_.at_end && step == context_.last_step);
}

void PlaneFiles::begin(std::int64_t step) {
  Image image{planes_.begin(step), open(step)};
  const auto& n = planes_.box().wanted.count;
  image.done.resize(static_cast<std::size_t>(n[2]));
  if (output_.average > 1) {
    std::vector<int> components;
    for (const fields::Kind kind : planes_.kinds()) components.push_back(components_of(kind));
    image.means.emplace(n[0], n[1], n[2], output_.average, std::move(components));
  }
  images_.emplace(step, std::move(image));
}

void PlaneFiles::add_plane(std::int64_t step, int z, const FieldPlane& plane) {
  const auto found = images_.find(step);
  if (found == images_.end()) return;  // other writers have done all planes that need this one
  Image& image = found->second;
  planes_.add(image.waiting, z, plane,
              [&](int at, const auto& arrays) { take_plane(image, planes_.index(at), arrays); });
  close_if_complete(step, image);
}

void PlaneFiles::plane_done(std::int64_t step, int z) {
  const auto found = images_.find(step);
  if (found == images_.end() || !set_done(found->second, planes_.index(z))) return;
  found->second.file->add_plane(planes_.index(z));
  close_if_complete(step, found->second);
}

bool PlaneFiles::set_done(Image& image, int z) {
  auto done = image.done.at(static_cast<std::size_t>(z));
  if (done) return false;
  done = true;
  ++image.planes;
  return true;
}

void PlaneFiles::close_if_complete(std::int64_t step, Image& image) {
  if (image.planes < planes_.box().wanted.count[2]) return;
  complete(*image.file, step);
  images_.erase(step);
}

void PlaneFiles::take_plane(Image& image, int z,
                            std::span<const std::span<const float>> arrays) const {
  if (!set_done(image, z)) return;
  std::vector<std::span<const float>> all(arrays.begin(), arrays.end());
  if (image.means) {
    const auto* means = image.means->add(z, arrays, arrays.back());
    if (means == nullptr) return;
    all.assign(means->begin(), means->end() - 1);  // without the solid mask
    z /= output_.average;
  }
  std::vector<float> length;
  if (output_.isosurface && components_of(*output_.isosurface) > 1) {
    length.resize(all[0].size() / 3);
    fields::magnitude(all[0], length);
    all[0] = length;
  }
  image.file->write_plane(z, all);
}

ConsumerPtr make_field_files(const ResultContext& context, const FieldOutput& output) {
  return std::make_unique<FieldFiles>(context, output);
}

std::optional<std::uint64_t> predicted_bytes(const Case& lbm_case, const Derived& derived,
                                             const FieldOutput& output) {
  if (output.isosurface) return std::nullopt;
  const FileUnits units = file_units(lbm_case, derived, output.style.units);
  const auto geometry = image_geometry(region_box(lbm_case, derived, output.region), output.average,
                                       units.scales.length);
  return io::predicted_vtkhdf_bytes(geometry, FieldPlanes::arrays_of(output, units),
                                    field_info(lbm_case, derived, 0, units),
                                    output.style.compression);
}

}  // namespace lbm::cases
