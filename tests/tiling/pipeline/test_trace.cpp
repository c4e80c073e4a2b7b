// SPDX-License-Identifier: Apache-2.0

// A trace has each action of the schedule once, at plausible times, and does not change the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <tuple>

#include "tests/tiling/pipeline/run_lattice.hpp"
#include "tiling/schedule/make_scheduler.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int nx = 19, ny = 13, nz = 37, steps = 23;

class Recorder final : public TraceSink {
 public:
  explicit Recorder(std::size_t limit = 1'000'000) : limit_(limit) {}
  void on_start(double alignment, double /*zero*/) override {
    EXPECT_GE(alignment, 0);
    EXPECT_LT(alignment, 1);
    ++starts;
  }
  void on_slice(const Slice& slice) override {
    EXPECT_EQ(starts, 1);
    slices.push_back(slice);
  }
  bool full() const override { return slices.size() >= limit_; }

  std::vector<Slice> of(std::initializer_list<Activity> activities) const {
    std::vector<Slice> found;
    for (const Slice& slice : slices) {
      if (std::count(activities.begin(), activities.end(), slice.activity)) found.push_back(slice);
    }
    return found;
  }

  std::vector<Slice> slices;
  int starts = 0;

 private:
  std::size_t limit_;
};

class NoSink final : public FieldSink {
 public:
  void on_plane(std::int64_t, int, int, std::span<const float>, std::span<const float>) override {}
};

struct Variant {
  BackendKind backend;
  ScheduleOptions options;
  bool periodic;
};

std::optional<Sweep> next_sweep(std::int64_t& left, int most) {
  const int next = next_sweep_steps(left, most);
  left -= next;
  if (next == 0) return std::nullopt;
  return Sweep{next, left == 0, left == 0};
}

class Trace : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    const auto& [kind, options, periodic] = GetParam();
    if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
    backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
    std::array<WallFace, 6> faces;
    if (periodic) {
      for (WallFace& face : faces) face.wall = false;
    }
    lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, faces);
  }

  State run(TraceSink* to) {
    return run_lattice(*backend, lattice, {}, rough_flow(nx, ny, nz, 3), GetParam().options, steps,
                       &sink, HostMemory::pinned, to);
  }

  // The schedule: updates as (sweep, level, first plane, count), and sweeps.
  std::multiset<std::tuple<int, int, int, int>> planned() {
    const auto scheduler = make_scheduler({nz, lattice.periodic_z()}, GetParam().options);
    scheduler->prologue();
    std::multiset<std::tuple<int, int, int, int>> updates;
    std::int64_t left = steps;
    while (const auto visit = scheduler->next(
               [&] { return next_sweep(left, GetParam().options.steps_per_visit); })) {
      sweeps += static_cast<int>(visit->started.size());
      for (const Update& u : visit->updates) {
        updates.insert({u.sweep, u.level, u.first_plane, static_cast<int>(u.out.size())});
      }
    }
    return updates;
  }

  std::unique_ptr<Backend> backend;
  Lattice lattice;
  NoSink sink;
  Recorder trace;
  int sweeps = 0;
};

// How often each (sweep, level, plane) is covered.
std::map<std::tuple<int, int, int>, int> covered(const std::vector<Slice>& slices) {
  std::map<std::tuple<int, int, int>, int> times;
  for (const Slice& s : slices) {
    for (int i = 0; i < s.count; ++i) ++times[{s.sweep, s.level, (s.first_plane + i) % nz}];
  }
  return times;
}

void expect_each_plane_once(const std::vector<Slice>& slices, int first_sweep, int end_sweep,
                            std::uint64_t plane_bytes, const char* what) {
  const auto times = covered(slices);
  EXPECT_EQ(times.size(), static_cast<std::size_t>((end_sweep - first_sweep) * nz)) << what;
  for (const auto& [key, count] : times) {
    EXPECT_EQ(count, 1) << what << " of plane " << std::get<2>(key);
    EXPECT_GE(std::get<0>(key), first_sweep) << what;
    EXPECT_LT(std::get<0>(key), end_sweep) << what;
  }
  for (const Slice& s : slices) EXPECT_EQ(s.bytes, plane_bytes * s.count) << what;
}

