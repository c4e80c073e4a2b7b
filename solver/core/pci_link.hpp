// SPDX-License-Identifier: Apache-2.0

// The PCIe link of a device, as the system describes it.
#pragma once

#include <string>
#include <string_view>

namespace lbm {

// PCIe generation of a speed in the form of sysfs ("32.0 GT/s PCIe"): 1 to 7; 0: none.
int pcie_generation(std::string_view speed);

// The fastest state of the link, "PCIe 5 x16"; ", now PCIe 1 x16" follows where it runs slower (an
// idle device saves power). Empty: unknown. devices: the directory of the system's descriptions.
std::string pci_link(const std::string& pci_id,
                     const std::string& devices = "/sys/bus/pci/devices");

}  // namespace lbm
