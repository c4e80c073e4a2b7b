// Speeds of this machine's device, measured once and cached in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/text/json.hpp"
#include "solver/backend/speeds.hpp"

namespace lbm::cases {

// Returns speeds that this program measured on a device of this name, or measures them. The cache
// is in the directory LBM_CACHE_DIR, else XDG_CACHE_HOME/lbm, else ~/.cache/lbm (environment).
// Unreadable, unwritable or implausible cache files are ignored; incomplete measurements (too
// little memory) are not cached. budget: bytes of device memory for measuring.
DeviceSpeeds speeds_of(Backend& backend, std::uint64_t budget);

// Measures in any case and rewrites the file.
DeviceSpeeds measure_and_keep(Backend& backend, std::uint64_t budget);

// Cache file for a device of this name; empty if no directory is known.
std::optional<std::filesystem::path> speeds_file(const std::string& device);

io::Json speeds_json(const DeviceSpeeds& speeds);
// Empty if the value is not from speeds_json() of this program.
std::optional<DeviceSpeeds> speeds_in(const io::Json& json);

}  // namespace lbm::cases
