// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/mpi_library.hpp"

#ifdef LBM_HAVE_MPI
#include "tiling/exchange/mpi_call.hpp"
#endif

namespace lbm::tiling {

std::string mpi_library() {
#ifdef LBM_HAVE_MPI
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "unknown";
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));  // "Open MPI v4.1.4", without who built it
#else
  return "";
#endif
}

}  // namespace lbm::tiling
