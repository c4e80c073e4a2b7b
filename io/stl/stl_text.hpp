// The grammar of an STL file that is text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lbm::io {

// Without regard to case.
bool same_word(std::string_view a, std::string_view b);

// Counts the triangles. Throws UsageError, one line that begins with `name` and the line, at what
// is not STL: a word where another belongs, a number that is none or not finite in single
// precision, an end before 'endsolid'.
std::int64_t check_stl_text(std::string_view text, const std::string& name);

}  // namespace lbm::io
