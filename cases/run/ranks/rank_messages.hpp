// SPDX-License-Identifier: Apache-2.0

// The messages between the processes of a run, the thread that receives them, and the watch for
// ranks that have fallen silent (stopped, swapped out, or on a host that has gone) or do not begin
// to compute.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cases/run/results/field_consumer.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// Each computing rank sends tag_alive once a second: the root to all others, the others to the
// root. The listening thread reports messages here and asks for news. One thread at a time.
class RankWatch {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  static constexpr std::chrono::seconds beat{1};         // between two signs of life
  static constexpr std::chrono::seconds longest{15};     // of silence before a warning
  static constexpr std::chrono::seconds before_stop{8};  // of silence: a stop does not wait
  static constexpr std::chrono::seconds pause{5};  // between looks(): this process was suspended

  // own: the rank of this process. limit: silence after which a rank is lost; 0: never.
  RankWatch(int own, int size, std::chrono::seconds limit = limit_of_environment())
      : own_(own), limit_(limit), ranks_(static_cast<std::size_t>(size)) {}
  // LBM_SILENCE_LIMIT in seconds, or two minutes. Throws UsageError.
  static std::chrono::seconds limit_of_environment() {
    const char* const text = std::getenv("LBM_SILENCE_LIMIT");
    if (text == nullptr || *text == '\0') return std::chrono::seconds(120);
    int seconds = 0;
    const char* const end = text + std::strlen(text);
    const auto [at, error] = std::from_chars(text, end, seconds);
    const bool allowed = seconds == 0 || seconds >= longest.count();
    if (error == std::errc() && at == end && allowed) return std::chrono::seconds(seconds);
    throw UsageError(fmt::format(
        "LBM_SILENCE_LIMIT: found {}, must be a number of seconds from {} on, or 0: wait for ever",
        text, longest.count()));
  }

  // A message of that rank has arrived. A rank is watched from its first message on.
  void heard(int rank, Time now) { ranks_.at(static_cast<std::size_t>(rank)).last = now; }
  // Sets the host name of a rank, for messages.
  void lives_on(int rank, std::string_view host) {
    ranks_.at(static_cast<std::size_t>(rank)).host = host;
  }

  // Call it about once a second. If this process was itself suspended meanwhile, no rank counts as
  // silent for that time.
  void looks(Time now) {
    const Clock::duration since = looked_ ? now - *looked_ : Clock::duration::zero();
    looked_ = now;
    if (since < pause) return;
    if (computing_) *computing_ += since;
    for (Rank& rank : ranks_) {
      if (rank.last) *rank.last = std::min(now, *rank.last + since);
    }
  }

  // This process computes: ranks without a message are watched from the first call on.
  void computing(Time now) {
    if (!computing_) computing_ = now;
  }

  // A line for the user if a rank has just fallen silent or answers again; else empty.
  std::optional<std::string> news(Time now) {
    const std::string until =
        limit_.count() > 0 ? fmt::format(" until {} s have passed", limit_.count()) : "";
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      Rank& rank = ranks_[static_cast<std::size_t>(r)];
      const auto last = last_sign(r);
      const bool silent = last && now - *last >= longest;
      if (silent == rank.told) continue;
      rank.told = silent;
      if (!silent) return name(r) + " answers again";
      if (!rank.last) {
        return fmt::format(
            "{} has not begun to compute {} s after process {}, and the run waits for it{}: {}",
            name(r), longest.count(), own_, until, what_to_do);
      }
      return fmt::format("{} has not answered for {} s, and the run waits for it{}: {}", name(r),
                         longest.count(), until, what_to_do);
    }
    return std::nullopt;
  }

  // The rank that has been silent longest, if for before_stop or longer.
  std::optional<int> missing(Time now) const {
    std::optional<int> found;
    Time oldest = now - before_stop;
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      const auto last = last_sign(r);
      if (!last || *last > oldest) continue;
      oldest = *last;
      found = r;
    }
    return found;
  }

  // An error message if a rank has been silent for limit + longer: the run must end. It names up to
  // four silent ranks and counts the others.
  std::optional<std::string> lost(Time now, std::chrono::seconds longer = {}) const {
    const auto last = missing(now);
    if (limit_.count() == 0 || !last || now - *last_sign(*last) < limit_ + longer)
      return std::nullopt;
    constexpr int most_names = 4;
    std::string names;
    int count = 0;
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      const auto sign = last_sign(r);
      if (!sign || now - *sign < longest || ++count > most_names) continue;
      names += (names.empty() ? "" : ", ") + name(r);
    }
    if (count > most_names) names += fmt::format(" and {} more", count - most_names);
    return fmt::format(
        "no answer for {} s (LBM_SILENCE_LIMIT) from {}: stopped, or the host or the network has "
        "failed; repair that and continue from the last checkpoint (--restart)",
        limit_.count(), names);
  }

  // "process 2 (host node07)".
  std::string name(int rank) const {
    const std::string& host = ranks_.at(static_cast<std::size_t>(rank)).host;
    return fmt::format("process {}{}", rank, host.empty() ? "" : fmt::format(" (host {})", host));
  }

 private:
  static constexpr const char* what_to_do =
      "continue it if it is stopped (kill -CONT), or end the run (kill -TERM of any other process) "
      "and restart it";

  struct Rank {
    std::optional<Time> last;
    std::string host;
    bool told = false;  // the user knows that it is silent
  };
  // Begin of a rank's silence; empty if it is not watched, as is this process itself.
  std::optional<Time> last_sign(int rank) const {
    if (rank == own_) return std::nullopt;
    const auto& last = ranks_[static_cast<std::size_t>(rank)].last;
    return last ? last : computing_;
  }

  int own_;
  std::chrono::seconds limit_;
  std::optional<Time> computing_, looked_;
  std::vector<Rank> ranks_;
};

