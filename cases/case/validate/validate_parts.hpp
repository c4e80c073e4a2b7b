// SPDX-License-Identifier: Apache-2.0

// The parts of validate(), one file each. All throw UsageError.
#pragma once

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
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

// Refuses a name that is no item name or was seen before.
bool is_new_name(const std::string& name, std::set<std::string>& seen);

// An item such as "bodies.ball", at a position in its list, requires the keys that belong to its
// kind, which another key of it ("shape") gives, and excludes the others among `all`.
void check_keys_of_kind(const Case& lbm_case, const std::string& item, std::size_t position,
                        const char* kind, std::initializer_list<const char*> all,
                        const std::set<std::string>& needed);

// Refuses a place outside the box, in cells; tolerance: relative.
void check_place(const Case& lbm_case, const std::string& key, const Vec3& at, double tolerance);

// Refuses a region with one corner, or an axis without a position: path of its item, "outputs.cut".
void check_region_keys(const Case& lbm_case, const std::string& path, const Region& region);
// Refuses a region outside the box, or without extent.
void check_region(const Case& lbm_case, const std::string& path, const Region& region,
                  const Units& units);

// Refuses times of an output after the end of the run.
void check_times(const Case& lbm_case, const std::string& key, const std::vector<double>& times,
                 const Derived& derived);
// Refuses an interval of less than a step; path: of its item.
void check_every_time(const Case& lbm_case, const std::string& path,
                      const std::optional<double>& every_time, const Derived& derived);
// Refuses units of files that the case does not have; path: of its item.
void check_file_units(const Case& lbm_case, const std::string& path,
                      const std::optional<FieldUnits>& units);

// Refuses a time of the case that is not before the end of the run.
void check_before_end(const Case& lbm_case, const std::string& key, double time,
                      const Derived& derived, const Units& units);

std::string face_key(std::size_t face);

std::string patch_key(std::size_t face, const Patch& patch);

// The two transverse axes of a face, in the order x, y, z.
std::array<std::size_t, 2> transverse(std::size_t face);

// Relative tolerance for rounding of metres.
inline constexpr double rounding = 1e-6;

// The key that gives the viscosity in this case.
std::string viscosity_key(const Case& lbm_case);

// Structure: combinations of keys. No arithmetic, no files.
void check_unit_keys(const Case& lbm_case);
void check_faces(const Case& lbm_case);
void check_sponge(const Case& lbm_case);
void check_bodies(const Case& lbm_case);
void check_flow(const Case& lbm_case);
void check_results(const Case& lbm_case);
void check_pictures(const Case& lbm_case);
void check_quantities(const Case& lbm_case);
void check_expectations(const Case& lbm_case);

// Values: places, speeds, balances, files.
void check_face_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_sponge_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_balance(const Case& lbm_case);
void check_body_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_flow_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_result_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_picture_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_quantity_values(const Case& lbm_case, const Derived& derived, const Units& units);
void check_expected_values(const Case& lbm_case, const Derived& derived, const Units& units);

// Refuses a velocity above max_mach (limits.hpp). speed: cells per step.
void check_speed(const Case& lbm_case, const std::string& key, double speed,
                 const Derived& derived);

// Refuses an oscillation that steps do not resolve.
void check_period(const Case& lbm_case, const std::string& key, double period, const Units& units);
// A relative pressure of the case, whose density a run must bear.
void check_pressure(const Case& lbm_case, const std::string& key, double pressure,
                    const Units& units);

// Contributions to warnings().
std::vector<std::string> far_field_warnings(const Case& lbm_case);
std::vector<std::string> body_warnings(const Case& lbm_case, const Derived& derived,
                                       const Units& units);

}  // namespace lbm::cases::validation
