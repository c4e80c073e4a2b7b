// Key table: name, units and grid.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

bool is_case_name(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
  });
  return plain && !name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-';
}

Key case_name() {
  Key key = text(
      {"name", "case",
       "Name of the case; results go to `out/<name>` unless `output.directory` says "
       "otherwise."},
      "1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`", is_case_name,
      [](auto& c) -> auto& { return c.name; });
  key.write = [](const Case& in) { return double_quoted(in.name); };
  return key;
}

Key grid_cells() {
  Key key =
      key_of({"grid.cells", "this or size",
              "Cells in x, y and z: `[nx, ny, nz]`. z is streamed through the device, so make it "
              "the longest axis."},
             "list of three whole numbers", fmt::format("from 1 to {}", max_cells_per_axis));
  key.read = [](const YAML::Node& node, Case& out) {
    const auto cells = numbers_of(node, parse_whole);
    if (!cells || cells->size() != 3) return false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((*cells)[axis] < 1 || (*cells)[axis] > max_cells_per_axis) return false;
      out.grid.cells[axis] = static_cast<int>((*cells)[axis]);
    }
    return true;
  };
  key.write = [](const Case& in) {
    const bool given = in.grid.cells != std::array<int, 3>{0, 0, 0};
    return given ? list_text(in.grid.cells) : std::string();
  };
  return key;
}

// Not written back: the case then has the resulting cells.
Key grid_size() {
  Key key = numbers(
      {"grid.size", "this or cells",
       "`units: si` only: extent of the box in m, rounded to whole cells of "
       "`grid.spacing`."},
      NumberRange{.above = 0}, "> 0", [](auto& c) -> auto& { return c.grid.size; });
  key.write = [write = key.write](const Case& in) {
    return in.grid.cells == std::array<int, 3>{0, 0, 0} ? write(in) : std::string();
  };
  return key;
}

Key units() {
  return word<UnitSystem>(
      {"units", "lattice",
       "Units of all numbers in the case. `lattice`: cells and dimensionless numbers; `si`: "
       "metres, seconds, kilograms. [units.md](units.md) lists both."},
      {{"lattice", UnitSystem::lattice}, {"si", UnitSystem::si}},
      [](auto& c) -> auto& { return c.units; });
}

}  // namespace

void add_case_keys(Parts& parts) {
  add(parts, case_name());
  add(parts, units());
  add(parts, grid_cells());
  add(parts, grid_size());
  add(parts, number(
                 {"grid.spacing", "this or cells_per_length", "`units: si` only: metres per cell."},
                 0, [](auto& c) -> auto& { return c.grid.spacing; }));
  add(parts, number(
                 {"grid.cells_per_length", "this or spacing",
                  "`units: si` only: cells per `fluid.length`, which is required then."},
                 0, [](auto& c) -> auto& { return c.grid.cells_per_length; }));
}

}  // namespace lbm::cases::key_table
