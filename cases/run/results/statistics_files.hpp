// SPDX-License-Identifier: Apache-2.0

// Time statistics of a region: samples at ends of sweeps, files during and at the end of the run.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/fields/running_moments.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/file_series.hpp"

namespace lbm::cases {

// The sums of one statistics with this box.
fields::MomentsShape shape_of(const Statistics& statistics, const tiling::FieldBox& box);
// Host memory in bytes of all statistics of the case.
std::uint64_t statistics_bytes(const Case& lbm_case, const Derived& derived);
// Bytes of one file, without compression.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived,
                              const Statistics& statistics);
// Number of files written after a step, in a run that reaches its end.
std::int64_t count_of_files(const Derived& derived, const Statistics& statistics,
                            std::int64_t after_step);
// The array of one statistics in a checkpoint.
io::PlaneArray saved_array(const Case& lbm_case, const Derived& derived,
                           const Statistics& statistics);

class StatisticsFiles final : public FieldConsumer {
 public:
  StatisticsFiles(const ResultContext& context, const Statistics& statistics);

  bool wants(std::int64_t step) const override {
    return step >= first_ && (step - first_) % every_ == 0;
  }
  std::optional<std::int64_t> next_after(std::int64_t step) const override;
  tiling::FieldBox box() const override { return box_; }
  void begin(std::int64_t step) override {
    if (!first_taken_) first_taken_ = step;
  }
  void add_plane(std::int64_t step, int z, std::span<const float> drho,
                 std::span<const float> velocity) override;
  std::optional<SharedResult> share(std::int64_t step) override;
  void plane_done(std::int64_t step, int) override { count_plane(step); }
  // Writes the statistics so far at the end of the run; no file without samples.
  void finish(std::int64_t step) override {
    if (samples_ > 0 && samples_ != written_) write(step);
  }
  std::vector<std::string> files() const override { return series_.files(); }
  std::uint64_t host_bytes() const override { return moments_.shape().bytes(); }

  // Continues the sums of a checkpoint for the same region; otherwise starts anew.
  std::string state_name() const override { return "statistics." + statistics_.name; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;
  std::optional<io::PlaneArray> plane_array() const override {
    return saved_array(context_.lbm_case, context_.model.derived, statistics_);
  }
  void save_planes(const TakePlanes& take) const override;
  std::span<std::byte> plane_to_load(std::int64_t plane) override {
    return moments_.plane_bytes(static_cast<int>(plane));
  }
  void sync_files() override { series_.flush(); }
  void planes_loaded() override {
    if (std::exchange(has_densities_, false)) moments_.shift_means_of_scalar(-1);
  }
  void continue_files(std::int64_t step) override { series_.continue_after(step); }

 private:
  std::string sampling() const;
  // Number of samples in the sums, including the one of this step.
  std::int64_t samples_at(std::int64_t step) const { return (step - *first_taken_) / every_ + 1; }
  void count_plane(std::int64_t step);
  void write(std::int64_t step);
  // Fills cells from ... to - 1 of arrays_of() a plane.
  void fill(int plane, std::size_t from, std::size_t to,
            std::vector<std::vector<float>>& arrays) const;

  ResultContext context_;
  const Statistics& statistics_;
  fields::GridShape grid_;
  tiling::FieldBox box_;
  FileUnits units_;
  std::int64_t every_;                       // steps
  std::int64_t first_ = 0;                   // first step of sampling, a multiple of every_
  std::optional<std::int64_t> first_taken_;  // first sample in the sums
  fields::RunningMoments moments_;
  FileSeries series_;
  std::int64_t samples_ = 0, planes_ = 0;  // complete samples; planes of an incomplete one
  std::int64_t written_ = -1;              // samples in the newest file
  bool has_densities_ = false;  // sums of an older version, whose means are of the density
};

}  // namespace lbm::cases
