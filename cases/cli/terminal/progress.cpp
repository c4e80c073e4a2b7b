#include "cases/cli/terminal/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cases/cli/terminal/print.hpp"

namespace lbm::cases {
namespace {

constexpr std::chrono::milliseconds redraw_every{200};
constexpr std::chrono::seconds line_every{5};

std::string duration(double seconds) {
  const auto s = std::llround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02d} min", s / 60, s % 60);
  return fmt::format("{}:{:02d} h", s / 3600, s / 60 % 60);
}

}  // namespace

Progress::Progress(std::FILE* stream, bool quiet, std::int64_t steps, std::int64_t to_do,
                   std::int64_t cells)
    : stream_(stream),
      quiet_(quiet),
      terminal_(isatty(fileno(stream)) != 0),
      steps_(steps),
      to_do_(static_cast<double>(std::max<std::int64_t>(to_do, 1))),
      cells_(static_cast<double>(cells)),
      begin_(std::chrono::steady_clock::now()),
      next_(begin_ + (terminal_ ? redraw_every : line_every)) {}

void Progress::update(double steps_done) {
  done_ = std::min(steps_done, to_do_);
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || now < next_) return;
  next_ = now + (terminal_ ? redraw_every : std::chrono::milliseconds(line_every));
  draw(std::chrono::duration<double>(now - begin_).count());
}

void Progress::draw(double seconds) {
  const double fraction = done_ / to_do_;
  const double mlups = 1e-6 * done_ * cells_ / seconds;
  const std::string numbers =
      fmt::format("{:3.0f} %  step {} of {}  {:.0f} MLUPS  {} left", 100 * fraction,
                  static_cast<std::int64_t>(fraction * static_cast<double>(steps_)), steps_, mlups,
                  duration(seconds * (1 - fraction) / std::max(fraction, 1e-9)));
  if (terminal_) {
    constexpr int width = 28;
    const int full = static_cast<int>(fraction * width);
    print_to(stream_, "\r\033[K[{:=<{}}{: <{}}] {}", "", full, "", width - full, numbers);
    drawn_ = true;
  } else {
    print_to(stream_, "{}\n", numbers);
  }
  flush(stream_);
}

void Progress::finish() {
  if (!drawn_) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  draw(spent.count());
  print_to(stream_, "\n");
  drawn_ = false;
}

}  // namespace lbm::cases
