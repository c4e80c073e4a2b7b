// SPDX-License-Identifier: Apache-2.0

// A backend that does what the CPU backend does, for test backends that change a part of it.
#pragma once

#include <memory>
#include <string>

#include "solver/backend/backend.hpp"

namespace lbm::test {

class ForwardingBackend : public Backend {
 public:
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
               const CellRectangle& rectangle, float* fields) override {
    cpu_->moments(lattice, plane, rectangle, fields);
  }
  void probe(const DeviceLattice& lattice, const UpdateLaunch& launch) override {
    cpu_->probe(lattice, launch);
  }
  void sample_flow(const DeviceLattice& lattice, std::span<const PlaneState> planes,
                   std::int64_t* record) override {
    cpu_->sample_flow(lattice, planes, record);
  }
  void sum_box(const DeviceLattice& lattice, std::span<const PlaneState> planes,
               const CellRectangle& rectangle, double scale, std::int64_t* sums) override {
    cpu_->sum_box(lattice, planes, rectangle, scale, sums);
  }
  void clear(Queue queue, std::byte* device, std::size_t bytes) override {
    cpu_->clear(queue, device, bytes);
  }
  Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) override {
    return cpu_->attach_host(data, bytes, kind);
  }

 private:
  std::unique_ptr<Backend> cpu_ = make_cpu_backend(1);
};

}  // namespace lbm::test
