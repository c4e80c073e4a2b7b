// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/slice_sender.hpp"

namespace lbm::cases {
namespace {

constexpr std::size_t slices_per_message = 4096;

}  // namespace

void SliceSender::on_slice(const tiling::Slice& slice) {
  const std::scoped_lock lock(mutex_);
  ++slices_;
  known_.push_back(slice);
  if (started_ && known_.size() >= slices_per_message) send_known();
}

void SliceSender::start() {
  const std::scoped_lock lock(mutex_);
  started_ = true;
}

void SliceSender::send() {
  const std::scoped_lock lock(mutex_);
  send_known();
}

void SliceSender::send_known() {
  if (known_.empty()) return;
  ranks_.send(root_rank, tag_slices, pack(head_, {std::as_bytes(std::span(known_))}));
  known_.clear();
}

}  // namespace lbm::cases
