// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <thread>

#include "tiling/exchange/mpi_library.hpp"
#include "tiling/exchange/mpi_link.hpp"
#include "tiling/exchange/patience.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {
namespace {

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

// All processes, host by host: neighbours in z are on one host wherever a host has several of them,
// and only one plane stream each way joins two hosts, however the launcher placed the processes.
// Within a host, and of the hosts by their first process, the order of MPI_COMM_WORLD stays; so
// does rank 0.
class Communicators {
 public:
  Communicators() {
    mpi_check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host_));
    int first = 0;  // of the host, in MPI_COMM_WORLD
    mpi_check(MPI_Comm_rank(MPI_COMM_WORLD, &first));
    mpi_check(MPI_Bcast(&first, 1, MPI_INT, 0, host_));
    mpi_check(MPI_Comm_split(MPI_COMM_WORLD, 0, first, &all_));
  }
  ~Communicators() {
    MPI_Comm_free(&all_);
    MPI_Comm_free(&host_);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  MPI_Comm all() const { return all_; }
  MPI_Comm host() const { return host_; }

 private:
  MPI_Comm all_ = MPI_COMM_NULL, host_ = MPI_COMM_NULL;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks()
      : messages_(of_.all()),
        collectives_(of_.all()),
        halo_planes_(of_.all()),
        announcements_(of_.all()) {
    mpi_check(MPI_Comm_rank(of_.all(), &rank_));
    mpi_check(MPI_Comm_size(of_.all(), &size_));
    mpi_check(MPI_Comm_rank(of_.host(), &local_rank_));
    mpi_check(MPI_Comm_size(of_.host(), &local_size_));
  }

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
    int found = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status{};
    mpi_check(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, messages_.get(), &found, &handle, &status));
    if (found == 0) return std::nullopt;
    int count = 0;
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
    return std::make_unique<MpiLink>(halo_planes_.get(), from, plane_bytes);
  }
  // A communicator of their own: a rank may have both kinds of ends with the same neighbour.
  std::unique_ptr<Announcements> announcements_to(int to) override {
    return std::make_unique<MpiAnnouncements>(announcements_.get(), to);
  }
  std::unique_ptr<Announcements> announcements_from(int from) override {
    return std::make_unique<MpiAnnouncements>(announcements_.get(), from);
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  void allgather_bytes(std::span<const std::byte> own, std::span<std::byte> all) override {
    const int count = count_of(own.size());
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Iallgather(own.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE,
                             collectives_.get(), &request));
    wait(request);
  }

  static int count_of(std::size_t bytes) {
    if (bytes > 0x7fffffff) throw ResourceError("MPI: a message of more than 2 GiB");
    return static_cast<int>(bytes);
  }

  // Sleeps between tests: other processes may need the core.
  static void wait(MPI_Request& request) {
    Patience patience;
    int done = 0;
    while (true) {
      mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      if (done != 0) return;
      std::this_thread::sleep_for(patience.nap());
      patience.nothing();
    }
  }

  MpiLibrary library_;
  Communicators of_;
  MpiCommunicator messages_, collectives_, halo_planes_, announcements_;
  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
};

// Settings that CUDA reads when it starts; those of the user stay. A GPU may hold a transfer that
// waits for the GPU of another rank. Nothing else must then wait for it: neither the loading of a
// kernel at its first launch, nor a queue that has to share its channel to the GPU.
void prepare_cuda() {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

// Settings that Open MPI reads when it starts; those of the user stay. Where the ranks of a host
// may not read each other's memory, a message moves in pieces, some each time that an end looks for
// it. Pieces of 32 KiB, the default of versions 4 and 5, would make planes slow.
void prepare_mpi() {
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
  prepare_cuda();
  prepare_mpi();
  auto ranks = std::make_unique<MpiRanks>();
  if (ranks->size() == 1) refuse(found);
  return ranks;
}

}  // namespace lbm::tiling
