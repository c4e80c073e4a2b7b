// SPDX-License-Identifier: Apache-2.0

// Connections between GPUs through NCCL.
#if __has_include(<nccl.h>)
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "solver/backend/cuda/handles.hpp"
#include "solver/backend/cuda/shareable.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cuda {
namespace {

// The functions of NCCL that this program calls. The library is loaded at run time, so that the
// program starts where there is none.
struct NcclLibrary {
  int version = 0;  // as ncclGetVersion() gives it
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRankConfig) comm_init_rank_config = nullptr;
  decltype(&ncclCommGetAsyncError) comm_get_async_error = nullptr;
  decltype(&ncclCommAbort) comm_abort = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclGetErrorString) get_error_string = nullptr;
};

// The oldest version of NCCL that will do, as ncclGetVersion() gives it.
constexpr int oldest_nccl = NCCL_VERSION(2, 17, 1);

// Points `function` to the function of the library; false: the library has no such function.
template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::optional<NcclLibrary> load() {
  void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  decltype(&ncclGetVersion) get_version = nullptr;
  int version = 0;
  if (!find(library, "ncclGetVersion", get_version) || get_version(&version) != ncclSuccess ||
      version < oldest_nccl) {
    return std::nullopt;
  }
  NcclLibrary nccl;
  nccl.version = version;
  const bool complete = find(library, "ncclGetUniqueId", nccl.get_unique_id) &&
                        find(library, "ncclCommInitRankConfig", nccl.comm_init_rank_config) &&
                        find(library, "ncclCommGetAsyncError", nccl.comm_get_async_error) &&
                        find(library, "ncclCommAbort", nccl.comm_abort) &&
                        find(library, "ncclSend", nccl.send) &&
                        find(library, "ncclRecv", nccl.receive) &&
                        find(library, "ncclGetErrorString", nccl.get_error_string);
  if (!complete) return std::nullopt;
  return nccl;
}

// The first call loads libnccl.so.2; the library stays loaded. Null where the system has none, or
// one before version 2.17.1. Any thread may call it.
const NcclLibrary* nccl_library() {
  static const std::optional<NcclLibrary> loaded = load();
  return loaded ? &*loaded : nullptr;
}

using std::chrono::steady_clock;

// For both ends to come, and for the first transfer to find its way.
constexpr std::chrono::seconds patience{60};
// Thread blocks of one connection. Few, as they take their place from the kernels of the lattice.
constexpr int most_blocks = 4;

// An NCCL communicator of two ranks.
class Communicator {
 public:
  // Throws ResourceError. The device must be the current one.
  Communicator(const NcclLibrary& nccl, const ncclUniqueId& id, LinkEnd end) : nccl_(nccl) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.size = offsetof(ncclConfig_t, splitShare);  // as of oldest_nccl
    config.version = static_cast<unsigned>(oldest_nccl);
    config.blocking = 0;
    config.maxCTAs = most_blocks;
    try {
      settle(nccl_.comm_init_rank_config(&handle_, 2, id, end == LinkEnd::sends ? 0 : 1, &config));
    } catch (...) {
      abort();
      throw;
    }
  }
  ~Communicator() { abort(); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  void send(const std::byte* data, std::size_t bytes, cudaStream_t stream) {
    settle(nccl_.send(data, bytes, ncclUint8, 1, handle_, stream));
  }
  void receive(std::byte* data, std::size_t bytes, cudaStream_t stream) {
    settle(nccl_.receive(data, bytes, ncclUint8, 0, handle_, stream));
  }

  void check_health() {
    ncclResult_t state = ncclSuccess;
    refuse(nccl_.comm_get_async_error(handle_, &state));
    if (state != ncclInProgress) refuse(state);
  }

 private:
  // Calls go on in the background; another one must not begin before they are done.
  void settle(ncclResult_t result) {
    const auto end = steady_clock::now() + patience;
    while (result == ncclInProgress) {
      if (steady_clock::now() > end) throw ResourceError("NCCL: the other GPU does not answer");
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      refuse(nccl_.comm_get_async_error(handle_, &result));
    }
    refuse(result);
  }

  void refuse(ncclResult_t result) const {
    if (result == ncclSuccess || result == ncclInProgress) return;
    throw ResourceError(
        fmt::format("NCCL: {} (NCCL_DEBUG=WARN tells more)", nccl_.get_error_string(result)));
  }

  // Also ends kernels that wait for the other end.
  void abort() noexcept {
    if (handle_ != nullptr) nccl_.comm_abort(std::exchange(handle_, nullptr));
  }

  const NcclLibrary& nccl_;
  ncclComm_t handle_ = nullptr;
};

