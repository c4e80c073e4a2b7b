// SPDX-License-Identifier: Apache-2.0

// MPI errors as exceptions, communicators as RAII. It includes mpi.h: for files of this folder.
#pragma once

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <fmt/format.h>
#include <mpi.h>

#include <string>

#include "solver/core/error.hpp"

namespace lbm::tiling {

inline void mpi_check(int error) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  throw ResourceError(fmt::format("MPI: {}", std::string(text, static_cast<std::size_t>(length))));
}

// A duplicate of `parent`: its messages never match those of other communicators.
class MpiCommunicator {
 public:
  explicit MpiCommunicator(MPI_Comm parent) {
    mpi_check(MPI_Comm_dup(parent, &comm_));
    mpi_check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  }
  ~MpiCommunicator() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(&comm_);
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace lbm::tiling
