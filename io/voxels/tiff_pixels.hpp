// SPDX-License-Identifier: Apache-2.0

// Reads the numbers of a page of a TIFF file, and unpacks them (TIFF 6.0, Adobe 1992, sections 9,
// 13 and 14; deflate: RFC 1950).
#pragma once

#include <cstddef>
#include <span>

#include "io/voxels/tiff_page.hpp"

namespace lbm::io {

// page: of this file. to: exactly its numbers, x fastest, in its type and the byte order of this
// machine. Holds one strip or tile beside it. Throws UsageError, one line that begins with the
// path.
void read_page(const TiffFile& file, const TiffPage& page, std::span<std::byte> to);

// The parts of it:

// Fills all of `to`, and ignores what follows. False: `packed` is damaged or ends before. Not for
// TiffPacking::none.
bool unpack_tiff(TiffPacking packing, std::span<const std::byte> packed, std::span<std::byte> to);

// Numbers of `size` bytes in rows of `width` numbers, in the byte order of this machine: replaces
// differences to the number on the left by the number itself, modulo 2^(8 size).
void add_differences(std::span<std::byte> numbers, std::size_t size, std::size_t width);

}  // namespace lbm::io
