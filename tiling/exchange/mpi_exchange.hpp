// SPDX-License-Identifier: Apache-2.0

// Halo planes as MPI messages: between hosts, and between ranks of one host that cannot share
// memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "solver/backend/backend.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/mpi_call.hpp"

namespace lbm::tiling {

// The MPI datatype of one plane.
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

// A ring of planes in host memory that the device copies to or from, and a thread that calls MPI
// for it: the pipeline's thread must not wait for MPI.
class MpiEnd {
 public:
  MpiEnd(const MpiEnd&) = delete;
  MpiEnd& operator=(const MpiEnd&) = delete;

 protected:
  MpiEnd(Backend& backend, MPI_Comm comm, std::size_t plane_bytes, int planes,
         const std::string& purpose);
  ~MpiEnd() = default;

  void start();
  void finish();  // derived destructors call it before members that the thread uses go

  void stop_waiting(const std::string& why);
  void add(long long& counter, int planes);  // and wakes the thread
  template <class Condition>
  bool holds(const Condition& condition);
  template <class Condition>
  void wait(const Condition& condition);
  std::byte* plane(long long i) {
    return ring_.data() + static_cast<std::size_t>(i % planes_) * plane_bytes_;
  }

  // Called by the MPI thread. move(): sends or receives all it can; false if that was nothing.
  // is_busy(): MPI should be polled at once. Under the lock: has_work(); must_go_on(): planes are
  // still to be moved although the end is being destroyed.
  virtual bool move() = 0;
  virtual bool is_busy() const = 0;
  virtual bool has_work() const = 0;
  virtual bool must_go_on() const = 0;
  virtual void cancel() {}

  MPI_Comm comm_;
  PlaneType type_;
  std::size_t plane_bytes_;
  long long planes_;
  Buffer ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<MPI_Request> requests_;  // oldest first

 private:
  void work();

  std::condition_variable wanted_;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::jthread thread_;
};

class MpiSender final : public PlaneSender, private MpiEnd {
 public:
  // Sends to rank `to` of comm, which must outlive this object.
  MpiSender(Backend& backend, MPI_Comm comm, int to, std::size_t plane_bytes, int planes);
  // Waits until MPI has taken all planes that were sent.
  ~MpiSender() override { finish(); }

  bool can_fill(int planes) override;
  void wait_to_fill() override;
  std::byte* fill_next() override { return plane(filled_++); }
  void send(int planes) override { add(full_, planes); }
  void stop(const std::string& why) override { stop_waiting(why); }
  std::size_t host_bytes() const override { return ring_.size(); }

 private:
  bool move() override;
  bool is_busy() const override { return !requests_.empty(); }
  bool has_work() const override { return full_ > sent_; }
  bool must_go_on() const override { return gone_ < full_; }
  void announce();

  int to_;
  long long filled_ = 0;           // the pipeline's thread only
  long long full_ = 0, gone_ = 0;  // under the lock; gone_: taken by MPI
  long long sent_ = 0;             // the MPI thread only
};

class MpiReceiver final : public PlaneReceiver, private MpiEnd {
 public:
  // Receives from rank `from` of comm, which must outlive this object.
  MpiReceiver(Backend& backend, MPI_Comm comm, int from, std::size_t plane_bytes, int planes);
  ~MpiReceiver() override { finish(); }

  bool has_arrived(int planes) override;
  void wait_to_arrive() override;
  const std::byte* read_next() override { return plane(read_++); }
  void release(int planes) override { add(released_, planes); }
  void stop(const std::string& why) override { stop_waiting(why); }
  std::size_t host_bytes() const override { return ring_.size(); }

 private:
  bool move() override;
  bool is_busy() const override;
  bool has_work() const override { return posted_ < released_ + planes_; }
  bool must_go_on() const override { return false; }
  void cancel() override;
  void listen();

  int from_;
  long long read_ = 0;                     // the pipeline's thread only
  long long arrived_ = 0, released_ = 0;   // under the lock
  long long posted_ = 0;                   // the MPI thread only, as the next two
  long long announced_ = 0;                // planes that the sender has sent
  MPI_Request coming_ = MPI_REQUEST_NULL;  // the next announcement
};

}  // namespace lbm::tiling
