// The parts of the CPU backend that the bits of whole runs depend on.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "solver/backend/cpu/flush_subnormals.hpp"
#include "solver/backend/cpu/kernels.hpp"
#include "solver/backend/cpu/row_schedule.hpp"
#include "solver/lattice/half.hpp"

namespace lbm::cpu {
namespace {

struct When {
  int part, place, tile;  // 0: tiles of strip `place`; 1: seam `place`
};

// Whether launch i is certainly done with its row before a later launch comes to its own.
bool before(const When& a, const When& b) {
  if (a.part != b.part) return a.part < b.part;
  return a.place == b.place && a.tile <= b.tile;
}

void check_schedule(int ny, bool periodic, int launches, int strips, int tile) {
  const RowSchedule schedule(ny, periodic, launches, strips, tile);
  std::vector<std::vector<std::vector<When>>> when(launches);
  for (auto& rows : when) rows.resize(ny);
  const auto mark = [&](int launch, const RowRange& range, const When& w) {
    for (int y = range.begin; y < range.end; ++y) when[launch][(y % ny + ny) % ny].push_back(w);
  };
  for (int i = 0; i < launches; ++i) {
    for (int s = 0; s < strips; ++s) {
      for (int t = 0; t < schedule.tiles(); ++t) mark(i, schedule.rows(s, t, i), {0, s, t});
      mark(i, schedule.seam(s, i), {1, s, 0});
    }
    for (int y = 0; y < ny; ++y) ASSERT_EQ(when[i][y].size(), 1U) << "launch " << i << " row " << y;
  }
  for (int i = 0; i < launches; ++i) {
    for (int later = i + 1; later < launches; ++later) {
      for (int y = 0; y < ny; ++y) {
        for (int d = -1; d <= 1; ++d) {
          if (!periodic && (y + d < 0 || y + d >= ny)) continue;
          const int near = (y + d + ny) % ny;
          ASSERT_TRUE(before(when[i][y][0], when[later][near][0]))
              << "launch " << i << " row " << y << ", launch " << later << " row " << near;
        }
      }
    }
  }
}

// Every row once, and whatever could disturb each other in the order of the launches.
TEST(RowSchedule, KeepsTheOrderOfAllNeighbouringRows) {
  for (const bool periodic : {false, true}) {
    for (const int ny : {1, 2, 3, 5, 8, 17, 40, 67}) {
      for (const int strips : {1, 2, 3}) {
        const bool open = periodic || strips > 1;
        for (const int launches : {1, 2, 3, 5, 9, 70}) {
          // The bound of the proof, beyond what most_launches() uses.
          if (ny < strips || (open && ny / strips < 2 * (launches - 1))) continue;
          for (const int tile : {1, 2, 3, 7, 100}) {
            SCOPED_TRACE(testing::Message()
                         << "ny " << ny << " periodic " << periodic << " strips " << strips
                         << " launches " << launches << " tile " << tile);
            ASSERT_NO_FATAL_FAILURE(check_schedule(ny, periodic, launches, strips, tile));
          }
        }
      }
    }
  }
}

TEST(RowSchedule, LimitsLeaveRoomForEveryLaunch) {
  for (int ny = 1; ny < 100; ++ny) {
    for (const int launches : {1, 2, 8, 100}) {
      const int strips = RowSchedule::most_strips(ny, launches);
      ASSERT_LE(strips, ny);
      for (const bool periodic : {false, true}) {
        const int most = RowSchedule::most_launches(ny, periodic, strips);
        ASSERT_GE(most, 1);
        if (periodic || strips > 1) {
          ASSERT_LE(2 * (most - 1), ny / strips);
        }
      }
    }
  }
}

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> all = {&kernels_baseline};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) {
    all.push_back(&kernels_avx2);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
    all.push_back(&kernels_avx512);
  }
#endif
  return all;
}

constexpr int batch = 16;

TEST(HalfRows, LoadEveryHalfAsTheIntegerCodeDoes) {
  const FlushSubnormals flush;
  for (const Kernels* kernels : all_kernels()) {
    for (unsigned first = 0; first < 65536; first += batch) {
      std::uint16_t half[batch];
      float value[batch];
      for (unsigned i = 0; i < batch; ++i) half[i] = static_cast<std::uint16_t>(first + i);
      kernels->load_halves(half, value, batch);
      for (int i = 0; i < batch; ++i) {
        if ((half[i] & 0x7fffU) > 0x7c00U) continue;  // NaN
        ASSERT_EQ(std::bit_cast<std::uint32_t>(value[i]),
                  std::bit_cast<std::uint32_t>(half_to_float(half[i])))
            << kernels->name << " half " << half[i];
      }
    }
  }
}

// Floats of every sign and exponent with many mantissas, subnormals among them.
TEST(HalfRows, StoreFloatsAsTheIntegerCodeDoes) {
  const FlushSubnormals flush;
  for (const Kernels* kernels : all_kernels()) {
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 16 * 251) {
      float value[batch];
      std::uint16_t half[batch];
      for (unsigned i = 0; i < batch; ++i) {
        value[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits + 251 * i));
      }
      kernels->store_halves(value, half, batch);
      for (int i = 0; i < batch; ++i) {
        if ((std::bit_cast<std::uint32_t>(value[i]) & 0x7fffffffU) > 0x7f800000U) continue;  // NaN
        ASSERT_EQ(half[i], float_to_half(value[i]))
            << kernels->name << " bits " << std::bit_cast<std::uint32_t>(value[i]);
      }
    }
  }
}

// The ties between halves, where rounding shows.
TEST(HalfRows, RoundTiesAsTheIntegerCodeDoes) {
  const FlushSubnormals flush;
  for (const Kernels* kernels : all_kernels()) {
    for (unsigned h = 0; h < 0x7bff; ++h) {
      const float low = half_to_float(static_cast<std::uint16_t>(h));
      const float high = half_to_float(static_cast<std::uint16_t>(h + 1));
      const float middle = low / 2 + high / 2;
      float value[batch];
      std::uint16_t half[batch];
      for (int i = 0; i < batch; ++i) {
        value[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(middle) + (i % 3) - 1);
      }
      kernels->store_halves(value, half, batch);
      for (int i = 0; i < batch; ++i) {
        ASSERT_EQ(half[i], float_to_half(value[i])) << kernels->name << " " << h;
      }
    }
  }
}

}  // namespace
}  // namespace lbm::cpu
