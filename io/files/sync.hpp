// SPDX-License-Identifier: Apache-2.0

// Waiting until the disk has what was written.
#pragma once

namespace lbm::io {

// Waits until the disk has all data of the open file, or all names of the open directory. A signal
// does not end the wait. Returns 0 or an errno. After an error the system may have dropped the
// data: calling again proves nothing.
int sync_to_disk(int fd);

}  // namespace lbm::io
