// A case as plain structs: everything a run needs to know, independent of YAML.
// Units: lengths in cells, times in steps, velocities of walls and of the initial flow in units of
// the reference velocity (so 1 means fluid.lattice_velocity cells per step).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/backend/backend_kind.hpp"
#include "solver/backend/host_memory_kind.hpp"
#include "solver/lattice/storage_type.hpp"
#include "tiling/scheme.hpp"

namespace lbm::app {

enum class FaceType { wall, periodic };
enum class Collision { bgk };
enum class InitialFlow { rest, taylor_green };

struct Grid {
  std::array<int, 3> cells{0, 0, 0};  // nx, ny, nz; z is the axis that is streamed
};

struct Face {
  FaceType type = FaceType::wall;
  std::array<double, 3> velocity{0, 0, 0};  // of the wall, in reference velocities
};

struct Fluid {
  std::optional<double> reynolds;  // reference velocity x length / viscosity; or give tau
  std::optional<double> tau;       // relaxation time in steps
  double lattice_velocity = 0.1;   // reference velocity in cells per step
  std::optional<double> length;    // reference length in cells; default nx
};

struct LatticeKeys {
  StorageType storage = StorageType::fp32;
  Collision collision = Collision::bgk;
};

struct Initial {
  InitialFlow flow = InitialFlow::rest;
};

struct Run {
  std::optional<std::int64_t> steps;       // exactly one of the two is given
  std::optional<double> convective_times;  // reference length / reference velocity
};

struct Tiling {
  std::optional<tiling::Scheme> scheme;  // empty: auto
  std::optional<int> steps_per_visit;    // k; empty: auto
  std::optional<int> planes_per_visit;   // B; empty: auto
};

struct Device {
  std::optional<BackendKind> backend;   // empty: auto
  int index = 0;                        // which GPU
  std::optional<std::uint64_t> memory;  // bytes the lattice may take there; empty: what is free
  int threads = 0;                      // CPU backend; 0: all cores
};

struct Host {
  std::optional<HostMemory> memory;           // of a lattice out of core; empty: auto
  std::optional<std::uint64_t> memory_limit;  // bytes; empty: what the machine says it has
};

struct Output {
  std::string directory;                    // empty: out/<name>
  std::vector<double> times;                // fields at these convective times
  std::optional<std::int64_t> every_steps;  // and every so many steps
  bool at_end = true;                       // and at the end
  bool profiles = true;                     // centre-line profiles (CSV) at the end
};

struct Case {
  std::string file;                  // where it was read from, for messages
  std::map<std::string, int> lines;  // key path -> line in that file (absent: not from the file)
  std::set<std::string> overridden;  // key paths given on the command line (--set)

  std::string name = "case";
  Grid grid;
  std::array<Face, 6> faces;  // x_min, x_max, y_min, y_max, z_min, z_max
  Fluid fluid;
  LatticeKeys lattice;
  Initial initial;
  Run run;
  Tiling tiling;
  Device device;
  Host host;
  Output output;
};

}  // namespace lbm::app
