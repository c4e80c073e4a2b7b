// Key table: named outputs.
#include <algorithm>

#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/fields/kinds.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

const Words<FieldKind>& field_words() {
  static const Words<FieldKind> words = [] {
    Words<FieldKind> all;
    for (const FieldKind kind : fields::all_kinds) all.emplace_back(fields::to_string(kind), kind);
    return all;
  }();
  return words;
}

// A list of distinct words, at least one.
template <class T, class Access>
Key word_list(const Texts& texts, const Words<T>& words, Access access) {
  std::vector<std::string> allowed;
  for (const auto& entry : words) allowed.push_back(entry.first);
  Key key = key_of(texts, "list of words", fmt::format("{}", fmt::join(allowed, ", ")));
  key.read = [=](const YAML::Node& node, Case& out) {
    if (!node.IsSequence() || node.size() == 0) return false;
    std::vector<T> values;
    for (const auto& item : node) {
      const auto found = std::find_if(words.begin(), words.end(), [&](const auto& entry) {
        return item.IsScalar() && entry.first == item.Scalar();
      });
      if (found == words.end()) return false;
      if (std::find(values.begin(), values.end(), found->second) != values.end()) return false;
      values.push_back(found->second);
    }
    access(out) = values;
    return true;
  };
  key.write = [=](const Case& in) {
    std::vector<std::string> names;
    for (const T value : access(in)) {
      for (const auto& entry : words) {
        if (entry.second == value) names.push_back(entry.first);
      }
    }
    return list_text(names);
  };
  return key;
}

template <class Access>
Key point_list(const Texts& texts, Access access) {
  Key key = key_of(texts, "list of points", "such as [[1, 2, 3], [4, 5, 6]]");
  key.read = [=](const YAML::Node& node, Case& out) {
    if (!node.IsSequence() || node.size() == 0) return false;
    std::vector<Vec3> points;
    for (const auto& item : node) {
      const auto values = numbers_of(item, parse_number);
      if (!values || values->size() != 3) return false;
      points.push_back({(*values)[0], (*values)[1], (*values)[2]});
    }
    access(out) = std::move(points);
    return true;
  };
  key.write = [=](const Case& in) {
    std::vector<std::string> texts_of;
    for (const Vec3& p : access(in)) texts_of.push_back(list_text(p));
    return texts_of.empty() ? std::string() : list_text(texts_of);
  };
  return key;
}

const Words<int>& axis_words() {
  static const Words<int> words = {{"x", 0}, {"y", 1}, {"z", 2}};
  return words;
}

// of: returns the Region of the item.
template <class Of>
void add_region_keys(std::vector<Key>& keys, const std::string& path, Of of) {
  keys.push_back(vector(
      {path + ".box_from", "the whole box",
       "Lower corner of the written part, in cells from the corner of the box; in m with `units: "
       "si`. With `box_to`."},
      [of](auto& c) -> auto& { return of(c).box_from; }));
  keys.push_back(vector(
      {path + ".box_to", "the whole box", "Upper corner of that part."}, [of](auto& c) -> auto& {
        return of(c).box_to;
      }));
  keys.push_back(word<int>(
      {path + ".slice", "no slice", "Write only the plane of cells normal to this axis, at `at`."},
      axis_words(), [of](auto& c) -> auto& { return of(c).slice; }));
  keys.push_back(number(
      {path + ".at", "required for slices",
       "Position of the slice, in cells from the face of the box; in m with `units: si`. The "
       "nearest plane of cell centres is used."},
      any_number, [of](auto& c) -> auto& { return of(c).at; }));
  keys.push_back(whole(
      {path + ".stride", "1", "Write every n-th cell along each axis."},
      {1, max_cells_per_axis}, [of](auto& c) -> auto& { return of(c).stride; }));
}

template <class Of>
void add_style_keys(std::vector<Key>& keys, const std::string& path, Of of) {
  keys.push_back(word<FieldFormat>(
      {path + ".format", "vtkhdf",
       "`vtkhdf`: HDF5 files; `vti`: VTK's XML images, split into pieces (`pvti`) if large."},
      {{"vtkhdf", FieldFormat::vtkhdf}, {"vti", FieldFormat::vti}}, [of](auto& c) -> auto& {
        return of(c).format;
      }));
  keys.push_back(word<FieldPrecision>(
      {path + ".precision", "float32", "Precision of the values in the files."},
      {{"float32", FieldPrecision::float32}, {"float16", FieldPrecision::float16}},
      [of](auto& c) -> auto& { return of(c).precision; }));
  keys.push_back(whole(
      {path + ".compression", "0",
       "Deflate level of the files: 0 is none, 9 smallest and slowest."},
      {0, 9}, [of](auto& c) -> auto& { return of(c).compression; }));
  keys.push_back(word<FieldUnits>(
      {path + ".units", "physical with `units: si`, else reference",
       "Units in the files. `reference`: reference lengths, velocities and densities; `lattice`: "
       "cells and steps; `physical`: SI, only with `units: si`."},
      {{"reference", FieldUnits::reference},
       {"lattice", FieldUnits::lattice},
       {"physical", FieldUnits::physical}},
      [of](auto& c) -> auto& { return of(c).units; }));
}

