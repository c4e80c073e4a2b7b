// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/result_sizes.hpp"

#include "cases/case/limits.hpp"
#include "cases/run/records/step_logs.hpp"
#include "cases/run/results/consumers.hpp"
#include "cases/run/results/plane_files.hpp"

namespace lbm::cases {
namespace {

std::uint64_t bytes_of(std::int64_t files, std::uint64_t each) {
  return saturating_multiply(static_cast<std::uint64_t>(files), each);
}

ResultSize size_of(const Case& lbm_case, const Derived& derived, const FieldOutput& output,
                   std::string name, std::int64_t after_step) {
  const std::int64_t files = schedule_of(output, derived).count(after_step);
  ResultSize size{
      std::move(name), output.isosurface ? ResultKind::surface : ResultKind::fields, files, {}};
  const auto each = predicted_bytes(lbm_case, derived, output);
  if (each) size.bytes = bytes_of(files, *each);
  size.compressed = output.style.compression > 0;
  return size;
}

}  // namespace

std::vector<ResultSize> result_sizes(const Case& lbm_case, const Derived& derived,
                                     std::int64_t after_step) {
  std::vector<ResultSize> sizes;
  const std::vector<FieldOutput> outputs = field_outputs(lbm_case);
  const std::size_t unnamed = outputs.size() - lbm_case.outputs.size();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    sizes.push_back(size_of(lbm_case, derived, outputs[i],
                            i < unnamed ? "output" : "outputs." + outputs[i].name, after_step));
  }
  for (const Picture& picture : lbm_case.pictures) {
    const auto files =
        schedule_of(fields_of(lbm_case, derived, picture), derived).count(after_step);
    sizes.push_back({"pictures." + picture.name, ResultKind::pictures, files,
                     bytes_of(files, predicted_bytes(lbm_case, derived, picture)), true});
  }
  for (const Statistics& s : lbm_case.statistics) {
    const std::int64_t files = count_of_files(derived, s, after_step);
    sizes.push_back({"statistics." + s.name, ResultKind::statistics, files,
                     bytes_of(files, predicted_bytes(lbm_case, derived, s)),
                     s.style.compression > 0});
  }
  for (const Probe& probe : lbm_case.probes) {
    const std::int64_t rows = count_of_rows(probe, derived, after_step);
    sizes.push_back({"probes." + probe.name, ResultKind::probes, rows,
                     predicted_bytes(lbm_case, derived, probe, rows)});
  }
  return sizes;
}

std::uint64_t total_bytes(std::span<const ResultSize> results) {
  std::uint64_t bytes = 0;
  for (const ResultSize& result : results) bytes = saturating_add(bytes, result.bytes.value_or(0));
  return bytes;
}

std::int64_t count_of_field_files(std::span<const ResultSize> results) {
  std::int64_t files = 0;
  for (const ResultSize& result : results) {
    const bool of_fields = result.kind == ResultKind::fields || result.kind == ResultKind::surface;
    if (of_fields) files += result.count;
  }
  return files;
}

}  // namespace lbm::cases
