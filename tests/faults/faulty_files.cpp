// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/faulty_files.hpp"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "tests/faults/real_calls.hpp"

namespace lbm::faults {
namespace {

std::string link_of(const std::string& link) {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = ::readlink(link.c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

std::string link_of(int fd) { return link_of("/proc/self/fd/" + std::to_string(fd)); }

}  // namespace

FaultyFiles& FaultyFiles::instance() {
  // Never destroyed: other libraries write in their own destructors.
  static FaultyFiles& files = *new FaultyFiles;
  return files;
}

void FaultyFiles::at_exit() const {
  if (active()) log("calls " + std::to_string(plan_.calls()));
}

std::string FaultyFiles::covered(int fd) const {
  std::string path = link_of(fd);
  return plan_.covers(path) ? path : std::string();
}

std::string FaultyFiles::covered(int directory, const char* path) const {
  if (!active() || path == nullptr) return {};
  std::string whole = path;
  if (whole.starts_with("/proc/self/fd/")) {
    whole = link_of(whole);
  } else if (!whole.starts_with('/')) {
    whole = (directory == AT_FDCWD ? link_of("/proc/self/cwd") : link_of(directory)) + "/" + whole;
  }
  return plan_.covers(whole) ? whole : std::string();
}

int FaultyFiles::fault_of(const Decision& decision, const std::string& path) const {
  switch (decision.fault) {
    case Fault::slow:
      std::this_thread::sleep_for(std::chrono::microseconds(decision.random % 20000));
      return 0;
    case Fault::eintr:
      return EINTR;
    case Fault::eio:
    case Fault::read_eio:
    case Fault::enospc:
      log("fault " + std::to_string(decision.number) + " " +
          std::string(fault_names[static_cast<std::size_t>(decision.fault)]) + " " + path);
      return decision.fault == Fault::enospc ? ENOSPC : EIO;
    default:
      return 0;
  }
}

void FaultyFiles::note(Call call, int fd, off_t offset, ssize_t done) {
  if (call != Call::write || done <= 0 || !plan_.cuts_power()) return;
  const int error = errno;
  unsafe_.wrote(fd, offset >= 0 ? offset : ::lseek(fd, 0, SEEK_CUR) - done, done);
  errno = error;
}

void FaultyFiles::end(const Decision& decision, const std::string& path) {
  log("end " + std::to_string(decision.number) + " " + path);
  if (decision.fault == Fault::cut) unsafe_.cut(decision.random);
  ::kill(::getpid(), SIGKILL);
  while (true) ::pause();
}

void FaultyFiles::log(const std::string& line) const {
  if (plan_.log().empty()) return;
  const std::string text = line + "\n";
  const int fd = real_open(plan_.log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  (void)!real_write(fd, text.data(), text.size());
  ::close(fd);
}

}  // namespace lbm::faults
