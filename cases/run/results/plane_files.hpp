// SPDX-License-Identifier: Apache-2.0

// Outputs that make a file of each of some steps, plane by plane, and these steps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/running_moments.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_planes.hpp"

namespace lbm::cases {

// The steps after which fields are written.
class OutputTimes {
 public:
  // `at`: in any order, repeats allowed; steps outside 1..last_step are dropped. every: 0 for
  // never. every_time: interval in steps, not necessarily whole; its multiples are rounded; 0 for
  // never.
  OutputTimes(std::vector<std::int64_t> at, std::int64_t every, std::int64_t last_step,
              double every_time = 0);

  // The first later output step; empty if none is left.
  std::optional<std::int64_t> next_output_after(std::int64_t step) const;

  bool contains(std::int64_t step) const { return next_output_after(step - 1) == step; }
  // Number of output steps after `after`; multiples of both intervals count twice.
  std::int64_t count(std::int64_t after = 0) const;

 private:
  bool repeats_at(std::int64_t step) const;
  std::int64_t repeats_until(std::int64_t step) const;

  std::vector<std::int64_t> at_;  // sorted, unique
  std::int64_t every_ = 0;
  std::int64_t last_step_ = 0;
  double every_time_ = 0;
};

// Times of the output; the end of the run where the case ends there.
OutputTimes schedule_of(const FieldOutput& output, const Derived& derived);

// The common part of field files and pictures.
class PlaneFiles : public FieldConsumer {
 public:
  bool wants(std::int64_t step) const override;
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    return schedule_.next_output_after(step);
  }
  bool takes_mixed_steps() const override { return true; }
  tiling::FieldBox box() const override { return planes_.box().loaded; }
  void begin(std::int64_t step) override;
  void add_plane(std::int64_t step, int z, const FieldPlane& plane) override;
  void plane_done(std::int64_t step, int z) override;
  void fail(std::int64_t step, int error) override { images_.at(step).file->end_with(error); }

 protected:
  PlaneFiles(const ResultContext& context, FieldOutput output);
  virtual std::unique_ptr<io::ImageWriter> open(std::int64_t step) = 0;
  // All planes of the file are there: closes it.
  virtual void complete(io::ImageWriter& file, std::int64_t step) = 0;
  io::ImageWriter& file_of(std::int64_t step) const { return *images_.at(step).file; }

  const ResultContext context_;
  const FieldOutput output_;
  FieldPlanes planes_;

 private:
  struct Image {  // an incomplete file
    FieldPlanes::Step waiting;
    std::unique_ptr<io::ImageWriter> file;
    std::optional<fields::BlockMeans> means = {};
    std::vector<bool> done = {};  // planes of the region
    int planes = 0;               // that are done
  };
  // z: of the region. Nothing, where another writer has done that plane.
  void take_plane(Image& image, int z, std::span<const std::span<const float>> arrays) const;
  // Returns false if plane z was done before.
  static bool set_done(Image& image, int z);
  void close_if_complete(std::int64_t step, Image& image);

  OutputTimes schedule_;
  std::map<std::int64_t, Image> images_;  // by step; several are open at once, since sweeps overlap
};

}  // namespace lbm::cases
