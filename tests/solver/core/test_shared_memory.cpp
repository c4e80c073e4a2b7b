// SPDX-License-Identifier: Apache-2.0

// Memory that processes of a host share: who reaches it, who is refused, what is left.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm {
namespace {

constexpr std::size_t bytes = 3 << 20;

// Words from one process to another.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~Pipe() {
    for (const int end : ends_) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void write(std::string word) const {
    word.resize(100, ' ');
    EXPECT_EQ(::write(ends_[1], word.data(), word.size()), 100);
  }
  std::string read() const {
    std::string word(100, ' ');
    EXPECT_EQ(::read(ends_[0], word.data(), word.size()), 100);
    return word.substr(0, word.find(' '));
  }

 private:
  std::array<int, 2> ends_{};
};

// Does not outlive the test, however that ends.
class Child {
 public:
  // Its exit code is what `work` gives.
  explicit Child(const std::function<int()>& work) : pid_(fork()) {
    if (pid_ == 0) _exit(work());
  }
  ~Child() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    exit_code();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  int exit_code() {
    int status = 0;
    if (pid_ > 0) waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_;
};

// The name with another last digit.
std::string with_other_token(std::string name) {
  name.back() = name.back() == '7' ? '8' : '7';
  return name;
}

// The line of /proc/self/maps for the mapping that contains this address; empty: none.
std::string mapped_file(const std::byte* address) {
  std::ifstream maps("/proc/self/maps");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    const bool read = std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2;
    if (read && at >= begin && at < end) return line;
  }
  return "";
}

TEST(SharedMemory, IsReadAndWrittenByTwoProcesses) {
  const SharedMemory memory = SharedMemory::create(bytes, "a test");
  ASSERT_EQ(memory.memory().size(), bytes);
  memory.data()[0] = std::byte{17};
  memory.data()[bytes - 1] = std::byte{18};
  Child child([&] {
    const auto other = SharedMemory::open(memory.name(), bytes);
    if (!other || other->data() == memory.data() || other->memory().size() != bytes) return 1;
    if (other->data()[0] != std::byte{17} || other->data()[bytes - 1] != std::byte{18}) return 2;
    other->data()[bytes / 2] = std::byte{19};
    return 0;
  });
  EXPECT_EQ(child.exit_code(), 0);
  EXPECT_EQ(memory.data()[bytes / 2], std::byte{19});
}

TEST(SharedMemory, IsZeroAtFirstAndBeginsAtAPage) {
  const SharedMemory memory = SharedMemory::create(bytes, "a test");
  for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(memory.data()[i], std::byte{0}) << i;
  const auto other = SharedMemory::open(memory.name(), bytes);
  ASSERT_TRUE(other);
  for (const std::byte* data : {memory.data(), other->data()}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 4096, 0U);
  }
}

TEST(SharedMemory, RefusesAWrongTokenSizeOrName) {
  const SharedMemory memory = SharedMemory::create(bytes, "a test");
  ASSERT_TRUE(SharedMemory::open(memory.name(), bytes));
  EXPECT_FALSE(SharedMemory::open(with_other_token(memory.name()), bytes));
  EXPECT_FALSE(SharedMemory::open(memory.name(), bytes - 1));
  EXPECT_FALSE(SharedMemory::open(memory.name(), bytes + 1));
  EXPECT_FALSE(SharedMemory::open(memory.name(), 2 * bytes));
  for (const char* none : {"", "word", "1:2", "::", "-1:0:0"}) {
    EXPECT_FALSE(SharedMemory::open(none, bytes)) << none;
  }
}

TEST(SharedMemory, RefusesAFileThatIsNone) {
  const int standard_input = 0;
  const std::string name = std::to_string(getpid()) + ":" + std::to_string(standard_input) + ":1";
  EXPECT_FALSE(SharedMemory::open(name, bytes));
}

TEST(SharedMemory, GoesWithItsProcessButNotForThoseThatHaveIt) {
  const Pipe name, done;
  Child child([&] {
    const SharedMemory memory = SharedMemory::create(bytes, "a test");
    memory.data()[5] = std::byte{20};
    name.write(memory.name());
    done.read();
    return 0;
  });
  const std::string theirs = name.read();
  const auto opened = SharedMemory::open(theirs, bytes);
  ASSERT_TRUE(opened);
  done.write("done");
  ASSERT_EQ(child.exit_code(), 0);
  EXPECT_EQ(opened->data()[5], std::byte{20});
  EXPECT_FALSE(SharedMemory::open(theirs, bytes));
}

TEST(SharedMemory, IsRefusedOnceItIsLetGo) {
  std::string name;
  {
    const SharedMemory memory = SharedMemory::create(bytes, "a test");
    name = memory.name();
  }
  EXPECT_FALSE(SharedMemory::open(name, bytes));
}

// A process that is killed leaves no file: there is none from the beginning.
TEST(SharedMemory, HasNoFileInTheSystem) {
  const SharedMemory memory = SharedMemory::create(bytes, "a test");
  EXPECT_TRUE(mapped_file(memory.data()).ends_with("(deleted)")) << mapped_file(memory.data());
}

TEST(SharedMemory, SaysWhatItIsForWhereTheSystemRefuses) {
  const std::size_t too_much = std::size_t{1} << 60;
  try {
    const SharedMemory memory = SharedMemory::create(too_much, "planes of a test");
    FAIL() << "got " << memory.memory().size();
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("planes of a test"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("not enough host memory to share"), std::string::npos);
  }
}

}  // namespace
}  // namespace lbm
