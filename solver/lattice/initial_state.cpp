#include "solver/lattice/initial_state.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "solver/core/first_error.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

namespace {

// Compares bits: 0 and -0 differ.
bool is_constant(std::span<const double> values) {
  return std::memcmp(values.data(), values.data() + 1, (values.size() - 1) * sizeof(double)) == 0;
}

// Writes one row of all directions from the filled row of the state; the padding is zero already.
template <class Storage>
void write_row(const PlaneLayout& layout, int y, const StateRow& row,
               typename Storage::Value* plane) {
  const bool constant =
      is_constant(row.density) && is_constant(row.ux) && is_constant(row.uy) && is_constant(row.uz);
  const int copies = constant ? layout.nx : 1;  // of each cell that is computed
  for (int x = 0; x < layout.nx; x += copies) {
    double g[d3q19::directions];
    equilibrium<double>({row.density[x], row.ux[x], row.uy[x], row.uz[x]}, g);
    Storage::to_values(g);
    for (int i = 0; i < Storage::values; ++i) {
      std::fill_n(plane + layout.index(i, y, x), copies,
                  Storage::store(static_cast<typename Storage::Real>(g[i])));
    }
  }
}

void zero_row(const PlaneLayout& layout, std::size_t value_bytes, int y, std::byte* plane) {
  const std::size_t row_bytes = static_cast<std::size_t>(layout.row) * value_bytes;
  const std::size_t begin = static_cast<std::size_t>(y) * row_bytes;
  // The last row includes the rest of the plane.
  std::memset(plane + begin, 0, y + 1 < layout.ny ? row_bytes : layout.bytes - begin);
}

}  // namespace

void write_initial_plane(const Lattice& lattice, const InitialState& state, int z,
                         std::byte* plane) {
  const PlaneLayout& layout = lattice.layout;
  const auto nx = static_cast<std::size_t>(layout.nx);
  FirstError error;
#pragma omp parallel
  {
    std::vector<double> values(state ? 4 * nx : 0);
    const auto part = [&](std::size_t i) { return std::span(values).subspan(i * nx, nx); };
#pragma omp for schedule(static)
    for (int y = 0; y < layout.ny; ++y) {
      zero_row(layout, bytes_per_value(lattice.storage), y, plane);
      if (!state) continue;  // at rest every shifted population is zero
      const StateRow row{part(0), part(1), part(2), part(3)};
      std::fill(values.begin(), values.begin() + layout.nx, 1.0);
      std::fill(values.begin() + layout.nx, values.end(), 0.0);
      error.guard([&] { state(y, z, row); });
      visit_storage(lattice, [&](auto storage) {
        using Storage = decltype(storage);
        write_row<Storage>(layout, y, row, reinterpret_cast<typename Storage::Value*>(plane));
      });
    }
  }
  error.rethrow();
}

}  // namespace lbm
