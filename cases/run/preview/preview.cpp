// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/preview.hpp"

#include <fmt/format.h>

#include "cases/case/derived.hpp"
#include "cases/case/model/case_shapes.hpp"
#include "cases/case/units.hpp"
#include "cases/run/output_file.hpp"
#include "cases/run/preview/preview_page.hpp"
#include "cases/run/setup/cpu_threads.hpp"
#include "io/picture/png_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

PreviewText text_of(const Case& lbm_case, const std::optional<Wind>& wind, double cell) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  PreviewText text;
  text.title = lbm_case.name;
  text.cell = lbm_case.units == UnitSystem::si ? cell : 0;
  text.lines.push_back(fmt::format("box of {} x {} x {} cells", nx, ny, nz));
  if (text.cell > 0) {
    text.lines.back() +=
        fmt::format(" = {} x {} x {}, a cell is {}", metres_text(nx * cell), metres_text(ny * cell),
                    metres_text(nz * cell), metres_text(cell));
  }
  text.lines.push_back(wind ? "arrow: the flow, from " + wind->text
                            : "no arrow: neither an inlet nor a force gives the flow a direction");
  return text;
}

}  // namespace

io::Canvas draw_preview(const Case& lbm_case) {
  const Derived derived = derive(lbm_case);
  const std::optional<Wind> wind = wind_of(lbm_case, derived);
  const PreviewText text = text_of(lbm_case, wind, make_units(lbm_case, derived).length);
  const auto& cells = lbm_case.grid.cells;
  const CaseShapes shapes = make_shapes(lbm_case, derived, TimeLimit());
  if (shapes.set == nullptr) {
    return draw_preview_page(preview_layout(cells, {}), text, wind, {});
  }
  const BodyViews views(*shapes.set, cells);
  const int threads = cpu_threads_here(1, std::int64_t{1} << 40);
  return draw_preview_page(
      preview_layout(cells, views.bounds()), text, wind,
      [&](const ViewAxes& axes, const geometry::Box& region, int width, int height) {
        return views.view(axes, region, width, height, threads);
      });
}

void check_preview_file(const std::filesystem::path& file, bool overwrite) {
  if (file.extension() != ".png") {
    throw UsageError(fmt::format("--preview {}: must end in .png", file.string()));
  }
  check_output_file("--preview", file, overwrite);
}

void write_preview(const Case& lbm_case, const std::filesystem::path& file, bool overwrite) {
  check_preview_file(file, overwrite);
  io::write_png(file, draw_preview(lbm_case));
}

}  // namespace lbm::cases
