// SPDX-License-Identifier: Apache-2.0

// The parts of validate(), one file each. All throw UsageError.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases::validation {

// Above it a flow is warned of: errors of compressibility grow with the square of the Mach number.
inline constexpr double high_mach = 0.2;

// Message "<place of the key>: <what>".
[[noreturn]] void refuse(const Case& lbm_case, const std::string& key, const std::string& what);

// Message "<file>: <what>", for keys that are not in the case.
[[noreturn]] void missing(const Case& lbm_case, const std::string& what);

// Refuses a file of the case that does not exist or is a folder.
void check_file(const Case& lbm_case, const std::string& key, const std::string& file);

std::string face_key(std::size_t face);

// A boundary condition of the case and its place.
struct PlacedCondition {
  const FaceCondition& condition;
  std::size_t face;
  std::string key;     // "boundaries.z_min", "boundaries.z_min.patches.jet"
  const Patch* patch;  // null: of the whole face
};
// Those of all faces, each followed by its patches.
std::vector<PlacedCondition> conditions_of(const Case& lbm_case);

// Largest speed that a condition gives the fluid or its wall, in cells per step, and the key to
// change.
struct GivenSpeed {
  std::string key;
  double speed;
};
// Throws UsageError for an invalid formula or table.
GivenSpeed given_speed(const Case& lbm_case, const Derived& derived, const PlacedCondition& at);

// The two transverse axes of a face, in the order x, y, z.
std::array<std::size_t, 2> transverse(std::size_t face);

// Relative tolerance for rounding of metres.
inline constexpr double rounding = 1e-6;

// The key that gives the viscosity in this case.
std::string viscosity_key(const Case& lbm_case);

// Structure: combinations of keys beyond their rules. No arithmetic, no files.
void check_faces(const Case& lbm_case);
void check_flow_rate_corrections(const Case& lbm_case);
void check_bodies(const Case& lbm_case);
void check_scalars(const Case& lbm_case);
void check_results(const Case& lbm_case);
void check_quantities(const Case& lbm_case);
void check_expectations(const Case& lbm_case);

// Values: places, speeds, balances, files.
void check_face_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_body_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_flow_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_result_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_quantity_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_expected_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_scalar_values(const Case& lbm_case, const Derived& derived);

// "scalars.heat.NAME"; the conditions of scalars at faces and bodies, and their conductors.
std::string key_of_scalar(const ScalarKeys& scalar, const std::string& name);
void check_scalar_surfaces(const Case& lbm_case);
// The values that the case gives the scalar, those of formulas at some places or times. key: below
// that of the scalar. Throws UsageError for an invalid formula.
struct GivenValue {
  std::string key;
  double value;
};
std::vector<GivenValue> given_values(const Case& lbm_case, const Derived& derived,
                                     const ScalarKeys& scalar);

// Refuses a velocity above max_mach (limits.hpp). speed: cells per step.
void check_speed(const Case& lbm_case, const std::string& key, double speed,
                 const Derived& derived);

// Refuses an oscillation that steps do not resolve.
void check_period(const Case& lbm_case, const std::string& key, double period, const Units& units);
// A relative pressure of the case, whose density a run must bear.
void check_pressure(const Case& lbm_case, const std::string& key, double pressure,
                    const Units& units);

// Refuses a place outside the box. tolerance: relative; at: in cells.
void check_place(const Case& lbm_case, const std::string& key, const Vec3& at, double tolerance);
// path: of the item of the region, "outputs.cut".
void check_region(const Case& lbm_case, const std::string& path, const Region& region,
                  const Units& units);
// Refuses a time at or after the end of the run.
void check_before_end(const Case& lbm_case, const std::string& key, double time,
                      const Derived& derived, const Units& units);

// Contributions to warnings().
std::vector<std::string> body_warnings(const Case& lbm_case, const Derived& derived,
                                       const Units& units);
std::vector<std::string> scalar_warnings(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases::validation
