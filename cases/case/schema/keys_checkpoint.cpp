// The table: when the state of a run is saved.
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
                  "Save the whole state every so many steps, so that `lbm run --restart` can go on "
                  "from there."},
                 {1, max_steps}, [](auto& c) -> auto& { return c.checkpoint.every_steps; }));
  add(parts, number(
                 {"checkpoint.every_minutes", "never", "And every so many minutes of the clock."},
                 0, [](auto& c) -> auto& { return c.checkpoint.every_minutes; }));
  add(parts, boolean(
                 {"checkpoint.at_end", "false", "And at the end, to go on with a later end."},
                 [](auto& c) -> auto& { return c.checkpoint.at_end; }));
  add(parts, boolean(
                 {"checkpoint.on_signal", "true", "And before the run ends by SIGINT or SIGTERM."},
                 [](auto& c) -> auto& { return c.checkpoint.on_signal; }));
  add(parts, whole(
                 {"checkpoint.keep", "2",
                  "Checkpoints that are kept. For a moment there is one more on the disk."},
                 {1, 1000}, [](auto& c) -> auto& { return c.checkpoint.keep; }));
  add(parts, word<OnError>(
                 {"checkpoint.on_error", "stop",
                  "Where a checkpoint cannot be written: end the run with exit code 4 (`stop`), or "
                  "warn, go on and try again when the next one is due (`continue`)."},
                 {{"stop", OnError::stop}, {"continue", OnError::go_on}},
                 [](auto& c) -> auto& { return c.checkpoint.on_error; }));
}

}  // namespace lbm::cases::key_table
