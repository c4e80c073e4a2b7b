// SPDX-License-Identifier: Apache-2.0

// How the planes of all processes come into one checkpoint. Each process writes its own, where it
// reaches the root's file; where it does not, it sends them to the root, a few at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>

#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The root's side. An error of the file is kept until all other processes have answered; then
// finish() throws it. So all stay in step, and the run may continue without the checkpoint.
class StateCollector {
 public:
  // most_waiting: bytes of planes that others have sent and that are not written yet; at least a
  // plane.
  StateCollector(tiling::Ranks& ranks, io::CheckpointWriter& writer,
                 std::uint64_t most_waiting = std::uint64_t{256} << 20);

  // Tells the others to save; then has the root write its own planes. Their answers may come in
  // the meantime, for take().
  void begin(const std::function<void()>& write_own);
  // An answer of another process to tag_save.
  void take(tiling::Message message);
  // All others have answered.
  bool complete() const { return left_ == 0; }
  // Processes that do not reach the file.
  int apart() const { return apart_; }
  // Throws the first ResourceError, if there was one.
  void finish() const;

 private:
  // One process sends at a time.
  struct Sender {
    int rank;
    std::int64_t left;  // planes that it has not been asked for
  };

  // Does what may fail, unless something has failed.
  void attempt(const std::function<void()>& work);
  void ask_next();
  void ask(std::int64_t planes);
  void saved(const tiling::Message& message);

  tiling::Ranks& ranks_;
  io::CheckpointWriter& writer_;
  std::uint64_t most_waiting_;
  std::uint64_t plane_bytes_ = 1;
  int left_ = 0;  // processes
  int apart_ = 0;
  std::deque<Sender> senders_;  // the first one sends now
  std::exception_ptr error_;
};

// The others' side: answers tag_save. planes: how many read hands out; next: the messages that
// come after it.
void save_state(tiling::Ranks& ranks, const tiling::Message& message, std::int64_t planes,
                const ReadState& read, const std::function<tiling::Message()>& next);

}  // namespace lbm::cases
