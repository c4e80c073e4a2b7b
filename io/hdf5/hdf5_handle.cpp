#include "io/hdf5/hdf5_handle.hpp"

#include <cstdlib>
#include <cstring>

namespace lbm::io {
namespace {

// A file that could not be closed (full disk) stays in HDF5's tables, half gone, and closing it
// once more at exit crashes. Files of ours that matter are closed long before. Runs before main(),
// since HDF5 must not have been used yet.
[[maybe_unused]] const herr_t nothing_at_exit = H5dont_atexit();

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// The virtual file driver puts "..., errno = 28, error message = ..." in the text of its entry.
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

Hdf5Section::Hdf5Section() : lock_(hdf5_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Section::~Hdf5Section() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace lbm::io
