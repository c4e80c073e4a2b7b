// SPDX-License-Identifier: Apache-2.0
#include "tests/tiling/schedule/schedule_checker.hpp"
#include "tiling/schedule/schedule.hpp"

#include <algorithm>

namespace lbm::tiling::test {

ScheduleChecker::ScheduleChecker(const PlaneGrid& grid, const ScheduleOptions& options,
                                 HaloQueue* from_above, HaloQueue* to_below)
    : grid_(grid),
      options_(options),
      scheduler_(make_scheduler(grid, options)),
      slots_(scheduler_->slots()),
      from_above_(from_above),
      to_below_(to_below),
      host_time_(grid.planes(), 0),
      host_store_visit_(grid.planes(), -1),
      host_load_visit_(grid.planes(), -1) {
  if (scheduler_->slots() != slots_needed(grid, options))
    fail("slots() differs from slots_needed()");
  for (int i = 0; i < grid.planes(); ++i) {
    host_plane_.push_back((grid.slab_first + i) % grid.nz);
  }
  if (const auto prologue = scheduler_->prologue()) execute(*prologue);
}

void ScheduleChecker::fail(const std::string& what) const {
  throw std::runtime_error(
      std::string(to_string(options_.scheme)) + " nz=" + std::to_string(grid_.nz) +
      (grid_.periodic ? " periodic" : " walls") + " k=" + std::to_string(options_.steps_per_visit) +
      " B=" + std::to_string(options_.planes_per_visit) + " slab " +
      std::to_string(grid_.slab_first) + "+" + std::to_string(grid_.slab_planes) + ", visit " +
      std::to_string(visit_) + ": " + what);
}

void ScheduleChecker::run(const std::vector<Sweep>& sweeps) {
  begin(sweeps);
  while (step() == Progress::visited) {
  }
  end();
}

void ScheduleChecker::begin(const std::vector<Sweep>& sweeps) {
  asked_ = sweeps;
  given_ = 0;
  long long time = sweep_begin_.empty() ? 0 : sweep_begin_.back() + sweeps_.back().steps;
  for (const Sweep& sweep : sweeps) {
    sweeps_.push_back(sweep);
    sweep_begin_.push_back(time);
    time += sweep.steps;
  }
}

ScheduleChecker::Progress ScheduleChecker::step() {
  const auto source = [&]() -> std::optional<Sweep> {
    if (given_ == asked_.size()) return std::nullopt;
    return asked_[given_++];
  };
  if (!waiting_) waiting_ = scheduler_->next(source);
  if (!waiting_) return Progress::done;
  if (!waiting_->halo_in.empty() && waiting_->halo_in.size() > from_above_->size()) {
    return Progress::waits;
  }
  execute(*waiting_);
  waiting_.reset();
  return Progress::visited;
}

void ScheduleChecker::end() {
  if (waiting_) fail("waits at the end");
  if (completed_ != static_cast<int>(sweeps_.size())) fail("sweeps are missing at the end");
  const long long time = sweeps_.empty() ? 0 : sweep_begin_.back() + sweeps_.back().steps;
  long long looks = 0;
  for (const Sweep& sweep : sweeps_) looks += sweep.reads_planes() ? 1 : 0;
  if (finished_planes_ != looks * grid_.planes()) fail("not every plane was handed out");
  for (int i = 0; i < grid_.planes(); ++i) {
    const int z = (scheduler_->first_plane() + i) % grid_.nz;
    const int home = (scheduler_->first_home() + i) % grid_.planes();
    if (options_.scheme == Scheme::in_core) {
      const Value& value = slots_.at(scheduler_->resident_slot(z)).value;
      if (value.plane != z || value.time != time) fail("resident_slot() has another plane");
    } else if (host_time_[home] != time || host_plane_[home] != z) {
      fail("host plane " + std::to_string(z) + " did not reach the end");
    }
  }
  if (!grid_.is_slab() || sweeps_.empty()) return;
  if (scheduler_->first_plane() != (grid_.slab_first + time) % grid_.nz) fail("the slab is lost");
}

// The planes of the last visits lie within planes_in_use() consecutive ones.
void ScheduleChecker::check_planes_in_use(const Visit& visit) {
  std::vector<bool>& own = in_use_.emplace_back(static_cast<std::size_t>(grid_.nz));
  for (const Update& update : visit.updates) {
    for (std::size_t i = 0; i < update.in.size(); ++i) {
      const int z = update.first_plane - 1 + static_cast<int>(i) + grid_.nz;
      own[static_cast<std::size_t>(z % grid_.nz)] = true;
    }
  }
  if (in_use_.size() > load_lag) in_use_.pop_front();
  int gap = 0, longest_gap = 0;
  for (int z = 0; z < 2 * grid_.nz; ++z) {
    const auto plane = static_cast<std::size_t>(z % grid_.nz);
    const bool used = std::any_of(in_use_.begin(), in_use_.end(),
                                  [&](const std::vector<bool>& planes) { return planes[plane]; });
    gap = used ? 0 : gap + 1;
    longest_gap = std::max(longest_gap, gap);
  }
  if (grid_.nz - longest_gap > planes_in_use(grid_, options_)) {
    fail(std::to_string(grid_.nz - longest_gap) + " planes in use, promised " +
         std::to_string(planes_in_use(grid_, options_)));
  }
}

void ScheduleChecker::execute(const Visit& visit) {
  const auto merge = [](Seen a, const Seen& b) {
    for (int i = 0; i < 3; ++i) a[i] = std::max(a[i], b[i]);
    return a;
  };
  const auto after = [&](int queue, int which) -> Seen {
    if (which < 0) return {-1, -1, -1};
    if (which >= static_cast<int>(seen_after_[queue].size())) fail("waits for what is not done");
    return seen_after_[queue][which];
  };
  const auto end_of_queue = [&](int queue, Seen seen) {
    seen[queue] = visit_;
    seen_after_[queue].push_back(seen);
  };
  Seen seen = merge(after(load_queue, visit_ - 1), after(update_queue, visit.load_after_update));
  seen = merge(seen, after(store_queue, visit.load_after_store));
  load(visit, seen);
  receive(visit, seen);
  end_of_queue(load_queue, seen);

  seen = merge(after(update_queue, visit_ - 1), after(load_queue, visit_));
  seen = merge(seen, after(store_queue, visit.update_after_store));
  check_planes_in_use(visit);
  check_together(visit.updates);
  for (std::size_t i = 0; i < visit.updates.size(); ++i) {
    update(visit.updates[i], seen);
    if (i > 0) forget_passing(visit.updates[i - 1]);
  }
  if (!visit.updates.empty()) forget_passing(visit.updates.back());
  for (const Finished& f : visit.finished) {
    if (!sweeps_.at(f.sweep).reads_planes()) fail("a plane that nobody looks at");
    read_slot(f.slot, f.plane, sweep_begin_.at(f.sweep) + sweeps_.at(f.sweep).steps, update_queue,
              seen);
    if (sweeps_.at(f.sweep).emit && f.sweep < emitting_) fail("fields of two sweeps are mixed");
    if (sweeps_.at(f.sweep).emit) emitting_ = f.sweep;
    ++finished_planes_;
  }
  end_of_queue(update_queue, seen);

  seen = merge(after(store_queue, visit_ - 1), after(update_queue, visit_));
  store(visit, seen);
  send(visit, seen);
  end_of_queue(store_queue, seen);
  completed_ += visit.sweeps_completed;
  ++visit_;
}

void ScheduleChecker::load(const Visit& visit, const Seen& seen) {
  for (const Transfer& t : visit.loads) {
    if (host_store_visit_.at(t.home) > seen[store_queue]) fail("host plane read before its store");
    if (host_plane_[t.home] != t.plane) fail("another plane is at home there");
    host_load_visit_[t.home] = visit_;
    write_slot(t.slot, t.plane, host_time_[t.home], load_queue, seen);
    ++loads_;
  }
}

void ScheduleChecker::receive(const Visit& visit, const Seen& seen) {
  for (const HaloPlane& e : visit.halo_in) {
    const SentPlane sent = from_above_->front();
    from_above_->pop_front();
    if (sent.plane != e.plane || sent.time != sweep_begin_.at(e.sweep) + e.level) {
      fail("expects halo plane " + std::to_string(e.plane) + " but gets " +
           std::to_string(sent.plane));
    }
    write_slot(e.slot, e.plane, sent.time, load_queue, seen);
  }
}

void ScheduleChecker::send(const Visit& visit, const Seen& seen) {
  for (const HaloPlane& e : visit.halo_out) {
    const long long time = sweep_begin_.at(e.sweep) + e.level;
    read_slot(e.slot, e.plane, time, store_queue, seen);
    to_below_->push_back({e.plane, time});
  }
}

void ScheduleChecker::update(const Update& u, const Seen& seen) {
  const int count = static_cast<int>(u.out.size());
  if (u.in.size() != u.out.size() + 2) fail("an update needs two more inputs than outputs");
  if (count < 1 || count > max_planes_per_visit) fail("an update of no or too many planes");
  if (u.sweep >= static_cast<int>(sweeps_.size())) fail("a sweep that nobody asked for");
  const long long time = sweep_begin_[u.sweep] + u.level;
  for (int i = 0; i < count; ++i) {
    const int z = (u.first_plane + i) % grid_.nz;
    for (int d = -1; d <= 1; ++d) {
      const bool beyond_wall = d != 0 && neighbour(grid_, z, d) == z && grid_.nz > 1;
      if (beyond_wall) continue;
      read_slot(u.in[i + 1 + d], neighbour(grid_, z, d), time - 1, update_queue, seen);
    }
    for (int j = 0; j < count + 2; ++j) {
      if (u.out[i] == u.in[j]) fail("an output of an update is also its input");
    }
  }
  for (int i = 0; i < count; ++i) {
    const int z = (u.first_plane + i) % grid_.nz;
    write_slot(u.out[i], z, time, update_queue, seen);
    const int times = ++computed_[{z, time}];
    if (times > 1 && options_.scheme != Scheme::halo) fail("a plane was computed twice");
    ++updates_;
  }
}

// The updates of a group must be safe to run in one pass.
void ScheduleChecker::check_together(const std::vector<Update>& updates) const {
  if (options_.updates_per_visit > 1) return;  // each of the joined visits starts its own groups
  const auto group = static_cast<std::size_t>(options_.updates_together);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    for (std::size_t j = i / group * group; j < i; ++j) {
      for (const int slot : updates[i].out) {
        for (const std::vector<int>* used : {&updates[j].in, &updates[j].out}) {
          if (std::count(used->begin(), used->end(), slot) > 0) fail("a group disturbs itself");
        }
      }
    }
  }
}

