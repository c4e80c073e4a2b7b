#include "cases/app/validate.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

#include "cases/app/derived.hpp"
#include "cases/app/keys.hpp"
#include "cases/app/limits.hpp"
#include "cases/app/scalars.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/core/error.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm::app {
namespace {

[[noreturn]] void refuse(const Case& lbm_case, const std::string& key, const std::string& what) {
  throw UsageError(where(lbm_case, key) + ": " + what);
}

// A key that is not there has no line.
[[noreturn]] void missing(const Case& lbm_case, const std::string& what) {
  const std::string file = lbm_case.file.empty() ? "case" : one_line(lbm_case.file);
  throw UsageError(file + ": " + what);
}

bool is_given(const Case& lbm_case, const std::string& path) {
  // grid.size became grid.cells, so both hold values now.
  if (path == "grid.size") return lbm_case.grid.size.has_value();
  if (path == "grid.cells" && lbm_case.grid.size) {
    return lbm_case.lines.contains(path) || lbm_case.overridden.contains(path);
  }
  return !find_key(path)->write(lbm_case).empty();
}

void check_alternatives(const Case& lbm_case) {
  for (const auto& [paths, required] : exclusive_keys()) {
    std::vector<std::string> given;
    for (const std::string& path : paths) {
      if (is_given(lbm_case, path)) given.push_back(path);
    }
    if (given.size() > 1) {
      refuse(lbm_case, given[1],
             fmt::format("found beside {}, must be only one of the two: remove one", given[0]));
    }
    if (given.empty() && required) {
      missing(lbm_case,
              fmt::format("found none of {}, must have one of them", fmt::join(paths, ", ")));
    }
  }
}

std::string face_key(std::size_t face) { return "boundaries." + face_names()[face]; }

void check_faces(const Case& lbm_case) {
  const auto& faces = lbm_case.faces;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const std::size_t axis = face / 2;
    const auto& velocity = faces[face].velocity;
    const bool moves =
        std::any_of(velocity.begin(), velocity.end(), [](double u) { return u != 0; });
    if (faces[face].type == FaceType::periodic && moves) {
      refuse(lbm_case, face_key(face) + ".velocity",
             "found on a periodic face, must be on a wall: make it `type: wall` or remove it");
    }
    if (velocity[axis] != 0) {
      refuse(lbm_case, face_key(face) + ".velocity",
             fmt::format("found {} for the component normal to the wall (u{}), must be 0",
                         velocity[axis], "xyz"[axis]));
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (faces[2 * axis].type == faces[2 * axis + 1].type) continue;
    if (faces[2 * axis].type != FaceType::periodic &&
        faces[2 * axis + 1].type != FaceType::periodic) {
      continue;
    }
    const std::size_t periodic = faces[2 * axis].type == FaceType::periodic ? 0 : 1;
    refuse(lbm_case, face_key(2 * axis + periodic),
           fmt::format("found periodic, but {} is a wall; both faces of an axis must be periodic "
                       "or neither",
                       face_names()[2 * axis + 1 - periodic]));
  }
}

// Cases built in code never met the reader: let the table judge what they hold.
void check_ranges(const Case& lbm_case) {
  Case scratch;
  for (const Key& key : keys_of(lbm_case)) {
    const std::string text = key.write(lbm_case);
    if (!text.empty() && !key.read(YAML::Load(text), scratch)) {
      refuse(lbm_case, key.path, fmt::format("found {}, {}", one_line(text, 60), must_be(key)));
    }
  }
}

void check_planes(const Case& lbm_case) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  if (ny > max_rows) {
    refuse(lbm_case, "grid.cells",
           fmt::format("found {} cells in y, must be at most {}: put the longest axis in z", ny,
                       max_rows));
  }
  const StorageType storage = lbm_case.lattice.storage;
  const std::size_t values = make_plane_layout(nx, ny, storage).bytes / bytes_per_value(storage);
  if (values <= static_cast<std::size_t>(max_plane_values)) return;
  refuse(lbm_case, "grid.cells",
         fmt::format("found {} x {} cells in a z-plane, must be at most {} (19 values each, 2^31 "
                     "in all with padding): make nx or ny smaller and put the longest axis in z",
                     nx, ny, max_plane_values / 19));
}

