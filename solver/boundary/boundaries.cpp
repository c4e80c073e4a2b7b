// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/boundaries.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "solver/boundary/inlet_turbulence.hpp"
#include "solver/boundary/solid_cells.hpp"

namespace lbm {
namespace {

constexpr double fastest_relaxation = 0.3;  // of an outflow or far field, per step

bool is_free_slip(const FaceBoundary& face) {
  return face.condition.kind == BoundaryKind::slip && face.patches.empty();
}

SolidBox box_of(int nx, int ny, int nz, const FaceBoundaries& faces, int directions) {
  SolidBox box{nx, ny, nz, {}, {}, directions};
  for (int f = 0; f < 6; ++f) {
    if (faces[f].periodic()) box.periodic[f / 2] = true;
    box.free_slip[f] = is_free_slip(faces[f]);
  }
  return box;
}

// Writes the words of a mask as fluid cells, one more than the mask has; see
// BoundaryView::fluid_words. Returns its BoundaryView::starts.
std::vector<std::uint32_t> write_fluid_words(int nx, int ny, const std::uint32_t* solid,
                                             FluidWord* fluid_words) {
  const int words = (nx + 31) / 32;
  std::vector<std::uint32_t> starts;
  std::uint32_t before = 0;
  for (int word = 0; word < words * ny; ++word) {
    const int column = word % words * 32, row = word / words * words;
    const int cells = std::min(32, nx - column);
    const std::uint32_t inside = cells == 32 ? ~0U : (1U << cells) - 1;
    const auto is_fluid = [&](int x) { return (solid[row + x / 32] >> (x % 32) & 1U) == 0; };
    FluidWord& entry = fluid_words[word];
    entry = {~solid[word] & inside, before};
    const auto fluid = static_cast<std::uint32_t>(count_bits(entry.fluid));
    if (is_fluid((column + nx - 1) % nx)) entry.before |= FluidWord::left_bit;
    if (is_fluid((column + cells) % nx)) {
      if (cells == 32)
        entry.before |= FluidWord::right_bit;
      else
        entry.fluid |= 1U << cells;
    }
    // At most one multiple of 32 lies in a word.
    const std::uint32_t next = (before + 31) / 32 * 32;
    if (fluid > 0 && next < before + fluid) starts.push_back(static_cast<std::uint32_t>(word));
    before += fluid;
  }
  fluid_words[words * ny] = {0, before};
  starts.push_back(static_cast<std::uint32_t>(words * ny));
  return starts;
}

}  // namespace

template <class T>
std::optional<std::size_t> Boundaries::append(const std::vector<T>& values) {
  if (values.empty()) return std::nullopt;
  const std::size_t begin = aligned(bytes_.size());
  bytes_.resize(begin);
  const auto* const first = reinterpret_cast<const std::byte*>(values.data());
  bytes_.insert(bytes_.end(), first, first + values.size() * sizeof(T));
  return begin;
}

std::uint64_t Boundaries::next_identity() {
  static std::atomic<std::uint64_t> made{0};
  return ++made;
}

namespace {

BodyImage image_of(const BodySpec& body, const std::array<int, 3>& cells,
                   const FaceBoundaries& faces) {
  BodyImage image;
  for (std::size_t a = 0; a < 3 && body.bounds; ++a) {
    const double low = body.bounds->low[a], high = body.bounds->high[a];
    const bool apart = low >= 1 && high <= cells[a] - 1;
    if (apart || !faces[2 * a].periodic() || !std::isfinite(low + high)) continue;
    image.middle[a] = (low + high) / 2;
    image.period[a] = cells[a];
  }
  return image;
}

// About as many as these take, and their fluid words: memory that grows is copied.
std::size_t bytes_for(const SolidCells& solids, std::int64_t mask_words, CellsStored stored) {
  const auto size_of = [](const auto& values) { return values.size() * sizeof(values[0]); };
  std::size_t bytes = size_of(solids.masks) + size_of(solids.cells) + size_of(solids.links);
  if (stored == CellsStored::fluid) {
    const std::size_t masks = solids.masks.size() / (2 * static_cast<std::size_t>(mask_words));
    bytes += size_of(solids.masks) + masks * sizeof(FluidWord);
    bytes += size_of(solids.masks) / 2;  // starts, no more than one for each word
  }
  return bytes + 64 * solids.mask_of.size() + 4096;
}

// Nothing passes: a wall, free slip, a periodic face, or one whose velocity is all along it.
bool is_closed(const BoundaryCondition& condition, std::size_t axis) {
  if (condition.kind == BoundaryKind::slip || condition.kind == BoundaryKind::periodic) return true;
  if (condition.kind != BoundaryKind::wall && condition.kind != BoundaryKind::velocity)
    return false;
  if (condition.turbulence.rms > 0) return false;
  const std::vector<float>& profile = condition.profile;
  if (profile.empty()) return condition.velocity[axis] == 0;
  for (std::size_t i = axis; i < profile.size(); i += 3) {
    if (profile[i] != 0) return false;
  }
  return true;
}

bool is_closed(const FaceBoundaries& faces) {
  for (std::size_t f = 0; f < 6; ++f) {
    const auto closed = [&](const BoundaryCondition& c) { return is_closed(c, f / 2); };
    const auto& patches = faces[f].patches;
    if (!closed(faces[f].condition)) return false;
    if (!std::all_of(patches.begin(), patches.end(), closed)) return false;
  }
  return true;
}

bool is_moving(const BodyMotion& motion) {
  const auto moves = [](double v) { return v != 0; };
  return std::any_of(std::begin(motion.velocity), std::end(motion.velocity), moves) ||
         std::any_of(std::begin(motion.angular_velocity), std::end(motion.angular_velocity), moves);
}

// Sets BodyImage::mean_flux. Returns whether any body has one.
template <class Set>
bool find_mean_fluxes(const BoundaryView& view, int nz, std::vector<BodyImage>& images) {
  struct Sums {
    double flux = 0, size = 0, weight = 0;
  };
  std::vector<Sums> sums(images.size());
  for (int z = 0; z < nz; ++z) {
    const CellList* const list = view.list(z);
    for (std::int64_t i = 0; list != nullptr && i < list->cells; ++i) {
      const LinkedCell& cell = view.cells[list->first_cell + i];
      const BlockedLink* link = view.links + list->first_link + cell.first;
      for (unsigned left = cell.blocked; left != 0; left &= left - 1, ++link) {
        const Direction e = direction(lowest_bit(left));
        const int body = body_of(*link);
        double arm[3];
        const double d = wall_position(*link);
        view.find_arm(body,
                      {cell.x + 0.5 - d * e.c[0], cell.y + 0.5 - d * e.c[1], z + 0.5 - d * e.c[2]},
                      arm);
        double flux = 0;
        for (int a = 0; a < 3; ++a) flux += e.c[a] * view.bodies[body].velocity_at(arm, a);
        const auto share = weight<Set, double>(e.q);
        Sums& of_body = sums[static_cast<std::size_t>(body)];
        of_body.flux += share * flux;
        of_body.size += share * std::abs(flux);
        of_body.weight += share;
      }
    }
  }
  bool any = false;
  for (std::size_t b = 0; b < sums.size(); ++b) {
    constexpr double rounding = 1e-12;
    if (std::abs(sums[b].flux) <= rounding * sums[b].size) continue;
    images[b].mean_flux = sums[b].flux / sums[b].weight;
    any = true;
  }
  return any;
}

}  // namespace

Boundaries::Boundaries(int nx, int ny, int nz, const FaceBoundaries& faces,
                       const SolidGeometry* geometry, std::span<const BodySpec> bodies,
                       CellsStored stored, const ForceField* force, VelocitySet velocities) {
  identity_ = next_identity();
  const bool solids_wanted = geometry != nullptr && !bodies.empty();
  prepare_faces(faces);
  const bool patches = std::any_of(faces.begin(), faces.end(),
                                   [](const FaceBoundary& face) { return !face.patches.empty(); });
  if (solids_wanted || patches || view_.boundary_pass_faces != 0) {
    add_conditions(nx, ny, nz, faces);
  }
  add_scalar_values(nx, ny, nz, faces);
  add_moving(bodies);
  add_zones(bodies);
  if (!solids_wanted) {
    if (stored == CellsStored::fluid) throw std::invalid_argument("Boundaries: no solid cells");
    add_force(force, bodies, faces, {nx, ny, nz});
    return;
  }
  if (!moving_.empty() && stored == CellsStored::fluid) {
    throw std::invalid_argument("Boundaries: bodies that move need all cells");
  }
  if ((force != nullptr || at_.zones) && stored == CellsStored::fluid) {
    throw std::invalid_argument("Boundaries: a force that depends on the place needs all cells");
  }
  std::vector<LinksOfBody> links;
  std::vector<BodyMotion> motions;
  std::vector<BodyImage> images;
  bool has_images = false;
  for (const BodySpec& body : bodies) {
    if (body.conducts && stored == CellsStored::fluid) {
      throw std::invalid_argument("Boundaries: a body that conducts needs all cells");
    }
    if (!body.listed && (stored == CellsStored::all || body.interpolated)) {
      throw std::invalid_argument("Boundaries: this body must be listed");
    }
    links.push_back({body.interpolated, body.listed ? static_cast<int>(motions.size()) : -1,
                     body.listed && body.slanted});
    if (!body.listed) continue;
    motions.push_back(body.motion);
    if (body.factor.kind != TimeFactor::Kind::constant) {
      motions.back().factor = static_cast<std::uint8_t>(factors_.size());
      add_factor(body.factor);
    }
    const double(&period)[3] = images.emplace_back(image_of(body, {nx, ny, nz}, faces)).period;
    has_images = has_images || period[0] + period[1] + period[2] > 0;
  }
  SolidBox box = box_of(nx, ny, nz, faces, directions_of(velocities));
  box.numbers_bodies =
      std::any_of(bodies.begin(), bodies.end(), [](const BodySpec& b) { return b.conducts; });
  if (box.numbers_bodies) view_.bits_per_cell += body_bits;
  SolidCells solids = find_solid_cells(box, *geometry, links, stored == CellsStored::fluid);
  view_.body_count = static_cast<int>(motions.size());
  view_.words_per_row = (nx + 31) / 32;
  view_.mask_words = std::int64_t{view_.words_per_row} * ny;
  solid_cells_ = solids.solid_cells;
  blocked_links_ = solids.blocked_links;
  bytes_.reserve(bytes_.size() + bytes_for(solids, view_.mask_words, stored));
  at_.masks = append(solids.masks);
  at_.mask_of = append(solids.mask_of);
  if (stored == CellsStored::fluid) number_fluid_cells(nx, ny, nz, solids.masks, solids.mask_of);
  at_.lists = append(solids.lists);
  at_.list_of = append(solids.list_of);
  at_.cells = append(solids.cells);
  at_.links = append(solids.links);
  at_.bodies = append(motions);
  linked_cells_ = std::move(solids.linked_cells);
  add_force(force, bodies, faces, {nx, ny, nz});
  BoundaryView so_far = view(bytes_.data());
  so_far.images = images.data();
  view_.bodies_move = std::any_of(motions.begin(), motions.end(), is_moving);
  if (view_.bodies_move && is_closed(faces)) {
    has_images |= visit_set(
        velocities, [&]<class Set>(Set) { return find_mean_fluxes<Set>(so_far, nz, images); });
  }
  if (has_images) at_.images = append(images);
}

void Boundaries::number_fluid_cells(int nx, int ny, int nz, const std::vector<std::uint32_t>& masks,
                                    const std::vector<std::int32_t>& mask_of) {
  const auto words = static_cast<std::size_t>(view_.mask_words), count = masks.size() / (2 * words);
  const std::size_t begin = aligned(bytes_.size());
  bytes_.resize(begin + count * (words + 1) * sizeof(FluidWord));
  auto* const fluid_words = reinterpret_cast<FluidWord*>(bytes_.data() + begin);
  std::vector<std::vector<std::uint32_t>> starts_of_mask(count);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t mask = 0; mask < count; ++mask) {
    starts_of_mask[mask] = write_fluid_words(nx, ny, masks.data() + 2 * words * mask,
                                             fluid_words + (words + 1) * mask);
  }
  for (int z = 0; z < nz; ++z) {
    const auto mask = static_cast<std::size_t>(mask_of[static_cast<std::size_t>(z)]);
    fluid_cells_.push_back(fluid_words[(words + 1) * mask + words].first());
  }
  std::vector<std::uint32_t> starts;
  std::vector<std::int64_t> starts_of;
  for (const auto& of_mask : starts_of_mask) {
    starts_of.push_back(static_cast<std::int64_t>(starts.size()));
    starts.insert(starts.end(), of_mask.begin(), of_mask.end());
  }
  at_.fluid_words = begin;
  at_.starts = append(starts);
  at_.starts_of = append(starts_of);
}

