// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/mpi_link.hpp"

namespace lbm::tiling {
namespace {

// One datatype for a whole plane: MPI counts are int, and a plane may have more bytes.
constexpr std::size_t unit_bytes = 16;
constexpr int halo_tag = 1, announcement_tag = 2;

bool is_done(MPI_Request& request) {
  int done = 0;
  mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

void withdraw(MPI_Request& request) {
  mpi_check(MPI_Cancel(&request));
  mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

}  // namespace

void MpiAnnouncements::announce() {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, peer_, announcement_tag, comm_, &request));
  mpi_check(MPI_Request_free(&request));
}

long long MpiAnnouncements::heard() {
  while (true) {
    if (coming_ == MPI_REQUEST_NULL) {
      mpi_check(MPI_Irecv(nullptr, 0, MPI_BYTE, peer_, announcement_tag, comm_, &coming_));
    }
    if (!is_done(coming_)) return heard_;  // a completed request is MPI_REQUEST_NULL
    ++heard_;
  }
}

void MpiAnnouncements::cancel() {
  if (coming_ != MPI_REQUEST_NULL) withdraw(coming_);
}

PlaneType::PlaneType(std::size_t bytes) {
  if (bytes % unit_bytes != 0 || bytes / unit_bytes > 0x7fffffff) {
    throw ResourceError(fmt::format("planes of {} bytes cannot be exchanged", bytes));
  }
  MPI_Datatype unit = MPI_DATATYPE_NULL;
  mpi_check(MPI_Type_contiguous(static_cast<int>(unit_bytes), MPI_BYTE, &unit));
  const int error = MPI_Type_contiguous(static_cast<int>(bytes / unit_bytes), unit, &type_);
  MPI_Type_free(&unit);
  mpi_check(error);
  mpi_check(MPI_Type_commit(&type_));
}

PlaneType::~PlaneType() { MPI_Type_free(&type_); }

void MpiLink::send(const std::byte* plane) {
  announcements_.announce();
  mpi_check(MPI_Isend(plane, 1, type_.get(), peer_, halo_tag, comm_,
                      &requests_.emplace_back(MPI_REQUEST_NULL)));
}

void MpiLink::receive(std::byte* plane) {
  receives_ = true;
  mpi_check(MPI_Irecv(plane, 1, type_.get(), peer_, halo_tag, comm_,
                      &requests_.emplace_back(MPI_REQUEST_NULL)));
}

long long MpiLink::completed() {
  for (; !requests_.empty() && is_done(requests_.front()); requests_.pop_front()) ++completed_;
  return completed_;
}

// MPI cannot withdraw what it sends.
void MpiLink::cancel() {
  announcements_.cancel();
  if (!receives_) return;
  for (MPI_Request& request : requests_) withdraw(request);
  requests_.clear();
}

}  // namespace lbm::tiling
