// SPDX-License-Identifier: Apache-2.0
#include "cases/case/read/read_case.hpp"

#include "cases/case/bodies/body_image.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/case/yaml/odd_characters.hpp"
#include "cases/case/yaml/yaml_document.hpp"
#include "cases/case/yaml/yaml_reader.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Sets grid.cells where the case gives a size or an image instead.
void complete(Case& lbm_case) {
  validate_structure(lbm_case);
  resolve_grid(lbm_case);
  resolve_image_grid(lbm_case);
}

Case case_in(const std::string& text, const std::string& file,
             const std::vector<std::string>& overrides, std::size_t max_nodes) {
  try {
    Case result = values_in(entries_in(text, file, overrides, max_nodes), file);
    complete(result);
    return result;
  } catch (const UsageError& error) {
    const std::string odd = odd_characters_at(error.what(), text, file);
    if (odd.empty()) throw;
    throw UsageError(error.what() + odd);
  }
}

}  // namespace

Case case_of(const Entries& entries, const std::string& file) {
  Case result = values_in(entries, file);
  complete(result);
  return result;
}

// A case that was saved has all defaults, too, each of which takes more than 8 bytes.
Case parse_case(const std::string& text, const std::string& file,
                const std::vector<std::string>& overrides) {
  return case_in(text, file, overrides, max_file_nodes + text.size() / 8);
}

Case read_case(const std::string& path, const std::vector<std::string>& overrides) {
  return case_in(read_case_text(path), path, overrides, max_file_nodes);
}

}  // namespace lbm::cases
