// SPDX-License-Identifier: Apache-2.0

// A case as plain structs: all inputs of a run as the user wrote them, independent of YAML. Units
// depend on `units` (docs/units.md); cases/case/units.hpp converts to lattice units.
//   lattice: lengths in cells, velocities in reference velocities U, times in convective times L/U,
//            accelerations in U^2/L, pressures in rho0 U^2, angular velocities in U/L
//   si:      m, m/s, s, m/s^2, Pa, rad/s, kg/m^3
// An empty std::optional (string, vector) means that the key is not given.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/case/case_boundaries.hpp"
#include "cases/case/case_outputs.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/plane_layout.hpp"
#include "tiling/schedule/scheme.hpp"

namespace lbm::cases {

enum class UnitSystem { lattice, si };
constexpr auto enum_names(UnitSystem) { return std::array{"lattice", "si"}; }
// arrays: given by the program that embeds the solver (RunOptions::initial).
enum class InitialFlow {
  rest,
  uniform,
  taylor_green,
  duct,
  perturbed_channel,
  formula,
  file,
  darcy,
  arrays
};
constexpr auto enum_names(InitialFlow) {
  return std::array{"rest",    "uniform", "taylor_green", "duct",  "perturbed_channel",
                    "formula", "file",    "darcy",        "arrays"};
}

struct Grid {
  std::array<int, 3> cells{0, 0, 0};  // nx, ny, nz; z is the streaming axis
  std::optional<Vec3> size;           // si: extent of the box, converted to cells by resolve_grid()
  std::optional<double> spacing;      // edge of a cell; lattice: default 1; si: required, or:
  std::optional<double> cells_per_length;  // si: cells per fluid.length
};

struct Fluid {
  std::optional<double> reynolds;   // reference velocity x length / viscosity; or:
  std::optional<double> tau;        // relaxation time in steps; or:
  std::optional<double> viscosity;  // kinematic: cells^2 per step; si: m^2/s
  // Reynolds number of the intended flow, if the grid allows only a lower one; changes no result.
  std::optional<double> target_reynolds;
  double lattice_velocity = 0.1;   // reference velocity in cells per step
  std::optional<double> length;    // reference length in cells (si: m); default nx cells
  std::optional<double> velocity;  // si: reference velocity in m/s
  std::optional<double> density;   // si: reference density in kg/m^3; default 1
};

// A scalar that the flow carries and that diffuses in it: a temperature, a concentration. Its
// values have a unit of the user's choice.
struct ScalarKeys {
  // At a face of the box. Empty kind: periodic where the flow is, open where it leaves, else
  // no_flux.
  struct FaceKeys {
    std::optional<ScalarBoundary> kind;
    std::optional<double> value;        // of value, convection (outside), flux (into the box)
    std::optional<double> coefficient;  // of convection
    std::string formula = {};           // of the place on the face and of t, instead of `value`
    // Patches of the flow on the face (Face::patches) with conditions of their own, and for each:
    std::vector<std::string> patches = {};
    std::vector<ScalarBoundary> patch_types = {};  // empty: value
    std::vector<std::string> patch_values = {};    // numbers or formulas, as `value`; empty: 0
    std::vector<double> patch_coefficients = {};   // of convection, else 0; empty: 0

    ScalarBoundary type_of_patch(std::size_t number) const {
      return patch_types.empty() ? ScalarBoundary::value : patch_types.at(number);
    }
  };

  std::string name;
  std::optional<double> diffusivity;  // in the unit of fluid.viscosity; or:
  std::optional<double> prandtl;      // viscosity / diffusivity; or:
  std::optional<double> peclet;       // reference velocity x length / diffusivity
  double turbulent_prandtl = 0.85;    // eddy viscosity / its diffusivity
  double reference = 0;               // where it does not push the flow
  double difference = 1;              // typical for the case: the unit of stored values
  // Buoyancy (Boussinesq): of fluid at reference + difference. At most one:
  std::optional<double> rayleigh;  // g beta difference length^3 / (viscosity x diffusivity)
  std::optional<Vec3> buoyancy;    // acceleration: U^2/L; si: m/s^2
  Vec3 up{0, 0, 1};                // rayleigh: where warm fluid goes; any length but 0
  std::string initial;             // a formula of x, y and z; empty: reference
  double source = 0;               // values per convective time; si: per second
  std::array<FaceKeys, 6> faces;   // as Case::faces
  // Macroscopic: values per length. The field is the scalar less gradient . place.
  std::optional<Vec3> gradient;
  std::optional<std::array<double, 2>> bounds;  // it stays within them
  std::vector<std::string> bodies;              // with conditions at their surface, and for each:
  std::vector<ScalarBoundary> body_types;       // value, flux or convection; empty: value
  std::vector<double> body_values;
  std::vector<double> body_coefficients;  // of convection, else 0; empty: 0
  std::vector<std::string> conductors;    // bodies in which it diffuses, and for each:
  std::vector<double> conductivities;     // times the fluid's
  std::vector<double> capacities;         // per volume, times the fluid's; empty: 1
  std::vector<double> conductor_sources;  // as `source`; empty: 0

