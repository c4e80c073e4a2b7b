// The CPU backend as one whose device memory other processes can open, or as one that refuses.
#pragma once

#include <memory>
#include <string>

#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/core/shared_memory.hpp"

namespace lbm::tiling::test {

struct Sharing {
  bool offers_device = true, opens_device = true;
  bool pins_host = true;
};

// Its "device" memory is the host's.
class SharingBackend final : public Backend {
 public:
  explicit SharingBackend(const Sharing& sharing) : sharing_(sharing) {}

  std::optional<ShareableBuffer> allocate_shareable(std::size_t bytes) override {
    if (!sharing_.offers_device) return std::nullopt;
    auto memory = std::make_shared<SharedMemory>(SharedMemory::create(bytes, "a test"));
    return ShareableBuffer{kept(memory, bytes), memory->name()};
  }
  std::optional<Buffer> open_shareable(const std::string& name, std::size_t bytes) override {
    auto opened = SharedMemory::open(name, bytes);
    if (!sharing_.opens_device || !opened) return std::nullopt;
    return kept(std::make_shared<SharedMemory>(std::move(*opened)), bytes);
  }
  Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) override {
    if (!sharing_.pins_host) throw ResourceError("no memory can be pinned");
    return cpu_->attach_host(data, bytes, kind);
  }

  // As the CPU backend.
  BackendKind kind() const override { return cpu_->kind(); }
  std::string device_name() const override { return cpu_->device_name(); }
  int threads() const override { return cpu_->threads(); }
  std::size_t free_memory() const override { return cpu_->free_memory(); }
  DeviceFacts facts() const override { return cpu_->facts(); }
  Buffer allocate_device(std::size_t bytes, const std::string& purpose) override {
    return cpu_->allocate_device(bytes, purpose);
  }
  Buffer allocate_staging(std::size_t bytes, const std::string& purpose) override {
    return cpu_->allocate_staging(bytes, purpose);
  }
  Buffer allocate_host(std::size_t bytes, HostMemory kind, const std::string& purpose) override {
    return cpu_->allocate_host(bytes, kind, purpose);
  }
  std::unique_ptr<Event> make_event() override { return cpu_->make_event(); }
  void record(Queue queue, Event& event) override { cpu_->record(queue, event); }
  void wait(Queue queue, Event& event) override { cpu_->wait(queue, event); }
  void synchronize(Event& event) override { cpu_->synchronize(event); }
  double seconds_between(Event& from, Event& to) override {
    return cpu_->seconds_between(from, to);
  }
  void copy_in(std::byte* device, const std::byte* host, std::size_t bytes) override {
    cpu_->copy_in(device, host, bytes);
  }
  void copy_out(std::byte* host, const std::byte* device, std::size_t bytes) override {
    cpu_->copy_out(host, device, bytes);
  }
  void copy_on_device(std::byte* to, const std::byte* from, std::size_t bytes) override {
    cpu_->copy_on_device(to, from, bytes);
  }
  void update(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches) override {
    cpu_->update(lattice, launches);
  }
  void moments(const DeviceLattice& lattice, const PlaneState& plane,
               const CellRectangle& rectangle, float* density, float* velocity) override {
    cpu_->moments(lattice, plane, rectangle, density, velocity);
  }
  void probe(const DeviceLattice& lattice, const UpdateLaunch& launch) override {
    cpu_->probe(lattice, launch);
  }
  void sample_flow(const DeviceLattice& lattice, const PlaneState& plane,
                   std::int64_t* record) override {
    cpu_->sample_flow(lattice, plane, record);
  }
  void clear(Queue queue, std::byte* device, std::size_t bytes) override {
    cpu_->clear(queue, device, bytes);
  }

 private:
  static Buffer kept(const std::shared_ptr<SharedMemory>& memory, std::size_t bytes) {
    return Buffer(memory->data(), bytes, [memory](std::byte*) {});
  }

  Sharing sharing_;
  std::unique_ptr<Backend> cpu_ = make_cpu_backend(1);
};

}  // namespace lbm::tiling::test
