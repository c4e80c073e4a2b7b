// SPDX-License-Identifier: Apache-2.0

// The PCIe link of a device, as the system describes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/machine/system_files.hpp"

namespace lbm {

// PCIe generation of a speed in the form of sysfs ("32.0 GT/s PCIe"): 1 to 7; 0: none.
int pcie_generation(std::string_view speed);

// The fastest state of the link, "PCIe 5 x16"; ", now PCIe 1 x16" follows where it runs slower (an
// idle device saves power). Empty: unknown.
std::string pci_link(const std::string& pci_id, const SystemFiles& files);

// The PCI ids ("0000:17:00.0") of NVIDIA's graphics devices that the system sees, whether CUDA can
// use them or not.
std::vector<std::string> nvidia_pci_ids(const SystemFiles& files);

}  // namespace lbm
