// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/terminal/print.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

int lost = 0;  // the first errno of standard output

void keep_error(std::FILE* stream) {
  if (stream == stdout && lost == 0) lost = errno != 0 ? errno : EIO;
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

}  // namespace lbm::cases
