// SPDX-License-Identifier: Apache-2.0

// The image of setup_times.sh: raw uint8, 0 in the pores (20 %), 1 in the solid. A random number at
// every 16th voxel, interpolated linearly and cut off; opposite faces fit each other.
//   setup_image FILE NX NY NZ      multiples of 16
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int spacing = 16;

float random_at(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  std::uint64_t h = x * 0x9E3779B97F4A7C15U ^ y * 0xC2B2AE3D27D4EB4FU ^ z * 0x165667B19E3779F9U;
  h = (h ^ h >> 32) * 0xD6E8FEB86659FD93U;
  return static_cast<float>((h ^ h >> 32) >> 40) / 16777216.0F;
}

float between(float a, float b, int at) { return a + (b - a) * static_cast<float>(at) / spacing; }

void fill_row(const std::array<int, 3>& n, int y, int z, std::vector<float>& row) {
  const int count = n[0] / spacing, j = y / spacing, k = z / spacing;
  const int next_j = (j + 1) % (n[1] / spacing), next_k = (k + 1) % (n[2] / spacing);
  const auto knot = [&](int i) {
    return between(between(random_at(i, j, k), random_at(i, next_j, k), y % spacing),
                   between(random_at(i, j, next_k), random_at(i, next_j, next_k), y % spacing),
                   z % spacing);
  };
  for (int i = 0; i < count; ++i) {
    const float low = knot(i), high = knot((i + 1) % count);
    for (int x = 0; x < spacing; ++x) row[i * spacing + x] = between(low, high, x);
  }
}

// The value below which a fifth of the voxels lie, of a sample.
float fifth_of(const std::array<int, 3>& n) {
  std::vector<float> sample, row(n[0]);
  for (int s = 0; s < 4000; ++s) {
    fill_row(n, s * 37 % n[1], s * 101 % n[2], row);
    for (int x = s % 13; x < n[0]; x += 13) sample.push_back(row[x]);
  }
  const auto fifth = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 5);
  std::nth_element(sample.begin(), fifth, sample.end());
  return *fifth;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) return 2;
  const std::array<int, 3> n{std::atoi(words[2]), std::atoi(words[3]), std::atoi(words[4])};
  const float limit = fifth_of(n);
  std::FILE* const file = std::fopen(words[1], "wb");
  if (file == nullptr) return 1;
  const std::size_t plane = static_cast<std::size_t>(n[0]) * n[1];
  std::vector<std::uint8_t> slab(plane * spacing);
  for (int z = 0; z < n[2]; z += spacing) {
#pragma omp parallel for collapse(2)
    for (int k = 0; k < spacing; ++k) {
      for (int y = 0; y < n[1]; ++y) {
        std::vector<float> row(n[0]);
        fill_row(n, y, z + k, row);
        std::uint8_t* const to = &slab[k * plane + static_cast<std::size_t>(y) * n[0]];
        for (int x = 0; x < n[0]; ++x) to[x] = row[x] < limit ? 0 : 1;
      }
    }
    if (std::fwrite(slab.data(), 1, slab.size(), file) != slab.size()) return 1;
  }
  return std::fclose(file);
}
