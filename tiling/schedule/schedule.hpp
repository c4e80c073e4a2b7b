// A schedule as plain data: what to load, update and store, in which slot, after what.
//
// Words: a *plane* is a z-plane of the lattice. Its *level* s is its state after s steps of the
// current *sweep*; a sweep takes every plane from level 0 to level `steps`. A *slot* holds one
// plane on the device. A *visit* is one turn of the pipeline. Planners are pure: same requests,
// same visits; there is no device in sight.
//
// Where several processes share a grid, each has a *slab*: consecutive planes, counted modulo nz
// whatever the ends of z are. A sweep of k steps moves every slab up by k planes: level s of a slab
// that starts at plane a is made of planes [a + s, a + s + planes). So its end needs the first two
// planes of every level of the slab above, which that one has made at the start of its sweep: the
// *halo planes*. They go one way only, long before they are needed, and nothing is computed twice.
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
  // Of this process at the beginning; slab_planes 0: all planes are, and there are no halo planes.
  int slab_first = 0, slab_planes = 0;

  bool is_slab() const { return slab_planes > 0; }
  int planes() const { return is_slab() ? slab_planes : nz; }
};

// The slab of one process at the beginning of a run; planes 0: the whole grid.
struct SlabShare {
  int first = 0, planes = 0;
};

// Planes of a slab at least: what visits of B planes need to find the halo planes that they wait
// for.
int least_slab_planes(const ScheduleOptions& options);

// What the caller wants of one sweep.
struct Sweep {
  int steps = 1;       // levels
  bool emit = false;   // hand out the fields of every plane at the last level, before those of
                       // any later sweep
  bool check = false;  // look for non-finite values at the last level

  bool reads_planes() const { return emit || check; }
};

// The next sweep, or nothing: then the pipeline drains.
using SweepSource = std::function<std::optional<Sweep>()>;

// A plane on its way between host and device.
struct Transfer {
  int plane;
  int home;  // its place in the store: the plane's number, in a slab 0 ... planes - 1
  int slot;
  int sweep = -1;  // of a store: the sweep that the plane has finished
};

// A plane that goes from the slab above to the one below, in the order of Visit::halo_out there
// and of Visit::halo_in here.
struct HaloPlane {
  int sweep, level, plane, slot;
};

// `out.size()` consecutive planes (modulo nz) from first_plane on reach `level`; in[] are the slots
// of the planes first - 1 ... first + count one level below. Beyond a wall in[] repeats the
// outermost plane, or has the one at the other end of z; it is not read there.
struct Update {
  int sweep;  // running number
  int level;
  int first_plane;
  std::vector<int> in, out;
  // Bit i: only the next update of the same visit reads out[i] at this level.
  std::uint64_t passing = 0;
  // Bit i: out[i] is the one of that plane and level that counts; haloed tiles compute some twice.
  std::uint64_t counted = ~std::uint64_t{0};
};

// A plane that reached the last level of a sweep that looks at its planes. The slot keeps it until
// the end of the visit.
struct Finished {
  int sweep;
  int plane;
  int slot;
};

// One visit: loads, then updates in order, then stores, each in a queue of its own. Halo planes
// come with the loads and go with the stores. A queue does its visits in order; across queues a
// visit's updates wait for its own loads, its stores for its own updates, and halo planes on their
// way out for both. The rest is said here: visit numbers, -1 for none.
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

// How far apart visits must be before one waits for the other: loads run one visit ahead of the
// updates, stores have two visits' time.
inline constexpr int load_lag = 2;
inline constexpr int store_lag = 3;

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  // What comes before the first sweep: in-core, the loads of all planes. Ask once, before next();
  // it counts as a visit.
  virtual std::optional<Visit> prologue() { return std::nullopt; }

  // The next visit, or nothing when the source has no more sweeps and all are complete. May be
  // called again with another source; visit numbers go on.
  virtual std::optional<Visit> next(const SweepSource& source) = 0;

  // Slots the device must have. Promised ahead, never exceeded.
  virtual int slots() const = 0;

  // Scheme in_core only: the slot that holds `plane` between sweeps; otherwise -1.
  virtual int resident_slot(int plane) const = 0;

  // Between sweeps: where the slab starts by now, and the place in the store of its first plane.
  // The others follow, modulo nz and modulo PlaneGrid::planes().
  virtual int first_plane() const = 0;
  virtual int first_home() const = 0;
};

// Parameters of a schedule.
struct ScheduleOptions {
  Scheme scheme = Scheme::wavefront;
  int steps_per_visit = 1;   // k: the largest Sweep::steps that will be asked for
  int planes_per_visit = 1;  // B: planes loaded and updated together, at most max_planes_per_visit
  // In core a visit goes on, over blocks and sweeps, until it has so many plane updates: small
  // grids would otherwise spend their time between visits.
  int updates_per_visit = 1;
  // Updates of a visit that the device may run in one pass, each after the rows of the one before
  // that it needs: none of them writes a slot that another reads. Not of scheme halo.
  int updates_together = 1;
};

inline constexpr int max_planes_per_visit = 64;

// Splits `steps` into the fewest sweeps of at most `most` steps, as even as possible; the larger
// ones first. Gives the first one's steps; 0 for steps <= 0.
int next_sweep_steps(long long steps, int most);

}  // namespace lbm::tiling