// Rounded down, so that the number shown is itself allowed.
double largest_velocity() { return std::floor(max_mach / std::sqrt(3.0) * 1e4) / 1e4; }

void check_mach(const Case& lbm_case, const Derived& d) {
  if (!(d.mach <= max_mach)) {
    refuse(lbm_case, "fluid.lattice_velocity",
           fmt::format("found {} (Mach {:.3g}), must be at most {} (Mach {})", d.velocity, d.mach,
                       largest_velocity(), max_mach));
  }
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const auto& u = lbm_case.faces[face].velocity;
    const double speed = std::hypot(u[0], u[1], u[2]);
    if (speed * d.mach <= max_mach) continue;
    refuse(lbm_case, face_key(face) + ".velocity",
           fmt::format("found a speed of {:.4g} x lattice_velocity {} (Mach {:.3g}), must be at "
                       "most Mach {}: lower it or fluid.lattice_velocity",
                       speed, d.velocity, speed * d.mach, max_mach));
  }
}

// The solver computes with omega in the arithmetic of the storage; at omega = 2 nothing relaxes.
bool is_inviscid(double tau, StorageType storage) {
  if (storage == StorageType::fp64) return !(1 / tau < 2);
  return !(static_cast<float>(1 / tau) < 2.0F);
}

void check_tau(const Case& lbm_case, const Derived& d) {
  const std::string key = lbm_case.fluid.tau ? "fluid.tau" : "fluid.reynolds";
  if (!std::isfinite(d.tau) || !std::isfinite(d.reynolds)) {
    refuse(lbm_case, key, "gives a relaxation time that is not finite, must be less extreme");
  }
  if (d.tau > 0.5 && !is_inviscid(d.tau, lbm_case.lattice.storage)) return;
  refuse(lbm_case, key,
         fmt::format(
             "found {}, which gives tau = {} and is 1/2 in {} arithmetic, must be above: "
             "{}",
             lbm_case.fluid.tau ? d.tau : d.reynolds, d.tau,
             lbm_case.lattice.storage == StorageType::fp64 ? "double" : "single",
             lbm_case.fluid.tau ? "raise fluid.tau" : "lower fluid.reynolds or refine the grid"));
}

void check_time(const Case& lbm_case, const Derived& d) {
  const std::string key = lbm_case.run.steps ? "run.steps" : "run.convective_times";
  if (d.steps > max_steps) {
    refuse(lbm_case, key,
           fmt::format("found {} convective times of {:.4g} steps each, must be at most {} steps "
                       "in all",
                       lbm_case.run.convective_times.value_or(d.duration), d.convective_time,
                       max_steps));
  }
  for (const double time : lbm_case.output.times) {
    if (step_at(time, d.convective_time) <= d.steps) continue;
    refuse(lbm_case, "output.times",
           fmt::format("found {}, must be at most {:.6g} convective times, the end of the run",
                       time, d.duration));
  }
}

// A GPU that is not here is found out later; a CPU never has such memory.
void check_memory(const Case& lbm_case) {
  const auto& memory = lbm_case.host.memory;
  if (lbm_case.device.backend != BackendKind::cpu || !memory) return;
  if (const auto refusal = refusal_of(*memory, DeviceFacts{})) {
    refuse(lbm_case, "host.memory", *refusal);
  }
}

}  // namespace

void validate_structure(const Case& lbm_case) {
  if (lbm_case.grid.cells == std::array<int, 3>{0, 0, 0}) {
    missing(lbm_case, "found no grid.cells, must have it: grid: {cells: [nx, ny, nz]}");
  }
  check_alternatives(lbm_case);
  check_faces(lbm_case);
}

void validate(const Case& lbm_case) {
  validate_structure(lbm_case);
  check_ranges(lbm_case);
  const Derived derived = derive(lbm_case);
  check_planes(lbm_case);
  check_memory(lbm_case);
  check_mach(lbm_case, derived);
  check_tau(lbm_case, derived);
  check_time(lbm_case, derived);
}

}  // namespace lbm::app
