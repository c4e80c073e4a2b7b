#include "tiling/ranks/mpi_exchange.hpp"

#include "tiling/ranks/patience.hpp"

namespace lbm::tiling {
namespace {

// MPI counts with int: planes may have more bytes than that.
constexpr std::size_t unit_bytes = 16;
constexpr int edge_tag = 1, announcement_tag = 2;

bool is_done(MPI_Request& request) {
  int done = 0;
  mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

}  // namespace

MpiExchange::PlaneType::PlaneType(std::size_t bytes) {
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

MpiExchange::PlaneType::~PlaneType() { MPI_Type_free(&type_); }

MpiExchange::MpiExchange(Backend& backend, MPI_Comm parent, std::size_t plane_bytes, int fill,
                         int arrive)
    : comm_(parent),
      type_(plane_bytes),
      plane_bytes_(plane_bytes),
      fill_planes_(fill),
      arrive_planes_(arrive),
      fill_(backend.allocate_staging(plane_bytes * static_cast<std::size_t>(fill),
                                     "planes for the slab below")),
      arrive_(backend.allocate_staging(plane_bytes * static_cast<std::size_t>(arrive),
                                       "planes from the slab above")) {
  int rank = 0, size = 0;
  mpi_check(MPI_Comm_rank(comm_.get(), &rank));
  mpi_check(MPI_Comm_size(comm_.get(), &size));
  above_ = (rank + 1) % size;
  below_ = (rank + size - 1) % size;
  thread_ = std::jthread([this] { work(); });
}

MpiExchange::~MpiExchange() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_all();
  thread_.join();
}

template <class Condition>
void MpiExchange::wait(const Condition& condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || condition(); });
  if (error_) std::rethrow_exception(error_);
}

bool MpiExchange::can_fill(int planes) {
  const std::scoped_lock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return filled_ + planes - gone_ <= fill_planes_;
}

void MpiExchange::wait_to_fill() {
  wait([this] { return filled_ + 1 - gone_ <= fill_planes_; });
}

bool MpiExchange::has_arrived(int planes) {
  const std::scoped_lock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return read_ + planes <= arrived_;
}

void MpiExchange::wait_to_arrive() {
  wait([this] { return read_ + 1 <= arrived_; });
}

std::byte* MpiExchange::fill_next() {
  const std::scoped_lock lock(mutex_);
  return fill_.data() + static_cast<std::size_t>(filled_++ % fill_planes_) * plane_bytes_;
}

void MpiExchange::send(int planes) {
  {
    const std::scoped_lock lock(mutex_);
    full_ += planes;
  }
  wanted_.notify_all();
}

const std::byte* MpiExchange::read_next() {
  const std::scoped_lock lock(mutex_);
  return arrive_.data() + static_cast<std::size_t>(read_++ % arrive_planes_) * plane_bytes_;
}

void MpiExchange::release(int planes) {
  {
    const std::scoped_lock lock(mutex_);
    released_ += planes;
  }
  wanted_.notify_all();
}

void MpiExchange::stop(const std::string& why) {
  {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::make_exception_ptr(ResourceError(why));
  }
  changed_.notify_all();
}

void MpiExchange::work() {
  Patience patience;
  try {
    while (true) {
      if (move()) {
        patience.something();
        continue;
      }
      if (is_busy()) {
        std::this_thread::yield();
        continue;
      }
      std::unique_lock lock(mutex_);
      if (stopping_ && (gone_ == full_ || error_)) break;
      if (full_ > sent_ || posted_ < released_ + arrive_planes_) continue;
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

// Where processes cannot read each other's memory, planes go in many small pieces, and only while
// both sides call MPI: no naps then. What is on its way is known from an empty message before it.
bool MpiExchange::is_busy() const {
  return !sends_.empty() || announced_ > posted_ - static_cast<long long>(receives_.size());
}

void MpiExchange::announce() {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, below_, announcement_tag, comm_.get(), &request));
  mpi_check(MPI_Request_free(&request));
}

void MpiExchange::listen() {
  while (true) {
    if (coming_ == MPI_REQUEST_NULL) {
      mpi_check(MPI_Irecv(nullptr, 0, MPI_BYTE, above_, announcement_tag, comm_.get(), &coming_));
    }
    if (!is_done(coming_)) return;  // is none any more when done
    ++announced_;
  }
}

bool MpiExchange::move() {
  long long full = 0, room = 0;
  {
    const std::scoped_lock lock(mutex_);
    full = full_;
    room = released_ + arrive_planes_;
  }
  bool moved = false;
  for (; posted_ < room; ++posted_, moved = true) {
    mpi_check(MPI_Irecv(
        arrive_.data() + static_cast<std::size_t>(posted_ % arrive_planes_) * plane_bytes_, 1,
        type_.get(), above_, edge_tag, comm_.get(), &receives_.emplace_back(MPI_REQUEST_NULL)));
  }
  listen();
  for (; sent_ < full; ++sent_, moved = true) {
    announce();
    mpi_check(MPI_Isend(
        fill_.data() + static_cast<std::size_t>(sent_ % fill_planes_) * plane_bytes_, 1,
        type_.get(), below_, edge_tag, comm_.get(), &sends_.emplace_back(MPI_REQUEST_NULL)));
  }
  long long gone = 0, arrived = 0;
  for (; !sends_.empty() && is_done(sends_.front()); sends_.pop_front()) ++gone;
  for (; !receives_.empty() && is_done(receives_.front()); receives_.pop_front()) ++arrived;
  if (gone == 0 && arrived == 0) return moved;
  {
    const std::scoped_lock lock(mutex_);
    gone_ += gone;
    arrived_ += arrived;
  }
  changed_.notify_all();
  return true;
}

// Of planes that nobody will send any more.
void MpiExchange::cancel() {
  if (coming_ != MPI_REQUEST_NULL) receives_.push_back(coming_);
  for (MPI_Request& request : receives_) {
    mpi_check(MPI_Cancel(&request));
    mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  receives_.clear();
}

}  // namespace lbm::tiling