std::vector<Key> output_keys(const std::string& name) {
  const std::string path = "outputs." + name;
  const auto of = [name](auto& c) -> auto& { return item(c.outputs, name); };
  std::vector<Key> keys;
  keys.push_back(word_list<FieldKind>(
      {path + ".fields", "[density, velocity]", "Fields to write."},
      field_words(), [of](auto& c) -> auto& { return of(c).fields; }));
  keys.push_back(whole(
      {path + ".every_steps", "never", "Interval of writing, in steps."},
      {1, max_steps}, [of](auto& c) -> auto& { return of(c).every_steps; }));
  keys.push_back(number(
      {path + ".every_time", "never",
       "Write at multiples of this time, at the nearest step. In convective times; in s with "
       "`units: si`."},
      0, [of](auto& c) -> auto& { return of(c).every_time; }));
  keys.push_back(time_list(
      {path + ".times", "[]", "Write at these times."}, [of](auto& c) -> auto& {
        return of(c).times;
      }));
  keys.push_back(boolean(
      {path + ".at_end", "true", "Write at the end."}, [of](auto& c) -> auto& {
        return of(c).at_end;
      }));
  add_region_keys(
      keys, path, [of](auto& c) -> auto& { return of(c).region; });
  keys.push_back(whole(
      {path + ".average", "1",
       "Write means over cubes of this many cells along each axis, without solid cells."},
      {1, max_cells_per_axis}, [of](auto& c) -> auto& { return of(c).average; }));
  add_style_keys(
      keys, path, [of](auto& c) -> auto& { return of(c).style; });
  keys.push_back(word<FieldKind>(
      {path + ".isosurface", "an image",
       "Write the isosurface of this scalar at `value`, with `fields` interpolated onto it, "
       "instead of an image: density, pressure, q_criterion, or the magnitude of velocity or "
       "vorticity."},
      {{"density", FieldKind::density},
       {"pressure", FieldKind::pressure},
       {"velocity", FieldKind::velocity},
       {"vorticity", FieldKind::vorticity},
       {"q_criterion", FieldKind::q_criterion}},
      [of](auto& c) -> auto& { return of(c).isosurface; }));
  keys.push_back(number(
      {path + ".value", "required for isosurfaces", "Isovalue, in units of the file."},
      any_number, [of](auto& c) -> auto& { return of(c).value; }));
  return keys;
}

std::vector<Key> statistics_keys(const std::string& name) {
  const std::string path = "statistics." + name;
  const auto of = [name](auto& c) -> auto& { return item(c.statistics, name); };
  std::vector<Key> keys;
  keys.push_back(number(
      {path + ".start", "0",
       "Time of the first sample. In convective times; in s with `units: si`."},
      not_negative, [of](auto& c) -> auto& { return of(c).start; }));
  keys.push_back(whole(
      {path + ".every_steps", "required",
       "Steps between samples. Sweeps end at samples: many steps per visit require a long "
       "interval."},
      {1, max_steps}, [of](auto& c) -> auto& { return of(c).every_steps; }));
  keys.push_back(boolean(
      {path + ".stresses", "true",
       "All six Reynolds stresses; otherwise only the rms of each component."},
      [of](auto& c) -> auto& { return of(c).stresses; }));
  keys.push_back(word<bool>(
      {path + ".sums", "float32",
       "Type of the running means in host memory: 4 or 8 bytes for each of 11 values (8 without "
       "stresses) per cell."},
      {{"float32", false}, {"float64", true}}, [of](auto& c) -> auto& {
        return of(c).double_precision;
      }));
  keys.push_back(whole(
      {path + ".write_every_steps", "only at the end",
       "Also write intermediate statistics at this interval of steps."},
      {1, max_steps}, [of](auto& c) -> auto& { return of(c).write_every_steps; }));
  add_region_keys(
      keys, path, [of](auto& c) -> auto& { return of(c).region; });
  add_style_keys(
      keys, path, [of](auto& c) -> auto& { return of(c).style; });
  return keys;
}

std::vector<Key> probe_keys(const std::string& name) {
  const std::string path = "probes." + name;
  const auto of = [name](auto& c) -> auto& { return item(c.probes, name); };
  std::vector<Key> keys;
  keys.push_back(point_list(
      {path + ".points", "this or a line",
       "Positions, in cells from the corner of the box; in m with `units: si`. Values are "
       "interpolated between cell centres."},
      [of](auto& c) -> auto& { return of(c).points; }));
  keys.push_back(vector(
      {path + ".line_from", "this or points", "Positions along a line: its first point."},
      [of](auto& c) -> auto& { return of(c).line_from; }));
  keys.push_back(vector(
      {path + ".line_to", "with line_from", "Last point of the line."}, [of](auto& c) -> auto& {
        return of(c).line_to;
      }));
  keys.push_back(whole(
      {path + ".line_points", "with line_from",
       "Number of points on the line, both ends included."},
      {2, 1'000'000}, [of](auto& c) -> auto& { return of(c).line_points; }));
  keys.push_back(whole(
      {path + ".every_steps", "1", "Interval of writing, in steps."},
      {1, max_steps}, [of](auto& c) -> auto& { return of(c).every_steps; }));
  return keys;
}

}  // namespace

void add_result_keys(Parts& parts) {
  add_group(parts, {"outputs", output_keys, [](const Case& c) { return names_of(c.outputs); }});
  add_group(parts,
            {"statistics", statistics_keys, [](const Case& c) { return names_of(c.statistics); }});
  add_group(parts, {"probes", probe_keys, [](const Case& c) { return names_of(c.probes); }});
}

}  // namespace lbm::cases::key_table
