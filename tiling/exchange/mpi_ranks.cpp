// SPDX-License-Identifier: Apache-2.0

// Ranks by MPI: the only file that includes mpi.h.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <deque>
#include <functional>
#include <thread>

#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {
namespace {

constexpr int halo_tag = 1, announcement_tag = 2;

void mpi_check(int error) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  throw ResourceError(fmt::format("MPI: {}", std::string(text, static_cast<std::size_t>(length))));
}

bool is_done(MPI_Request& request) {
  int done = 0;
  mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

// Sleeps between tests: other processes may need the core.
void wait(MPI_Request& request) {
  for (Patience patience; !is_done(request); patience.nothing()) {
    std::this_thread::sleep_for(patience.nap());
  }
}

void withdraw(MPI_Request& request) {
  mpi_check(MPI_Cancel(&request));
  mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int count_of(std::size_t bytes) {
  if (bytes > 0x7fffffff) throw ResourceError("MPI: a message of more than 2 GiB");
  return static_cast<int>(bytes);
}

// Keeps MPI initialised as long as it lives.
class MpiLibrary {
 public:
  MpiLibrary() {
    int threads = 0;
    mpi_check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &threads));
    if (threads < MPI_THREAD_MULTIPLE) {
      throw UsageError("this MPI cannot be called by several threads: use Open MPI or MPICH");
    }
  }
  ~MpiLibrary() { MPI_Finalize(); }
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;
};

// Owns what make(MPI_Comm*) makes. Its messages never match those of other communicators.
class Communicator {
 public:
  template <class Make>
  requires(std::invocable<const Make&, MPI_Comm*>) explicit Communicator(const Make& make) {
    mpi_check(make(&comm_));
    mpi_check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  }
  ~Communicator() { MPI_Comm_free(&comm_); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm get() const { return comm_; }
  int rank() const {
    int rank = 0;
    mpi_check(MPI_Comm_rank(comm_, &rank));
    return rank;
  }
  int size() const {
    int size = 0;
    mpi_check(MPI_Comm_size(comm_, &size));
    return size;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// Announcements as empty messages to or from rank `peer`. The communicator must outlive the object.
class MpiAnnouncements final : public Announcements {
 public:
  MpiAnnouncements(MPI_Comm comm, int peer) : comm_(comm), peer_(peer) {}

  void announce() override {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, peer_, announcement_tag, comm_, &request));
    mpi_check(MPI_Request_free(&request));
  }
  long long heard() override {
    while (true) {
      if (coming_ == MPI_REQUEST_NULL) {
        mpi_check(MPI_Irecv(nullptr, 0, MPI_BYTE, peer_, announcement_tag, comm_, &coming_));
      }
      if (!is_done(coming_)) return heard_;  // a completed request is MPI_REQUEST_NULL
      ++heard_;
    }
  }
  void cancel() override {
    if (coming_ != MPI_REQUEST_NULL) withdraw(coming_);
  }

 private:
  MPI_Comm comm_;
  int peer_;
  long long heard_ = 0;
  MPI_Request coming_ = MPI_REQUEST_NULL;  // the next announcement
};

// Planes in host memory, to or from rank `peer`. The communicator must outlive the object. Throws
// ResourceError unless plane_bytes is a multiple of 16, < 32 GiB.
class MpiLink final : public PlaneLink {
 public:
  // One datatype for a whole plane: MPI counts are int, and a plane may have more bytes.
  MpiLink(MPI_Comm comm, int peer, std::size_t plane_bytes)
      : comm_(comm), peer_(peer), announcements_(comm, peer) {
    constexpr std::size_t unit_bytes = 16;
    if (plane_bytes % unit_bytes != 0 || plane_bytes / unit_bytes > 0x7fffffff) {
      throw ResourceError(fmt::format("planes of {} bytes cannot be exchanged", plane_bytes));
    }
    MPI_Datatype unit = MPI_DATATYPE_NULL;
    mpi_check(MPI_Type_contiguous(static_cast<int>(unit_bytes), MPI_BYTE, &unit));
    const int error = MPI_Type_contiguous(static_cast<int>(plane_bytes / unit_bytes), unit, &type_);
    MPI_Type_free(&unit);
    mpi_check(error);
    mpi_check(MPI_Type_commit(&type_));
  }
  ~MpiLink() override { MPI_Type_free(&type_); }

  void send(const std::byte* plane) override {
    announcements_.announce();
    mpi_check(MPI_Isend(plane, 1, type_, peer_, halo_tag, comm_,
                        &requests_.emplace_back(MPI_REQUEST_NULL)));
  }
  void receive(std::byte* plane) override {
    receives_ = true;
    mpi_check(MPI_Irecv(plane, 1, type_, peer_, halo_tag, comm_,
                        &requests_.emplace_back(MPI_REQUEST_NULL)));
  }
  long long completed() override {
    for (; !requests_.empty() && is_done(requests_.front()); requests_.pop_front()) ++completed_;
    return completed_;
  }
  long long announced() override { return announcements_.heard(); }
  bool sends_messages() const override { return true; }
  // MPI cannot withdraw what it sends.
  void cancel() override {
    announcements_.cancel();
    if (!receives_) return;
    for (MPI_Request& request : requests_) withdraw(request);
    requests_.clear();
  }

