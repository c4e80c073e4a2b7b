// SPDX-License-Identifier: Apache-2.0
#include "cases/case/case_files.hpp"

#include <algorithm>
#include <filesystem>

namespace lbm::cases {
namespace {

// act(file) for each name of a file, empty ones included.
template <class AnyCase, class Act>
void for_each_file(AnyCase& lbm_case, const Act& act) {
  for (auto& face : lbm_case.faces) {
    act(face.file);
    for (auto& patch : face.patches) act(patch.file);
  }
  for (auto& body : lbm_case.bodies) act(body.file);
  act(lbm_case.initial.file);
  for (auto& expected : lbm_case.expect) act(expected.file);
}

}  // namespace

std::string path_of(const Case& lbm_case, const std::string& file) {
  return (std::filesystem::path(lbm_case.file).parent_path() / file).string();
}

std::vector<std::string> files_of(const Case& lbm_case) {
  std::vector<std::string> files;
  for_each_file(lbm_case, [&](const std::string& file) {
    const bool known = std::find(files.begin(), files.end(), file) != files.end();
    if (!file.empty() && !known) files.push_back(file);
  });
  return files;
}

Case with_whole_paths(Case lbm_case) {
  for_each_file(lbm_case, [&](std::string& file) {
    if (!file.empty()) file = std::filesystem::absolute(path_of(lbm_case, file)).string();
  });
  return lbm_case;
}

}  // namespace lbm::cases
