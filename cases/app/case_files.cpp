#include "cases/app/case_files.hpp"

#include <filesystem>

namespace lbm::app {

std::string path_of(const Case& lbm_case, const std::string& file) {
  return (std::filesystem::path(lbm_case.file).parent_path() / file).string();
}

}  // namespace lbm::app
