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
constexpr std::chrono::seconds window{30};  // of the speed that is shown

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
      next_(Clock::now() + (terminal_ ? redraw_every : line_every)) {}

void Progress::update(double steps_done) {
  done_ = std::min(steps_done, to_do_);
  const auto now = Clock::now();
  if (quiet_) return;
  // The time before the first step is that of set-up.
  if (samples_.empty() && done_ > 0) samples_.push_back({now, done_});
  if (now < next_) return;
  next_ = now + (terminal_ ? redraw_every : std::chrono::milliseconds(line_every));
  take(now);
  draw();
}

void Progress::take(Clock::time_point now) {
  samples_.push_back({now, done_});
  while (samples_.size() > 2 && now - samples_[1].at > window) samples_.pop_front();
}

void Progress::draw() {
  const double fraction = done_ / to_do_;
  std::string numbers =
      fmt::format("{:3.0f} %  step {} of {}", 100 * fraction,
                  static_cast<std::int64_t>(fraction * static_cast<double>(steps_)), steps_);
  const auto& [begin, before] = samples_.front();
  const double seconds = std::chrono::duration<double>(samples_.back().at - begin).count();
  if (done_ > before && seconds > 0) {
    const double speed = (done_ - before) / seconds;
    numbers += fmt::format("  {:.0f} MLUPS  {} left", 1e-6 * speed * cells_,
                           duration((to_do_ - done_) / speed));
  }
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
  take(Clock::now());
  draw();
  print_to(stream_, "\n");
  drawn_ = false;
}

}  // namespace lbm::cases
