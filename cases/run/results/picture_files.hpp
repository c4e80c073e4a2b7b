// SPDX-License-Identifier: Apache-2.0

// The data of a series of pictures: NAME_000001200.picture, which Python draws as
// NAME_000001200.png and removes (python/lbm/pictures). A file is a line of JSON, the head, and
// then little-endian float32: the numbers of PictureValues, or the points of SurfaceFile; both in
// lattice units.
#pragma once

#include <string>
#include <vector>

#include "cases/run/records/notices.hpp"
#include "cases/run/results/field_files.hpp"

namespace lbm::cases {

// The picture as an output of fields: its cells and times, and the fields that it needs, in lattice
// units.
FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Bytes of one picture without compression, more than the file will have, and of the data of a
// slice or projection; those of a surface are unknown.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Host memory of all pictures that lack planes.
std::uint64_t pictures_bytes(const Case& lbm_case, const Derived& derived);

class PictureFiles final : public PlaneFiles {
 public:
  PictureFiles(const ResultContext& context, const Picture& picture, Notices& notices);

  // Those of the data where they are there, otherwise those of the pictures.
  std::vector<std::string> files() const override;
  std::uint64_t host_bytes() const override;
  void finish(std::int64_t step) override;
  std::string state_name() const override { return "pictures." + picture_.name; }
  void continue_files(std::int64_t step) override;

 private:
  std::unique_ptr<io::ImageWriter> open(std::int64_t step) override;
  void complete(io::ImageWriter& file, std::int64_t step) override;
  std::string head(std::int64_t step) const;
  io::Place file(std::int64_t step) const;

  const Picture& picture_;
  FileUnits units_;  // of the picture
  Notices& notices_;
  bool any_above_ = false, any_below_ = false;  // of an isosurface: sides of all pictures
  std::vector<std::int64_t> complete_;          // steps
};

}  // namespace lbm::cases
