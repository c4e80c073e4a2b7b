// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/picture_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

constexpr double unit = 0x1p-38;      // of the integers in sums
constexpr float largest_summed = 16;  // 2^20 of them, as many cells as an axis has, fit into a sum
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

constexpr std::size_t together = 1 << 10;  // points that a thread writes together

constexpr float real(int number) { return static_cast<float>(number); }

}  // namespace

std::array<std::size_t, 2> picture_axes(int normal) {
  if (normal == 0) return {1, 2};
  if (normal == 1) return {0, 2};
  return {0, 1};
}

PictureValues::PictureValues(const std::array<int, 3>& cells, int normal, ProjectionKind kind)
    : cells_(cells),
      normal_(normal),
      means_(kind == ProjectionKind::mean && cells[static_cast<std::size_t>(normal)] > 1) {
  const auto [right, up] = picture_axes(normal);
  const auto columns = static_cast<std::size_t>(cells[right]) * static_cast<std::size_t>(cells[up]);
  sums_.resize(means_ ? columns : 0);
  counts_.resize(means_ ? columns : 0);
  most_.resize(means_ ? 0 : columns, no_value);
}

void PictureValues::take(float value, std::size_t column) {
  if (std::isnan(value)) return;
  if (means_) {
    const float bounded = std::clamp(value, -largest_summed, largest_summed);
    sums_[column] += static_cast<std::int64_t>(bounded / unit);
    ++counts_[column];
  } else if (!(most_[column] >= value)) {
    most_[column] = value;
  }
}

// Threads share the columns, whose cells in this plane lie `stride` apart.
void PictureValues::add_plane(int z, std::span<const float> values, int threads) {
  const auto nx = static_cast<std::size_t>(cells_[0]), ny = static_cast<std::size_t>(cells_[1]);
  const std::size_t columns = normal_ == 0 ? ny : normal_ == 1 ? nx : nx * ny;
  const std::size_t to_next = normal_ == 0 ? nx : 1, stride = normal_ == 1 ? nx : 1;
  const std::size_t first = normal_ == 2 ? 0 : static_cast<std::size_t>(z) * columns;
  in_parts(threads, columns, [&](std::size_t from, std::size_t to) {
    for (std::size_t cell = 0; cell < nx * ny / columns; ++cell) {
      for (std::size_t column = from; column < to; ++column) {
        take(values[column * to_next + cell * stride], first + column);
      }
    }
  });
  ++planes_;
}

std::vector<float> PictureValues::values() const {
  std::vector<float> values = most_;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const double mean = static_cast<double>(sums_[i]) * unit / counts_[i];
    values.push_back(counts_[i] > 0 ? static_cast<float>(mean) : no_value);
  }
  return values;
}

SurfaceFile::SurfaceFile(const std::array<int, 3>& cells, float isovalue, bool bodies,
                         const io::Place& place, std::string_view head)
    : cells_(cells),
      isovalue_(isovalue),
      bodies_(bodies),
      file_(place),
      fd_(file_.take_fd()),
      bytes_(head.size()),
      error_(io::write_all(fd_.get(), head)) {
  check();
}

std::uint64_t SurfaceFile::bytes(std::int64_t plane_cells) {
  constexpr std::uint64_t planes = 4, bytes_a_cell = 12, threads = 16;
  return planes * bytes_a_cell * static_cast<std::uint64_t>(plane_cells) +
         threads * 2 * together * sizeof(SurfaceCube);
}

void SurfaceFile::check() const {
  if (error_ != 0) io::throw_write_error(file_.path(), error_, 0);
}

void SurfaceFile::commit() {
  fd_.reset();
  file_.commit(bytes_);
}

void SurfaceFile::add_plane(int z, const SurfacePlane& plane, int threads) {
  Plane& kept = planes_[z];
  kept.numbers.assign(plane.numbers.begin(), plane.numbers.end());
  kept.colours.assign(plane.colours.begin(), plane.colours.end());
  kept.solid.assign(plane.solid.begin(), plane.solid.end());
  for (std::size_t i = 0; i < kept.solid.size(); ++i) {
    if (kept.solid[i] != 0) kept.numbers[i] = std::numeric_limits<float>::quiet_NaN();
  }
  const auto has = [&](int at) { return planes_.contains(std::clamp(at, 0, cells_[2] - 1)); };
  for (const int layer : {z - 1, z}) {
    if (!done_.contains(layer) && has(layer) && has(layer + 1)) add_layer(layer, threads);
  }
  for (const int at : {z - 1, z, z + 1}) {  // that no other layer needs
    if (done_.contains(at - 1) && done_.contains(at)) planes_.erase(at);
  }
}