TEST_P(Trace, HoldsEveryLaunchOfThePlanOnce) {
  run(&trace);
  std::multiset<std::tuple<int, int, int, int>> launches;
  const auto updates = trace.of({Activity::update});
  for (const Slice& s : updates) launches.insert({s.sweep, s.level, s.first_plane, s.count});
  EXPECT_EQ(launches, planned());
  if (GetParam().options.scheme == Scheme::halo) return;  // computes planes more than once
  const auto times = covered(updates);
  EXPECT_EQ(times.size(), static_cast<std::size_t>(steps * nz)) << "plane and level";
  for (const auto& [key, count] : times) EXPECT_EQ(count, 1);
}

TEST_P(Trace, HoldsEveryTransferOnce) {
  run(&trace);
  planned();
  const bool in_core = GetParam().options.scheme == Scheme::in_core;
  const std::size_t plane = lattice.layout.bytes,
                    fields = FieldRing::plane_bytes(lattice.layout.cells());
  expect_each_plane_once(trace.of({Activity::load}), in_core ? -1 : 0, in_core ? 0 : sweeps, plane,
                         "load");
  expect_each_plane_once(trace.of({Activity::store}), 0, in_core ? 0 : sweeps, plane, "store");
  for (const auto activity : {Activity::fields, Activity::copy_fields, Activity::write}) {
    expect_each_plane_once(trace.of({activity}), sweeps - 1, sweeps, fields, "fields");
  }
  expect_each_plane_once(trace.of({Activity::check}), sweeps - 1, sweeps, 0, "check");
}

TEST_P(Trace, TimesAreInsideTheRunAndInOrder) {
  const auto begin = std::chrono::steady_clock::now();
  run(&trace);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  // The host's clock is read a little after the reference event, and clocks differ a little.
  const double slack = 1e-3;
  const std::initializer_list<Activity> queues[] = {
      {Activity::load},
      {Activity::update, Activity::check, Activity::fields},
      {Activity::store, Activity::copy_fields},
      {Activity::open, Activity::write},
      {Activity::wait, Activity::wait_writer}};
  for (const auto& queue : queues) {
    auto slices = trace.of(queue);
    std::sort(slices.begin(), slices.end(),
              [](const Slice& a, const Slice& b) { return a.begin < b.begin; });
    double last = -slack;
    for (const Slice& s : slices) {
      EXPECT_GE(s.begin, last) << "overlaps the one before";
      EXPECT_GE(s.end, s.begin);
      last = s.end;
    }
    EXPECT_LE(last, seconds.count() + slack);
  }
}

// The times show the order within a visit: loads, then updates, then stores.
TEST_P(Trace, QueuesOfAVisitFollowEachOther) {
  run(&trace);
  std::map<int, double> loaded, updated, waited;
  for (const Slice& s : trace.of({Activity::load})) loaded[s.visit] = s.end;
  for (const Slice& s : trace.of({Activity::update})) {
    if (loaded.contains(s.visit)) {
      EXPECT_GE(s.begin, loaded[s.visit]);
    }
    updated[s.visit] = s.end;
  }
  for (const Slice& s : trace.of({Activity::store})) EXPECT_GE(s.begin, updated.at(s.visit));
  const double slack = 1e-3;  // two clocks
  for (const Slice& s : trace.of({Activity::wait})) {
    if (s.sweep < 0 && updated.contains(s.visit)) {
      EXPECT_GE(s.end, updated[s.visit] - slack);
    }
  }
}

TEST_P(Trace, ChangesNothing) {
  const State with = run(&trace);
  EXPECT_TRUE(with.same_cells(run(nullptr)));
}

TEST_P(Trace, StopsWhenTheSinkIsFull) {
  Recorder small(10);
  const State with = run(&small);
  EXPECT_TRUE(with.same_cells(run(nullptr)));
  // Slices that were under way when the sink became full may still come.
  const std::size_t visits_under_way = 6;
  EXPECT_GE(small.slices.size(), 10U);
  std::set<int> visits;
  for (const Slice& s : small.slices) visits.insert(s.visit);
  EXPECT_LE(visits.size(), visits_under_way + 3);
}

