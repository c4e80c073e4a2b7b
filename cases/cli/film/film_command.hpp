// SPDX-License-Identifier: Apache-2.0

// `lbm film`: the pictures of a run as a film.
#pragma once

#include <string>

namespace lbm::cases {

struct FilmOptions {
  std::string directory;
  std::string picture;  // name of the pictures; empty: of all in the directory
  std::string out;      // file; empty: NAME.mp4 in the directory
  double rate = 25;     // pictures a second
  bool overwrite = false;
};

// Starts ffmpeg once for each series of pictures. Returns the exit code; throws UsageError without
// ffmpeg, pictures or a free name, ResourceError where ffmpeg fails.
int film_command(const FilmOptions& options);

}  // namespace lbm::cases
