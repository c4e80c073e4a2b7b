// SPDX-License-Identifier: Apache-2.0

// Films of pictures, by the program ffmpeg.
#pragma once

#include <filesystem>
#include <vector>

namespace lbm::cases {

// Writes the PNG files, which have one size, as an H.264 film (MP4); replaces `out` when it is
// whole. rate: pictures a second. Throws UsageError where ffmpeg is not on PATH, ResourceError with
// the first line of ffmpeg's complaint where it fails.
void make_film(const std::vector<std::filesystem::path>& pictures, double rate,
               const std::filesystem::path& out);

}  // namespace lbm::cases
