// SPDX-License-Identifier: Apache-2.0

// Planes of several ranks in one checkpoint, with messages delivered by the test.
#include "cases/run/ranks/state_planes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using lbm::testing::contains;
using lbm::testing::FileSizeLimit;
using lbm::testing::message_of;
using lbm::testing::names_in;
using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;

using Bytes = std::vector<std::byte>;

const io::PlaneArray array{"populations", io::ElementType::float32, 24, 100};
constexpr std::int64_t share = 8;  // planes of each of three ranks

Bytes planes(std::int64_t first, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count * array.values_per_plane));
  std::iota(values.begin(), values.end(), static_cast<float>(first * array.values_per_plane));
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// Passes on the planes of a rank in two calls, as if they crossed the end of z.
ReadState planes_of(int rank) {
  return [rank](const PlanesOfState& take) {
    const int first = rank * static_cast<int>(share);
    take(first + 5, planes(first + 5, 3));
    take(first, planes(first, 5));
  };
}

// Three ranks of one host that only exchange messages.
class MessagesOnly : public tiling::Ranks {
 public:
  explicit MessagesOnly(int rank) : rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return 3; }
  int local_rank() const override { return rank_; }
  int local_size() const override { return 3; }
  std::optional<tiling::Message> receive() override { return std::nullopt; }
  std::unique_ptr<tiling::PlaneLink> link_to(int, std::size_t) override { return nullptr; }
  std::unique_ptr<tiling::PlaneLink> link_from(int, std::size_t) override { return nullptr; }
  std::unique_ptr<tiling::Announcements> announcements_to(int) override { return nullptr; }
  std::unique_ptr<tiling::Announcements> announcements_from(int) override { return nullptr; }
  [[noreturn]] void abort(int exit_code) override { std::exit(exit_code); }

 private:
  void allgather_bytes(std::span<const std::byte>, std::span<std::byte>) override {}

  int rank_;
};

// Rank 0 and two others, each in a thread. Counts the bytes sent to rank 0 and not yet taken.
class Mail final : public MessagesOnly {
 public:
  Mail() : MessagesOnly(0) {}