void SurfaceFile::add_layer(int z, int threads) {
  const std::array<const Plane*, 2> planes{&planes_.at(std::max(z, 0)),
                                           &planes_.at(std::min(z + 1, cells_[2] - 1))};
  in_parts(threads, cells_[1] + 1, [&](int from, int to) {
    Found found;
    for (int y = from - 1; y < to - 1; ++y) {
      add_row(y, z, planes, false, found);
      if (bodies_) add_row(y, z, planes, true, found);
      if (found.cubes.size() > together) write(found.cubes);
    }
    write(found.cubes);
    const std::scoped_lock lock(*mutex_);
    any_above_ |= found.any_above;
    any_below_ |= found.any_below;
  });
  done_.insert(z);
  check();
}

// Corners of a cube are numbered by their bits: 1 for x, 2 for y, 4 for z.
void SurfaceFile::add_row(int y, int z, const std::array<const Plane*, 2>& planes, bool body,
                          Found& found) {
  const float level = body ? 0.5F : isovalue_;
  std::array<const float*, 4> row, colours;  // of the corners, by the bits of y and z
  for (std::size_t r = 0; r < 4; ++r) {
    const Plane& plane = *planes[r >> 1];
    const auto line = std::clamp(y + static_cast<int>(r & 1), 0, cells_[1] - 1);
    const std::ptrdiff_t at = std::ptrdiff_t{line} * cells_[0];
    row[r] = (body ? plane.solid : plane.numbers).data() + at;
    colours[r] = plane.colours.data() + at;
  }
  std::array<float, 8> number;
  for (int x = -1; x < cells_[0]; ++x) {
    const std::array<int, 2> column{std::max(x, 0), std::min(x + 1, cells_[0] - 1)};
    unsigned above = 0, finite = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      number[i] = row[i >> 1][column[i & 1]];
      above |= (number[i] >= level ? 1U : 0U) << i;
      finite |= (number[i] == number[i] ? 1U : 0U) << i;
    }
    found.any_above |= !body && above != 0;
    found.any_below |= !body && above != finite;
    if (above == 0 || above == finite) continue;
    SurfaceCube cube{{real(x), real(y), real(z)}, 0, {0, 0, 0}, 0};
    float crossed = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t j = i | std::size_t{1} << axis;
        const bool both = (finite >> i & finite >> j & 1) != 0;
        if (i == j || !both || (above >> i & 1) == (above >> j & 1)) continue;
        const float part = (level - number[i]) / (number[j] - number[i]);
        const auto mix = [part](float from, float to) { return from + part * (to - from); };
        for (std::size_t a = 0; a < 3; ++a) {
          const auto place = [&](std::size_t corner) {
            const int cell = std::array{x, y, z}[a] + static_cast<int>(corner >> a & 1);
            return 0.5F + real(std::clamp(cell, 0, cells_[a] - 1));
          };
          cube.at[a] += mix(place(i), place(j));
        }
        cube.colour += mix(colours[i >> 1][column[i & 1]], colours[j >> 1][column[j & 1]]);
        if (i == 0) cube.edges += real(1 << axis);
        ++crossed;
      }
    }
    if (crossed == 0) continue;  // cells without a number lie between
    cube.edges = std::min({x, y, z}) < 0 ? 0 : cube.edges + ((above & 1) != 0 ? 8.0F : 0.0F);
    for (float& place : cube.at) place /= crossed;
    cube.colour = body ? std::numeric_limits<float>::quiet_NaN() : cube.colour / crossed;
    found.cubes.push_back(cube);
  }
}

void SurfaceFile::write(std::vector<SurfaceCube>& cubes) {
  const std::scoped_lock lock(*mutex_);
  const std::string_view text(reinterpret_cast<const char*>(cubes.data()),
                              cubes.size() * sizeof(SurfaceCube));
  if (error_ == 0) error_ = io::write_all(fd_.get(), text);
  bytes_ += text.size();
  cubes.clear();
}

}  // namespace lbm::cases
