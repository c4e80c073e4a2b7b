// SPDX-License-Identifier: Apache-2.0

// Planes and announcements as MPI messages.
#pragma once

#include <deque>

#include "tiling/exchange/mpi_call.hpp"
#include "tiling/exchange/plane_link.hpp"

namespace lbm::tiling {

// Announcements as empty messages to or from rank `peer`. The communicator must outlive the object.
class MpiAnnouncements final : public Announcements {
 public:
  MpiAnnouncements(MPI_Comm comm, int peer) : comm_(comm), peer_(peer) {}

  void announce() override;
  long long heard() override;
  void cancel() override;

 private:
  MPI_Comm comm_;
  int peer_;
  long long heard_ = 0;
  MPI_Request coming_ = MPI_REQUEST_NULL;  // the next announcement
};

// The MPI datatype of one plane. Throws ResourceError unless `bytes` is a multiple of 16, < 32 GiB.
class PlaneType {
 public:
  explicit PlaneType(std::size_t bytes);
  ~PlaneType();
  PlaneType(const PlaneType&) = delete;
  PlaneType& operator=(const PlaneType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// Planes in host memory, to or from rank `peer`. The communicator must outlive the object.
class MpiLink final : public PlaneLink {
 public:
  MpiLink(MPI_Comm comm, int peer, std::size_t plane_bytes)
      : comm_(comm), peer_(peer), type_(plane_bytes), announcements_(comm, peer) {}

  void send(const std::byte* plane) override;
  void receive(std::byte* plane) override;
  long long completed() override;
  long long announced() override { return announcements_.heard(); }
  bool receives_early() const override { return true; }
  bool needs_polling() const override { return true; }
  bool outlives_errors() const override { return true; }
  void cancel() override;

 private:
  MPI_Comm comm_;
  int peer_;
  PlaneType type_;
  MpiAnnouncements announcements_;
  std::deque<MPI_Request> requests_;  // oldest first
  bool receives_ = false;
  long long completed_ = 0;
};

}  // namespace lbm::tiling
