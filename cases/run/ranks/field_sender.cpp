// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/field_sender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "cases/run/results/field_outputs.hpp"

namespace lbm::cases {

FieldSender::FieldSender(tiling::Ranks& ranks, const Case& lbm_case, const Setup& setup)
    : ranks_(ranks),
      nz_(setup.lattice.nz),
      most_cells_(output_shape(lbm_case, setup.derived).field_cells),
      shared_(lbm_case, setup) {}

void FieldSender::expect(std::int64_t step, std::vector<tiling::FieldBox> boxes,
                         const std::vector<int>& planes) {
  std::vector<Coming> now;
  for (const tiling::FieldBox& box : boxes) {
    const auto count =
        std::count_if(planes.begin(), planes.end(), [&](int z) { return box.has_plane(z, nz_); });
    now.push_back({box, static_cast<int>(count), planes.front(), static_cast<int>(planes.size())});
  }
  boxes_ = std::move(boxes);
  const std::scoped_lock lock(mutex_);
  std::erase_if(coming_, [](const auto& of_step) {
    return std::all_of(of_step.second.begin(), of_step.second.end(),
                       [](const Coming& coming) { return coming.planes == 0; });
  });
  coming_.emplace(step, std::move(now));
}

void FieldSender::check_complete() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [step, boxes] : coming_) {
    for (const Coming& coming : boxes) {
      if (coming.planes == 0) continue;
      throw std::logic_error(
          fmt::format("{} planes of fields at step {} never came", coming.planes, step));
    }
  }
}

void FieldSender::take(tiling::Message message) {
  {
    const std::scoped_lock lock(mutex_);
    if (message.tag == tag_share) {
      // Results of earlier steps are obsolete: this process has received all its planes of these
      // steps, or has none.
      std::erase_if(results_, [&](const tiling::Message& other) {
        return head_of<ShareMessage>(other).step < head_of<ShareMessage>(message).step;
      });
      results_.push_back(std::move(message));
      return;
    }
    allowed_step_ = head_of<AllowMessage>(message).step;
    const auto wants = rest_of<AllowMessage, char>(message);
    wants_values_.assign(wants.begin(), wants.end());
  }
  allowed_.notify_all();
}

std::vector<tiling::Message> FieldSender::wait_until_allowed(std::int64_t step) {
  std::unique_lock lock(mutex_);
  allowed_.wait(lock, [&] { return allowed_step_ >= step; });
  return std::exchange(results_, {});
}

void FieldSender::open(const tiling::Message& message) {
  const auto head = head_of<ShareMessage>(message);
  const auto rest = rest_of<ShareMessage, char>(message);
  FieldOutputs::Shared shared{head.index, {static_cast<SharedKind>(head.kind), {}, {}, 0}};
  SharedResult& result = shared.result;
  result.samples = head.samples;
  result.image.token = head.token;
  result.image.offsets.resize(static_cast<std::size_t>(head.arrays));
  const std::size_t bytes = result.image.offsets.size() * sizeof(std::uint64_t);
  std::memcpy(result.image.offsets.data(), rest.data(), bytes);
  const std::string text(rest.begin() + static_cast<std::ptrdiff_t>(bytes), rest.end());
  if (result.kind == SharedKind::sums) {
    result.sums = text;
  } else {
    result.image.file = text;
  }
  shared_.open(head.step, shared);
}

bool FieldSender::is_near_end(const Coming& coming, int z) const {
  const int at = (z - coming.first + nz_) % nz_;
  return at < 2 || at >= coming.slab - 2;
}

// The root takes planes of one step at a time: until all of this process have come, it allows no
// later one.
void FieldSender::on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                           std::span<const float> velocity) {
  for (const tiling::Message& message : wait_until_allowed(step)) open(message);
  Coming coming;
  bool wants_values = true;
  {
    const std::scoped_lock lock(mutex_);
    auto& of_step = coming_.at(step);
    coming = of_step.at(static_cast<std::size_t>(box));
    --of_step[static_cast<std::size_t>(box)].planes;
    wants_values = wants_values_.at(static_cast<std::size_t>(box)) != 0;
  }
  const SharedFields::Outcome outcome = shared_.add(
      {step, coming.box, z, coming.planes == 1, is_near_end(coming, z), drho, velocity});
  for (const auto& error : outcome.errors) ranks_.send(root_rank, tag_image_error, pack(error));
  for (const auto& plane : outcome.derived) ranks_.send(root_rank, tag_derived, pack(plane));
  const bool with_values = wants_values || outcome.needs_values;
  const auto cells = with_values ? static_cast<std::int64_t>(drho.size()) : 0;
  const FieldsMessage head{step, cells, box, z, outcome.done, {}};
  ranks_.send(
      root_rank, tag_fields,
      with_values ? pack(head, {std::as_bytes(drho), std::as_bytes(velocity)}) : pack(head));
}

}  // namespace lbm::cases
