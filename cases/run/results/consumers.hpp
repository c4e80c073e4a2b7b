// SPDX-License-Identifier: Apache-2.0

// The consumers of fields that write results or sum regions, and predictions of what they write.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cases/fields/running_moments.hpp"
#include "cases/run/records/notices.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/results/field_consumer.hpp"

namespace lbm::cases {

// The named outputs of a case; the first one is that of `output`, unless it writes nothing.
std::vector<FieldOutput> field_outputs(const Case& lbm_case);
// The picture as an output of fields: its cells and times, and the fields that it needs, in lattice
// units.
FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture);

// All arguments must outlive the consumer. Statistics throw ResourceError without enough memory.
using ConsumerPtr = std::unique_ptr<FieldConsumer>;
ConsumerPtr make_field_files(const ResultContext& context, const FieldOutput& output);
ConsumerPtr make_picture_files(const ResultContext& context, const Picture& picture,
                               Notices& notices);
ConsumerPtr make_statistics_files(const ResultContext& context, const Statistics& statistics);
// Sums the fields in the region of a quantity (a mean, a flow rate, or of a porous medium) and
// gives the sums to `quantities`. position: in Case::quantities.
ConsumerPtr make_region_quantity(const ResultContext& context, std::size_t position,
                                 Quantities& quantities);

// Bytes of one file. Fields and statistics: without compression; surfaces: empty, as their size is
// unknown. Pictures: without compression, more than the file will have, and of the data of a slice
// or projection; those of a surface are unknown.
std::optional<std::uint64_t> predicted_bytes(const Case& lbm_case, const Derived& derived,
                                             const FieldOutput& output);
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture);
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived,
                              const Statistics& statistics);
// Number of files written after a step, in a run that reaches its end.
std::int64_t count_of_files(const Derived& derived, const Statistics& statistics,
                            std::int64_t after_step);

// Host memory in bytes of all statistics, and of all pictures that lack planes.
std::uint64_t statistics_bytes(const Case& lbm_case, const Derived& derived);
std::uint64_t pictures_bytes(const Case& lbm_case, const Derived& derived);

// The sums of one statistics with this box, and their array in a checkpoint.
fields::MomentsShape shape_of(const Statistics& statistics, const tiling::FieldBox& box);
io::PlaneArray saved_array(const Case& lbm_case, const Derived& derived,
                           const Statistics& statistics);

}  // namespace lbm::cases
