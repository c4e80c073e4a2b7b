// The processes that share a run, started by mpirun: one for each slab of planes. Process 0 is the
// leader: it decides and writes, the others compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/schedule/exchange_kind.hpp"

namespace lbm::tiling {

struct Message {
  int from = 0, tag = 0;
  std::vector<std::byte> bytes;
};

class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Among the processes of the same host.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;
  bool leads() const { return rank() == 0; }

  // Messages keep their order between two processes and one thread. Blocks until the bytes may be
  // used again. Any thread. tag: 0 ... 1000.
  virtual void send(int to, int tag, std::span<const std::byte> bytes) = 0;
  // The next message to this process, if there is one. One thread at a time.
  virtual std::optional<Message> receive() = 0;

  // Every process gives a text and gets those of all, by rank. All must call it; waits for them.
  virtual std::vector<std::string> gather(const std::string& text) = 0;

  // By messages, of planes of plane_bytes: an end that sends to rank `to` and one that receives
  // from rank `from`, with a ring of so many planes each. The backend and this object must outlive
  // them. Throw ResourceError.
  virtual std::unique_ptr<PlaneSender> make_sender(Backend& backend, int to,
                                                   std::size_t plane_bytes, int planes) = 0;
  virtual std::unique_ptr<PlaneReceiver> make_receiver(Backend& backend, int from,
                                                       std::size_t plane_bytes, int planes) = 0;

  // Ends all processes at once with that exit code; for what cannot be ended together.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

// Null for a program that was started alone. Throws UsageError where it was started by mpirun, but
// built without MPI. Once per program; ends what it began when it goes away.
std::unique_ptr<Ranks> join_ranks();

// Whether the environment says that this process is one of several.
bool started_with_others();

}  // namespace lbm::tiling