 private:
  MPI_Comm comm_;
  int peer_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MpiAnnouncements announcements_;
  std::deque<MPI_Request> requests_;  // oldest first
  bool receives_ = false;
  long long completed_ = 0;
};

int join_host(MPI_Comm* host) {
  return MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, host);
}

class MpiRanks final : public Ranks {
 public:
  // All processes, host by host: neighbours in z are on one host wherever a host has several of
  // them, and only one plane stream each way joins two hosts, however the launcher placed the
  // processes. Within a host, and of the hosts by their first process, the order of MPI_COMM_WORLD
  // stays; so does rank 0.
  MpiRanks()
      : host_(join_host),
        messages_([this](MPI_Comm* all) {
          int first = 0;  // of the host, in MPI_COMM_WORLD
          mpi_check(MPI_Comm_rank(MPI_COMM_WORLD, &first));
          mpi_check(MPI_Bcast(&first, 1, MPI_INT, 0, host_.get()));
          return MPI_Comm_split(MPI_COMM_WORLD, 0, first, all);
        }),
        collectives_(duplicate()),
        halo_planes_(duplicate()),
        announcements_(duplicate()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  void send(int to, int tag, std::span<const std::byte> bytes) override {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, to, tag, messages_.get(),
                        &request));
    wait(request);
  }

  std::optional<Message> receive() override {
    int found = 0, count = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status{};
    mpi_check(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, messages_.get(), &found, &handle, &status));
    if (found == 0) return std::nullopt;
    mpi_check(MPI_Get_count(&status, MPI_BYTE, &count));
    Message message{status.MPI_SOURCE, status.MPI_TAG, {}};
    message.bytes.resize(static_cast<std::size_t>(count));
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Imrecv(message.bytes.data(), count, MPI_BYTE, &handle, &request));
    wait(request);
    return message;
  }

  std::unique_ptr<PlaneLink> link_to(int to, std::size_t plane_bytes) override {
    return std::make_unique<MpiLink>(halo_planes_.get(), to, plane_bytes);
  }
  std::unique_ptr<PlaneLink> link_from(int from, std::size_t plane_bytes) override {
    return link_to(from, plane_bytes);
  }
  // A communicator of their own: a rank may have both kinds of ends with the same neighbour.
  std::unique_ptr<Announcements> announcements_to(int to) override {
    return std::make_unique<MpiAnnouncements>(announcements_.get(), to);
  }
  std::unique_ptr<Announcements> announcements_from(int from) override {
    return announcements_to(from);
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  std::function<int(MPI_Comm*)> duplicate() const {
    return [this](MPI_Comm* copy) { return MPI_Comm_dup(messages_.get(), copy); };
  }

  void allgather_bytes(std::span<const std::byte> own, std::span<std::byte> all) override {
    const int count = count_of(own.size());
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Iallgather(own.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE,
                             collectives_.get(), &request));
    wait(request);
  }

  MpiLibrary library_;
  Communicator host_, messages_, collectives_, halo_planes_, announcements_;
  const int rank_ = messages_.rank(), size_ = messages_.size();
  const int local_rank_ = host_.rank(), local_size_ = host_.size();
};

// Settings that CUDA and Open MPI read when they start; those of the user stay. A GPU may hold a
// transfer that waits for the GPU of another rank. Nothing else must then wait for it: neither the
// loading of a kernel at its first launch, nor a queue that has to share its channel to the GPU.
// Where the ranks of a host may not read each other's memory, a message moves in pieces, some each
// time that an end looks for it. Pieces of 32 KiB, the default of Open MPI 4 and 5, would make
// planes slow.
void set_environment() {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  setenv("OMPI_MCA_btl_vader_max_send_size", "262144", 0);
  setenv("OMPI_MCA_btl_sm_max_send_size", "262144", 0);
}

[[noreturn]] void refuse(const Launch& found) {
  throw UsageError(fmt::format(
      "found {} processes ({}), of which MPI sees one: start them by the mpirun of the MPI with "
      "which lbm was built ({}), or by srun --mpi=pmix (docs/clusters.md); for independent runs "
      "unset {}",
      found.processes, found.variable, mpi_library(), found.variable));
}

}  // namespace

std::unique_ptr<Ranks> join_ranks() {
  const Launch found = launch();
  if (found.processes < 2) return nullptr;
  if (!found.manager) refuse(found);  // Open MPI would end the program with a page of text
  set_environment();
  auto ranks = std::make_unique<MpiRanks>();
  if (ranks->size() == 1) refuse(found);
  return ranks;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "unknown";
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));  // "Open MPI v4.1.4", without who built it
}

}  // namespace lbm::tiling
