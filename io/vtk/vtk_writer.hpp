// SPDX-License-Identifier: Apache-2.0

// Base of the writers of VTK's formats. Internal to lbm_vtk: this header needs VTK.
#pragma once

#include <memory>
#include <vector>

#include "io/image/planes_seen.hpp"
#include "io/vtk/vtk_data.hpp"
#include "io/vtk/vtk_files.hpp"

namespace lbm::io {

// Collects planes into pieces of an image. The first failure ends it and removes its files.
class VtkWriter : public ImageWriter {
 public:
  VtkWriter(Place stem, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
            FieldInfo info, ZPieces pieces);

  void write_plane(int z, std::span<const std::span<const float>> arrays) final;
  void close() final;

 protected:
  // Takes the pieces that a plane has completed.
  virtual void take(const std::vector<PieceBuffers::Piece>& complete) = 0;
  // Called after the last plane; renames the files.
  virtual void finish() = 0;

  Place stem_;
  std::vector<ArrayInfo> arrays_;
  FieldInfo info_;
  std::unique_ptr<VtkFiles> files_;  // null after close or failure

 private:
  void check_open() const;
  void end();

  PlanesSeen seen_;
  std::unique_ptr<PieceBuffers> buffers_;  // null after close or failure
};

}  // namespace lbm::io