void Boundaries::add_moving(std::span<const BodySpec> bodies) {
  std::vector<std::uint8_t> fractions;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].moving == nullptr) continue;
    const auto& values = bodies[i].moving->fraction.values;
    moving_.push_back(
        {static_cast<int>(i), static_cast<std::int64_t>(fractions.size()), bodies[i].moving});
    fractions.insert(fractions.end(), values.begin(), values.end());
  }
  at_.fractions = append(fractions);
  changes_in_time_ = changes_in_time_ || !moving_.empty();
}

int Boundaries::linked_cells(int z) const { return linked_cells_.empty() ? 0 : linked_cells_[z]; }

void Boundaries::prepare_faces(const FaceBoundaries& faces) {
  for (int f = 0; f < 6; ++f) {
    const FaceBoundary& face = faces[f];
    const unsigned bit = 1U << f;
    if (face.periodic() != faces[f ^ 1].periodic()) {
      throw std::invalid_argument("Boundaries: one face of an axis is periodic, the other is not");
    }
    if (face.needs_boundary_pass()) view_.boundary_pass_faces |= bit;
    if (face.is_plain_shifted()) view_.shifted_faces |= bit;
    if (!face.periodic() || face.density_drop != 0) view_.closed_faces |= bit;
    if (is_free_slip(face)) view_.slip_faces |= bit;
    view_.density_drop[f / 2] = face.density_drop;
  }
}

