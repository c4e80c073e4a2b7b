// SPDX-License-Identifier: Apache-2.0

// The body force that depends on the place, and the zones of cells, as boundary data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <stdexcept>

#include "solver/boundary/boundaries.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm {
namespace {

// The cells of a zone along an axis: those of its samples, but for the ones outside the box.
class ZoneCells {
 public:
  ZoneCells(const SolidFraction& fraction, std::size_t axis, int cells, bool periodic)
      : cells_(cells),
        samples_(fraction.samples[axis]),
        first_(static_cast<int>(std::lround(fraction.first[axis] - 0.5))),
        periodic_(periodic) {}

  // Calls visit(cell, sample) for each of them; an endless zone has one sample for all cells.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int i = 0; i < (samples_ == 1 ? cells_ : samples_); ++i) {
      int cell = samples_ == 1 ? i : first_ + i;
      if (periodic_) cell = (cell % cells_ + cells_) % cells_;
      if (cell >= 0 && cell < cells_) visit(cell, samples_ == 1 ? 0 : i);
    }
  }

 private:
  int cells_, samples_, first_;
  bool periodic_;
};

// Writes the cells of a zone in plane z, but for those of zones before it.
void put_zone(const SolidFraction& fraction, int number, const FaceBoundaries& faces,
              const std::array<int, 3>& cells, int z, float* plane) {
  const auto along = [&](std::size_t axis) {
    return ZoneCells(fraction, axis, cells[axis], faces[2 * axis].periodic());
  };
  const ZoneCells x_cells = along(0), y_cells = along(1);
  along(2).for_each([&](int at, int k) {
    if (at != z) return;
    y_cells.for_each([&](int y, int j) {
      x_cells.for_each([&](int x, int i) {
        const auto row = std::int64_t{k} * fraction.samples[1] + j;
        const auto sample = static_cast<std::size_t>(row * fraction.samples[0] + i);
        float& value = plane[std::int64_t{y} * cells[0] + x];
        if (value == 0) value = ZoneShare::packed(number, fraction.values[sample]);
      });
    });
  });
}

}  // namespace

void Boundaries::add_zones(std::span<const BodySpec> bodies) {
  std::vector<Resistance> zones;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].zone == nullptr) continue;
    zones.push_back(bodies[i].zone->resistance);
    zones.back().body = static_cast<std::int32_t>(i);
  }
  if (zones.size() > most_zones) throw std::invalid_argument("Boundaries: too many zones");
  at_.zones = append(zones);
}

void Boundaries::add_force(const ForceField* field, std::span<const BodySpec> bodies,
                           const FaceBoundaries& faces, const std::array<int, 3>& box) {
  if (field == nullptr && !at_.zones) return;
  const auto [nx, ny, nz] = box;
  view_.force_values = (field != nullptr ? 3 : 0) + (at_.zones ? 1 : 0);
  view_.force_row = nx;
  view_.force_cells = std::int64_t{nx} * ny;
  const auto cells = static_cast<std::size_t>(view_.force_cells);
  const std::size_t values = static_cast<std::size_t>(view_.force_values) * cells;
  const std::size_t bytes = values * sizeof(float), begin = aligned(bytes_.size());
  std::vector<std::int32_t> force_of(static_cast<std::size_t>(nz));
  const bool same = field == nullptr || field->same_in_all_planes;
  const int asked = same && !at_.zones ? 1 : nz;
  std::int64_t planes = field != nullptr ? asked : 0;
  for (const BodySpec& body : bodies) {
    if (body.zone == nullptr) continue;
    const int samples = body.zone->fraction.samples[2];
    planes += samples == 1 ? nz : samples;
  }
  const std::size_t most =
      begin + bytes * static_cast<std::size_t>(std::min<std::int64_t>(planes, asked));
  try {
    bytes_.reserve(most);
  } catch (const std::bad_alloc&) {
    throw ResourceError(fmt::format(
        "not enough host memory: {} for a force that depends on the place, {} is free; "
        "use fewer cells, a force that is the same in all planes of z, or smaller zones",
        human_bytes(most), human_bytes(host_memory_available())));
  }
  bytes_.resize(begin);
  std::int32_t last = -1;
  std::vector<float> plane(values);
  for (int z = 0; z < asked; ++z) {
    if (field != nullptr && (z == 0 || !same)) field->fill(z, std::span(plane).first(3 * cells));
    if (at_.zones) {
      float* const of_zones = plane.data() + (values - cells);
      std::fill_n(of_zones, cells, 0.0F);
      int number = 0;
      for (const BodySpec& body : bodies) {
        if (body.zone != nullptr) put_zone(body.zone->fraction, number++, faces, box, z, of_zones);
      }
    }
    std::int32_t& number = force_of[static_cast<std::size_t>(z)];
    number = -1;
    if (std::all_of(plane.begin(), plane.end(), [](float f) { return f == 0; })) continue;
    const std::byte* const before = bytes_.data() + bytes_.size() - bytes;
    if (last < 0 || std::memcmp(before, plane.data(), bytes) != 0) {
      bytes_.resize(bytes_.size() + bytes);
      std::memcpy(bytes_.data() + bytes_.size() - bytes, plane.data(), bytes);
      ++last;
    }
    number = last;
  }
  if (asked == 1) std::fill(force_of.begin(), force_of.end(), force_of[0]);
  if (last < 0) return;  // no force anywhere
  at_.forces = begin;
  at_.force_of = aligned(bytes_.size());
  bytes_.resize(*at_.force_of + force_of.size() * sizeof(std::int32_t));
  std::memcpy(bytes_.data() + *at_.force_of, force_of.data(),
              force_of.size() * sizeof(std::int32_t));
  if (linked_cells_.empty()) linked_cells_.resize(static_cast<std::size_t>(nz));
  if (field != nullptr) set_force_factor(field->factor);
}

void Boundaries::set_force_factor(const TimeFactor& factor) {
  force_factor_ = factor;
  if (factor.kind != TimeFactor::Kind::constant) changes_in_time_ = true;
}

bool Boundaries::has_force(int z) const {
  if (!at_.force_of) return false;
  return reinterpret_cast<const std::int32_t*>(bytes().data() + *at_.force_of)[z] >= 0;
}

}  // namespace lbm
