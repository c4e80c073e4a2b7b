// SPDX-License-Identifier: Apache-2.0

// The bodies of a case that move through the lattice (bodies.NAME.motion).
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/boundary/moving_body.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// The largest speed of a body that moves.
inline constexpr double most_mach_of_bodies = 0.3;

// Twice a cell along each axis around the shape, and a cell beyond it; or once at the centre of
// each cell of the box that the shape may fill.
enum class FractionSamples { twice_a_cell, of_cells };

// The part of a cell that the shape fills, at samples of it: the share of 32 points of a cell that
// are inside. The points have 32 different coordinates along each axis (a rank-1 lattice; Sloan &
// Joe, Lattice Methods for Multiple Integration, 1994), so that the error for a plane along an axis
// is below 1/32. Along an axis on which the shape is infinite, or as long as a periodic box, there
// is one sample, in the middle of the box. shape: in cells. Throws TimeLimitReached, and
// UsageError, without the name of the body, where its sections along such an axis differ, and for
// one that is larger than the box or fills no part of a cell.
SolidFraction sample_solid_fraction(const geometry::Shape& shape, const std::array<int, 3>& cells,
                                    const std::array<bool, 3>& periodic, const TimeLimit& limit,
                                    FractionSamples samples = FractionSamples::twice_a_cell);

// Thinner parts of bodies that move let fluid pass (docs/moving_bodies.md), in cells.
inline constexpr double least_moving_thickness = 3;

// True if the body moves, or is a part of one that does.
bool moves_in_whole(const Case& lbm_case, const Body& body);

// True if a body of the case moves freely: the run then makes one step at a time.
bool moves_freely(const Case& lbm_case);

// Refuses what bodies.NAME.motion and bodies.NAME.free cannot be combined with, and an axis of
// length 0; as check_zone_keys(), too. Throws UsageError.
void check_motion_keys(const Case& lbm_case, const Body& body);

// Radians by which a body has turned about motion.axis since time 0, of the time in steps.
using AngleOfStep = std::function<double(double step)>;
// Null for a body without motion.rate and motion.angle. Any thread may call it. Throws UsageError
// for a formula that is none.
AngleOfStep angle_of(const Case& lbm_case, const Derived& derived, const Body& body);

// The body with its place at each step; its frame is the box at time 0. center: of the rotation,
// in cells; of a body that moves freely it is the centroid instead. Throws UsageError for a formula
// that is none, and as check_path().
std::shared_ptr<const MovingBody> make_moving_body(const Case& lbm_case, const Derived& derived,
                                                   const Body& body, const geometry::Vec& center,
                                                   SolidFraction fraction);

// Up to 500 samples, evenly chosen, where the body begins.
std::vector<geometry::Vec> surface_of(const SolidFraction& fraction);

// Looks at 1000 times of the run, or at its begin if the body moves freely. Throws UsageError, with
// the time and without the name of the body, for a speed above Mach 0.3, a place that is not
// finite, a body that leaves the box or comes within two cells of a face other than walls, slip and
// periodic ones, and one as long as the box that does not stay so.
void check_path(const Case& lbm_case, const Derived& derived, const MovingBody& moving);

// True if that point of the box, in cells, lies in the body at that place. Periodic images do not
// count.
bool holds(const MovingBody& body, const BodyPlace& place, const geometry::Vec& point);

// A body of the case in its place at the start; moving: null for one at rest.
struct PlacedBody {
  std::string name;
  geometry::ShapePtr shape;
  std::shared_ptr<const MovingBody> moving;
};

// Looks at 200 times of the run at up to 500 points near the surface of each body that moves; at
// the begin alone for bodies that move freely. Throws UsageError, with the key and the time, where
// one lies in another body, in a periodic image of one, or in its own.
void check_meetings(const Case& lbm_case, const Derived& derived,
                    const std::vector<PlacedBody>& bodies);

}  // namespace lbm::cases
