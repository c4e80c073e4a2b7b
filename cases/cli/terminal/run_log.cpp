// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/terminal/run_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

namespace lbm::cases {
namespace {

// "2026-11-25 14:33:10 "
std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  localtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S ", &parts);
  return {text.data(), size};
}

}  // namespace

void RunLog::open(const io::Place& place) {
  const std::scoped_lock lock(mutex_);
  if (opened_) return;
  opened_ = true;
  file_ = place.open(O_WRONLY | O_APPEND | O_CREAT);
  write(waiting_);
  waiting_.clear();
}

void RunLog::add(const std::string& lines) {
  std::string text;
  const std::string time = now();
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    text += time + lines.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  const std::scoped_lock lock(mutex_);
  if (opened_) {
    write(text);
  } else {
    waiting_ += text;
  }
}

void RunLog::write(const std::string& text) {
  for (std::size_t at = 0; at < text.size() && file_.valid();) {
    const auto written = ::write(file_.get(), text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) file_ = io::UniqueFd();
    if (written > 0) at += static_cast<std::size_t>(written);
  }
}

}  // namespace lbm::cases
