// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/ranks.hpp"

#include <algorithm>

namespace lbm::tiling {

std::vector<std::string> Ranks::allgather(const std::string& text) {
  const auto sizes = allgather(text.size());
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  std::string own = text, all(longest * sizes.size(), ' ');
  own.resize(longest);
  allgather_bytes(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < sizes.size(); ++r) texts.push_back(all.substr(r * longest, sizes[r]));
  return texts;
}

}  // namespace lbm::tiling
