#include "solver/backend/cpu/interleave.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>

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
         std::span<const UpdateLaunch> launches, const Team& team)
      : kernels_(kernels), lattice_(lattice), launches_(launches), team_(team) {}

  void tiles(const RowSchedule& schedule) const {
    for (int tile = 0; tile < schedule.tiles(); ++tile) {
      for (int i = 0; i < count(); ++i) {
        share(launches_[i], schedule.rows(team_.strip, tile, i));
      }
    }
  }
  void seam(const RowSchedule& schedule) const {
    for (int i = 0; i < count(); ++i) share(launches_[i], schedule.seam(team_.strip, i));
  }

 private:
  int count() const { return static_cast<int>(launches_.size()); }

  // This thread's part of a launch's rows, plane by plane: it meets the same planes in each launch.
  void share(const UpdateLaunch& launch, const RowRange& range) const {
    const int rows = std::max(0, range.end - range.begin), all = rows * launch.count;
    int at = static_cast<int>(1LL * all * team_.rank / team_.size);
    const int end = static_cast<int>(1LL * all * (team_.rank + 1) / team_.size);
    while (at < end) {
      const int plane = at / rows, next = std::min(end, (plane + 1) * rows);
      update(launch, plane, range.begin + at - plane * rows, range.begin + next - plane * rows);
      at = next;
    }
    if (team_.shares) {
#pragma omp barrier
    }
  }

  // Rows counted modulo ny.
  void update(const UpdateLaunch& launch, int plane, int begin, int end) const {
    const int ny = lattice_.lattice.layout.ny;
    while (begin < end) {
      const int row = (begin % ny + ny) % ny, rows = std::min(end - begin, ny - row);
      // Not past the caches: what is written lies where a launch before has just read.
      kernels_.update_rows(lattice_, launch, plane, row, row + rows, false);
      begin += rows;
    }
  }

  const Kernels& kernels_;
  const DeviceLattice& lattice_;
  std::span<const UpdateLaunch> launches_;
  Team team_;
};

}  // namespace

void run_interleaved(const Kernels& kernels, const DeviceLattice& lattice,
                     std::span<const UpdateLaunch> launches, int threads, int tile) {
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
      const Worker worker(kernels, lattice, group, team);
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
  return static_cast<int>(std::clamp((rows - 2 * (planes + 2)) / (2 * planes + 2), 2L, 64L));
}

}  // namespace lbm::cpu
