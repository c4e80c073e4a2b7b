// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/lattice_on_device.hpp"

#include <cstring>
#include <span>

namespace lbm::tiling {
namespace {

Buffer upload(Backend& backend, std::span<const std::byte> bytes, const char* purpose) {
  Buffer device = backend.allocate_device(bytes.size(), purpose);
  const Buffer staging = backend.allocate_staging(bytes.size(), purpose);
  std::memcpy(staging.data(), bytes.data(), bytes.size());
  backend.copy_in(device.data(), staging.data(), bytes.size());
  const auto done = backend.make_event();
  backend.record(Queue::load, *done);
  backend.synchronize(*done);
  return device;
}

}  // namespace

LatticeOnDevice::LatticeOnDevice(Backend& backend, const Lattice& lattice,
                                 const Boundaries& boundaries, const ProbeCells* probes,
                                 const RecordRing& records, int slots)
    : slots_(backend.allocate_device(static_cast<std::size_t>(slots) * lattice.layout.bytes,
                                     "lattice planes")) {
  view_.lattice = lattice;
  view_.slots = slots_.data();
  if (!boundaries.none()) {
    boundary_bytes_ = boundaries.bytes().size();
    if (backend.kind() == BackendKind::cpu) {
      view_.boundaries = boundaries.view();  // in place: ranks of a host may share them
    } else {
      boundaries_ = upload(backend, boundaries.bytes(), "boundaries");
      view_.boundaries = boundaries.view(boundaries_.data());
    }
    view_.host = &boundaries;
  }
  if (probes != nullptr) {
    probes_ = upload(backend, probes->bytes(), "probes");
    view_.probes = probes->view(probes_.data(), boundaries.bodies());
  }
  if (!records.shape().every_step()) return;
  view_.records = records.device();
  view_.record_steps = records.size();
  view_.record_values = records.values();
}

}  // namespace lbm::tiling
