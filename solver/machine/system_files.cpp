// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/system_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lbm {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string value_in(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.substr(0, key.size()) != key || line.size() == key.size()) continue;
    const std::string_view rest = line.substr(key.size());
    if (std::string_view(":= \t").find(rest.front()) != std::string_view::npos) {
      return std::string(trimmed(rest.substr(1)));
    }
  }
  return "";
}

std::optional<std::uint64_t> bytes_in(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  const std::string_view unit = trimmed(text.substr(end - text.data()));
  return unit.substr(0, 2) == "kB" ? value * 1024 : value;
}

SystemFiles SystemFiles::here() {
  const char* const root = std::getenv("LBM_SYSTEM_ROOT");
  return SystemFiles(root == nullptr ? "" : root);
}

std::string SystemFiles::text(const std::string& path) const {
  std::ifstream file(root_ + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string SystemFiles::line(const std::string& path) const {
  const std::string all = text(path);
  return std::string(trimmed(std::string_view(all).substr(0, all.find('\n'))));
}

std::optional<std::uint64_t> SystemFiles::number(const std::string& path) const {
  const std::string words = line(path);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
  if (error != std::errc{} || end != words.data() + words.size()) return {};
  return value;
}

std::string SystemFiles::value(const std::string& path, std::string_view key) const {
  return value_in(text(path), key);
}

std::vector<std::string> SystemFiles::names(const std::string& directory) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(root_ + directory, error), end; !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lbm