  // A request by rank 0 implies that it has handled the message it took last.
  void send(int to, int tag, std::span<const std::byte> bytes) override {
    taken();
    deliver(to, {0, tag, {bytes.begin(), bytes.end()}});
  }
  void deliver(int to, tiling::Message message) {
    {
      const std::scoped_lock lock(mutex_);
      if (message.tag == tag_planes) {
        waiting_ += message.bytes.size() - sizeof(Number);
        most_waiting_ = std::max(most_waiting_, waiting_);
        ++messages_with_planes_;
      }
      boxes_.at(static_cast<std::size_t>(to)).push_back(std::move(message));
    }
    changed_.notify_all();
  }
  tiling::Message next(int rank) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_.at(static_cast<std::size_t>(rank));
    changed_.wait(lock, [&] { return !box.empty(); });
    tiling::Message message = std::move(box.front());
    box.pop_front();
    return message;
  }
  // Rank 0 takes this message; taken() follows once it is handled.
  void takes(const tiling::Message& message) {
    if (message.tag == tag_planes) taking_ = message.bytes.size() - sizeof(Number);
  }
  void taken() {
    const std::scoped_lock lock(mutex_);
    waiting_ -= std::exchange(taking_, 0);
  }
  std::size_t most_waiting() const { return most_waiting_; }
  int messages_with_planes() const { return messages_with_planes_; }
  bool empty() const {
    return std::all_of(boxes_.begin(), boxes_.end(), [](const auto& box) { return box.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::deque<tiling::Message>, 3> boxes_;
  std::size_t waiting_ = 0, most_waiting_ = 0;
  std::size_t taking_ = 0;  // used by the thread of rank 0
  int messages_with_planes_ = 0;
};

// The message queue seen from another rank.
class FromOther final : public MessagesOnly {
 public:
  FromOther(Mail& mail, int rank) : MessagesOnly(rank), tag_(mail) {}
  void send(int to, int tag, std::span<const std::byte> bytes) override {
    tag_.deliver(to, {rank(), tag, {bytes.begin(), bytes.end()}});
  }

 private:
  Mail& tag_;
};

// A rank that can open the file of rank 0, or cannot.
void answer(Mail& mail, int rank, bool reaches) {
  FromOther own(mail, rank);
  tiling::Message message = mail.next(rank);
  if (!reaches) {  // the path names another file
    message = {0, tag_save, pack(head_of<io::ArrayPlace>(message), {})};
  }
  save_state(own, message, share, planes_of(rank), [&] { return mail.next(rank); });
}

struct Reached {
  bool first, second;
};

// Throws errors of rank 0. room: planes that fit into the file, although it was reserved.
void save(const fs::path& path, Mail& mail, Reached reached, std::uint64_t most_waiting,
          const std::function<void(io::CheckpointWriter&)>& write_own,
          std::optional<std::uint64_t> room = {}) {
  io::CheckpointWriter writer(path, {}, {array});
  std::optional<FileSizeLimit> limit;
  if (room) limit.emplace(writer.share(0).offset + *room * array.plane_bytes());
  std::jthread one([&] { answer(mail, 1, reached.first); });
  std::jthread two([&] { answer(mail, 2, reached.second); });
  StateCollector collector(mail, writer, most_waiting);
  collector.begin([&] { write_own(writer); });
  while (!collector.complete()) {
    tiling::Message message = mail.next(0);
    mail.takes(message);
    collector.take(std::move(message));
    mail.taken();
  }
  collector.finish();
  writer.close();
}

void write_share(io::CheckpointWriter& writer) {
  planes_of(0)([&](int first, std::span<const std::byte> bytes) {
    writer.write_planes(Checkpoints::populations, first, bytes);
  });
}

std::string written_alone(const fs::path& path) {
  io::CheckpointWriter writer(path, {}, {array});
  writer.write_planes(0, 0, planes(0, array.planes));
  writer.close();
  return read_text(path);
}

TEST(StatePlanes, AreTheSameWhicheverWayTheyCome) {
  const ScratchDirectory scratch;
  const std::string right = written_alone(scratch.path() / "alone.h5");
  for (const Reached reached :
       {Reached{true, true}, {true, false}, {false, true}, {false, false}}) {
    Mail mail;
    save(scratch.path() / "shared.h5", mail, reached, 1 << 20, write_share);
    EXPECT_TRUE(read_text(scratch.path() / "shared.h5") == right);
    EXPECT_EQ(mail.messages_with_planes() == 0, reached.first && reached.second);
    EXPECT_TRUE(mail.empty()) << "all stay in step";
  }
}

TEST(StatePlanes, NeverWaitInLargeNumbersForTheDisk) {
  const ScratchDirectory scratch;
  const std::string right = written_alone(scratch.path() / "alone.h5");
  const std::size_t plane = array.plane_bytes();
  for (const std::size_t most : {std::size_t{1}, 2 * plane, 3 * plane, 9 * plane}) {
    Mail mail;
    save(scratch.path() / "shared.h5", mail, {false, false}, most, write_share);
    EXPECT_TRUE(read_text(scratch.path() / "shared.h5") == right) << most;
    EXPECT_LE(mail.most_waiting(), std::max(most, plane)) << most;
    EXPECT_GE(mail.messages_with_planes(), 4) << most;
    EXPECT_TRUE(mail.empty()) << most;
  }
}

// All ranks have answered, so that they can take part in the next checkpoint.
TEST(StatePlanes, ThatTheRootCannotWriteLeaveTheOthersInStep) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "shared.h5";
  const std::string right = written_alone(path);
  for (const Reached reached : {Reached{true, true}, {true, false}, {false, false}}) {
    Mail mail;
    const auto message = message_of<ResourceError>([&] {
      save(path, mail, reached, 2 * array.plane_bytes(),
           [](io::CheckpointWriter& writer) { writer.fail(ENOSPC); });
    });
    EXPECT_TRUE(contains(message, path.string() + ": cannot write: No space left")) << message;
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"shared.h5"});
    EXPECT_TRUE(read_text(path) == right);
    EXPECT_TRUE(mail.empty());
    EXPECT_LE(mail.messages_with_planes(), 0) << "none are wanted any more";
  }
}

// Ranks report their own write errors to rank 0, which fails.
TEST(StatePlanes, ThatOthersCannotWriteAreAnErrorOfTheRoot) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "shared.h5";
  const std::string right = written_alone(path);
  const std::size_t plane = array.plane_bytes();
  for (const Reached reached : {Reached{true, true}, {false, false}}) {
    Mail mail;
    const auto message =
        message_of<ResourceError>([&] { save(path, mail, reached, 2 * plane, write_share, 18); });
    EXPECT_TRUE(contains(message, path.string() + ": cannot write: File too large")) << message;
    EXPECT_EQ(message.starts_with("process 2: "), reached.first) << message;
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"shared.h5"});
    EXPECT_TRUE(read_text(path) == right);
    EXPECT_TRUE(mail.empty());
  }
}

}  // namespace
}  // namespace lbm::cases
