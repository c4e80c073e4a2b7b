// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_writer.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace lbm::io {

VtkWriter::VtkWriter(Place stem, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                     FieldInfo info, ZPieces pieces)
    : stem_(std::move(stem)),
      arrays_(arrays.begin(), arrays.end()),
      info_(std::move(info)),
      files_(std::make_unique<VtkFiles>()),
      seen_(geometry, arrays),
      buffers_(std::make_unique<PieceBuffers>(geometry, arrays, pieces)) {}

void VtkWriter::write_plane(int z, std::span<const std::span<const float>> arrays) {
  check_open();
  seen_.check(z, arrays);
  try {
    take(buffers_->add(z, arrays));
  } catch (...) {
    end();
    throw;
  }
  seen_.add(z);
}

void VtkWriter::close() {
  check_open();
  seen_.check_complete();
  try {
    finish();
  } catch (...) {
    end();
    throw;
  }
  end();
}

void VtkWriter::check_open() const {
  if (!files_)
    throw std::logic_error(fmt::format("{}: already closed, or failed", path().string()));
}

void VtkWriter::end() {
  files_.reset();
  buffers_.reset();
}

}  // namespace lbm::io
