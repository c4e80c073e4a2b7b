// The grammar of text STL files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lbm::io {

// Ignores case.
bool same_word(std::string_view a, std::string_view b);

// Counts the triangles. Throws UsageError, one line that begins with `name` and the line number,
// for an unexpected word, a number that is invalid or not finite in single precision, and a missing
// 'endsolid'.
std::int64_t check_stl_text(std::string_view text, const std::string& name);

}  // namespace lbm::io
