// SPDX-License-Identifier: Apache-2.0

// The readers of files that anybody may have written, each as a function of bytes.
#pragma once

#include <array>
#include <string_view>

namespace lbm::fuzz {

// Each reads the bytes as a file of its kind. A reader may accept them, or refuse them by a
// UsageError of one line. Anything else is a finding: throws std::logic_error, or whatever the
// reader threw.
void read_case(std::string_view bytes);     // a case file: read, checked, written and read again
void read_mesh(std::string_view bytes);     // an STL file, and its surface prepared as for a body
void read_table(std::string_view bytes);    // CSV tables of velocities and of reference values
void read_log(std::string_view bytes);      // the log of forces that a restart continues
void read_formula(std::string_view bytes);  // a formula: parsed and evaluated
void read_index(std::string_view bytes);    // the index of an output that a restart continues
void read_checkpoint(
    std::string_view bytes);  // a checkpoint, its checksums made right in half of all

void read_voxels(std::string_view bytes);  // an image of voxels: header, labels and pores

struct Target {
  const char* name;  // also that of its folder in corpus/
  void (*read)(std::string_view bytes);
};

inline constexpr std::array<Target, 8> targets{{{"case", read_case},
                                                {"mesh", read_mesh},
                                                {"table", read_table},
                                                {"formula", read_formula},
                                                {"log", read_log},
                                                {"index", read_index},
                                                {"checkpoint", read_checkpoint},
                                                {"voxels", read_voxels}}};

}  // namespace lbm::fuzz
