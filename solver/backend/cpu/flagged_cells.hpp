// Cells that whole rows cannot express: those next to solids, done again after their row.
#pragma once

#include "solver/backend/cpu/row_sources.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// Cells of a row computed together, gathered and scattered one by one.
template <class Storage>
class CellBatch {
 public:
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  static constexpr int size = 16;

  // out: where the output row begins.
  CellBatch(const UpdateParams<Storage>& params, const RowSources<Storage>& from, Value* out)
      : params_(params), from_(from), out_(out) {}

  void add_near_solid(int x) {
    const unsigned solid = solid_links(params_, x, from_.y, from_.z, from_.touches(params_, x));
    from_.gather(params_, x, solid, [&](int q, const auto& gather) { g_[q][count_] = gather(q); });
    column_[count_++] = x;
    if (count_ == size) flush();
  }

  void flush() {
#pragma GCC ivdep
    for (int i = 0; i < size; ++i) {
      update_cell<Real>(
          params_.collision, [&](int q) { return g_[q][i]; }, [&](int q, Real g) { g_[q][i] = g; });
    }
    for (int q = 0; q < d3q19::directions; ++q) {
      Value* out = out_ + q * params_.layout.pitch;
      for (int i = 0; i < count_; ++i) out[column_[i]] = Storage::store_scaled(g_[q][i]);
    }
    count_ = 0;
  }

 private:
  const UpdateParams<Storage>& params_;
  const RowSources<Storage>& from_;
  Value* out_;
  int count_ = 0;
  int column_[size];
  alignas(64) Real g_[d3q19::directions][size] = {};
};

// The flags of a row, or null where all its cells are plain fluid.
template <class Storage>
const std::uint8_t* flags_of_row(const UpdateParams<Storage>& params, int y, int z) {
  const std::uint8_t* plane = params.flags.plane(z);
  if (plane == nullptr) return nullptr;
  const int nx = params.layout.nx;
  const std::uint8_t* row = plane + static_cast<std::int64_t>(y) * nx;
  const bool any = std::any_of(row, row + nx, [](std::uint8_t flag) { return flag != flag_fluid; });
  return any ? row : nullptr;
}

// Flagged cells of [begin, end) of a row: those next to solids are done, solid ones stored as zero.
template <class Storage>
void update_flagged(const UpdateParams<Storage>& params, const RowSources<Storage>& from,
                    const std::uint8_t* flags, int begin, int end, typename Storage::Value* out) {
  CellBatch<Storage> batch(params, from, out);
  end = std::min(end, params.layout.nx);
  for (int x = begin; x < end; ++x) {
    if (flags[x] == flag_near_solid) batch.add_near_solid(x);
  }
  batch.flush();
  for (int x = begin; x < end; ++x) {
    if (flags[x] != flag_solid) continue;
    for (int q = 0; q < d3q19::directions; ++q) out[q * params.layout.pitch + x] = {};
  }
}

}  // namespace
}  // namespace lbm::cpu