class NcclLink final : public DeviceLink {
 public:
  NcclLink(const NcclLibrary& nccl, const ncclUniqueId& id, LinkEnd end, int device)
      : device_((check(cudaSetDevice(device), "select device"), device)),
        communicator_(nccl, id, end) {
    make_way(end);
  }

  void send(const std::byte* data, std::size_t bytes) override {
    begin();
    communicator_.send(data, bytes, stream_.get());
    mark();
  }
  void receive(std::byte* data, std::size_t bytes) override {
    begin();
    communicator_.receive(data, bytes, stream_.get());
    mark();
  }

  std::int64_t completed() override {
    while (!marks_.empty() && is_done(marks_.front())) {
      spare_.push_back(std::move(marks_.front()));
      marks_.pop_front();
      ++completed_;
    }
    if (!marks_.empty()) communicator_.check_health();
    return completed_;
  }

 private:
  using Mark = Owned<cudaEvent_t>;

  // With the first transfer NCCL allocates memory and loads kernels, which may wait until the
  // device is idle. Later on the device might be waiting for the other end, and that end for this
  // one.
  void make_way(LinkEnd end) {
    constexpr std::size_t few_bytes = 16;
    void* data = nullptr;
    check(cudaMalloc(&data, few_bytes), "allocate device memory");
    const Buffer memory(static_cast<std::byte*>(data), few_bytes,
                        [](std::byte* p) { cudaFree(p); });
    end == LinkEnd::sends ? send(memory.data(), few_bytes) : receive(memory.data(), few_bytes);
    const auto latest = steady_clock::now() + patience;
    while (completed() == 0) {
      if (steady_clock::now() > latest) throw ResourceError("NCCL: the other GPU does not answer");
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    completed_ = 0;
  }

  static bool is_done(const Mark& mark) {
    const cudaError_t state = cudaEventQuery(mark.get());
    if (state == cudaErrorNotReady) return false;
    check(state, "exchange planes");
    return true;
  }

  void begin() const { check(cudaSetDevice(device_), "select device"); }

  void mark() {
    if (spare_.empty()) spare_.push_back(make_event(cudaEventDisableTiming));
    check(cudaEventRecord(spare_.back().get(), stream_.get()), "record event");
    marks_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }

  int device_;
  Owned<cudaStream_t> stream_ = make_stream(true);
  std::deque<Mark> marks_;  // of transfers that are not complete, oldest first
  std::vector<Mark> spare_;
  std::int64_t completed_ = 0;
  Communicator communicator_;  // goes first: that ends the work of the stream
};

}  // namespace

std::string make_link_name() {
  const NcclLibrary* const nccl = nccl_library();
  ncclUniqueId id;
  if (nccl == nullptr || nccl->get_unique_id(&id) != ncclSuccess) return "";
  return hexadecimal(id);
}

std::unique_ptr<DeviceLink> open_link(const std::string& name, LinkEnd end, int device) {
  const NcclLibrary* const nccl = nccl_library();
  const auto id = from_hexadecimal<ncclUniqueId>(name);
  if (nccl == nullptr || !id) return nullptr;
  try {
    return std::make_unique<NcclLink>(*nccl, *id, end, device);
  } catch (const ResourceError&) {
    return nullptr;
  }
}

}  // namespace lbm::cuda

namespace lbm {

NcclVersions nccl_versions() {
  const cuda::NcclLibrary* const nccl = cuda::nccl_library();
  return {true, nccl != nullptr ? nccl->version : 0};
}

}  // namespace lbm

#else  // built without nccl.h

namespace lbm {

NcclVersions nccl_versions() { return {}; }

namespace cuda {

std::string make_link_name() { return ""; }
std::unique_ptr<DeviceLink> open_link(const std::string&, LinkEnd, int) { return nullptr; }

}  // namespace cuda
}  // namespace lbm

#endif
