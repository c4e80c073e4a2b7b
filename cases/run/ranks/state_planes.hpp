// SPDX-License-Identifier: Apache-2.0

// Writes the planes of all processes into one checkpoint. A process that can open the root's file
// writes its own planes; any other sends them to the root, a few at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <string>

#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The root's side. finish() throws an error of the file after all other processes have answered, so
// all stay in step and the run may continue without the checkpoint.
class StateCollector {
 public:
  // most_waiting: limit in bytes for planes that are requested and not written yet; one plane is
  // always allowed.
  StateCollector(tiling::Ranks& ranks, io::CheckpointWriter& writer,
                 std::uint64_t most_waiting = std::uint64_t{256} << 20)
      : ranks_(ranks), writer_(writer), most_waiting_(most_waiting) {}

  // Tells the others to save; then calls write_own. Their answers may arrive meanwhile.
  void begin(const std::function<void()>& write_own) {
    attempt([&] {
      const io::ArrayPlace place = writer_.share(Checkpoints::populations);
      plane_bytes_ = place.plane_bytes;
      const std::string path = writer_.partial().string();
      left_ = ranks_.size() - 1;
      tell_others(ranks_, tag_save, pack(place, {std::as_bytes(std::span(path))}));
    });
    attempt(write_own);
  }

  // An answer of another process to tag_save.
  void take(tiling::Message message) {
    if (message.tag == tag_no_file) {
      ++apart_;
      senders_.push_back({message.from, head_of<Number>(message)});
      if (senders_.size() == 1) ask_next();
    } else if (message.tag == tag_planes) {
      const auto planes = rest_of<Number, std::byte>(message);
      attempt([&] {
        writer_.write_planes(Checkpoints::populations, head_of<Number>(message), planes);
      });
      const auto count = static_cast<std::int64_t>(planes.size() / plane_bytes_);
      message = {};  // before others come
      ask(count);
    } else if (message.tag == tag_saved) {
      saved(message);
    }
  }

  // All others have answered.
  bool complete() const { return left_ == 0; }
  // Number of processes that cannot open the file.
  int apart() const { return apart_; }
  // Throws the first ResourceError, if there was one.
  void finish() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // A process that sends its planes; one sends at a time.
  struct Sender {
    int rank;
    std::int64_t left;  // planes not requested yet
  };

  // Runs work() and keeps its ResourceError; does nothing after an error.
  void attempt(const std::function<void()>& work) {
    if (error_) return;
    try {
      work();
    } catch (const ResourceError&) {
      error_ = std::current_exception();
    }
  }

  // Pieces of several planes, as many as may wait here.
  void ask_next() {
    const auto room =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(most_waiting_ / plane_bytes_));
    const auto piece = std::max<std::int64_t>(1, room / pieces_under_way);
    for (std::int64_t asked = 0; asked + piece <= room && senders_.front().left > 0; asked += piece)
      ask(piece);
  }

  void ask(std::int64_t planes) {
    Sender& sender = senders_.front();
    if (sender.left == 0) return;  // they are under way
    const auto wanted = error_ ? 0 : std::min(planes, sender.left);
    sender.left -= error_ ? sender.left : wanted;
    ranks_.send(sender.rank, tag_more, pack(Number{wanted}));
  }

  void saved(const tiling::Message& message) {
    --left_;
    attempt([&] {
      const auto error = static_cast<int>(head_of<Number>(message));
      if (error == 0) {
        return writer_.add_planes(Checkpoints::populations, rest_of<Number, io::PlaneSum>(message));
      }
      attribute_to_rank(message.from, [&] { writer_.fail(error); });
    });
    if (senders_.empty() || senders_.front().rank != message.from) return;
    senders_.pop_front();
    if (!senders_.empty()) ask_next();
  }

  static constexpr std::int64_t pieces_under_way = 4;  // while one is written, others travel

  tiling::Ranks& ranks_;
  io::CheckpointWriter& writer_;
  std::uint64_t most_waiting_;
  std::uint64_t plane_bytes_ = 1;
  int left_ = 0;  // processes that have not answered
  int apart_ = 0;
  std::deque<Sender> senders_;  // the first one sends now
  std::exception_ptr error_;
};

// As many planes at a time as the root asks for; it wants none when its file has failed.
inline void send_planes(tiling::Ranks& ranks, std::size_t plane_bytes, const ReadState& read,
                        const std::function<tiling::Message()>& next) {
  std::size_t wanted = 0;
  bool stopped = false;
  read([&](int first, std::span<const std::byte> planes) {
    while (!planes.empty() && !stopped) {
      if (wanted == 0) wanted = static_cast<std::size_t>(head_of<Number>(next()));
      stopped = wanted == 0;
      const auto part = planes.first(std::min(planes.size(), wanted * plane_bytes));
      if (!stopped) ranks.send(root_rank, tag_planes, pack(Number{first}, {part}));
      const auto count = part.size() / plane_bytes;
      planes = planes.subspan(part.size());
      first += static_cast<int>(count);
      wanted -= count;
    }
  });
}

// The others' side: answers tag_save (message). planes: number that `read` hands out; next: waits
// for the next tag_more.
inline void save_state(tiling::Ranks& ranks, const tiling::Message& message, std::int64_t planes,
                       const ReadState& read, const std::function<tiling::Message()>& next) {
  const auto place = head_of<io::ArrayPlace>(message);
  int error = 0;
  std::vector<io::PlaneSum> sums;
  if (auto part = io::CheckpointPart::open(text_of<io::ArrayPlace>(message), place)) {
    read([&](int first, std::span<const std::byte> planes_to_write) {
      if (error == 0) error = part->write_planes(first, planes_to_write);
    });
    if (error == 0) error = part->sync();
    sums.assign(part->sums().begin(), part->sums().end());
  } else {
    ranks.send(root_rank, tag_no_file, pack(Number{planes}));
    send_planes(ranks, place.plane_bytes, read, next);
  }
  ranks.send(root_rank, tag_saved, pack(Number{error}, {std::as_bytes(std::span(sums))}));
}

}  // namespace lbm::cases
