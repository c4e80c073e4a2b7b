// Planes between slabs over MPI.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "solver/backend/backend.hpp"
#include "tiling/exchange.hpp"
#include "tiling/ranks/mpi_call.hpp"

namespace lbm::tiling {

// Two rings of planes in memory that copies run on, and a thread that sends and receives: the one
// that feeds the device has no time for it.
class MpiExchange final : public PlaneExchange {
 public:
  // All ranks must make it. fill, arrive: planes of the rings.
  MpiExchange(Backend& backend, MPI_Comm parent, std::size_t plane_bytes, int fill, int arrive);
  // Waits until what was sent is on its way.
  ~MpiExchange() override;

  bool can_fill(int planes) override;
  void wait_to_fill() override;
  bool has_arrived(int planes) override;
  void wait_to_arrive() override;
  std::byte* fill_next() override;
  void send(int planes) override;
  const std::byte* read_next() override;
  void release(int planes) override;
  void stop(const std::string& why) override;
  std::size_t host_bytes() const override { return fill_.size() + arrive_.size(); }

 private:
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

  void work();
  bool move();  // what can be moved; false: nothing could
  void announce();
  void listen();
  bool is_busy() const;
  void cancel();
  template <class Condition>
  void wait(const Condition& condition);

  MpiCommunicator comm_;
  PlaneType type_;
  std::size_t plane_bytes_;
  long long fill_planes_, arrive_planes_;
  int above_ = 0, below_ = 0;  // ranks
  Buffer fill_, arrive_;
  std::mutex mutex_;
  std::condition_variable changed_, wanted_;
  // Planes since the beginning. Going down: given out, full, gone. Coming: there, given out, free.
  long long filled_ = 0, full_ = 0, gone_ = 0, arrived_ = 0, read_ = 0, released_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  long long sent_ = 0, posted_ = 0;           // of the thread, as are those below
  long long announced_ = 0;                   // planes on their way from above
  MPI_Request coming_ = MPI_REQUEST_NULL;     // the next announcement
  std::deque<MPI_Request> sends_, receives_;  // oldest first
  std::jthread thread_;                       // last: it uses all above
};

}  // namespace lbm::tiling
