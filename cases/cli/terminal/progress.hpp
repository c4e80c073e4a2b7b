// SPDX-License-Identifier: Apache-2.0

// Text for standard output and standard error; how far a run is: on the terminal, and in the log of
// its directory. A stream that takes no more text (a full disk, a reader that has gone) must not
// end a run of days: the error is kept, and main() reports it.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/place.hpp"

namespace lbm::cases {

// Opens /dev/null in the place of standard streams that are closed: otherwise the next file that is
// opened would take their number, and the text with it. Text for a standard output that was closed
// counts as lost. Call it before any file is opened.
void open_standard_streams();

void write_text(std::FILE* stream, std::string_view text);

template <class... Args>
void print_to(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  write_text(stream, fmt::format(format, std::forward<Args>(args)...));
}

void flush(std::FILE* stream);

// Flushes and closes standard output. Throws ResourceError if any of its text was lost.
void close_standard_output();

// On a terminal a bar, which redraws itself; elsewhere a line now and then.
class Progress {
 public:
  // stream: stdout or stderr. quiet: shows nothing, but logs. steps: of the case, those before a
  // restart included. to_do: steps of this run. cells: of the grid. flow: what else to show,
  // log: takes a line now and then. Both may be null, and are called by update() and finish().
  struct Calls {
    std::function<std::string()> flow;
    std::function<void(const std::string&)> log;
  };
  Progress(std::FILE* stream, bool quiet, std::int64_t steps, std::int64_t to_do,
           std::int64_t cells, Calls calls = {});

  // Steps of this run so far; fractions are parts of a sweep.
  void update(double steps_done);
  // Removes the bar from the terminal: something else is printed. The next update draws it again.
  void make_way();
  // Ends the bar's line.
  void finish();
  // "91 %  step 3207 of 3520  84 MLUPS  4 s left", as of the last update.
  std::string text() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Sample {
    Clock::time_point at;
    double steps = 0;
  };
  void take(Clock::time_point now);
  double share() const;  // of all steps of the case
  void draw(const std::string& text);

  std::FILE* stream_;
  bool quiet_, terminal_;
  std::int64_t steps_;
  double first_;  // step at which this run begins
  double to_do_, cells_;
  double done_ = 0;
  Calls calls_;
  Clock::time_point next_, next_log_;
  std::deque<Sample> samples_;  // of the last seconds; speeds are those since the oldest one
  bool drawn_ = false;          // the bar is on the terminal
};

// The log: what the terminal shows, with the time of day. Any thread may call it. A log that cannot
// be written never ends a run: it stops growing.
class RunLog {
 public:
  // Appends to the file, which is made if needed; first the lines so far.
  void open(const io::Place& place);
  // Lines of text, each with the time in front.
  void add(const std::string& lines);

 private:
  void write(const std::string& text);

  std::mutex mutex_;
  std::string waiting_;  // until open()
  bool opened_ = false;
  io::UniqueFd file_;
};

}  // namespace lbm::cases
