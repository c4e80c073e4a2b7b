// SPDX-License-Identifier: Apache-2.0

// The log of a run in its directory: what the terminal shows, with the time of day.
#pragma once

#include <mutex>
#include <string>

#include "io/files/place.hpp"

namespace lbm::cases {

// Any thread may call it. A log that cannot be written never ends a run: it stops growing.
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
