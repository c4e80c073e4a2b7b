// The grammar of text STL files.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

// Corners of a triangle in file order; its normal is dropped.
using StlFacet = std::array<std::array<float, 3>, 3>;

// Ignores case.
bool same_word(std::string_view a, std::string_view b);

// The triangles of all solids, whose names may have any length. Throws UsageError, one line that
// begins with `name` and the line number, for an unexpected word, a number that is invalid or not
// finite in single precision, and a missing 'endsolid'.
std::vector<StlFacet> parse_stl_text(std::string_view text, const std::string& name);

}  // namespace lbm::io
