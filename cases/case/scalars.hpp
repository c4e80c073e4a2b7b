// SPDX-License-Identifier: Apache-2.0

// Parses numbers from YAML scalars and formats them. Stricter than YAML: the whole text must be a
// finite number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lbm::cases {

// "0.1", "-3", "1e6". Empty for any other text, NaN, infinity and overflow.
std::optional<double> parse_number(std::string_view text);

// True for a number that a double cannot hold ("1e999").
bool is_number_out_of_range(std::string_view text);

// "12", "-3", and whole numbers such as "1e6".
std::optional<std::int64_t> parse_whole(std::string_view text);

// "1000", "8 GB" (1e9 each), "512 MiB" (2^20 each), "1.5 TB"; 1 to 1e18 bytes. Units: B, kB, MB,
// GB, TB, KiB, MiB, GiB, TiB, in upper or lower case.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// A double-quoted string, escaped for both YAML and JSON.
std::string double_quoted(std::string_view text);

// User input for a message of one line of UTF-8: control characters and bytes that are no UTF-8
// become '?', and text beyond max_length bytes is cut with "...".
std::string one_line(std::string_view text, std::size_t max_length = 400);

}  // namespace lbm::cases
