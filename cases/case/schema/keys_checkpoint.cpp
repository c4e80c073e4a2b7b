// SPDX-License-Identifier: Apache-2.0

// Key table: checkpoints.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {

using namespace value_types;

void add_checkpoint_keys(Parts& parts) {
  const auto checkpoint = keys_of_case(parts).group("checkpoint", &Case::checkpoint);
  checkpoint.add("every_steps", &CheckpointKeys::every_steps, whole(1, max_steps), "never",
                 "Interval of checkpoints in steps; `lbm run --restart` continues from one.");
  checkpoint.add("every_minutes", &CheckpointKeys::every_minutes, number(positive), "never",
                 "Interval of further checkpoints in minutes of wall-clock time; at most one "
                 "checkpoint a sweep.");
  checkpoint.add("at_end", &CheckpointKeys::at_end, boolean(), "false",
                 "Write a checkpoint at the end, to continue with a later end.");
  checkpoint.add("on_signal", &CheckpointKeys::on_signal, boolean(), "true",
                 "Write a checkpoint before the run ends by a signal (SIGINT, SIGTERM, SIGHUP, "
                 "SIGUSR2, SIGXCPU).");
  checkpoint.add(
      "keep", &CheckpointKeys::keep, whole(1, 1000), "2",
      "Number of checkpoints to keep. While one is written, there is one more on the disk.");
  checkpoint.add("on_error", &CheckpointKeys::on_error, words<CheckpointKeys::OnError>(), "stop",
                 "If a checkpoint cannot be written: `stop` ends the run with exit code 4; "
                 "`continue` warns and tries again when the next one is due.");
}

}  // namespace lbm::cases::key_table
