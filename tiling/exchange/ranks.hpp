// SPDX-License-Identifier: Apache-2.0

// The MPI ranks of a run, one for each slab of planes. Rank 0 is the root: it decides what is
// computed and writes the results; the others compute.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace lbm::tiling {

// One end of a one-way connection between two ranks, which moves the planes of a LinkSender to the
// LinkReceiver of the other rank. One thread at a time may call it. All calls throw ResourceError
// if the connection fails.
class PlaneLink {
 public:
  PlaneLink() = default;
  PlaneLink(const PlaneLink&) = delete;
  PlaneLink& operator=(const PlaneLink&) = delete;
  // Gives up transfers that are not complete.
  virtual ~PlaneLink() = default;

  // Asynchronous; `plane` must stay valid. The n-th send() matches the other end's n-th receive().
  virtual void send(const std::byte* plane) = 0;
  virtual void receive(std::byte* plane) = 0;
  // The number of completed transfers since the beginning.
  virtual long long completed() = 0;

  // The receiving end: the number of planes that the sender has announced.
  virtual long long announced() = 0;
  // True for messages. Receiving may begin before the plane is announced, at no cost; transfers
  // progress only while the caller calls completed(); and sent planes must arrive even if the run
  // has failed. False for transfers between devices, which are given up then.
  virtual bool sends_messages() const = 0;
  // Withdraws receives of planes that will not be sent.
  virtual void cancel() {}
};

// Tells the receiving end of a connection how many planes are coming.
class Announcements {
 public:
  Announcements() = default;
  Announcements(const Announcements&) = delete;
  Announcements& operator=(const Announcements&) = delete;
  virtual ~Announcements() = default;

  virtual void announce() = 0;    // the sending end: one more
  virtual long long heard() = 0;  // the receiving end: all so far
  virtual void cancel() {}        // the receiving end: listens no more
};

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

// Name and version that the MPI library reports, in one line; empty for a program without MPI. Does
// not initialise MPI.
std::string mpi_library();

// The nap between two polls of other ranks doubles while nothing happens: ranks may share cores.
class Patience {
 public:
  void nothing() { nap_ = std::min(2 * nap_, longest); }
  void something() { nap_ = shortest; }
  std::chrono::microseconds nap() const { return nap_; }

 private:
  static constexpr std::chrono::microseconds shortest{10}, longest{500};
  std::chrono::microseconds nap_ = shortest;
};

}  // namespace lbm::tiling