// A plane that only the next update reads need not be written to its slot.
void ScheduleChecker::forget_passing(const Update& u) {
  const long long time = sweep_begin_[u.sweep] + u.level;
  for (std::size_t i = 0; i < u.out.size(); ++i) {
    Value& value = slots_.at(u.out[i]).value;
    if ((u.passing >> i & 1U) != 0 && value.time == time) value.plane = -1;
  }
}

void ScheduleChecker::store(const Visit& visit, const Seen& seen) {
  for (const Transfer& t : visit.stores) {
    if (host_load_visit_.at(t.home) > seen[load_queue]) fail("a store overtakes a load");
    read_slot(t.slot, t.plane, slots_.at(t.slot).value.time, store_queue, seen);
    if (slots_[t.slot].value.time <= host_time_[t.home]) fail("a store brings nothing new");
    host_plane_[t.home] = t.plane;
    host_time_[t.home] = slots_[t.slot].value.time;
    host_store_visit_[t.home] = visit_;
  }
}

void ScheduleChecker::read_slot(int slot, int plane, long long time, int queue, const Seen& seen) {
  Slot& s = slots_.at(slot);
  if (s.value.plane != plane || s.value.time != time) {
    fail("slot " + std::to_string(slot) + " should hold plane " + std::to_string(plane) +
         " at time " + std::to_string(time) + " but holds plane " + std::to_string(s.value.plane) +
         " at time " + std::to_string(s.value.time));
  }
  if (s.value.queue != queue && s.value.visit > seen[s.value.queue]) fail("read before the write");
  s.last_read[queue] = visit_;
}

void ScheduleChecker::write_slot(int slot, int plane, long long time, int queue, const Seen& seen) {
  Slot& s = slots_.at(slot);
  for (int other = 0; other < 3; ++other) {
    if (other != queue && s.last_read[other] > seen[other]) fail("a live slot is overwritten");
  }
  if (s.value.queue >= 0 && s.value.queue != queue && s.value.visit > seen[s.value.queue]) {
    fail("two queues write one slot");
  }
  s.value = {plane, time, queue, visit_};
  slots_used_ = std::max(slots_used_, static_cast<std::size_t>(slot) + 1);
}

}  // namespace lbm::tiling::test