// Adds the conditions of all faces: cells at edges and bodies may need those of any face.
void Boundaries::add_conditions(int nx, int ny, int nz, const FaceBoundaries& faces) {
  const std::array<int, 3> cells{nx, ny, nz};
  for (int f = 0; f < 6; ++f) {
    const auto expected = static_cast<std::size_t>(face_cells(f, nx, ny, nz));
    view_.condition_of[f] = static_cast<int>(conditions_.size());
    const std::vector<std::uint8_t>& patch_of = faces[f].patch_of;
    if (!faces[f].patches.empty() && patch_of.size() != expected) {
      throw std::invalid_argument("Boundaries: patch_of must have one value for each cell");
    }
    const auto share = [&](std::size_t number) {
      const auto covered = std::count(patch_of.begin(), patch_of.end(), number);
      return static_cast<double>(covered) / static_cast<double>(expected);
    };
    add_condition(faces[f].condition, f, cells, faces[f].patches.empty() ? 1 : share(0));
    for (std::size_t i = 0; i < faces[f].patches.size(); ++i) {
      add_condition(faces[f].patches[i], f, cells, share(i + 1));
    }
    if (faces[f].patches.empty()) continue;
    at_.patch_of[f] = append(faces[f].patch_of);
  }
  at_.conditions = append(conditions_);
  at_.profiles = append(profiles_);
  at_.modes = append(modes_);
}

