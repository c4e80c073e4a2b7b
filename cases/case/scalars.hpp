// Numbers out of the text of one YAML scalar, and back. Stricter than YAML: the whole text must be
// the number, and it must be finite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lbm::cases {

// "0.1", "-3", "1e6". Empty for anything else, NaN, infinity and numbers that overflow.
std::optional<double> parse_number(std::string_view text);

// True for text that is a number, but one that no double holds ("1e999").
bool is_number_out_of_range(std::string_view text);

// "12", "-3", and whole numbers written as "1e6".
std::optional<std::int64_t> parse_whole(std::string_view text);

// "1000", "8 GB" (1e9 each), "512 MiB" (2^20 each), "1.5 TB"; at least 1 and at most 1e18 bytes.
// Units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, in any case.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// A double-quoted string, escaped so that both YAML and JSON read the same text back.
std::string double_quoted(std::string_view text);

// The text with control characters made visible as '?', cut to max_length with "...": what a
// message of one line may repeat of a user's input.
std::string one_line(std::string_view text, std::size_t max_length = 400);

}  // namespace lbm::cases
