// SPDX-License-Identifier: Apache-2.0

// Speeds of this machine's device, measured once and cached in a file, for the build that measured
// them; and the build: its commit, and the file that holds this code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "io/text/json.hpp"
#include "solver/backend/speeds.hpp"

namespace lbm::cases {

// Returns speeds that this program measured on a device of this name, or measures them. The cache
// is in the directory LBM_CACHE_DIR, else XDG_CACHE_HOME/lbm, else ~/.cache/lbm (environment).
// Measures anew instead of reading a file that is unreadable or implausible, or that was written on
// a busy CPU which is idle now. Incomplete measurements (too little memory) are not cached. budget:
// bytes of device memory for measuring.
DeviceSpeeds speeds_of(Backend& backend, std::uint64_t budget);

// The same, but measures nothing: without a file that serves, all speeds are 0 (not measured).
DeviceSpeeds known_speeds_of(const Backend& backend);

// Measures in any case and rewrites the file.
DeviceSpeeds measure_and_keep(Backend& backend, std::uint64_t budget);

// Receives a line before each measurement, and one if a cache file cannot be written. Null, as at
// the beginning: nobody listens. Not while another thread measures.
using TellOfSpeeds = std::function<void(const std::string&)>;
void tell_of_speeds(TellOfSpeeds tell);

// True if no device can have such speeds: a speed is out of range, or a kernel for smaller values
// is far slower than the kernel for larger values, since another process used the device meanwhile.
bool is_absurd(const DeviceSpeeds& speeds);
// True if the CPU was busy with other work before the measurement, so that its speeds are too low.
bool was_busy(const DeviceSpeeds& speeds);

// Cache file for a device of this name; empty if no directory is known.
std::optional<std::filesystem::path> speeds_file(const std::string& device);

io::Json speeds_json(const DeviceSpeeds& speeds);
// `in`, `out`, `in_both`, `out_both` in GB/s (10^9 bytes), for reports; null where not measured.
io::Json link_speed_json(const LinkSpeed& link);
// Empty if the value is not from speeds_json() of this program.
std::optional<DeviceSpeeds> speeds_in(const io::Json& json);

// Python's extension module, or another shared library; empty where the program itself holds it.
std::optional<std::filesystem::path> own_library();

// own_library(), or the program. The path may be that of a link in /proc.
std::filesystem::path program_file();

// The version and a checksum of program_file(), which tells builds apart on any host.
std::string program_checksum();

// As `git describe --always --dirty` said it for the sources; "unknown" outside a repository. A
// static string.
const char* commit();

}  // namespace lbm::cases
