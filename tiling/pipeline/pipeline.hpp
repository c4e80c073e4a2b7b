// Executes a plan on a backend: three queues, events, a bounded number of visits under way.
//
// The scheduler decides everything; the pipeline only translates. Visits are given to the device
// ahead of time and retired in order; at retirement fields are handed out, the divergence check is
// read, times are summed up.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/pipeline/record_ring.hpp"
#include "tiling/pipeline/trace.hpp"
#include "tiling/schedule/schedule.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::tiling {

// Sums over a pipeline's life.
struct PipelineStats {
  std::int64_t visits = 0;
  std::int64_t plane_updates = 0;                                  // also redundant ones
  std::int64_t steps_completed = 0;                                // of whole sweeps
  std::uint64_t bytes_in = 0, bytes_out = 0;                       // over the link
  double load_seconds = 0, update_seconds = 0, store_seconds = 0;  // the queues at work
  double sink_seconds = 0;                                         // the sink's thread at work
  double output_wait_seconds = 0;  // of the caller of run, for that thread
};

PipelineStats operator+(const PipelineStats& a, const PipelineStats& b);
PipelineStats operator-(const PipelineStats& a, const PipelineStats& b);

inline constexpr std::uint64_t default_staging_limit = std::uint64_t{4} << 30;

// What sinks will ask for, where there is no pipeline yet.
struct Watched {
  std::int64_t field_cells = 0;  // FieldSink::most_plane_cells(); 0: no sink
  int probes = 0;
};

// Plane z of a box: density [ny][nx], velocity [ny][nx][3] of its cells, lattice units; valid
// during the call.
using TakeFields =
    std::function<void(int z, std::span<const float> density, std::span<const float> velocity)>;

class Pipeline {
 public:
  // Allocates the device memory that the plan promises and, in core, fills it from the store. All
  // references must outlive the pipeline; sink may be null where no sweep emits. Its planes take up
  // to staging_limit bytes on the host, or what eight planes need. A trace gets what each queue and
  // the host did when; then a visit's updates are given to the backend one by one. records, which
  // may be null, gets the forces on bodies and the flow sums of checked sweeps. share: of a grid
  // that several processes have; then the store, the sinks and all below know its planes only, and
  // records hold what these add. Throws ResourceError.
  Pipeline(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
           PlaneStore& store, const ScheduleOptions& options, FieldSink* sink,
           TraceSink* trace = nullptr, std::uint64_t staging_limit = default_staging_limit,
           RecordSink* records = nullptr, std::int64_t first_step = 0, const SlabShare& share = {});
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // Runs sweeps until the source has no more, all are complete and the sink has their fields.
  // on_retired is called after every visit, and when the sink is done. Throws DivergedError when a
  // checked sweep has cells outside Lattice::limits, and what the sinks throw; after an exception
  // only destruction is allowed.
  void run(const SweepSource& source, const std::function<void(const PipelineStats&)>& on_retired);

  // For sources that wait: completes the oldest visit under way, as run() would, so that others get
  // what they wait for. False: there is none.
  bool retire_one();

  // Copies plane z of the current state, layout.bytes bytes, to `to`. Between runs only.
  void read_plane(int z, std::byte* to);

  // Of this process, at the current state, in order; plane z of a slab may be followed by plane 0.
  int planes() const { return grid_.planes(); }
  int plane(int i) const;

  // Hands out all planes() of the current state in order: each call gets `first` and the
  // ones after it, one after the other, valid during the call. Straight from where they are, or
  // fetched from the device through up to 128 MiB of host memory (two planes at least) while the
  // ones before are taken. Between runs only. Throws what `take` throws, and ResourceError.
  void read_planes(const std::function<void(int first, std::span<const std::byte>)>& take);

  // Computes the fields of the current state, which is that after `step` steps, in a box, as sweeps
  // that emit do, and hands its planes out in order. Takes memory for one plane of the box on the
  // device and on the host. Between runs only, not of a slab. Throws what `take` throws, and
  // ResourceError.
  void read_fields(std::int64_t step, const FieldBox& box, const TakeFields& take);

  const PipelineStats& stats() const { return stats_; }
  std::size_t device_bytes() const;
  // Of fields on their way to the sink.
  std::size_t host_bytes() const { return fields_ ? fields_->host_bytes() : 0; }

