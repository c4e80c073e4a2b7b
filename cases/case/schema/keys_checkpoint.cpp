// Key table: checkpoints.
#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/key_types.hpp"

namespace lbm::cases::key_table {

using namespace key_types;

void add_checkpoint_keys(Parts& parts) {
  using OnError = CheckpointKeys::OnError;
  add(parts, whole(
                 {"checkpoint.every_steps", "never",
                  "Interval of checkpoints in steps; `lbm run --restart` continues from one."},
                 {1, max_steps}, [](auto& c) -> auto& { return c.checkpoint.every_steps; }));
  add(parts, number(
                 {"checkpoint.every_minutes", "never",
                  "Interval of further checkpoints in minutes of wall-clock time."},
                 0, [](auto& c) -> auto& { return c.checkpoint.every_minutes; }));
  add(parts, boolean(
                 {"checkpoint.at_end", "false",
                  "Write a checkpoint at the end, to continue with a later end."},
                 [](auto& c) -> auto& { return c.checkpoint.at_end; }));
  add(parts, boolean(
                 {"checkpoint.on_signal", "true",
                  "Write a checkpoint before the run ends by SIGINT or SIGTERM."},
                 [](auto& c) -> auto& { return c.checkpoint.on_signal; }));
  add(parts, whole(
                 {"checkpoint.keep", "2",
                  "Number of checkpoints to keep. While one is written, there is one more on the "
                  "disk."},
                 {1, 1000}, [](auto& c) -> auto& { return c.checkpoint.keep; }));
  add(parts, word<OnError>(
                 {"checkpoint.on_error", "stop",
                  "If a checkpoint cannot be written: `stop` ends the run with exit code 4; "
                  "`continue` warns and tries again when the next one is due."},
                 {{"stop", OnError::stop}, {"continue", OnError::go_on}},
                 [](auto& c) -> auto& { return c.checkpoint.on_error; }));
}

}  // namespace lbm::cases::key_table
