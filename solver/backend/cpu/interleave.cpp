#include "solver/backend/cpu/interleave.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "solver/backend/cpu/flush_subnormals.hpp"
#include "solver/backend/cpu/row_schedule.hpp"

namespace lbm::cpu {
namespace {

// A thread and those that share its strip.
struct Team {
  int strip, rank, size;
  bool shares;  // any team has several threads: then all wait for each other after each launch

  Team(int thread, int threads, int strips)
      : strip(thread * strips / threads), shares(threads > strips) {
    const int first = (strip * threads + strips - 1) / strips;
    rank = thread - first;
    size = ((strip + 1) * threads + strips - 1) / strips - first;
  }
};

class Worker {
 public:
  Worker(const Kernels& kernels, const DeviceLattice& lattice,
         std::span<const UpdateLaunch> launches, const std::vector<bool>& stream, const Team& team)
      : kernels_(kernels), lattice_(lattice), launches_(launches), stream_(stream), team_(team) {}

  void tiles(const RowSchedule& schedule) const {
    for (int tile = 0; tile < schedule.tiles(); ++tile) {
      for (int i = 0; i < count(); ++i) {
        share(i, schedule.rows(team_.strip, tile, i));
      }
    }
  }
  void seam(const RowSchedule& schedule) const {
    for (int i = 0; i < count(); ++i) share(i, schedule.seam(team_.strip, i));
  }

 private:
  int count() const { return static_cast<int>(launches_.size()); }

  // This thread's part of a launch's rows, plane by plane: it meets the same planes in each launch.
  void share(int index, const RowRange& range) const {
    const UpdateLaunch& launch = launches_[index];
    const int rows = std::max(0, range.end - range.begin), all = rows * launch.count;
    int at = static_cast<int>(1LL * all * team_.rank / team_.size);
    const int end = static_cast<int>(1LL * all * (team_.rank + 1) / team_.size);
    while (at < end) {
      const int plane = at / rows, next = std::min(end, (plane + 1) * rows);
      update(index, plane, range.begin + at - plane * rows, range.begin + next - plane * rows);
      at = next;
    }
    if (team_.shares) {
#pragma omp barrier
    }
  }

  // Rows counted modulo ny.
  void update(int index, int plane, int begin, int end) const {
    const int ny = lattice_.lattice.layout.ny;
    while (begin < end) {
      const int row = (begin % ny + ny) % ny, rows = std::min(end - begin, ny - row);
      kernels_.update_rows(lattice_, launches_[index], plane, row, row + rows, stream_[index]);
      begin += rows;
    }
  }

  const Kernels& kernels_;
  const DeviceLattice& lattice_;
  std::span<const UpdateLaunch> launches_;
  const std::vector<bool>& stream_;
  Team team_;
};

// Launches that write nothing which a later one reads or writes again.
std::vector<bool> read_by_nobody(std::span<const UpdateLaunch> launches) {
  std::vector<bool> alone(launches.size());
  std::vector<bool> used;  // by slot
  for (std::size_t i = launches.size(); i-- > 0;) {
    const UpdateLaunch& launch = launches[i];
    const std::span out(launch.out.data(), launch.count), in(launch.in.data(), launch.count + 2);
    const int most = std::max(*std::max_element(out.begin(), out.end()),
                              *std::max_element(in.begin(), in.end()));
    if (most >= static_cast<int>(used.size())) used.resize(most + 1);
    alone[i] = std::none_of(out.begin(), out.end(), [&](int slot) { return used[slot]; });
    for (int slot : out) used[slot] = true;
    for (int slot : in) used[slot] = true;
  }
  return alone;
}

}  // namespace

void run_interleaved(const Kernels& kernels, const DeviceLattice& lattice,
                     std::span<const UpdateLaunch> launches, int threads, int tile) {
  const bool large = exceeds_caches(lattice.lattice);
  const std::vector<bool> stream =
      large ? read_by_nobody(launches) : std::vector<bool>(launches.size(), false);
  const int ny = lattice.lattice.layout.ny, count = static_cast<int>(launches.size());
  const bool periodic = (lattice.lattice.walls.faces & y_min) == 0;
#pragma omp parallel num_threads(threads)
  {
    const FlushSubnormals flush;
    const int team_threads = omp_get_num_threads();  // what was asked for, or fewer
    const int strips = std::min(team_threads, RowSchedule::most_strips(ny, std::min(count, 8)));
    const int most = std::min(count, RowSchedule::most_launches(ny, periodic, strips));
    const Team team(omp_get_thread_num(), team_threads, strips);
    for (int first = 0; first < count; first += most) {
      const auto group = launches.subspan(first, std::min(most, count - first));
      const RowSchedule schedule(ny, periodic, static_cast<int>(group.size()), strips, tile);
      const std::vector<bool> group_stream(stream.begin() + first,
                                           stream.begin() + first + static_cast<int>(group.size()));
      const Worker worker(kernels, lattice, group, group_stream, team);
      worker.tiles(schedule);
#pragma omp barrier
      worker.seam(schedule);
#pragma omp barrier
    }
  }
}

bool exceeds_caches(const Lattice& lattice) {
  constexpr std::size_t cached = std::size_t{32} << 20;
  return lattice.layout.bytes * static_cast<std::size_t>(lattice.nz) > cached;
}

int rows_per_tile(const Lattice& lattice, int planes) {
  const long cache = std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20);
  const long row = static_cast<long>(lattice.layout.bytes) / lattice.layout.ny;
  const long rows = cache * 3 / 4 / row;
  return static_cast<int>(std::clamp((rows - 2 * (planes + 2)) / (2 * planes + 2), 4L, 64L));
}

}  // namespace lbm::cpu
