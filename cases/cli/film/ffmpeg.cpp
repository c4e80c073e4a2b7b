// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/film/ffmpeg.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "io/files/posix_file.hpp"
#include "io/files/unique_fd.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

// Writing to a program that has ended shall be an error, not the end of this one.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() : old_(std::signal(SIGPIPE, SIG_IGN)) {}
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
  ~WithoutPipeSignal() { std::signal(SIGPIPE, old_); }

 private:
  void (*old_)(int);
};

std::vector<std::string> command_line(double rate, const fs::path& out) {
  return {"ffmpeg", "-y", "-loglevel", "error", "-nostdin", "-f", "image2pipe", "-framerate",
          fmt::format("{}", rate), "-c:v", "png", "-i", "pipe:0",
          // H.264 has colours for blocks of 2 x 2 pixels.
          "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf",
          "18", "-movflags", "+faststart", "-f", "mp4", "file:" + out.string()};
}

struct Pipe {
  io::UniqueFd read, write;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  return {io::UniqueFd(ends[0]), io::UniqueFd(ends[1])};
}

// Starts ffmpeg with these ends as standard input and standard error. Returns its process.
pid_t start(std::vector<std::string> words, const Pipe& input, int error_file) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error_file, STDERR_FILENO);
  pid_t process = 0;
  const int error =
      ::posix_spawnp(&process, "ffmpeg", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw UsageError(
        "found no program ffmpeg on PATH: install it (apt, conda, Spack: ffmpeg; dnf: "
        "ffmpeg-free), or make the film of the pictures with another program");
  }
  if (error != 0) {
    throw ResourceError(fmt::format("ffmpeg cannot be started: {}", std::strerror(error)));
  }
  return process;
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Empty: it cannot be read.
std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string first_line_of(int file) {
  std::string text(4096, '\0');
  const auto bytes = ::pread(file, text.data(), text.size(), 0);
  text.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  return text.substr(0, text.find('\n'));
}

}  // namespace

void make_film(const std::vector<fs::path>& pictures, double rate, const fs::path& out) {
  const WithoutPipeSignal without_signal;
  const fs::path partial = out.string() + ".partial";
  const io::UniqueFd complaints(::memfd_create("ffmpeg", MFD_CLOEXEC));
  Pipe input = make_pipe();
  const pid_t process = start(command_line(rate, partial), input, complaints.get());
  input.read.reset();
  const fs::path* unreadable = nullptr;
  for (const fs::path& picture : pictures) {
    const std::string bytes = bytes_of(picture);
    if (bytes.empty()) unreadable = &picture;
    if (bytes.empty() || io::write_all(input.write.get(), bytes) != 0)
      break;  // in the second case ffmpeg has ended, and says why
  }
  input.write.reset();
  const int code = wait_for(process);
  std::error_code ec;
  if (unreadable != nullptr || code != 0) fs::remove(partial, ec);
  if (unreadable != nullptr) throw UsageError(unreadable->string() + ": cannot be read");
  if (code != 0) {
    throw ResourceError(fmt::format("{}: ffmpeg failed with exit code {}: {}", out.string(), code,
                                    first_line_of(complaints.get())));
  }
  fs::rename(partial, out, ec);
  if (ec) throw ResourceError(fmt::format("{}: cannot be written: {}", out.string(), ec.message()));
}

}  // namespace lbm::cases