INSTANTIATE_TEST_SUITE_P(
    All, Trace,
    testing::Values(Variant{BackendKind::cpu, {Scheme::in_core, 1, 16}, false},
                    Variant{BackendKind::cpu, {Scheme::wavefront, 7, 4}, false},
                    Variant{BackendKind::cpu, {Scheme::wavefront, 7, 20}, true},
                    Variant{BackendKind::cpu, {Scheme::halo, 5, 8}, true},
                    Variant{BackendKind::cuda, {Scheme::in_core, 1, 16}, false},
                    Variant{BackendKind::cuda, {Scheme::wavefront, 7, 4}, false},
                    Variant{BackendKind::cuda, {Scheme::wavefront, 7, 20}, true},
                    Variant{BackendKind::cuda, {Scheme::halo, 5, 8}, true}),
    [](const auto& test) {
      return std::string(to_string(test.param.backend)) + "_" +
             to_string(test.param.options.scheme) + (test.param.periodic ? "_periodic" : "");
    });

// Times are measured from a newer event now and then; slices do not jump when that happens.
TEST(Tracer, MovesOnWithoutAJump) {
  struct Time final : Event {
    double seconds = 0;
  };
  struct Clock {
    double now = 0;
    double longest = 0;
  } clock;
  // Only events; tells times in single precision, as CUDA does.
  class Events final : public Backend {
   public:
    explicit Events(Clock& clock) : clock_(clock) {}
    BackendKind kind() const override { return BackendKind::cpu; }
    std::string device_name() const override { return "events"; }
    int threads() const override { return 1; }
    std::size_t free_memory() const override { return 0; }
    Buffer allocate_device(std::size_t, const std::string&) override { return {}; }
    Buffer allocate_staging(std::size_t, const std::string&) override { return {}; }
    DeviceFacts facts() const override { return {}; }
    Buffer allocate_host(std::size_t, HostMemory, const std::string&) override { return {}; }
    Buffer attach_host(std::byte*, std::size_t, HostMemory) override { return {}; }
    std::unique_ptr<Event> make_event() override { return std::make_unique<Time>(); }
    void record(Queue, Event& event) override { static_cast<Time&>(event).seconds = clock_.now; }
    void wait(Queue, Event&) override {}
    void synchronize(Event&) override {}
    double seconds_between(Event& from, Event& to) override {
      const double seconds = static_cast<Time&>(to).seconds - static_cast<Time&>(from).seconds;
      clock_.longest = std::max(clock_.longest, seconds);
      return static_cast<float>(seconds);
    }
    void copy_in(std::byte*, const std::byte*, std::size_t) override {}
    void copy_out(std::byte*, const std::byte*, std::size_t) override {}
    void copy_on_device(std::byte*, const std::byte*, std::size_t) override {}
    void update(const DeviceLattice&, std::span<const UpdateLaunch>) override {}
    void moments(const DeviceLattice&, const PlaneState&, const CellRectangle&, float*,
                 float*) override {}
    void probe(const DeviceLattice&, const UpdateLaunch&) override {}
    void sample_flow(const DeviceLattice&, const PlaneState&, std::int64_t*) override {}
    void clear(Queue, std::byte*, std::size_t) override {}

   private:
    Clock& clock_;
  } backend(clock);
  Recorder trace;
  Tracer tracer(backend, trace);
  PendingSlices slices(&tracer, nz);
  slices.start();
  for (int visit = 0; visit < 20'000; ++visit) {  // 1000 s
    slices.begin(Queue::update, {Activity::update, visit});
    clock.now += 0.05;
    slices.end();
    slices.report();
    auto recent = backend.make_event();
    backend.record(Queue::update, *recent);
    tracer.move_on(recent);
  }
  EXPECT_LT(clock.longest, 1.2);
  double last = 0;
  for (const Slice& s : trace.slices) {
    ASSERT_NEAR(s.begin, last, 1e-6);
    ASSERT_NEAR(s.end - s.begin, 0.05, 1e-6);
    last = s.end;
  }
  EXPECT_NEAR(last, 1000, 1e-4);
}

}  // namespace
}  // namespace lbm::tiling::test
