// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/root/field_merger.hpp"

#include <fmt/format.h>

#include <utility>

namespace lbm::cases {

std::vector<tiling::FieldBox> FieldMerger::expect(std::int64_t step) {
  std::vector<tiling::FieldBox> boxes = outputs_.boxes(step);
  std::int64_t planes = boxes.empty() ? nz_ : 0;
  for (const tiling::FieldBox& box : boxes) planes += box.count[2];
  const std::scoped_lock lock(mutex_);
  emitting_.push_back({step, planes});
  if (emitting_.size() == 1) allow();
  return boxes;
}

void FieldMerger::take(const tiling::Message& message) {
  if (message.tag == tag_fields) {
    const auto head = head_of<FieldsMessage>(message);
    const auto values = rest_of<FieldsMessage, float>(message);
    const auto cells = static_cast<std::size_t>(head.cells);
    return add_plane(head, values.first(cells), values.subspan(cells));
  }
  const std::scoped_lock lock(mutex_);
  if (message.tag == tag_derived) {
    const auto head = head_of<DerivedMessage>(message);
    outputs_.on_derived_plane(head.step, head.output, head.z);
  } else {
    const auto head = head_of<ImageErrorMessage>(message);
    outputs_.on_error_of(fmt::format("process {}", message.from), head.step, head.output,
                         head.error);
  }
}

void FieldMerger::stop() {
  stopped_ = true;
  next_.notify_all();
}

// Tells the other ranks first in which results they do their part themselves.
void FieldMerger::allow() {
  if (emitting_.empty()) return;
  const std::int64_t step = emitting_.front().step;
  begin(step);
  for (const auto& [index, result] : outputs_.share(step)) {
    const io::ImagePlace& place = result.image;
    const std::string text = result.kind == SharedKind::sums ? result.sums : place.file.string();
    const ShareMessage head{step,
                            result.samples,
                            static_cast<std::int32_t>(result.kind),
                            index,
                            static_cast<std::int32_t>(place.offsets.size()),
                            0,
                            place.token};
    tell_others(
        ranks_, tag_share,
        pack(head, {std::as_bytes(std::span(place.offsets)), std::as_bytes(std::span(text))}));
  }
  const std::vector<char> wants_values = outputs_.wants_values(step);
  tell_others(ranks_, tag_allow,
              pack(AllowMessage{step}, {std::as_bytes(std::span(wants_values))}));
}

// Any rank may be ahead: the first one begins.
void FieldMerger::begin(std::int64_t step) {
  for (Emitting& emitting : emitting_) {
    if (emitting.step > step || std::exchange(emitting.begun, true)) continue;
    outputs_.on_sweep(emitting.step);
  }
}

void FieldMerger::on_sweep(std::int64_t step) {
  const std::scoped_lock lock(mutex_);
  begin(step);
}

void FieldMerger::on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                           std::span<const float> velocity) {
  add_plane({step, static_cast<std::int64_t>(drho.size()), box, z, {}, {}}, drho, velocity);
}

void FieldMerger::add_plane(const FieldsMessage& head, std::span<const float> drho,
                            std::span<const float> velocity) {
  std::unique_lock lock(mutex_);
  next_.wait(lock, [&] { return stopped_ || emitting_.front().step >= head.step; });
  if (stopped_) return;
  try {
    begin(head.step);
    outputs_.add_plane(head.step, head.box, head.z, drho, velocity, head.done);
    if (--emitting_.front().planes > 0) return;
    emitting_.pop_front();
    allow();
  } catch (const std::exception& error) {
    fail_(error.what());
    throw;
  }
  next_.notify_all();
}

}  // namespace lbm::cases
