// SPDX-License-Identifier: Apache-2.0

// A named output: a file series of images or isosurfaces of some fields in a region.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cases/fields/block_means.hpp"
#include "cases/fields/plane_window.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/results/file_series.hpp"
#include "cases/run/results/output_times.hpp"

namespace lbm::cases {

// Times of the output, except the end of the run.
OutputTimes schedule_of(const FieldOutput& output, const Derived& derived);

class FieldFiles final : public FieldConsumer {
 public:
  FieldFiles(const ResultContext& context, const FieldOutput& output);

  // Bytes of one file without compression; empty for surfaces, whose size is unknown.
  static std::optional<std::uint64_t> predicted_bytes(const Case& lbm_case, const Derived& derived,
                                                      const FieldOutput& output);

  bool wants(std::int64_t step) const override;
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    return schedule_.next_output_after(step);
  }
  bool takes_mixed_steps() const override { return true; }
  tiling::FieldBox box() const override { return planes_.box().loaded; }
  void begin(std::int64_t step) override;
  void add_plane(std::int64_t step, int z, std::span<const float> drho,
                 std::span<const float> velocity) override;
  std::optional<SharedResult> share(std::int64_t step) override;
  void plane_done(std::int64_t step, int z) override;
  void fail(std::int64_t step, int error) override;
  std::vector<std::string> files() const override { return series_.files(); }
  std::string state_name() const override { return "outputs." + output_.name; }
  void sync_files() override { series_.flush(); }
  void continue_files(std::int64_t step) override { series_.continue_after(step); }

 private:
  struct Image {  // an incomplete image
    fields::PlaneWindow window;
    fields::WallsAround walls;
    std::optional<fields::BlockMeans> means;
    std::unique_ptr<io::ImageWriter> file;
    std::vector<bool> done;  // planes of the region
    int planes = 0;          // that are done
  };
  // z: of the image, or for means of the box. Nothing, where another writer has done that plane.
  void take_plane(Image& image, int z, std::span<const std::span<const float>> arrays);
  // Writes plane z of the image. For an isosurface of a vector, its magnitude is written.
  void write(Image& image, int z, std::span<const std::span<const float>> arrays) const;
  // Returns false if plane z was done before.
  static bool set_done(Image& image, int z);
  void close_if_complete(std::int64_t step, Image& image);

  ResultContext context_;
  const FieldOutput& output_;
  FieldPlanes planes_;
  OutputTimes schedule_;
  FileSeries series_;
  std::map<std::int64_t, Image> images_;  // by step; several are open at once, since sweeps overlap
};

}  // namespace lbm::cases
