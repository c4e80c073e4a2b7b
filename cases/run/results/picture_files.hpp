// SPDX-License-Identifier: Apache-2.0

// The data of a series of pictures: NAME_000001200.picture, which Python draws as
// NAME_000001200.png and removes (python/lbm/pictures). A file is a line of JSON, the head, and
// then little-endian float32: the numbers of PictureValues, or the points of SurfaceFile; both in
// lattice units.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/run/pictures/picture_values.hpp"
#include "cases/run/pictures/surface_file.hpp"
#include "cases/run/records/notices.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/results/output_times.hpp"

namespace lbm::cases {

// The picture as an output of fields: its cells and times, and the fields that it needs, in lattice
// units.
FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Bytes of one picture without compression, more than the file will have, and of the data of a
// slice or projection; those of a surface are unknown.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Host memory of all pictures that lack planes.
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
  // Those of the data where they are there, otherwise those of the pictures.
  std::vector<std::string> files() const override;
  std::uint64_t host_bytes() const override;
  void finish(std::int64_t step) override;
  std::string state_name() const override { return "pictures." + picture_.name; }
  void continue_files(std::int64_t step) override;

 private:
  struct Begun {  // a picture that lacks planes
    fields::PlaneWindow window;
    fields::WallsAround walls;
    std::variant<PictureValues, SurfaceFile> gathered;
  };
  std::string head(std::int64_t step) const;
  io::Place file(std::int64_t step) const;
  // arrays: of fields_of(). Writes the file if it is complete then.
  void take(std::int64_t step, int z, std::span<const std::span<const float>> arrays);

  ResultContext context_;
  const Picture& picture_;
  FieldOutput fields_;
  FieldPlanes planes_;
  OutputTimes schedule_;
  FileUnits units_;  // of the picture
  Notices& notices_;
  std::map<std::int64_t, Begun> begun_;          // by step
  bool any_above_ = false, any_below_ = false;   // of an isosurface: sides of all pictures
  std::array<std::vector<float>, 2> of_planes_;  // numbers of a plane: coloured; on the isosurface
  std::vector<std::int64_t> complete_;           // steps
};

}  // namespace lbm::cases
