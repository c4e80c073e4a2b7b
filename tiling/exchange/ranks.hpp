// SPDX-License-Identifier: Apache-2.0

// The MPI ranks of a run, one for each slab of planes. Rank 0 is the root: it decides what is
// computed and writes the results; the others compute.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tiling/exchange/plane_link.hpp"
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
  // Rank and size among the ranks of this host.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;
  bool is_root() const { return rank() == 0; }

  // Blocks until `bytes` may be reused. Messages from one thread to one rank keep their order. Any
  // thread may call it. tag: 0 ... 1000. Throws ResourceError, as all functions below.
  virtual void send(int to, int tag, std::span<const std::byte> bytes) = 0;
  // The next message to this rank, if one has arrived. One thread at a time may call it.
  virtual std::optional<Message> receive() = 0;

  // Collective: every rank must call them in the same order; they wait for all ranks. allgather:
  // the values of all ranks, by rank.
  template <class T>
  requires(std::is_trivially_copyable_v<T> &&
           !std::same_as<T, bool>) std::vector<T> allgather(const T& value) {
    std::vector<T> all(static_cast<std::size_t>(size()));
    allgather_bytes(std::as_bytes(std::span(&value, 1)), std::as_writable_bytes(std::span(all)));
    return all;
  }
  std::vector<std::string> allgather(const std::string& text);
  void barrier() { allgather(0); }

  // The ends of a one-way connection to rank `to` and from rank `from`: planes in host memory as
  // messages, and announcements of planes that take another way. This object must outlive them.
  virtual std::unique_ptr<PlaneLink> link_to(int to, std::size_t plane_bytes) = 0;
  virtual std::unique_ptr<PlaneLink> link_from(int from, std::size_t plane_bytes) = 0;
  virtual std::unique_ptr<Announcements> announcements_to(int to) = 0;
  virtual std::unique_ptr<Announcements> announcements_from(int from) = 0;

  // Ends all processes at once with this exit code (MPI_Abort).
  [[noreturn]] virtual void abort(int exit_code) = 0;

 private:
  // all: as many bytes as `own` for each rank.
  virtual void allgather_bytes(std::span<const std::byte> own, std::span<std::byte> all) = 0;
};

// Null if the program was started alone. Throws UsageError if it was started as one of several, but
// MPI sees one or the build has no MPI. Call it once: it initialises MPI, the destructor finalises.
std::unique_ptr<Ranks> join_ranks();

// The program that started this process, according to environment variables.
struct Launch {
  int processes = 0;     // of the job, or of this host; 0: unknown
  std::string variable;  // that holds this number; empty: none
  bool manager = false;  // connects the processes (mpirun, srun --mpi=pmix; not plain srun)
};
Launch launch();

// True if the environment variables say that this process is one of several MPI ranks.
bool started_with_others();

}  // namespace lbm::tiling
