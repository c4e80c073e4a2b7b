// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_file.hpp"

#include <utility>

#include "io/surface/surface_reader.hpp"

namespace lbm::geometry {

PreparedMesh load_mesh(const std::filesystem::path& path, const std::vector<std::string>& solids,
                       const PrepareOptions& options) {
  io::Surface surface = io::read_surface(path, {solids, options.limit});
  const Mesh mesh{std::move(surface.points), std::move(surface.triangles)};
  return prepare_mesh(mesh, path.string(), options);
}

}  // namespace lbm::geometry
