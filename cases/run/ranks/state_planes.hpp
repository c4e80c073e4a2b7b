// SPDX-License-Identifier: Apache-2.0

// Writes the planes of all processes into one checkpoint. A process that can open the root's file
// writes its own planes; any other sends them to the root, a few at a time.
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

// The root's side. finish() throws an error of the file after all other processes have answered, so
// all stay in step and the run may continue without the checkpoint.
class StateCollector {
 public:
  // most_waiting: limit in bytes for planes that are requested and not written yet; one plane is
  // always allowed.
  StateCollector(tiling::Ranks& ranks, io::CheckpointWriter& writer,
                 std::uint64_t most_waiting = std::uint64_t{256} << 20);

  // Tells the others to save; then calls write_own. Their answers may arrive meanwhile.
  void begin(const std::function<void()>& write_own);
  // An answer of another process to tag_save.
  void take(tiling::Message message);
  // All others have answered.
  bool complete() const { return left_ == 0; }
  // Number of processes that cannot open the file.
  int apart() const { return apart_; }
  // Throws the first ResourceError, if there was one.
  void finish() const;

 private:
  // A process that sends its planes; one sends at a time.
  struct Sender {
    int rank;
    std::int64_t left;  // planes not requested yet
  };

  // Runs work() and keeps its ResourceError; does nothing after an error.
  void attempt(const std::function<void()>& work);
  void ask_next();
  void ask(std::int64_t planes);
  void saved(const tiling::Message& message);

  tiling::Ranks& ranks_;
  io::CheckpointWriter& writer_;
  std::uint64_t most_waiting_;
  std::uint64_t plane_bytes_ = 1;
  int left_ = 0;  // processes that have not answered
  int apart_ = 0;
  std::deque<Sender> senders_;  // the first one sends now
  std::exception_ptr error_;
};

// The others' side: answers tag_save (message). planes: number that `read` hands out; next: waits
// for the next tag_more.
void save_state(tiling::Ranks& ranks, const tiling::Message& message, std::int64_t planes,
                const ReadState& read, const std::function<tiling::Message()>& next);

}  // namespace lbm::cases
