// SPDX-License-Identifier: Apache-2.0

// A schedule as plain data: which planes to load, update and store, in which slots and order. It is
// how the solver does temporal blocking: a plane advances many time steps per copy to the device.
//
// Words: a *plane* is a z-plane of the lattice. Its *level* s is its state after s steps of the
// current *sweep*; a sweep takes every plane from level 0 to level `steps`. A *slot* holds one
// plane on the device. A *visit* is one turn of the pipeline. Schedulers are pure functions: the
// same requests give the same visits, without any device.
//
// Where several processes share a grid, each has a *slab*: consecutive planes, counted modulo nz
// also between walls. A sweep of k steps moves every slab up by k planes: level s of a slab that
// starts at plane a consists of planes [a + s, a + s + planes). The end of a slab therefore needs
// the first two planes of every level of the slab above, the *halo planes*, which the slab above
// makes at the start of its sweep. They go one way only, long before they are needed, and nothing
// is computed twice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tiling/schedule/scheme.hpp"

namespace lbm::tiling {

struct ScheduleOptions;

struct PlaneGrid {
  int nz = 1;             // planes
  bool periodic = false;  // z wraps around; otherwise walls at both ends
  // The slab of this process at the beginning; slab_planes 0: it has all planes.
  int slab_first = 0, slab_planes = 0;

  bool is_slab() const { return slab_planes > 0; }
  int planes() const { return is_slab() ? slab_planes : nz; }
};

// The slab of one process at the beginning of a run; planes 0: the whole grid.
struct SlabShare {
  int first = 0, planes = 0;
};

// The fewest planes of a slab. With fewer, visits of B planes would wait for halo planes that are
// never sent.
int least_slab_planes(const ScheduleOptions& options);

// One sweep, as the caller asks for it.
struct Sweep {
  int steps = 1;       // levels
  bool emit = false;   // hand out the fields of every plane at the last level, before those of
                       // any later sweep
  bool check = false;  // sample the flow at the last level, and refuse non-finite values
  // Levels below the last one, ascending, whose fields are handed out as well. Planes of one level
  // may come between those of others, also of other sweeps.
  std::vector<int> early = {};
  bool sums = false;  // of a checked sweep: the sample has the sums over RecordSink::boxes(), too

  bool reads_planes() const { return emit || check; }
};

// The next sweep, or nothing: then the pipeline drains.
using SweepSource = std::function<std::optional<Sweep>()>;

// A plane on its way between host and device.
struct Transfer {
  int plane;
  int home;  // its place in the store: the plane's number, in a slab 0 ... planes - 1
  int slot;
  int sweep = -1;  // stores only: the sweep that the plane has finished
};

// A plane that goes from a slab to the one below. Visit::halo_out of the sender and Visit::halo_in
// of the receiver have the same order.
struct HaloPlane {
  int sweep, level, plane, slot;
};

// `out.size()` consecutive planes (modulo nz) from first_plane on reach `level`; in[] are the slots
// of the planes first - 1 ... first + count one level below. The entry of in[] beyond a wall is any
// slot: it is not read.
struct Update {
  int sweep;  // running number
  int level;
  int first_plane;
  std::vector<int> in, out;
  // Bit i: only the next update of the same visit reads out[i] at this level.
  std::uint64_t passing = 0;
  // Bit i: forces in out[i] count. Haloed tiles compute some planes twice; one of them counts.
  std::uint64_t counted = ~std::uint64_t{0};
};

// A plane at the last level of a sweep that reads its planes. The slot keeps it until the end of
// the visit.
struct Finished {
  int sweep;
  int plane;
  int slot;
};

// One visit: loads, then updates in order, then stores, each in a queue of its own. Halo planes
// come with the loads and go with the stores. A queue does its visits in order. Across queues the
// updates of a visit wait for its loads, its stores for its updates, and its outgoing halo planes
// for both. All other waits are given here as visit numbers, -1 for none.
struct Visit {
  std::vector<Transfer> loads;
  std::vector<HaloPlane> halo_in, halo_out;
  std::vector<Update> updates;
  std::vector<Finished> finished;
  std::vector<Transfer> stores;
  std::vector<Sweep> started;   // sweeps whose first visit this is
  int sweeps_completed = 0;     // sweeps whose last visit this is
  int load_after_update = -1;   // loads wait for the updates of that visit and all before
  int load_after_store = -1;    // loads wait for the stores of that visit and all before
  int update_after_store = -1;  // updates wait for the stores of that visit and all before
};

// A visit's loads wait for the updates load_lag visits before it, its loads and updates for the
// stores store_lag visits before it: loads run one visit ahead, stores have the time of two visits.
inline constexpr int load_lag = 2;
inline constexpr int store_lag = 3;

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  // Visit 0, where a schedule begins before its first sweep: in core it loads all planes. Call
  // once, before next().
  virtual std::optional<Visit> prologue() { return std::nullopt; }

  // The next visit, or nothing when the source has no more sweeps and all are complete. May be
  // called again with another source; visit numbers go on.
  virtual std::optional<Visit> next(const SweepSource& source) = 0;

  // The slots that the device must have: a promise, never exceeded.
  virtual int slots() const = 0;

  // Scheme in_core only: the slot that holds `plane` between sweeps; otherwise -1.
  virtual int resident_slot(int plane) const = 0;

  // Between sweeps: the first plane of the slab, and its place in the store. The other planes
  // follow, modulo nz and modulo PlaneGrid::planes().
  virtual int first_plane() const = 0;
  virtual int first_home() const = 0;
};

// Parameters of a schedule.
struct ScheduleOptions {
  Scheme scheme = Scheme::wavefront;
  int steps_per_visit = 1;   // k: the largest Sweep::steps that will be asked for
  int planes_per_visit = 1;  // B: planes loaded and updated together, at most max_planes_per_visit
  // In core, visits are joined until they have this many plane updates, across blocks and sweeps:
  // small grids would otherwise spend their time between visits.
  int updates_per_visit = 1;
  // So many updates of a visit may run in one pass, each row after the rows that it reads: none of
  // them writes a slot that another one reads. Scheme halo ignores it.
  int updates_together = 1;
};

inline constexpr int max_planes_per_visit = 64;

// Splits `steps` into the fewest sweeps of at most `most` steps, as even as possible, the longer
// ones first; where `most` allows it, of a multiple of `together` steps, except the last one.
// Returns the steps of the first sweep; 0 for steps <= 0.
int next_sweep_steps(long long steps, int most, int together = 1);

// The slots that a scheduler would promise.
int slots_needed(const PlaneGrid& grid, const ScheduleOptions& options);

// The planes that the updates of a slab read, in any load_lag visits in a row and in any sweep, lie
// within so many consecutive planes (modulo nz). All planes where one process has them.
int planes_in_use(const PlaneGrid& grid, const ScheduleOptions& options);

// Throws std::invalid_argument for nz < 1, k < 1, B outside 1 ... max_planes_per_visit, a slab of
// fewer than least_slab_planes() planes, and a slab that leaves fewer than two planes to others.
std::unique_ptr<Scheduler> make_scheduler(const PlaneGrid& grid, const ScheduleOptions& options);

}  // namespace lbm::tiling
