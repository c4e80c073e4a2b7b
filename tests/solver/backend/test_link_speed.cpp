// SPDX-License-Identifier: Apache-2.0

// Which ways of copies there are on machines that are not there, and what is measured of links
// whose directions differ and share the host's memory.

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "solver/backend/speeds.hpp"
#include "tests/machines/machines.hpp"
#include "tests/solver/backend/forwarding_backend.hpp"

namespace lbm {
namespace {

using lbm::testing::machine;

DeviceFacts gpu(PageableAccess pageable, int node) {
  DeviceFacts facts;
  facts.backend = BackendKind::cuda;
  facts.name = "GPU";
  facts.pageable = pageable;
  facts.numa_node = node;
  return facts;
}

std::vector<std::string> names(const std::vector<LinkPath>& paths) {
  std::vector<std::string> all;
  for (const LinkPath& path : paths) all.push_back(path.name());
  return all;
}

constexpr std::array<std::size_t, 1> one_size{std::size_t{1} << 20};

TEST(LinkPaths, OfAGh200ReachOnlyTheNodeWithCpus) {
  const auto nodes = numa_nodes(machine("gh200"));
  EXPECT_EQ(names(link_paths(gpu(PageableAccess::ats, 0), nodes, one_size)),
            (std::vector<std::string>{"pinned memory on node 0, copy engine, 1.0 MiB at a time",
                                      "pinned memory on node 0, copy kernel, 1.0 MiB at a time",
                                      "system memory on node 0, copy kernel, 1.0 MiB at a time"}));
}

TEST(LinkPaths, OfAGb200BeginWithTheNearSocket) {
  const auto paths =
      link_paths(gpu(PageableAccess::ats, 1), numa_nodes(machine("gb200")), one_size);
  ASSERT_EQ(paths.size(), 6U);
  EXPECT_EQ(paths[0].node, 1);
  EXPECT_EQ(paths[3].node, 0);
}

TEST(LinkPaths, LackKindsThatTheDeviceCannotUse) {
  const auto paths = link_paths(gpu(PageableAccess::none, -1), {}, one_size);
  ASSERT_EQ(paths.size(), 2U) << "pinned memory, by engine and by kernel";
  EXPECT_EQ(paths[0].node, -1);
  EXPECT_TRUE(link_paths(DeviceFacts{}, {}, one_size).empty()) << "a CPU";
}

// A GPU behind a link that takes virtual time: copies of memory that is attached as `system` run by
// the kernel, all others by the engines. While both directions have work, they share `memory`.
class LinkedBackend : public test::ForwardingBackend {
 public:
  struct Rates {
    double in, out;  // bytes per second, alone
    double memory;   // of both together
  };

  LinkedBackend(PageableAccess pageable, Rates engine, Rates kernel)
      : engine_(engine), kernel_(kernel) {
    facts_ = gpu(pageable, -1);
  }

  BackendKind kind() const override { return BackendKind::cuda; }
  DeviceFacts facts() const override { return facts_; }
  std::size_t free_memory() const override { return std::size_t{8} << 30; }

  Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) override {
    kinds_[data] = kind;
    return {data, bytes, [this](std::byte* p) { kinds_.erase(p); }};
  }
  std::unique_ptr<Event> make_event() override { return std::make_unique<Clock>(); }
  void record(Queue queue, Event& event) override {
    Clock& clock = static_cast<Clock&>(event);
    clock.backend = this;
    clock.queue = queue;
    clock.work = submitted_;
  }
  void synchronize(Event& /*event*/) override {}
  double seconds_between(Event& from, Event& to) override {
    const Clock &a = static_cast<Clock&>(from), &b = static_cast<Clock&>(to);
    const Rates& rates = by_kernel_ ? kernel_ : engine_;
    const double in = b.work[0] - a.work[0], out = b.work[1] - a.work[1];
    const bool both = in > 0 && out > 0;
    const double share = both ? rates.memory / (rates.in + rates.out) : 1;
    return a.queue == Queue::load ? in / (share * rates.in) : out / (share * rates.out);
  }
  void copy_in(std::byte* device, const std::byte* host, std::size_t bytes) override {
    ForwardingBackend::copy_in(device, host, bytes);
    submit(0, host, bytes);
  }
  void copy_out(std::byte* host, const std::byte* device, std::size_t bytes) override {
    ForwardingBackend::copy_out(host, device, bytes);
    submit(1, host, bytes);
  }

