// The PCIe link of a device, as the system describes it.
#pragma once

#include <string>
#include <string_view>

namespace lbm {

// Generation of a speed as sysfs writes it ("32.0 GT/s PCIe"): 1 to 7, 0 where it is none.
int pcie_generation(std::string_view speed);

// "PCIe 5 x16", of the link at its best; ", now PCIe 1 x16" follows where it runs slower (an idle
// device saves power). Empty where the system does not tell. `devices` is where it would.
std::string pci_link(const std::string& pci_id,
                     const std::string& devices = "/sys/bus/pci/devices");

}  // namespace lbm
