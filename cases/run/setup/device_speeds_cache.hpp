// What the device of this machine can do, measured once and kept in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/text/json.hpp"
#include "solver/backend/speeds.hpp"

namespace lbm::cases {

// Measures, or reads what was measured by this program on a device of this name: from the directory
// of the environment variable LBM_CACHE_DIR, else XDG_CACHE_HOME/lbm, else ~/.cache/lbm. A file
// that cannot be read or written is ignored, and so is one with numbers that no measurement gives.
// Where memory was too little to measure all, nothing is kept. budget: bytes of device memory that
// measuring may take.
DeviceSpeeds speeds_of(Backend& backend, std::uint64_t budget);

// As speeds_of, never reading; the file is written anew.
DeviceSpeeds measure_and_keep(Backend& backend, std::uint64_t budget);

// That file, of the device of this name; empty where no directory is known.
std::optional<std::filesystem::path> speeds_file(const std::string& device);

io::Json speeds_json(const DeviceSpeeds& speeds);
// The way back. Empty for a value that speeds_json() of this program does not give.
std::optional<DeviceSpeeds> speeds_in(const io::Json& json);

}  // namespace lbm::cases
