// SPDX-License-Identifier: Apache-2.0
#include "io/text/csv.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;  // bytes

// Texts above a table.
std::string commented(const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) {
    std::istringstream lines(comment);
    for (std::string line; std::getline(lines, line);) text.append("# ").append(line).append("\n");
  }
  return text;
}

// The step of a complete row; empty for any other line.
std::optional<std::int64_t> step_of(const std::string& line) {
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  if (error != std::errc() || end == line.data() + line.size() || *end != ',') return std::nullopt;
  return step;
}

// The file that an earlier run wrote.
struct EarlierRows {
  std::size_t names = 0;  // in its header
  std::uint64_t end = 0;  // offset of the first row after the step, in bytes
};

std::size_t names_in(const std::string& header) {
  return static_cast<std::size_t>(std::count(header.begin(), header.end(), ',')) + 1;
}

// True if the header has all of these names, or only the first ones (at least step, time and a
// value).
bool begins_with(const std::string& names, const std::string& header) {
  return names_in(header) >= 3 && (names + ",").rfind(header + ",", 0) == 0;
}

// A killed run or a power cut may leave an incomplete last row. Rows up to the step of a checkpoint
// were on the disk before the checkpoint.
EarlierRows earlier_rows(const std::filesystem::path& path, const std::string& header,
                         std::int64_t step) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::uint64_t at = 0;
  std::optional<std::uint64_t> end;
  EarlierRows rows;
  const auto refuse = [&](const char* why) {
    throw UsageError(
        fmt::format("{}: cannot be continued: {}; move the file away, or choose another --out",
                    path.string(), why));
  };
  for (; std::getline(file, line); at += line.size() + 1) {
    if (rows.names == 0) {
      if (!line.empty() && line[0] == '#') continue;
      if (!begins_with(header, line) || file.eof()) refuse("it has other columns");
      rows.names = names_in(line);
      continue;
    }
    const auto row = file.eof() ? std::nullopt : step_of(line);
    if (row && *row <= step && end) refuse("its rows are in disorder");
    if ((!row || *row > step) && !end) end = at;
  }
  if (rows.names == 0) refuse("it has no line of names");
  rows.end = end.value_or(at);
  return rows;
}

}  // namespace

std::string csv_text(const CsvTable& table) {
  const std::size_t columns = table.columns.size();
  const std::size_t rows = table.data.empty() ? 0 : table.data[0].size();
  const auto has_rows = [&](const auto& column) { return column.size() == rows; };
  if (table.data.size() != columns || !std::ranges::all_of(table.data, has_rows))
    throw std::invalid_argument("CSV: columns of different lengths, or not as many as names");
  std::string text =
      fmt::format("{}{}\n", commented(table.comments), fmt::join(table.columns, ","));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      char number[32];
      char* const end = std::to_chars(number, std::end(number), table.data[c][row]).ptr;
      text.append(c > 0 ? "," : "").append(number, end);
    }
    text += '\n';
  }
  return text;
}

CsvLog::CsvLog(Place place, const std::vector<std::string>& comments,
               const std::vector<std::string>& columns, bool continues)
    : place_(std::move(place)),
      columns_(columns.size()),
      written_(columns.size()),
      header_(fmt::format("{}", fmt::join(columns, ","))),
      waiting_(continues) {
  text_ = commented(comments) + header_ + "\n";
  if (!continues) create();
}

void CsvLog::continue_after(std::int64_t step) {
  std::error_code ec;
  const bool there = std::filesystem::exists(path(), ec);
  const EarlierRows rows = there ? earlier_rows(path(), header_, step) : EarlierRows{};
  waiting_ = false;
  if (!there) return create();
  const UniqueFd fd = place_.open(O_WRONLY);
  if (!fd.valid() || ::ftruncate(fd.get(), static_cast<off_t>(rows.end)) != 0) fail(errno);
  written_ = rows.names;
  end_ = rows.end;
  text_.clear();
  synced_ = false;
}

void CsvLog::add(std::int64_t step, double time, std::span<const double> values) {
  if (values.size() + 2 != columns_) {
    throw std::invalid_argument("CsvLog: as many values as columns after step and time");
  }
  text_ += fmt::format("{},{},{}\n", step, time, fmt::join(values.first(written_ - 2), ","));
  if (text_.size() >= piece || Clock::now() - appended_ >= longest_wait_) flush();
}

void CsvLog::flush() {
  if (!waiting_ && !text_.empty()) append_to(place_.open(O_WRONLY | O_CREAT));
}

void CsvLog::create() {
  end_ = 0;
  append_to(place_.create());
}

// Rows that could not be written stay in memory. The next try begins at the same offset, over what
// the first one may have left there.
void CsvLog::append_to(const UniqueFd& fd) {
  synced_ = false;
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) fail(errno);
  end_ = std::min(end_, static_cast<std::uint64_t>(status.st_size));  // somebody may have cut it
  if (const int error = write_at(fd.get(), std::as_bytes(std::span(text_)), end_)) fail(error);
  end_ += text_.size();
  text_.clear();
  appended_ = Clock::now();
}

void CsvLog::sync() {
  flush();
  if (synced_) return;
  const UniqueFd fd = place_.open(O_RDONLY);
  if (!fd.valid()) fail(errno);
  if (const int error = sync_to_disk(fd.get())) fail(error);
  synced_ = true;
}

void CsvLog::fail(int error) const {
  const char* const usual = error == ENOENT
                                ? "; the directory was moved or removed during the run"
                                : "; free space on the disk or choose another output.directory";
  throw ResourceError(fmt::format("{}: cannot write: {}{}", path().string(), std::strerror(error),
                                  remedy_of(error, usual)));
}

}  // namespace lbm::io
