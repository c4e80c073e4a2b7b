// What a run needs before it can compute: the case, the device, the schedule, and for one of
// several processes its slab and its neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/setup/setup.hpp"
#include "cases/run/trace_writer.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

struct Prepared {
  Case lbm_case;
  std::vector<std::string> notes;
  std::optional<Restart> restart;
  std::unique_ptr<TraceWriter> trace;  // null where none is asked for
  std::unique_ptr<Backend> backend;
  Setup setup;

  // Of one process of several.
  Case own;                                       // with its device and its memory
  std::vector<int> planes;                        // of each process
  std::optional<DeviceSpeeds> speeds;             // measured while the others measured theirs
  double copy_bytes_per_second = 0;               // of all devices together
  std::optional<tiling::PlaneExchange> exchange;  // before the device
};

// Throw as reading, judging and setting up a case do.
void read_and_check(const RunOptions& options, Prepared& run);
// The device, the lattice and the schedule of a case that was read, and whether its checkpoint
// fits.
void set_up(Prepared& run);
void prepare_alone(const RunOptions& options, Prepared& run);

// With --predict: what the model says of the run. planes: of the slab; 0 for the whole grid.
void predict_run(const DeviceSpeeds& speeds, int planes, Prepared& run);

// One process of several; all must call it. 0, or where something went wrong in one of them the
// exit code for all, and the leader has said what.
int prepare_process(const RunOptions& options, tiling::Ranks& ranks, Prepared& run);

}  // namespace lbm::cases
