#include "io/csv_log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;  // bytes

}  // namespace

CsvLog::CsvLog(std::filesystem::path path, const std::vector<std::string>& comments,
               const std::vector<std::string>& columns)
    : path_(std::move(path)), columns_(columns.size()) {
  for (const std::string& line : comments) text_ += "# " + line + "\n";
  text_ += fmt::format("{}\n", fmt::join(columns, ","));
  append("w");
}

void CsvLog::add(std::int64_t step, double time, std::span<const double> values) {
  if (values.size() + 2 != columns_) {
    throw std::invalid_argument("CsvLog: as many values as columns after step and time");
  }
  text_ += fmt::format("{},{},{}\n", step, time, fmt::join(values, ","));
  if (text_.size() >= piece) flush();
}

void CsvLog::flush() {
  if (!text_.empty()) append("a");
}

void CsvLog::append(const char* mode) {
  const auto close = [](std::FILE* f) { std::fclose(f); };
  errno = 0;
  std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path_.c_str(), mode), close);
  const bool written =
      file && std::fwrite(text_.data(), 1, text_.size(), file.get()) == text_.size();
  if (!written || std::fflush(file.get()) != 0) {
    throw ResourceError(
        fmt::format("{}: cannot write: {}; free space on the disk or choose another "
                    "output.directory",
                    path_.string(), std::strerror(errno)));
  }
  text_.clear();
}

}  // namespace lbm::io
