// SPDX-License-Identifier: Apache-2.0

// The Python package beside this program: it draws pictures, shows runs and writes reports.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// A word of a shell's command.
std::string shell_word(const std::string& word);

// The start of a shell's command: a Python that has these modules. Only the one that LBM_PYTHON
// names; without it that of the build or environment of this program, or the one on PATH. Empty:
// none.
std::string find_python(const std::vector<std::string>& modules);

// The same for drawing; empty for a case without pictures.
std::string python_for_pictures(const Case& lbm_case);
// One line: which package is missing, and how to get it.
std::string no_python_for_pictures();

// A command that draws what is written to it, or the pictures whose data files appear in a
// directory. Closing it, or the end of this program, tells it to end.
class Drawing {
 public:
  // python: of find_python(). arguments: of `lbm pictures`.
  Drawing(const std::string& python, const std::vector<std::string>& arguments);
  ~Drawing() { close(); }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  void write(std::string_view bytes);
  // Waits until all is drawn; true: without errors.
  bool close();

 private:
  std::FILE* pipe_;
};

}  // namespace lbm::cases
