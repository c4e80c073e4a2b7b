// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/state_planes.hpp"

#include <algorithm>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr std::int64_t pieces_under_way = 4;  // while one is written, others travel

}  // namespace

StateCollector::StateCollector(tiling::Ranks& ranks, io::CheckpointWriter& writer,
                               std::uint64_t most_waiting)
    : ranks_(ranks), writer_(writer), most_waiting_(most_waiting) {}

void StateCollector::attempt(const std::function<void()>& work) {
  if (error_) return;
  try {
    work();
  } catch (const ResourceError&) {
    error_ = std::current_exception();
  }
}

void StateCollector::begin(const std::function<void()>& write_own) {
  attempt([&] {
    const io::ArrayPlace place = writer_.share(Checkpoints::populations);
    plane_bytes_ = place.plane_bytes;
    const std::string path = writer_.partial().string();
    left_ = ranks_.size() - 1;
    tell_others(ranks_, tag_save, pack(place, {std::as_bytes(std::span(path))}));
  });
  attempt(write_own);
}

void StateCollector::take(tiling::Message message) {
  if (message.tag == tag_no_file) {
    ++apart_;
    senders_.push_back({message.from, head_of<NoFileMessage>(message).planes});
    if (senders_.size() == 1) ask_next();
  } else if (message.tag == tag_planes) {
    const auto planes = rest_of<PlanesMessage, std::byte>(message);
    attempt([&] {
      writer_.write_planes(Checkpoints::populations, head_of<PlanesMessage>(message).first, planes);
    });
    const auto count = static_cast<std::int64_t>(planes.size() / plane_bytes_);
    message = {};  // before others come
    ask(count);
  } else if (message.tag == tag_saved) {
    saved(message);
  }
}

void StateCollector::saved(const tiling::Message& message) {
  --left_;
  attempt([&] {
    const auto error = static_cast<int>(head_of<SavedMessage>(message).error);
    if (error == 0) {
      return writer_.add_planes(Checkpoints::populations,
                                rest_of<SavedMessage, io::PlaneSum>(message));
    }
    attribute_to_rank(message.from, [&] { writer_.fail(error); });
  });
  if (senders_.empty() || senders_.front().rank != message.from) return;
  senders_.pop_front();
  if (!senders_.empty()) ask_next();
}

// Pieces of several planes, as many as may wait here.
void StateCollector::ask_next() {
  const auto room =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(most_waiting_ / plane_bytes_));
  const auto piece = std::max<std::int64_t>(1, room / pieces_under_way);
  for (std::int64_t asked = 0; asked + piece <= room && senders_.front().left > 0; asked += piece)
    ask(piece);
}

void StateCollector::ask(std::int64_t planes) {
  Sender& sender = senders_.front();
  if (sender.left == 0) return;  // they are under way
  const auto wanted = error_ ? 0 : std::min(planes, sender.left);
  sender.left -= error_ ? sender.left : wanted;
  ranks_.send(sender.rank, tag_more, pack(MoreMessage{wanted}));
}

void StateCollector::finish() const {
  if (error_) std::rethrow_exception(error_);
}

namespace {

// As many planes at a time as the root asks for; it wants none when its file has failed.
void send_planes(tiling::Ranks& ranks, std::size_t plane_bytes, const ReadState& read,
                 const std::function<tiling::Message()>& next) {
  std::size_t wanted = 0;
  bool stopped = false;
  read([&](int first, std::span<const std::byte> planes) {
    while (!planes.empty() && !stopped) {
      if (wanted == 0) wanted = static_cast<std::size_t>(head_of<MoreMessage>(next()).planes);
      stopped = wanted == 0;
      const auto part = planes.first(std::min(planes.size(), wanted * plane_bytes));
      if (!stopped) ranks.send(root_rank, tag_planes, pack(PlanesMessage{first}, {part}));
      const auto count = part.size() / plane_bytes;
      planes = planes.subspan(part.size());
      first += static_cast<int>(count);
      wanted -= count;
    }
  });
}

}  // namespace

void save_state(tiling::Ranks& ranks, const tiling::Message& message, std::int64_t planes,
                const ReadState& read, const std::function<tiling::Message()>& next) {
  const auto place = head_of<io::ArrayPlace>(message);
  const auto path = rest_of<io::ArrayPlace, char>(message);
  int error = 0;
  std::vector<io::PlaneSum> sums;
  if (auto part = io::CheckpointPart::open(std::string(path.begin(), path.end()), place)) {
    read([&](int first, std::span<const std::byte> planes_to_write) {
      if (error == 0) error = part->write_planes(first, planes_to_write);
    });
    if (error == 0) error = part->sync();
    sums.assign(part->sums().begin(), part->sums().end());
  } else {
    ranks.send(root_rank, tag_no_file, pack(NoFileMessage{planes}));
    send_planes(ranks, place.plane_bytes, read, next);
  }
  ranks.send(root_rank, tag_saved, pack(SavedMessage{error}, {std::as_bytes(std::span(sums))}));
}

}  // namespace lbm::cases