inline constexpr int root_rank = 0;

// The head of a message is the struct of its name, a Number, or nothing; more may follow.
using Number = std::int64_t;

enum MessageTag : int {
  // From the root:
  tag_sweep,    // a sweep to do
  tag_drain,    // no more sweeps for now
  tag_share,    // a result of a step of which each rank writes its part
  tag_allow,    // the fields of step Number may be sent; then a byte for each box:
                // FieldOutputs::wants_values()
  tag_save,     // save the state into this file: io::ArrayPlace, then the path
  tag_correct,  // correct the pressure (run.flow_rate_corrections)
  tag_more,     // send Number more planes of the state than asked for earlier; 0: send no more
  tag_end,      // the run is over
  // From the root and to the root:
  tag_alive,  // once a second; the signal Number asks the sender to stop; then the name of its host
  // To the root:
  tag_image_error,  // the image file cannot be written
  tag_derived,      // a plane of an image of SharedKind::derived is written
  tag_fields,       // planes of fields
  tag_record,       // a flow record
  tag_drained,      // all sweeps are done; counts of all so far: tiling::PipelineStats
  tag_no_file,      // this rank cannot open the checkpoint: Number planes go through the root
  tag_planes,       // planes of the state as they are stored, from Number on
  tag_saved,        // all planes of the state are saved or sent; Number: an errno, or 0; then
                    // io::PlaneSum of each plane that this rank wrote
  tag_error         // an error: its exit code Number, then its text
};

struct SweepMessage {
  std::int32_t steps, emit, check, sums;  // then FieldBox of each box of fields
};
struct ShareMessage {
  std::int64_t step, samples;  // samples: SharedResult::samples
  std::int32_t kind, index;    // SharedKind; of FieldOutputs::Shared
  std::int32_t arrays, unused;
  io::FileToken token;  // then uint64 offsets of the arrays and the path; or the name of the sums
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
  std::int64_t step;
  std::int32_t box, z;
  PlaneDone done;  // then the values of a FieldPlane, or none
  std::array<char, 5> unused;
};
struct RecordMessage {
  std::int64_t step, sampled;  // then the record
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

// The text behind a head.
template <class Head>
std::string text_of(const tiling::Message& message) {
  const auto text = rest_of<Head, char>(message);
  return {text.begin(), text.end()};
}

// The name of the host of this process.
inline std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

// Bytes of this process's tag_alive. signal: asks the process to stop; 0: none.
inline std::vector<std::byte> alive_message(int signal) {
  static const std::string host = host_name();
  return pack(Number{signal}, {std::as_bytes(std::span(host))});
}

// Time in which another rank ends the run; a rank that needs longer hangs.
inline constexpr std::chrono::seconds patience_with_others{20};

// Receives messages in a thread of its own until destruction. The thread hands each to `take`, and
// calls `beat` about once a second while none waits. If messages fail, another rank is ending the
// run: the thread waits for this, and aborts all ranks after patience_with_others.
class Listener {
 public:
  Listener(tiling::Ranks& ranks, std::function<void(tiling::Message)> take,
           std::function<void()> beat)
      : thread_([this, &ranks, take = std::move(take), beat = std::move(beat)] {
          try {
            listen(ranks, take, beat);
          } catch (const std::exception& error) {
            const auto end = std::chrono::steady_clock::now() + patience_with_others;
            while (!stopping_ && std::chrono::steady_clock::now() < end) {
              std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            if (!stopping_) ranks.abort(as_error(error).exit_code());
          }
        }) {}
  ~Listener() { stopping_ = true; }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  void listen(tiling::Ranks& ranks, const std::function<void(tiling::Message)>& take,
              const std::function<void()>& beat) const {
    tiling::Patience patience;
    RankWatch::Time next_beat{};
    while (!stopping_) {
      if (auto message = ranks.receive()) {
        take(std::move(*message));
        patience.something();
        continue;
      }
      // Not while messages wait: they may be the signs of life that would be missed.
      if (const auto now = RankWatch::Clock::now(); now >= next_beat) {
        next_beat = now + RankWatch::beat;
        beat();
      }
      std::this_thread::sleep_for(patience.nap());
      patience.nothing();
    }
  }

  std::atomic<bool> stopping_ = false;
  std::jthread thread_;
};

// Sends a message of the root to all other ranks.
inline void tell_others(tiling::Ranks& ranks, int tag, std::span<const std::byte> bytes) {
  for (int r = 1; r < ranks.size(); ++r) ranks.send(r, tag, bytes);
}

}  // namespace lbm::cases
