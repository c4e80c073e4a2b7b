// SPDX-License-Identifier: Apache-2.0
#include "io/text/series_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "io/files/input_file.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

// Files without an entry in the index are few, and not for long.
constexpr std::chrono::seconds longest_wait{5};

// True if two times belong to the same step. A restarted run may compute the time of a step with
// another rounding; times of different steps differ by more.
bool same_time(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

bool is_plain(char c) {
  return std::iscntrl(static_cast<unsigned char>(c)) == 0 &&
         std::string_view("\"\\<>&").find(c) == std::string_view::npos;
}

}  // namespace

Json SeriesWriter::index_of(const std::vector<Entry>& entries) {
  Json index{{"file-series-version", "1.0"}, {"files", Json::array()}};
  for (const auto& [name, time] : entries)
    index["files"].push_back({{"name", name}, {"time", time}});
  return index;
}

std::string SeriesWriter::text_of(const std::vector<Entry>& entries) const {
  if (path().extension() == ".pvd") {
    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n";
    for (const auto& [name, time] : entries)
      text += fmt::format("    <DataSet file=\"{}\" part=\"0\" timestep=\"{}\"/>\n", name, time);
    return text + "  </Collection>\n</VTKFile>\n";
  }
  return json_text(index_of(entries));
}

// Parses only names and times: the second and the sixth part between quotes of a line. The entries,
// written again, must give the same text: a file that lbm wrote does.
std::optional<std::vector<SeriesWriter::Entry>> SeriesWriter::read_pvd() const {
  std::ifstream file(path(), std::ios::binary);
  std::string text;
  std::vector<Entry> entries;
  for (std::string line; std::getline(file, line); text += line + "\n") {
    if (!line.starts_with("    <DataSet")) continue;
    std::istringstream quoted(line);
    std::array<std::string, 6> parts;
    for (std::string& part : parts) std::getline(quoted, part, '"');
    entries.push_back({parts[1], number_of(parts[5]).value_or(std::nan(""))});
  }
  if (text_of(entries) != text) return std::nullopt;
  return entries;
}

std::optional<std::vector<SeriesWriter::Entry>> SeriesWriter::read_json() const {
  std::vector<Entry> entries;
  const Json index = io::read_json(path());
  for (const Json& entry : member(index, "files")) {
    const auto time = io::number_in(member(entry, "time"));
    entries.push_back({text_in(member(entry, "name")), time.value_or(std::nan(""))});
  }
  if (index_of(entries) != index) return std::nullopt;
  return entries;
}

std::vector<SeriesWriter::Entry> SeriesWriter::read() const {
  std::optional<std::vector<Entry>> entries;
  try {
    entries = path().extension() == ".pvd" ? read_pvd() : read_json();
  } catch (const UsageError&) {  // not JSON
  }
  if (entries) return *entries;
  throw UsageError(fmt::format(
      "{}: cannot go on with this index: it is damaged, or no index that lbm wrote; restore it, "
      "or move it away to start a new one",
      path().string()));
}

void SeriesWriter::continue_after(double time) {
  std::error_code error;
  entries_.clear();
  if (std::filesystem::status(path(), error).type() == std::filesystem::file_type::not_found)
    return;
  std::vector<Entry> before = read();
  for (Entry& entry : before)
    if (entry.time <= time || same_time(entry.time, time)) entries_.push_back(std::move(entry));
  if (entries_.size() < before.size()) write_file_atomically(place_, text_of(entries_));
}

void SeriesWriter::add(const std::string& name, double time) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_plain) || !std::isfinite(time))
    throw std::invalid_argument(fmt::format("no entry '{}' of time {}", name, time));
  const auto at = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
                    return entry.time < time && !same_time(entry.time, time);
                  }).base();
  const bool replaces = at != entries_.end() && same_time(at->time, time);
  if (replaces) {
    at->name = name;
  } else {
    entries_.insert(at, {name, time});
  }
  ++waiting_;
  const bool many = waiting_ * 50 >= entries_.size();
  if (many || std::chrono::steady_clock::now() - written_ > longest_wait) flush();
}

void SeriesWriter::flush() {
  if (waiting_ == 0) return;
  write_file_atomically(place_, text_of(entries_));
  waiting_ = 0;
  written_ = std::chrono::steady_clock::now();
}

SeriesWriter::~SeriesWriter() {
  try {
    flush();
  } catch (const std::exception&) {  // flush() is for those who want to know
  }
}

}  // namespace lbm::io
