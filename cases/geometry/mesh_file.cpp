#include "cases/geometry/mesh_file.hpp"

#include "io/stl/stl_reader.hpp"

namespace lbm::geometry {

PreparedMesh load_mesh(const std::filesystem::path& path) {
  return prepare_mesh(io::read_stl(path), path.string());
}

}  // namespace lbm::geometry