void Boundaries::add_scalar_values(int nx, int ny, int nz, const FaceBoundaries& faces) {
  std::vector<float> all;
  std::size_t scalars = 0;
  for (const FaceBoundary& face : faces) scalars = std::max(scalars, face.scalar_values.size());
  for (std::size_t s = 0; s < scalars; ++s) {
    for (int f = 0; f < 6; ++f) {
      const auto& of_face = faces[f].scalar_values;
      if (s >= of_face.size() || of_face[s].empty()) continue;
      if (of_face[s].size() != static_cast<std::size_t>(face_cells(f, nx, ny, nz))) {
        throw std::invalid_argument("Boundaries: a scalar must have a value for each cell");
      }
      all.insert(all.end(), of_face[s].begin(), of_face[s].end());
    }
  }
  at_.scalar_values = append(all);
}

// share: of the face's cells, those with this condition.
void Boundaries::add_condition(const BoundaryCondition& condition, int face,
                               const std::array<int, 3>& cells, double share) {
  BoundaryConditionView& view = conditions_.emplace_back();
  view.kind = condition.kind;
  std::copy(condition.velocity.begin(), condition.velocity.end(), view.velocity);
  view.drho = condition.drho;
  // As Rudy & Strikwerda (1980). Up to 6 % of a sound wave is reflected. With 0.3 it is 2 %, but in
  // a viscous channel the steady density then misses its target by more (twice the velocity error).
  // A patch needs a larger relaxation: the same excess leaves through a smaller area.
  view.relaxation = std::min(1 / (share * cells[face / 2]), fastest_relaxation);
  if (!condition.profile.empty()) {
    const int values = condition.kind == BoundaryKind::velocity ? 3 : 1;
    const auto expected = values * face_cells(face, cells[0], cells[1], cells[2]);
    if (static_cast<std::int64_t>(condition.profile.size()) != expected) {
      throw std::invalid_argument("Boundaries: a profile must have values for each cell");
    }
    view.profile = static_cast<std::int64_t>(profiles_.size());
    profiles_.insert(profiles_.end(), condition.profile.begin(), condition.profile.end());
  }
  if (condition.turbulence.rms > 0) {
    const auto modes = turbulence_modes(condition.turbulence, condition.velocity);
    view.first_mode = static_cast<int>(modes_.size());
    view.modes = static_cast<int>(modes.size());
    modes_.insert(modes_.end(), modes.begin(), modes.end());
    changes_in_time_ = true;
  }
  add_factor(condition.factor);
}

void Boundaries::add_factor(const TimeFactor& factor) {
  if (factors_.size() == max_boundary_conditions) {
    throw std::invalid_argument("Boundaries: more conditions than max_boundary_conditions");
  }
  factors_.push_back(factor);
  if (factor.kind != TimeFactor::Kind::constant) changes_in_time_ = true;
}

void Boundaries::factors(double step, double (&factor)[max_boundary_conditions]) const {
  for (std::size_t i = 0; i < max_boundary_conditions; ++i) {
    factor[i] = i < factors_.size() ? factors_[i].at(step) : 0;
  }
}

}  // namespace lbm
