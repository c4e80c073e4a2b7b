// SPDX-License-Identifier: Apache-2.0

// The messages between the processes of a run, and the thread that receives them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cases/run/results/field_consumer.hpp"
#include "io/files/place.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

inline constexpr int root_rank = 0;

enum MessageTag : int {
  // From the root:
  tag_sweep,  // a sweep to do
  tag_drain,  // no more sweeps for now
  tag_share,  // a result of a step of which each rank writes its part
  tag_allow,  // the fields of a step may be sent
  tag_save,   // save the state into this file
  tag_more,   // send this number of further planes of the state
  tag_end,    // the run is over
  // From the root and to the root:
  tag_alive,  // once a second, with the signal that asks the sender to stop
  // To the root:
  tag_image_error,  // the image file cannot be written
  tag_derived,      // a plane of an image of SharedKind::derived is written
  tag_fields,       // planes of fields
  tag_record,       // a flow record
  tag_drained,      // all sweeps are done; their counts
  tag_no_file,      // this rank cannot open the checkpoint: its planes go through the root
  tag_planes,       // planes of the state
  tag_saved,        // all planes of the state are saved or sent
  tag_error         // an error: its exit code and message
};

struct SweepMessage {
  std::int32_t steps, emit, check, boxes;  // then `boxes` times FieldBox
};
struct ShareMessage {
  std::int64_t step, samples;  // samples: SharedResult::samples
  std::int32_t kind, index;    // SharedKind; of FieldOutputs::Shared
  std::int32_t arrays, unused;
  io::FileToken token;  // then uint64 offsets of the arrays and the path; or the name of the sums
};
struct AllowMessage {
  std::int64_t step;  // then a byte for each box: FieldOutputs::wants_values()
};
struct ImageErrorMessage {
  std::int64_t step;
  std::int32_t output, error;  // number of the output (field_outputs), an errno
};
struct DerivedMessage {
  std::int64_t step;
  std::int32_t output, z;
};
struct FieldsMessage {
  std::int64_t step, cells;  // cells: 0 without values
  std::int32_t box, z;
  PlaneDone done;  // then float density - 1 [cells], velocity [cells][3]
  std::array<char, 5> unused;
};
struct RecordMessage {
  std::int64_t step, sampled;  // then the record
};
struct NoFileMessage {
  std::int64_t planes;  // that this rank will send
};
struct MoreMessage {
  std::int64_t planes;  // in addition to earlier requests; 0: send no more
};
struct PlanesMessage {
  std::int64_t first;  // then planes as they are stored
};
struct SavedMessage {
  std::int64_t error;  // an errno, or 0; then io::PlaneSum of each plane that this rank wrote
};
struct AliveMessage {
  std::int64_t signal;  // 0: none; then the name of the host
};
struct ErrorMessage {
  std::int64_t exit_code;  // then the text
};

// The bytes of a head and of the parts behind it.
template <class Head>
std::vector<std::byte> pack(const Head& head,
                            std::initializer_list<std::span<const std::byte>> parts = {}) {
  std::size_t size = sizeof(Head);
  for (const auto& part : parts) size += part.size();
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &head, sizeof(Head));
  std::size_t at = sizeof(Head);
  for (const auto& part : parts) {
    if (!part.empty()) std::memcpy(bytes.data() + at, part.data(), part.size());
    at += part.size();
  }
  return bytes;
}

template <class Head>
Head head_of(const tiling::Message& message) {
  Head head{};
  std::memcpy(&head, message.bytes.data(), sizeof(Head));
  return head;
}

template <class Head, class Value>
std::span<const Value> rest_of(const tiling::Message& message) {
  const std::span<const std::byte> rest = std::span(message.bytes).subspan(sizeof(Head));
  return {reinterpret_cast<const Value*>(rest.data()), rest.size() / sizeof(Value)};
}

// Bytes of this process's tag_alive. signal: asks the process to stop; 0: none.
std::vector<std::byte> alive_message(int signal);
// The host name in a tag_alive message.
std::string host_of(const tiling::Message& alive);

// Time in which another rank ends the run; a rank that needs longer hangs.
inline constexpr std::chrono::seconds patience_with_others{20};

// Receives messages in a thread of its own until destruction. The thread hands each to `take`, and
// calls `beat` about once a second while none waits. If messages fail, another rank is ending the
// run: the thread waits for this, and aborts all ranks after patience_with_others.
class Listener {
 public:
  Listener(tiling::Ranks& ranks, std::function<void(tiling::Message)> take,
           std::function<void()> beat);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  void listen(tiling::Ranks& ranks, const std::function<void(tiling::Message)>& take,
              const std::function<void()>& beat) const;

  std::atomic<bool> stopping_ = false;
  std::jthread thread_;
};

// Calls `beat` about once a second in a thread of its own, whatever the other threads do: the root
// writes files while it listens.
class Heart {
 public:
  explicit Heart(std::function<void()> beat);

 private:
  std::jthread thread_;
};

// Sends a message of the root to all other ranks.
void tell_others(tiling::Ranks& ranks, int tag, std::span<const std::byte> bytes);

}  // namespace lbm::cases
