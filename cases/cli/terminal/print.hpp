// SPDX-License-Identifier: Apache-2.0

// Text for standard output and standard error. A stream that takes no more text (a full disk, a
// reader that has gone) must not end a run of days: the error is kept, and main() reports it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

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

}  // namespace lbm::cases
