// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/terminal/progress.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

int lost = 0;  // the first errno of standard output

void keep_error(std::FILE* stream) {
  if (stream == stdout && lost == 0) lost = errno != 0 ? errno : EIO;
}

constexpr const char* erase = "\r\033[J";  // to the line's begin; clears it
constexpr std::chrono::milliseconds redraw_every{200};
constexpr std::chrono::seconds line_every{5};
constexpr std::chrono::seconds log_every{30};
constexpr std::chrono::seconds window{30};  // of the speed that is shown

std::string duration(double seconds) {
  const auto s = std::llround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02d} min", s / 60, s % 60);
  return fmt::format("{}:{:02d} h", s / 3600, s / 60 % 60);
}

std::size_t columns(int terminal) {
  winsize size{};
  const bool known = ::ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  return known ? size.ws_col : 80;
}

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // Takes the lowest free number, which is that of the stream. Text for a closed standard output
    // is lost, and found so: a file open for reading takes none.
    if (::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR) != stream) return;
  }
}

void write_text(std::FILE* stream, std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size()) keep_error(stream);
}

void flush(std::FILE* stream) {
  errno = 0;
  if (std::fflush(stream) != 0) keep_error(stream);
}

void close_standard_output() {
  if (std::ferror(stdout) != 0) keep_error(stdout);  // of libraries
  errno = 0;
  if (std::fclose(stdout) != 0) keep_error(stdout);
  if (lost == 0) return;
  throw ResourceError(
      fmt::format("standard output: cannot write: {}; the printed text is incomplete: free some "
                  "space, or send it elsewhere",
                  std::strerror(lost)));
}

Progress::Progress(std::FILE* stream, bool quiet, std::int64_t steps, std::int64_t to_do,
                   std::int64_t cells, Calls calls)
    : stream_(stream),
      quiet_(quiet),
      terminal_(isatty(fileno(stream)) != 0),
      steps_(steps),
      first_(static_cast<double>(steps - to_do)),
      to_do_(static_cast<double>(std::max<std::int64_t>(to_do, 1))),
      cells_(static_cast<double>(cells)),
      calls_(std::move(calls)),
      next_(Clock::now() + (terminal_ ? redraw_every : line_every)),
      next_log_(Clock::now() + log_every) {}

void Progress::update(double steps_done) {
  done_ = std::min(steps_done, to_do_);
  const auto now = Clock::now();
  // The time before the first step is that of set-up.
  if (samples_.empty() && done_ > 0) samples_.push_back({now, done_});
  const bool logs = calls_.log && now >= next_log_;
  const bool shows = !quiet_ && now >= next_;
  if (!logs && !shows) return;
  take(now);
  const std::string line = text();
  if (logs) {
    next_log_ = now + log_every;
    calls_.log(line);
  }
  if (shows) {
    next_ = now + (terminal_ ? redraw_every : std::chrono::milliseconds(line_every));
    draw(line);
  }
}

void Progress::take(Clock::time_point now) {
  samples_.push_back({now, done_});
  while (samples_.size() > 2 && now - samples_[1].at > window) samples_.pop_front();
}

double Progress::share() const {
  return std::min(1.0, (first_ + done_) / static_cast<double>(std::max<std::int64_t>(steps_, 1)));
}

std::string Progress::text() const {
  std::string text = fmt::format("{:3.0f} %  step {} of {}", 100 * share(),
                                 static_cast<std::int64_t>(first_ + done_), steps_);
  const auto& [begin, before] = samples_.front();
  const double seconds = std::chrono::duration<double>(samples_.back().at - begin).count();
  if (done_ > before && seconds > 0) {
    const double speed = (done_ - before) / seconds;
    text += fmt::format("  {:.0f} MLUPS  {} left", 1e-6 * speed * cells_,
                        duration((to_do_ - done_) / speed));
  }
  const std::string flow = calls_.flow ? calls_.flow() : "";
  return flow.empty() ? text : text + "  " + flow;
}

void Progress::draw(const std::string& text) {
  if (!terminal_) {
    print_to(stream_, "{}\n", text);
    flush(stream_);
    return;
  }
  // A line that is too long for the terminal could not be redrawn.
  const std::size_t width = columns(fileno(stream_)) - 1;
  constexpr std::size_t bar = 28;
  const auto full = static_cast<std::size_t>(share() * bar);
  print_to(stream_, "{}{}", drawn_ ? erase : "",
           text.size() + bar + 3 <= width
               ? fmt::format("[{:=<{}}{: <{}}] {}", "", full, "", bar - full, text)
               : text.substr(0, width));
  drawn_ = true;
  flush(stream_);
}

void Progress::make_way() {
  if (drawn_) print_to(stream_, "{}", erase);
  flush(stream_);
  drawn_ = false;
}

void Progress::finish() {
  if (!drawn_) return;
  take(Clock::now());
  draw(text());
  print_to(stream_, "\n");
  drawn_ = false;
}

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
  const std::string time = fmt::format("{:%Y-%m-%d %H:%M:%S} ", fmt::localtime(std::time(nullptr)));
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
  if (file_.valid() && io::write_all(file_.get(), text) != 0) file_ = io::UniqueFd();
}

}  // namespace lbm::cases
