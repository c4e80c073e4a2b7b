#include "cases/app/yaml_reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cases/app/keys.hpp"
#include "cases/app/scalars.hpp"
#include "cases/app/validate.hpp"
#include "cases/app/yaml_tree.hpp"
#include "solver/core/error.hpp"

namespace lbm::app {
namespace {

constexpr std::size_t max_file_bytes = 1 << 20;

std::string read_text(const std::string& path) {
  const std::string name = one_line(path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(name + ": is a directory, must be a case file (.yaml)");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int error = errno;
    throw UsageError(fmt::format("{}: cannot read the case file: {}", name,
                                 error ? std::strerror(error) : "unknown reason"));
  }
  // One byte past the limit tells a file that is too long, /dev/zero included.
  std::string text(max_file_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw UsageError(name + ": cannot read the case file: input error");
  if (text.size() > max_file_bytes) {
    throw UsageError(name + ": the file is larger than 1 MiB, must be a case file (.yaml)");
  }
  return text;
}

void record_origin(const std::string& path, const Entry& entry, Case& out) {
  if (entry.override_text.empty()) {
    out.lines[path] = entry.line;
  } else {
    out.overridden.insert(path);
  }
}

// "--set run.steps=10" on a file with run.convective_times means instead of it, not beside it.
void drop_alternatives(Entries& entries) {
  for (const auto& [a, b] : exclusive_keys()) {
    const auto first = entries.find(a);
    const auto second = entries.find(b);
    if (first == entries.end() || second == entries.end()) continue;
    const bool first_set = !first->second.override_text.empty();
    const bool second_set = !second->second.override_text.empty();
    if (first_set != second_set) entries.erase(first_set ? second : first);
  }
}

}  // namespace

Case parse_case(const std::string& text, const std::string& file,
                const std::vector<std::string>& overrides) {
  Entries entries = parse_entries(text, file);
  for (const std::string& override_text : overrides) apply_override(entries, override_text);
  drop_alternatives(entries);
  Case result;
  result.file = file;
  // In the order of the table: the long form of a boundary comes after its shorthand.
  for (const Key& key : keys()) {
    const auto entry = entries.find(key.path);
    if (entry == entries.end()) continue;
    record_origin(key.path, entry->second, result);
    if (!key.read(entry->second.node, result)) {
      throw UsageError(fmt::format("{}: found {}, {}",
                                   origin(one_line(file), key.path, entry->second),
                                   found(entry->second.node), must_be(key)));
    }
  }
  validate_structure(result);
  return result;
}

Case read_case(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_case(read_text(path), path, overrides);
}

}  // namespace lbm::app
