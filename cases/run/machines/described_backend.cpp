// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "cases/run/machines/described_machine.hpp"
#include "solver/backend/pass_plan.hpp"

namespace lbm::cases {
namespace {

[[noreturn]] void refuse() { throw std::logic_error("a described machine computes nothing"); }

class DescribedBackend : public Backend {
 public:
  explicit DescribedBackend(const DescribedMachine& machine) : machine_(machine) {}

  BackendKind kind() const override { return machine_.device.backend; }
  std::string device_name() const override { return machine_.device.name; }
  int threads() const override { return 0; }
  int steps_per_pass(const Lattice& lattice) const override {
    return device_has_passes(machine_.device)
               ? lbm::steps_per_pass(lattice, machine_.device.multiprocessors)
               : 1;
  }
  std::size_t free_memory() const override { return machine_.device_free; }
  DeviceFacts facts() const override { return machine_.device; }

  Buffer allocate_device(std::size_t, const std::string&) override { refuse(); }
  Buffer allocate_staging(std::size_t, const std::string&) override { refuse(); }
  Buffer allocate_host(std::size_t, HostMemory, const std::string&) override { refuse(); }
  Buffer attach_host(std::byte*, std::size_t, HostMemory) override { refuse(); }
  std::unique_ptr<Event> make_event() override { refuse(); }
  void record(Queue, Event&) override { refuse(); }
  void wait(Queue, Event&) override { refuse(); }
  void synchronize(Event&) override { refuse(); }
  double seconds_between(Event&, Event&) override { refuse(); }
  void copy_in(std::byte*, const std::byte*, std::size_t) override { refuse(); }
  void copy_out(std::byte*, const std::byte*, std::size_t) override { refuse(); }
  void copy_on_device(std::byte*, const std::byte*, std::size_t) override { refuse(); }
  void update(const DeviceLattice&, std::span<const UpdateLaunch>) override { refuse(); }
  void moments(const DeviceLattice&, const PlaneState&, const CellRectangle&, float*,
               float*) override {
    refuse();
  }
  void probe(const DeviceLattice&, const UpdateLaunch&) override { refuse(); }
  void sample_flow(const DeviceLattice&, const PlaneState&, std::int64_t*) override { refuse(); }
  void clear(Queue, std::byte*, std::size_t) override { refuse(); }

 private:
  DescribedMachine machine_;
};

}  // namespace

std::unique_ptr<Backend> make_described_backend(const DescribedMachine& machine) {
  return std::make_unique<DescribedBackend>(machine);
}

}  // namespace lbm::cases
