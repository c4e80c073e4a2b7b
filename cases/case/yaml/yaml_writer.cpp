// SPDX-License-Identifier: Apache-2.0
#include "cases/case/yaml/yaml_writer.hpp"

#include <vector>

#include "cases/case/schema/keys.hpp"

namespace lbm::cases {

std::string to_yaml(const Case& lbm_case) {
  std::string yaml;
  std::vector<std::string> open;  // open groups after the last line
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    const std::string value = key.write(lbm_case, item);
    if (value.empty()) return;
    const std::vector<std::string> names = names_of(path);
    std::size_t shared = 0;
    while (shared < open.size() && shared + 1 < names.size() && open[shared] == names[shared]) {
      ++shared;
    }
    open.resize(shared);
    for (; open.size() + 1 < names.size(); open.push_back(names[open.size()])) {
      yaml += std::string(2 * open.size(), ' ') + names[open.size()] + ":\n";
    }
    yaml += std::string(2 * open.size(), ' ') + names.back() + ": " + value + "\n";
  });
  return yaml;
}

}  // namespace lbm::cases
