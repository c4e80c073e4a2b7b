// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/hdf5_handle.hpp"

#include <cstdlib>
#include <cstring>

#include "io/files/posix_file.hpp"

namespace lbm::io {
namespace {

// After a failed close (full disk) the file stays half closed in HDF5's tables, and HDF5's exit
// handler would crash on it. All files of ours are closed by then. A parallel HDF5 that is first
// used after MPI_Init() also cleans up in MPI_Finalize(), so it is made ready before. Runs before
// main(), since HDF5 must not be in use yet.
[[maybe_unused]] const herr_t nothing_at_exit = H5dont_atexit();
[[maybe_unused]] const herr_t ready_before_mpi = H5open();

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// The entry of the virtual file driver has the text "..., errno = 28, error message = ...".
herr_t find_errno(unsigned, const H5E_error2_t* entry, void* found) {
  static constexpr char key[] = "errno = ";
  if (const char* text = entry->desc != nullptr ? std::strstr(entry->desc, key) : nullptr)
    *static_cast<int*>(found) = std::atoi(text + sizeof key - 1);
  return 0;
}

}  // namespace

int hdf5_errno() {
  int error = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_errno, &error);
  return error;
}

void hdf5_check(herr_t result) {
  if (result < 0) throw Hdf5Failure{hdf5_errno()};
}

Hdf5Handle hdf5_checked(hid_t id, Hdf5Handle::Close close) {
  if (id < 0) throw Hdf5Failure{hdf5_errno()};
  return {id, close};
}

std::uint64_t hdf5_offset(const Hdf5Handle& dataset) {
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (offset == HADDR_UNDEF) throw Hdf5Failure{hdf5_errno()};
  return offset;
}

std::uint64_t hdf5_reserve(const Hdf5Handle& file, int fd) {
  hsize_t bytes = 0;
  hdf5_check(H5Fget_filesize(file.get(), &bytes));
  if (const int error = reserve_bytes(fd, bytes)) throw Hdf5Failure{error};
  return bytes;
}

Hdf5Section::Hdf5Section() : lock_(hdf5_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Section::~Hdf5Section() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace lbm::io
