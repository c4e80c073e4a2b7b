// SPDX-License-Identifier: Apache-2.0
#include "cases/case/read/case_values.hpp"

#include "cases/case/case_files.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/yaml/yaml_reader.hpp"
#include "cases/case/yaml/yaml_tree.hpp"

namespace lbm::cases {

std::vector<CaseValue> values_of(const Case& lbm_case) {
  Case given = lbm_case;
  if (given.grid.size) given.grid.cells = {0, 0, 0};
  std::vector<CaseValue> values;
  for_each_key(given, [&](const Key& key, const std::string& path, std::size_t item) {
    std::string yaml = key.write(given, item);
    if (!yaml.empty()) values.push_back({path, std::move(yaml), key.type});
  });
  return values;
}

Case case_from_values(const std::vector<CaseValue>& values) {
  Entries entries;
  for (const CaseValue& value : values) add_value(entries, value.path, value.yaml);
  return case_of(entries, "");
}

CaseValue checked_value(const std::string& path, const std::string& yaml) {
  Entries entries;
  add_value(entries, path, yaml);
  const Case scratch = values_in(entries, "");
  const Key* key = find_key(path);
  return key ? CaseValue{path, key->write(scratch), key->type} : CaseValue{path, "", ""};
}

Case without_file(const Case& lbm_case) {
  return case_from_values(values_of(with_whole_paths(lbm_case)));
}

}  // namespace lbm::cases
