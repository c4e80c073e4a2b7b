// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/lattice_on_device.hpp"

#include <cstring>
#include <span>

#include "solver/core/error.hpp"

namespace lbm::tiling {
namespace {

void upload(Backend& backend, std::span<const std::byte> bytes, std::byte* to,
            const char* purpose) {
  const Buffer staging = backend.allocate_staging(bytes.size(), purpose);
  std::memcpy(staging.data(), bytes.data(), bytes.size());
  backend.copy_in(to, staging.data(), bytes.size());
  const auto done = backend.make_event();
  backend.record(Queue::load, *done);
  backend.synchronize(*done);
}

Buffer upload(Backend& backend, std::span<const std::byte> bytes, const char* purpose) {
  Buffer device = backend.allocate_device(bytes.size(), purpose);
  upload(backend, bytes, device.data(), purpose);
  return device;
}

bool has_window(const Boundaries& boundaries, int planes) {
  return planes < boundaries.planes() && BoundaryWindow::useful(boundaries);
}

}  // namespace

std::size_t LatticeOnDevice::boundary_bytes_needed(const Boundaries& boundaries, int planes) {
  return has_window(boundaries, planes) ? BoundaryWindow(boundaries, planes).bytes()
                                        : boundaries.bytes().size();
}

LatticeOnDevice::LatticeOnDevice(Backend& backend, const Lattice& lattice,
                                 const Boundaries& boundaries, const ProbeCells* probes,
                                 const RecordRing& records, int slots, int planes_in_use)
    : backend_(backend),
      slots_(backend.allocate_device(static_cast<std::size_t>(slots) * lattice.layout.bytes,
                                     "lattice planes")) {
  view_.lattice = lattice;
  view_.slots = slots_.data();
  if (!boundaries.none()) place_boundaries(boundaries, planes_in_use);
  if (probes != nullptr) {
    probes_ = upload(backend, probes->bytes(), "probes");
    view_.probes = probes->view(probes_.data(), boundaries.bodies());
  }
  if (!records.shape().every_step()) return;
  view_.records = records.device();
  view_.record_steps = records.size();
  view_.record_values = records.values();
}

void LatticeOnDevice::place_boundaries(const Boundaries& boundaries, int planes_in_use) {
  view_.host = &boundaries;
  boundary_bytes_ = boundaries.bytes().size();
  if (backend_.kind() == BackendKind::cpu) {
    view_.boundaries = boundaries.view();  // ranks may share them
    return;
  }
  if (!has_window(boundaries, planes_in_use)) {
    boundaries_ = upload(backend_, boundaries.bytes(), "boundaries");
    view_.boundaries = boundaries.view(boundaries_.data());
    return;
  }
  window_.emplace(boundaries, planes_in_use);
  boundary_bytes_ = window_->bytes();
  boundaries_ = backend_.allocate_device(boundary_bytes_, "boundaries");
  upload(backend_, window_->tables(), boundaries_.data(), "boundaries");
  view_.boundaries = window_->view(boundaries_.data());
  view_.boundary_planes = planes_in_use;
  try {
    const auto bytes = boundaries.bytes();
    // The device only reads them.
    attached_ = backend_.attach_host(const_cast<std::byte*>(bytes.data()), bytes.size(),
                                     HostMemory::pinned);
  } catch (const ResourceError&) {
    // Copies from memory that is not pinned take longer, and that is all.
  }
}

std::size_t LatticeOnDevice::fetch_boundaries(int first, int count, int visit, int done) {
  std::size_t bytes = 0;
  for (const BoundaryWindow::Copy& copy : window_->fetch(first, count, visit, done)) {
    backend_.copy_in(boundaries_.data() + copy.to, copy.from.data(), copy.from.size());
    bytes += copy.from.size();
  }
  return bytes;
}

}  // namespace lbm::tiling
