// SPDX-License-Identifier: Apache-2.0

// The case files that come with the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lbm::cases {

// Folders where they may be, best first; the first one that has case files counts.
//   .../bin/../share/lbm/cases   an installed program
//   .../cases                    beside the program: in the Python package
//   .../share/lbm/cases          likewise
//   SOURCE/cases                 a build tree
std::vector<std::filesystem::path> library_places();

struct LibraryCase {
  std::string name;   // of the file, without ending
  std::string about;  // the first sentence of its comment
  std::filesystem::path file;
  std::vector<std::filesystem::path> data;  // files that it names, relative to its folder
};

// Sorted by name. Throws ResourceError where no place has cases.
std::vector<LibraryCase> case_library();

// The first sentence of the comment at the head of a case file, on one line.
std::string about_of(const std::string& text);

// Copies the case and its data files into `directory`, which is made if needed. Throws UsageError
// if a file is there already with other bytes, unless `overwrite`. Returns the copied files.
std::vector<std::filesystem::path> copy_case(const LibraryCase& one,
                                             const std::filesystem::path& directory,
                                             bool overwrite);

struct CasesOptions {
  std::string name;  // empty: list all
  std::string out;   // directory; empty: the working directory
  bool overwrite = false;
  bool json = false;
};

int cases_command(const CasesOptions& options);

}  // namespace lbm::cases
