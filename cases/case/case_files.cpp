#include "cases/case/case_files.hpp"

#include <filesystem>

namespace lbm::cases {

std::string path_of(const Case& lbm_case, const std::string& file) {
  return (std::filesystem::path(lbm_case.file).parent_path() / file).string();
}

Case with_whole_paths(Case lbm_case) {
  const auto make_whole = [&](std::string& file) {
    if (!file.empty()) file = std::filesystem::absolute(path_of(lbm_case, file)).string();
  };
  for (Face& face : lbm_case.faces) {
    make_whole(face.file);
    for (Patch& patch : face.patches) make_whole(patch.file);
  }
  for (Body& body : lbm_case.bodies) make_whole(body.file);
  make_whole(lbm_case.initial.file);
  for (Expectation& expected : lbm_case.expect) make_whole(expected.file);
  return lbm_case;
}

}  // namespace lbm::cases