  // What a pipeline will take on the device, with a slab of slab_planes.
  static std::size_t device_bytes_needed(const Lattice& lattice, const Boundaries& boundaries,
                                         const ScheduleOptions& options, const Watched& watched,
                                         int slab_planes = 0);
  // And on the host for fields.
  static std::size_t host_bytes_needed(const Lattice& lattice, const ScheduleOptions& options,
                                       const Watched& watched, std::uint64_t staging_limit);

 private:
  struct Turn;  // a visit under way, and its events

  std::int64_t step_after(int sweep) const;  // of the sweeps under way, by number
  std::int64_t step_before(const Update& update) const;
  // The number in records_ of a sweep's last step, and how many are under way.
  std::int64_t record_number(std::int64_t sweep) const;
  std::int64_t records_under_way() const;
  void begin_sweep(const Sweep& sweep);
  void submit(const Visit& visit);
  void submit_loads(const Visit& visit, Turn& turn);
  void submit_updates(const Visit& visit, Turn& turn);
  void update_one_by_one(const Visit& visit, Turn& turn);
  void update_and_probe();
  bool has_probes(const UpdateLaunch& launch) const;
  void submit_fields(const Visit& visit, Turn& turn);
  void push_fields(const PlaneState& plane, std::int64_t step, int sweep, Turn& turn);
  void finish_fields(const std::function<void(const PipelineStats&)>& on_retired);
  void add_field_seconds();
  void submit_stores(const Visit& visit, Turn& turn);
  void receive_halo(const Visit& visit, Turn& turn);
  void send_halo(const Visit& visit, Turn& turn);
  void submit_records(const Visit& visit, Turn& turn);
  void hand_out_records(const Turn& turn);
  void make_room(const Visit& visit, const std::function<void(const PipelineStats&)>& on_retired);
  PendingSlices* traced(Turn& turn) const;
  int newest_sweep() const;
  void wait_for(Queue queue, Queue other, int visit);
  void trace_retired(Turn& turn, double wait_begin);
  void wait_for_halo(const Visit& visit,
                     const std::function<void(const PipelineStats&)>& on_retired);
  std::size_t planes_to_push(const Visit& visit) const;
  const std::byte* place(int z) const;
  void retire_oldest(const std::function<void(const PipelineStats&)>& on_retired);
  Turn& turn(int visit);
  void read_host_planes(const std::function<void(int first, std::span<const std::byte>)>& take);
  void fetch_planes(const std::function<void(int first, std::span<const std::byte>)>& take);
  int slot_to_read(int z);
  Buffer upload(const void* data, std::size_t bytes, const char* purpose);

  Backend& backend_;
  PlaneStore& store_;
  PlaneExchange* exchange_;  // null: the whole grid is here
  PlaneGrid grid_;
  std::unique_ptr<Scheduler> scheduler_;
  Buffer slots_, boundary_bytes_, probe_bytes_;
  DeviceLattice device_;
  RecordSink* record_sink_;   // null: nobody wants them
  const ProbeCells* probes_;  // null: none
  RecordRing records_;
  bool steps_matter_;                         // to launches
  std::unique_ptr<Tracer> tracer_;            // null where there is no trace
  std::unique_ptr<FieldRing> fields_;         // null where there is no sink
  std::vector<std::unique_ptr<Turn>> turns_;  // ring
  std::vector<UpdateLaunch> launches_;        // of the visit being submitted
  std::deque<Sweep> sweeps_;                  // not complete yet
  std::deque<std::vector<FieldBox>> boxes_;   // of the fields of each of them
  std::int64_t first_sweep_ = 0;              // running number of sweeps_.front()
  std::int64_t sweep_begin_ = 0;              // step at level 0 of sweeps_.front()
  std::int64_t recorded_sweeps_ = 0;          // sweeps whose records are on their way, by number
  std::int64_t checked_ = 0;                  // checked sweeps before sweeps_.front()
  int submitted_ = 0, retired_ = 0;           // visits
  const std::function<void(const PipelineStats&)>* on_retired_ = nullptr;  // of the run under way
  PipelineStats stats_;
};

}  // namespace lbm::tiling
