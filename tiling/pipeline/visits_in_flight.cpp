// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/visits_in_flight.hpp"

#include <exception>

namespace lbm::tiling {
namespace {

// Waits reach at most store_lag visits back; one more visit keeps the device fed.
constexpr int most_in_flight = store_lag + 2;

constexpr std::array queues = {Queue::load, Queue::update, Queue::store};

}  // namespace

VisitInFlight::VisitInFlight(Backend& backend) {
  for (Stage& stage : stages) {
    stage.begin = backend.make_event();
    stage.end = backend.make_event();
  }
}

void VisitInFlight::reset(const Visit& visit, int its_number) {
  number = its_number;
  for (Stage& stage : stages) stage.used = false;
  records.clear();
  plane_updates = 0;
  bytes_in = bytes_out = 0;
  halo_in = static_cast<int>(visit.halo_in.size());
  halo_out = static_cast<int>(visit.halo_out.size());
  sweeps_completed = visit.sweeps_completed;
}

VisitsInFlight::VisitsInFlight(Backend& backend) : backend_(backend) {
  ring_.reserve(most_in_flight);
  for (int i = 0; i < most_in_flight; ++i) ring_.emplace_back(backend);
}

VisitsInFlight::~VisitsInFlight() {
  for (const Queue queue : queues) {
    try {
      Event& done = *ring_.front().stage(queue).end;
      backend_.record(queue, done);
      backend_.synchronize(done);
    } catch (const std::exception&) {  // the device is lost; there is nothing to wait for
    }
  }
}

VisitInFlight& VisitsInFlight::begin(const Visit& visit) {
  VisitInFlight& newest = at(submitted_);
  newest.reset(visit, submitted_);
  for (const Queue queue : queues) {
    newest.stage(queue).last_used =
        submitted_ == 0 ? -1 : at(submitted_ - 1).stage(queue).last_used;
  }
  return newest;
}

void VisitsInFlight::begin_stage(Queue queue) {
  backend_.record(queue, *at(submitted_).stage(queue).begin);
}

void VisitsInFlight::end_stage(Queue queue) {
  auto& stage = at(submitted_).stage(queue);
  backend_.record(queue, *stage.end);
  stage.used = true;
  stage.last_used = submitted_;
}

void VisitsInFlight::wait_for(Queue queue, Queue other, int visit) {
  if (visit < retired_) return;
  const int last = at(visit).stage(other).last_used;
  if (last >= retired_) backend_.wait(queue, *at(last).stage(other).end);
}

VisitInFlight& VisitsInFlight::complete_oldest(PipelineStats& stats) {
  VisitInFlight& oldest = at(retired_);
  double* seconds[] = {&stats.load_seconds, &stats.update_seconds, &stats.store_seconds};
  for (const Queue queue : queues) {
    auto& stage = oldest.stage(queue);
    if (!stage.used) continue;
    backend_.synchronize(*stage.end);
    *seconds[static_cast<int>(queue)] += backend_.seconds_between(*stage.begin, *stage.end);
  }
  return oldest;
}

}  // namespace lbm::tiling
