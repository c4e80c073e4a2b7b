// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/mpi_exchange.hpp"

#include "tiling/exchange/patience.hpp"

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

// Removes the oldest requests that are complete and returns their number.
long long take_done(std::deque<MPI_Request>& requests) {
  long long count = 0;
  for (; !requests.empty() && is_done(requests.front()); requests.pop_front()) ++count;
  return count;
}

}  // namespace

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

MpiEnd::MpiEnd(Backend& backend, MPI_Comm comm, std::size_t plane_bytes, int planes,
               const std::string& purpose)
    : comm_(comm),
      type_(plane_bytes),
      plane_bytes_(plane_bytes),
      planes_(planes),
      ring_(backend.allocate_staging(plane_bytes * static_cast<std::size_t>(planes), purpose)) {}

void MpiEnd::start() {
  thread_ = std::jthread([this] { work(); });
}

void MpiEnd::finish() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_all();
  thread_.join();
}

void MpiEnd::stop_waiting(const std::string& why) {
  {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::make_exception_ptr(ResourceError(why));
  }
  changed_.notify_all();
}

void MpiEnd::add(long long& counter, int planes) {
  {
    const std::scoped_lock lock(mutex_);
    counter += planes;
  }
  wanted_.notify_all();
}

template <class Condition>
bool MpiEnd::holds(const Condition& condition) {
  const std::scoped_lock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return condition();
}

template <class Condition>
void MpiEnd::wait(const Condition& condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || condition(); });
  if (error_) std::rethrow_exception(error_);
}

void MpiEnd::work() {
  Patience patience;
  try {
    while (true) {
      if (move()) {
        patience.something();
        continue;
      }
      // Where ranks cannot read each other's memory, MPI moves planes in many small pieces, and
      // only while both ranks call it: no naps then.
      if (is_busy()) {
        std::this_thread::yield();
        continue;
      }
      std::unique_lock lock(mutex_);
      if (stopping_ && (error_ || !must_go_on())) break;
      if (has_work()) continue;
      wanted_.wait_for(lock, patience.nap());
      patience.nothing();
    }
    cancel();
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  changed_.notify_all();
}

MpiSender::MpiSender(Backend& backend, MPI_Comm comm, int to, std::size_t plane_bytes, int planes)
    : MpiEnd(backend, comm, plane_bytes, planes, "planes for the slab below"), to_(to) {
  start();
}

bool MpiSender::can_fill(int planes) {
  return holds([&] { return filled_ + planes - gone_ <= planes_; });
}

void MpiSender::wait_to_fill() {
  wait([this] { return filled_ + 1 - gone_ <= planes_; });
}

// An empty message tells the receiver that a plane is coming.
void MpiSender::announce() {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, to_, announcement_tag, comm_, &request));
  mpi_check(MPI_Request_free(&request));
}

bool MpiSender::move() {
  long long full = 0;
  {
    const std::scoped_lock lock(mutex_);
    full = full_;
  }
  bool moved = false;
  for (; sent_ < full; ++sent_, moved = true) {
    announce();
    mpi_check(MPI_Isend(plane(sent_), 1, type_.get(), to_, halo_tag, comm_,
                        &requests_.emplace_back(MPI_REQUEST_NULL)));
  }
  const long long gone = take_done(requests_);
  if (gone == 0) return moved;
  {
    const std::scoped_lock lock(mutex_);
    gone_ += gone;
  }
  changed_.notify_all();
  return true;
}

MpiReceiver::MpiReceiver(Backend& backend, MPI_Comm comm, int from, std::size_t plane_bytes,
                         int planes)
    : MpiEnd(backend, comm, plane_bytes, planes, "planes from the slab above"), from_(from) {
  start();
}

bool MpiReceiver::has_arrived(int planes) {
  return holds([&] { return read_ + planes <= arrived_; });
}

void MpiReceiver::wait_to_arrive() {
  wait([this] { return read_ + 1 <= arrived_; });
}

bool MpiReceiver::is_busy() const {
  return announced_ > posted_ - static_cast<long long>(requests_.size());
}

void MpiReceiver::listen() {
  while (true) {
    if (coming_ == MPI_REQUEST_NULL) {
      mpi_check(MPI_Irecv(nullptr, 0, MPI_BYTE, from_, announcement_tag, comm_, &coming_));
    }
    if (!is_done(coming_)) return;  // a completed request is MPI_REQUEST_NULL
    ++announced_;
  }
}

bool MpiReceiver::move() {
  long long room = 0;
  {
    const std::scoped_lock lock(mutex_);
    room = released_ + planes_;
  }
  bool moved = false;
  for (; posted_ < room; ++posted_, moved = true) {
    mpi_check(MPI_Irecv(plane(posted_), 1, type_.get(), from_, halo_tag, comm_,
                        &requests_.emplace_back(MPI_REQUEST_NULL)));
  }
  listen();
  const long long arrived = take_done(requests_);
  if (arrived == 0) return moved;
  {
    const std::scoped_lock lock(mutex_);
    arrived_ += arrived;
  }
  changed_.notify_all();
  return true;
}

// Withdraws receives of planes that will not be sent.
void MpiReceiver::cancel() {
  if (coming_ != MPI_REQUEST_NULL) requests_.push_back(coming_);
  for (MPI_Request& request : requests_) {
    mpi_check(MPI_Cancel(&request));
    mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  requests_.clear();
}

}  // namespace lbm::tiling
