// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/picture_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/run/pictures/picture_values.hpp"
#include "cases/run/pictures/view.hpp"

namespace lbm::cases {
namespace {

struct Words {
  const char* name;
  const char* reference;  // in units of reference length L, velocity U and density
  const char* physical;
};

Words words_of(PictureQuantity quantity) {
  using Q = PictureQuantity;
  switch (quantity) {
    case Q::speed:
      return {"speed", "U", "m/s"};
    case Q::velocity_x:
      return {"x-velocity", "U", "m/s"};
    case Q::velocity_y:
      return {"y-velocity", "U", "m/s"};
    case Q::velocity_z:
      return {"z-velocity", "U", "m/s"};
    case Q::density:
      return {"density", "ρ", "kg/m³"};
    case Q::pressure:
      return {"pressure", "ρU²", "Pa"};
    case Q::vorticity:
      return {"vorticity", "(U/L)", "1/s"};
    case Q::vorticity_x:
      return {"x-vorticity", "(U/L)", "1/s"};
    case Q::vorticity_y:
      return {"y-vorticity", "(U/L)", "1/s"};
    case Q::vorticity_z:
      return {"z-vorticity", "(U/L)", "1/s"};
    case Q::q_criterion:
      return {"Q", "(U/L)²", "1/s²"};
  }
  return {"", "", ""};
}

bool is_lattice(const FileUnits& units) { return units.text == file_units_text::lattice; }

std::string number_text(PictureQuantity quantity, const FileUnits& units) {
  const Words words = words_of(quantity);
  if (units.physical) return fmt::format("{} in {}", words.name, words.physical);
  if (is_lattice(units)) return fmt::format("{} in lattice units", words.name);
  return fmt::format("{} / {}", words.name, words.reference);
}

// "Q = 0.5 (U/L)²".
std::string surface_text(PictureQuantity quantity, double value, const FileUnits& units) {
  const Words words = words_of(quantity);
  if (is_lattice(units)) return fmt::format("{} = {:.4g} in lattice units", words.name, value);
  return fmt::format("{} = {:.4g} {}", words.name, value,
                     units.physical ? words.physical : words.reference);
}

std::vector<AxisArrow> arrows_of(const Picture& picture) {
  if (!picture.surface) {
    const auto axes = picture_axes(normal_axis(picture));
    return {{1, 0, "xyz"[axes[0]]}, {0, 1, "xyz"[axes[1]]}};
  }
  const View view = view_of(picture);
  std::vector<AxisArrow> arrows;
  for (std::size_t a = 0; a < 3; ++a) {
    arrows.push_back({view.right()[a], view.upward()[a], "xyz"[a]});
  }
  return arrows;
}

std::string place_text(const Picture& picture, const FileUnits& units,
                       const tiling::FieldBox& cells) {
  if (picture.surface) return surface_text(*picture.surface, picture.value.value_or(0), units);
  const int axis = normal_axis(picture);
  const char letter = "xyz"[axis];
  if (picture.project) return fmt::format("{} along {}", to_string(picture.by), letter);
  const double at = cells.begin[static_cast<std::size_t>(axis)] + 0.5;
  return fmt::format("slice at {} = {}", letter, length_text(at * units.scales.length, units));
}

std::string time_text(std::int64_t step, const FileUnits& units) {
  if (is_lattice(units)) return fmt::format("step {}", step);
  const double time = static_cast<double>(step) * units.time;
  return fmt::format("t = {:.4g} {}, step {}", time, units.physical ? "s" : "L/U", step);
}

}  // namespace

PictureText picture_text(const Case& lbm_case, const Picture& picture, const FileUnits& units,
                         const tiling::FieldBox& cells, std::int64_t step) {
  PictureText text;
  text.title = lbm_case.name;
  text.place = place_text(picture, units, cells);
  text.number = number_text(picture.quantity, units);
  text.time = time_text(step, units);
  text.axes = arrows_of(picture);
  return text;
}

std::string length_text(double length, const FileUnits& units) {
  if (is_lattice(units)) return fmt::format("{:.4g} cells", length);
  if (!units.physical) return fmt::format("{:.4g} L", length);
  struct Unit {
    double metres;
    const char* name;
  };
  for (const Unit unit : {Unit{1e3, "km"}, {1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}}) {
    if (std::abs(length) >= unit.metres * 0.9999) {
      return fmt::format("{:.4g} {}", length / unit.metres, unit.name);
    }
  }
  return fmt::format("{:.4g} m", length);
}

std::string mark_text(double number, double step) {
  const double size = std::max(std::abs(number), step);
  const double rounded = std::abs(number) < 1e-6 * step ? 0 : number;
  if (size >= 1e6 || step < 1e-7) return fmt::format("{:.3g}", rounded);
  const int digits = static_cast<int>(std::max(0.0, -std::floor(std::log10(step) + 1e-9)));
  if (digits > 4 && size < 1e-2) return fmt::format("{:.3g}", rounded);
  return fmt::format("{:.{}f}", rounded, digits);
}

}  // namespace lbm::cases
