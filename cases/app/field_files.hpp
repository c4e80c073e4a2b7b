// A named output: images or isosurfaces of some fields in some region, as a series of files.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "cases/app/field_consumer.hpp"
#include "cases/app/file_series.hpp"
#include "cases/app/file_style.hpp"
#include "cases/app/output_schedule.hpp"
#include "cases/fields/block_means.hpp"
#include "cases/fields/plane_window.hpp"

namespace lbm::app {

// When the output is written, without the end of the run.
OutputSchedule schedule_of(const FieldOutput& output, const Derived& derived);

class FieldFiles final : public FieldConsumer {
 public:
  FieldFiles(const ResultContext& context, const FieldOutput& output);

  static fields::HaloBox box_of(const Case& lbm_case, const Derived& derived,
                                const FieldOutput& output);
  // Bytes of one of its files, without compression; empty for surfaces, of which nobody knows.
  static std::optional<std::uint64_t> predicted_bytes(const Case& lbm_case, const Derived& derived,
                                                      const FieldOutput& output);

  bool wants(std::int64_t step) const override;
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    return schedule_.next_output_after(step);
  }
  tiling::FieldBox box() const override { return box_.loaded; }
  void begin(std::int64_t step) override;
  void add_plane(std::int64_t step, int z, std::span<const float> density,
                 std::span<const float> velocity) override;
  std::vector<std::string> files() const override { return series_.files(); }
  std::string state_name() const override { return "outputs." + output_.name; }
  void continue_files(std::int64_t step) override {
    series_.continue_after(step, static_cast<double>(step) * units_.time);
  }

 private:
  struct Image {  // under way
    fields::PlaneWindow window;
    fields::WallsAround walls;
    std::optional<fields::BlockMeans> means;
    std::unique_ptr<FieldFile> file;
    int planes = 0;
  };
  void make_plane(Image& image, const fields::PlaneTriple& planes);
  int plane_index(int z) const;

  ResultContext context_;
  const FieldOutput& output_;
  fields::GridShape grid_;
  fields::HaloBox box_;
  FileUnits units_;
  OutputSchedule schedule_;
  std::vector<fields::Kind> kinds_;  // those of the file; with means the solid mask is last
  fields::FieldMaker maker_;
  FileSeries series_;
  std::map<std::int64_t, Image> images_;  // by step: sweeps overlap, so several may be open
};

}  // namespace lbm::app