  ScalarBoundary type_of_body(std::size_t number) const {
    return body_types.empty() ? ScalarBoundary::value : body_types.at(number);
  }
};

// The value as the lattice stores it.
inline double stored_value(const ScalarKeys& scalar, double value) {
  return (value - scalar.reference) / scalar.difference;
}

struct LatticeKeys {
  StorageType storage = StorageType::fp32;
  // Empty: auto. A run, a plan and a check put in the choice (setup/setup.hpp).
  std::optional<Representation> representation = std::nullopt;
  std::optional<CellsStored> cells = std::nullopt;       // auto (model/case_model.hpp)
  std::optional<VelocitySet> velocities = std::nullopt;  // auto (velocity_set())
  CollisionKind collision = CollisionKind::bgk;
  std::optional<double> magic = std::nullopt;  // trt only; empty: auto (magic_of())
  double smagorinsky = 0;                      // constant C_s; 0: no turbulence model
};

// lattice.velocities; for auto D3Q27 with cumulants, else D3Q19.
inline VelocitySet velocity_set(const LatticeKeys& lattice) {
  return lattice.velocities.value_or(
      lattice.collision == CollisionKind::cumulant ? VelocitySet::D3Q27 : VelocitySet::D3Q19);
}

// acceleration * acceleration_factor + amplitude * cos(2 pi t / period) on all fluid cells.
struct Force {
  std::optional<Vec3> acceleration;               // or:
  std::optional<Formulas> acceleration_formulas;  // of t, or of x, y and z
  std::string acceleration_factor;                // of t, for formulas of the place; empty: 1
  std::optional<Vec3> amplitude;
  std::optional<double> period;
};

struct Initial {
  InitialFlow flow = InitialFlow::rest;
  std::optional<Vec3> velocity;  // uniform: of the fluid; duct, channel: peak, along axis
  std::optional<Formulas> velocity_formulas;  // formula: of x, y and z, instead of `velocity`
  std::string pressure;                       // formula: of x, y and z; empty: 0
  std::string file;                           // file: of results; relative to the case file
  int axis = 2;                               // duct, perturbed_channel: axis of the mean flow
  std::optional<double> disturbance;          // perturbed_channel: relative size; default 0.05
};

// Ends the run once the kinetic energy, or each of `quantities`, changes by less than `tolerance`
// (relative, per convective time), or has an estimated relative error below `error`, in three
// samples in a row.
struct UntilSteady {
  std::optional<double> tolerance, error;  // at most one; none: never
  std::optional<double> every;             // time between samples; with error the least time
  std::vector<std::string> quantities;     // names; empty: the kinetic energy
};

struct Run {
  enum class OnCheckerboard { stop, warn };
  // Exactly one of steps, convective_times, time and revolutions is given.
  std::optional<std::int64_t> steps;
  std::optional<double> convective_times;  // reference length / reference velocity
  std::optional<double> time;              // convective times; si: s
  std::optional<double> revolutions;       // of turning_body(revolutions_of)
  std::string revolutions_of;              // a body; empty: the only one with motion.rate
  UntilSteady until_steady;
  int cascade = 1;  // grids: coarser by 2^(cascade - 1), ..., 2, the case's own
  // Time on the coarsest grid; each finer one takes half of that before it. Empty: that of the run.
  std::optional<double> cascade_time;
  int flow_rate_corrections = 0;  // of the pressure along a periodic flow that a force drives
  std::optional<double> correction_time;  // between two of them, and before the first one
  int coarsest = 1;  // no key: on a grid of a cascade, how many times as coarse the first one is
  std::optional<double> walltime;  // minutes of the whole program; the run saves and stops before
  double max_mach = 0.6;           // local; beyond it the run has diverged
  Vec2 density_range{0.5, 2};      // in reference densities; beyond it the run has diverged
  OnCheckerboard on_checkerboard = OnCheckerboard::stop;
};
constexpr auto enum_names(Run::OnCheckerboard) { return std::array{"stop", "warn"}; }

struct Tiling {
  std::optional<tiling::Scheme> scheme;          // empty: auto
  std::optional<int> steps_per_visit;            // k; empty: auto
  std::optional<int> planes_per_visit;           // B; empty: auto
  std::optional<int> steps_per_pass;             // 1 or 2; empty: auto
  std::optional<tiling::ExchangeKind> exchange;  // between ranks; empty: auto
};

struct Device {
  std::optional<BackendKind> backend;  // empty: auto
  int index = 0;                       // number of the GPU
  // bytes of device memory for the lattice; empty: all that is free
  std::optional<std::uint64_t> memory;
  int threads = 0;     // CPU backend; 0: all cores
  bool share = false;  // several ranks may use one GPU
};

struct Host {
  std::optional<HostMemory> memory;  // kind of memory for an out-of-core lattice; empty: auto
  std::optional<std::uint64_t> memory_limit;  // bytes; empty: what the machine reports
};

struct Output {
  std::string directory;                    // empty: out/<name>
  std::vector<double> times;                // convective times of field output
  std::optional<std::int64_t> every_steps;  // interval of field output
  bool at_end = true;                       // field output at the end
  bool profiles = true;                     // centre-line profiles (CSV) at the end
  std::int64_t forces = 1;                  // steps between lines of forces on bodies
  bool stops_on_error = true;               // false: continue without the output whose file fails
  // steps between lines of mass, energy, extremes; empty: never
  std::optional<std::int64_t> monitor;
};

// When checkpoints are written, and what happens if one cannot be.
struct CheckpointKeys {
  enum class OnError { stop, go_on };
  std::optional<std::int64_t> every_steps;
  std::optional<double> every_minutes;  // wall-clock time
  bool at_end = false;
  bool on_signal = true;  // before the run ends by SIGINT or SIGTERM
  int keep = 2;           // number of files
  OnError on_error = OnError::stop;
};
constexpr auto enum_names(CheckpointKeys::OnError) { return std::array{"stop", "continue"}; }

// Quantity of an expectation; axis of the component, -1 for scalars. From `value` on: a number
// about the named quantity `of`.
enum class Quantity {
  force,
  torque,
  coefficient,
  mass,
  kinetic_energy,
  velocity,
  profile,
  value,
  mean,
  mean_error,
  rms,
  rms_error,
  maximum,
  maximum_time,
  minimum,
  minimum_time,
  frequency,
  strouhal
};
struct Measure {
  Quantity quantity = Quantity::mass;
  int axis = -1;
  bool operator==(const Measure&) const = default;
};

// An expected result of the run. Members unused by its measure are empty.
struct Expectation {
  std::string name;
  std::optional<Measure> measure;            // required
  std::string of;                            // value and the following: a named quantity
  std::string body;                          // force, torque, coefficient
  std::optional<Vec3> point;                 // velocity
  std::optional<int> profile;                // profile: axis of the centre line
  std::string column;                        // profile: ux, uy, uz, density or a scalar
  std::string file;                          // profile: CSV, coordinate and value
  std::optional<double> value;               // all but profile
  std::optional<double> tolerance;           // relative; or:
  std::optional<double> tolerance_absolute;  // in units of `value`
  std::optional<double> average_from;        // start of averaging; empty: the value at the end
};

struct Case {
  std::string file;                  // source file, for messages
  std::map<std::string, int> lines;  // key path -> line in `file`; only keys from the file
  std::set<std::string> overridden;  // key paths given on the command line (--set)

  std::string name = "case";
  UnitSystem units = UnitSystem::lattice;
  Grid grid;
  std::array<Face, 6> faces;  // x_min, x_max, y_min, y_max, z_min, z_max
  SpongeKeys sponge;
  Fluid fluid;
  LatticeKeys lattice;
  std::vector<ScalarKeys> scalars;  // in file order, as in the lattice
  std::vector<Body> bodies;         // in file order: the first body owns cells where bodies overlap
  Force force;
  Initial initial;
  Run run;
  Tiling tiling;
  Device device;
  Host host;
  Output output;
  std::vector<FieldOutput> outputs;
  std::vector<Picture> pictures;
  std::vector<Statistics> statistics;
  std::vector<Probe> probes;
  std::vector<NamedQuantity> quantities;
  CheckpointKeys checkpoint;
  std::vector<Expectation> expect;
};

// The number of the scalar of this name; "": of the only one. Empty: there is none.
std::optional<std::size_t> scalar_named(const Case& lbm_case, const std::string& name);
// The axis between whose two faces the scalar falls or rises from one given value to another.
// Empty: none, or several.
std::optional<std::size_t> axis_between_values(const ScalarKeys& scalar);

}  // namespace lbm::cases
