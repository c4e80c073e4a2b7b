// SPDX-License-Identifier: Apache-2.0

// Key table: name, units and grid.
#include <algorithm>
#include <cctype>

#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

bool is_case_name(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
  });
  return plain && !name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-';
}

// Not written where code has not set them.
ValueType<std::array<int, 3>> cells() {
  using Cells = std::array<int, 3>;
  const auto cell = whole(1, max_cells_per_axis);
  auto type = array_of<Cells>(cell, "whole numbers", cell.allowed);
  type.write = [](const Cells& n) { return n == Cells{} ? std::string() : list_text(n); };
  return type;
}

void add_grid(const auto& grid) {
  Key& box = grid.add("cells", &Grid::cells, cells(), "this or size, or those of the one image",
                      "Cells in x, y and z: `[nx, ny, nz]`. z is streamed through the device, so "
                      "make it the longest axis. A case with one body of voxels may leave it out: "
                      "the box then has the size of the image with its changes and reservoirs.");
  box.at_most_one_of("size");
  // A case with a size has the resulting cells, too.
  box.given = [](const Case& c) {
    if (!c.grid.size) return c.grid.cells != std::array<int, 3>{};
    return c.lines.contains("grid.cells") || c.overridden.contains("grid.cells");
  };
  Key& size = grid.add(
      "size", &Grid::size, numbers<Vec3>(positive, "> 0"), "this or cells",
      "`units: si` only: extent of the box in m, rounded to whole cells of `grid.spacing`.");
  size.only_with("units", "si");
  size.given = [](const Case& c) { return c.grid.size.has_value(); };
  // Not written back: the case then has the resulting cells.
  size.writer = [write = size.writer](const Case& in, std::size_t item) {
    return in.grid.cells == std::array<int, 3>{0, 0, 0} ? write(in, item) : std::string();
  };
  grid.add("spacing", &Grid::spacing, number(positive), "this or cells_per_length",
           "`units: si` only: metres per cell.")
      .only_with("units", "si")
      .at_most_one_of("cells_per_length")
      .required_with("units", "si")
      .unless("cells_per_length");
  grid.add("cells_per_length", &Grid::cells_per_length, number(positive), "this or spacing",
           "`units: si` only: cells per `fluid.length`, which is required then.")
      .only_with("units", "si")
      .needs("fluid.length");
}

}  // namespace

void add_case_keys(Parts& parts) {
  const auto top = keys_of_case(parts);
  auto name = text("1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`",
                   is_case_name);
  name.write = double_quoted;
  top.add("name", &Case::name, name, "case",
          "Name of the case; results go to `out/<name>` unless `output.directory` says otherwise.");
  top.add("units", &Case::units, words<UnitSystem>(), "lattice",
          "Units of all numbers in the case. `lattice`: cells and dimensionless numbers; `si`: "
          "metres, seconds, kilograms. [units.md](units.md) lists both.");
  add_grid(top.group("grid", &Case::grid));
}

}  // namespace lbm::cases::key_table
