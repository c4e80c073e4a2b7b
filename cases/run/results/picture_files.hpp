// SPDX-License-Identifier: Apache-2.0

// A series of pictures: NAME_000001200.png, one for each time.
#pragma once

#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/run/pictures/colour_range.hpp"
#include "cases/run/pictures/picture_page.hpp"
#include "cases/run/pictures/picture_values.hpp"
#include "cases/run/pictures/surface_window.hpp"
#include "cases/run/records/notices.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/results/output_times.hpp"

namespace lbm::cases {

// The picture as an output of fields: its cells and times, and the fields that it needs, in lattice
// units.
FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Bytes of one picture without compression, more than the file will have.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Host memory of all pictures: of those that lack planes, and of one that is being drawn.
std::uint64_t pictures_bytes(const Case& lbm_case, const Derived& derived);

class PictureFiles final : public FieldConsumer {
 public:
  PictureFiles(const ResultContext& context, const Picture& picture, Notices& notices);

  bool wants(std::int64_t step) const override;
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    return schedule_.next_output_after(step);
  }
  bool takes_mixed_steps() const override { return true; }
  tiling::FieldBox box() const override { return planes_.box().loaded; }
  void begin(std::int64_t step) override;
  void add_plane(std::int64_t step, int z, std::span<const float> drho,
                 std::span<const float> velocity) override;
  std::vector<std::string> files() const override { return files_; }
  std::uint64_t host_bytes() const override;
  void finish(std::int64_t step) override;

  // The limits of the colours, which the next picture keeps where it can.
  std::string state_name() const override { return "pictures." + picture_.name; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;
  void continue_files(std::int64_t step) override;

 private:
  struct Begun {  // a picture that lacks planes
    fields::PlaneWindow window;
    fields::WallsAround walls;
    std::variant<PictureValues, SurfaceWindow> gathered;
    bool is_complete() const;
  };
  // Both put the coloured number of each cell of plane z of the grid into numbers_, in lattice
  // units; not a number: solid. The first one by all threads, where no derivative is asked for.
  void number_cells(int z, const fields::WallsAround& walls, std::span<const float> drho,
                    std::span<const float> velocity);
  void number_cells(std::span<const float> field, std::span<const float> solid);
  Begun begun(std::int64_t step);
  void add_surface_plane(SurfaceWindow& surface, int z, std::span<const float> field,
                         std::span<const float> solid, std::span<const float> surface_field);
  PageStyle style_of(std::span<const float> numbers);
  io::Canvas draw(std::int64_t step, const PictureValues& values);
  io::Canvas draw(std::int64_t step, const SurfaceWindow& surface);
  void write(std::int64_t step, const Begun& complete);
  double scale() const;  // from lattice units to those of the picture

  ResultContext context_;
  const Picture& picture_;
  FieldOutput fields_;
  FieldPlanes planes_;
  OutputTimes schedule_;
  FileUnits units_;  // of the picture
  PageSize size_;
  ColourRange range_;
  Notices& notices_;
  std::map<std::int64_t, Begun> begun_;  // by step
  unsigned sides_ = 0;                   // of an isosurface: those of find_sides(), of all pictures
  std::vector<float> numbers_;           // of a plane
  std::vector<float> on_surface_;        // of a plane: those of the isosurface
  std::vector<std::string> files_;
};

}  // namespace lbm::cases
