// In which order a CPU runs the rows of a list of launches, so that a launch finds what the one
// before it wrote still in the cache. Pure: no threads, no memory; see row_schedule.cpp for why the
// order is safe.
#pragma once

namespace lbm::cpu {

struct RowRange {
  int begin = 0, end = 0;  // rows, may lie outside [0, ny): modulo ny; empty where begin >= end
};

// `launches` launches over ny rows, cut along y into strips. Strips are independent of each other
// until all of them have done all their tiles; then the seams between them are, each by itself.
class RowSchedule {
 public:
  // Rows are cut at cut(0) = 0, cut(1), ..., at about `strips` places in proportion to the threads.
  // tile: rows done of one launch before the next one follows; at least 1.
  RowSchedule(int ny, bool periodic, int launches, int strips, int tile);

  // The most strips that leave each at least four rows for each launch; at least 1.
  static int most_strips(int ny, int launches);
  // The most launches that one schedule of that many strips should hold: seams take at most half
  // of the rows. Twice as many would still be safe.
  static int most_launches(int ny, bool periodic, int strips);

  int strips() const { return strips_; }
  int tiles() const { return tiles_; }  // of every strip; some may be empty

  // First part: rows of `launch` in tile `tile` of strip `strip`. Order: tiles, in each the
  // launches.
  RowRange rows(int strip, int tile, int launch) const;
  // Second part, after all strips: rows of `launch` left over at the lower end of the strip. Order:
  // launches.
  RowRange seam(int strip, int launch) const;

 private:
  int cut(int strip) const { return static_cast<int>(1LL * ny_ * strip / strips_); }
  bool open(int cut) const { return periodic_ || (cut > 0 && cut < strips_); }

  int ny_;
  bool periodic_;
  int launches_, strips_, tile_, tiles_;
};

}  // namespace lbm::cpu