 private:
  struct Clock : Event {
    LinkedBackend* backend = nullptr;
    Queue queue = Queue::load;
    std::array<double, 2> work{};
  };

  void submit(std::size_t way, const std::byte* host, std::size_t bytes) {
    submitted_[way] += static_cast<double>(bytes);
    const auto after = kinds_.upper_bound(host);
    by_kernel_ = after != kinds_.begin() && std::prev(after)->second == HostMemory::system;
  }

  DeviceFacts facts_;
  Rates engine_, kernel_;
  std::array<double, 2> submitted_{};  // bytes, in and out
  std::map<const std::byte*, HostMemory> kinds_;
  bool by_kernel_ = false;
};

constexpr std::size_t small = 1 << 20;

TEST(LinkSpeeds, OfDirectionsThatDifferAndShareTheHostsMemory) {
  LinkedBackend gh200(PageableAccess::ats, {375e9, 297e9, 336e9}, {400e9, 350e9, 375e9});
  const LinkSpeed engine = measure_link(gh200, {.copy_bytes = small}, 4 * small);
  EXPECT_NEAR(engine.in, 375e9, 1e6);
  EXPECT_NEAR(engine.out, 297e9, 1e6);
  EXPECT_NEAR(engine.in_both, 187.5e9, 1e6);
  EXPECT_NEAR(engine.out_both, 148.5e9, 1e6);
  const LinkSpeed kernel =
      measure_link(gh200, {HostMemory::pinned, CopyMethod::kernel, -1, small}, 4 * small);
  EXPECT_NEAR(kernel.in, 400e9, 1e6);
  EXPECT_NEAR(kernel.out_both, 175e9, 1e6);
}

TEST(LinkSpeeds, AreNotMeasuredWithoutMemory) {
  LinkedBackend device(PageableAccess::none, {1e9, 1e9, 2e9}, {1e9, 1e9, 2e9});
  EXPECT_FALSE(measure_link(device, {.copy_bytes = small}, std::size_t{3} << 30).measured());
}

TEST(LinkSpeeds, PlainMemoryMustBeAFifthFaster) {
  const LinkSpeed pinned{50e9, 50e9, 40e9, 30e9};
  EXPECT_FALSE(system_memory_pays(pinned, {90e9, 90e9, 90e9, 35e9})) << "the slower way counts";
  EXPECT_TRUE(system_memory_pays(pinned, {30e9, 30e9, 37e9, 37e9}));
  EXPECT_FALSE(system_memory_pays(pinned, {}));
}

TEST(LinkSpeeds, OfARunAreThoseOfItsHostMemory) {
  DeviceSpeeds speeds;
  speeds.set_link({50e9, 50e9, 40e9, 30e9});
  EXPECT_EQ(speeds.fastest_host_memory(), HostMemory::pinned) << "system not measured";
  speeds.system_link = {80e9, 80e9, 70e9, 60e9};
  EXPECT_EQ(speeds.fastest_host_memory(), HostMemory::system);
  const DeviceSpeeds system = speeds.with_host_memory(HostMemory::system);
  EXPECT_EQ(system.host_memory, HostMemory::system);
  EXPECT_EQ(system.link_out_both, 60e9);
  EXPECT_EQ(speeds.with_host_memory(HostMemory::pinned).link_out_both, 30e9);
  EXPECT_EQ(speeds.with_host_memory(HostMemory::managed).host_memory, HostMemory::pinned);
}

}  // namespace
}  // namespace lbm
