// Why any list of launches may run in this order, whatever slots they read and write:
//
// Launch i at row y reads rows y - 1 ... y + 1 of its input slots and writes row y of its output
// slots. So launches i < i' can only disturb each other at rows y, y' with |y - y'| <= 1, cyclic
// where y is periodic (a slot written by one and read or written by the other). It is enough that
// every such pair keeps its order, (i, y) before (i', y'):
//  - both in the tiles of one strip: tile t of launch i has the rows with y - cut + i in
//    [t Y, (t + 1) Y), and y' + i' >= y - 1 + i + 1. So y' is in the same tile or a later one, and
//    inside a tile launches come in order.
//  - in the tiles of two strips, or across the ends of one: launch i stays i rows away from an open
//    end, so they are at least i + i' + 1 >= 2 rows apart: no such pair.
//  - (i, y) in a tile, (i', y') in a seam: tiles come first.
//  - (i, y) in a seam, (i', y') in a tile: the seam of launch i has the rows cut - i to cut + i -
//  1,
//    launch i' in tiles keeps i' rows away: |y - y'| >= i' - i + 1 >= 2.
//  - in one seam: launches come in order.
//  - in two seams: strips have at least 2 (launches - 1) rows, so their rows are at least
//    2 (launches - 1) - i - i' + 1 >= 2 apart.
// Rows of one launch never disturb each other: a launch writes no slot that it reads.
#include "solver/backend/cpu/row_schedule.hpp"

#include <algorithm>

namespace lbm::cpu {

RowSchedule::RowSchedule(int ny, bool periodic, int launches, int strips, int tile)
    : ny_(ny), periodic_(periodic), launches_(launches), strips_(strips), tile_(tile) {
  const int longest = (ny + strips - 1) / strips + launches - 1;
  tiles_ = (longest + tile - 1) / tile;
}

int RowSchedule::most_strips(int ny, int launches) { return std::max(1, ny / (4 * launches)); }

int RowSchedule::most_launches(int ny, bool periodic, int strips) {
  if (strips == 1 && !periodic) return 1 << 20;
  return std::max(1, ny / strips / 4);
}

RowRange RowSchedule::rows(int strip, int tile, int launch) const {
  const int lower = cut(strip), upper = cut(strip + 1);
  const int begin = lower + (open(strip) ? launch : 0);
  const int end = upper - (open(strip + 1) ? launch : 0);
  const int first = lower + tile * tile_ - launch;
  return {std::max(begin, first), std::min(end, first + tile_)};
}

RowRange RowSchedule::seam(int strip, int launch) const {
  if (!open(strip)) return {};
  return {cut(strip) - launch, cut(strip) + launch};
}

}  // namespace lbm::cpu
