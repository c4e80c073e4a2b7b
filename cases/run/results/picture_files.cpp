// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/picture_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/run/pictures/surface_page.hpp"
#include "cases/run/results/field_files.hpp"
#include "io/picture/png_file.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using fields::Kind;

struct Source {
  Kind field;
  int component;  // -1: the magnitude; 0 for scalars
  NumberKind kind;
};

Source source_of(PictureQuantity quantity) {
  using Q = PictureQuantity;
  constexpr auto signs = NumberKind::both_signs;
  switch (quantity) {
    case Q::speed:
      return {Kind::velocity, -1, NumberKind::not_negative};
    case Q::velocity_x:
      return {Kind::velocity, 0, signs};
    case Q::velocity_y:
      return {Kind::velocity, 1, signs};
    case Q::velocity_z:
      return {Kind::velocity, 2, signs};
    case Q::density:
      return {Kind::density, 0, NumberKind::any};
    case Q::pressure:
      return {Kind::pressure, 0, NumberKind::any};
    case Q::vorticity:
      return {Kind::vorticity, -1, NumberKind::not_negative};
    case Q::vorticity_x:
      return {Kind::vorticity, 0, signs};
    case Q::vorticity_y:
      return {Kind::vorticity, 1, signs};
    case Q::vorticity_z:
      return {Kind::vorticity, 2, signs};
    case Q::q_criterion:
      return {Kind::q_criterion, 0, signs};
  }
  return {Kind::velocity, -1, NumberKind::not_negative};
}

// Without derivatives. velocity: its three components.
float number_of(const Source& source, float drho, const float* velocity) {
  if (source.field == Kind::density) return 1 + drho;
  if (source.field == Kind::pressure) return drho / 3;
  if (source.component >= 0) return velocity[source.component];
  return std::sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] +
                   velocity[2] * velocity[2]);
}

std::optional<ColourLimits> given_limits(const Picture& picture) {
  if (!picture.range) return std::nullopt;
  return ColourLimits{(*picture.range)[0], (*picture.range)[1]};
}

io::ColourMap colours_of(const Picture& picture) {
  const bool signs = source_of(picture.quantity).kind == NumberKind::both_signs;
  return picture.colours.value_or(signs ? io::ColourMap::coolwarm : io::ColourMap::viridis);
}

// Extent of the flow in a picture to the right and upwards, in cells.
std::array<double, 2> extent_of(const tiling::FieldBox& box, const Picture& picture) {
  if (picture.surface) {
    const Outline outline = outline_of(view_of(picture), box.count);
    return {outline.width, outline.height};
  }
  const auto axes = picture_axes(normal_axis(picture));
  return {1.0 * box.count[axes[0]], 1.0 * box.count[axes[1]]};
}

// The numbers of cells from ... to - 1 of a field with components.
void take_numbers(const Source& source, std::span<const float> field, std::size_t from,
                  std::size_t to, std::span<float> numbers) {
  const auto components = static_cast<std::size_t>(components_of(source.field));
  const auto cells = field.subspan(components * from, components * (to - from));
  const auto taken = numbers.subspan(from, to - from);
  if (components == 1) {
    std::copy(cells.begin(), cells.end(), taken.begin());
  } else if (source.component < 0) {
    fields::magnitude(cells, taken);
  } else {
    const auto component = static_cast<std::size_t>(source.component);
    for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = cells[components * i + component];
  }
}

// Pictures that lack planes at the same time: of two sweeps that overlap. More of them in a sweep
// (Sweep::early) need more memory.
constexpr std::uint64_t under_way = 2;

// Bytes of a picture's buffers, for all times at which planes are still missing.
std::uint64_t gathered_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture) {
  const FieldOutput output = fields_of(lbm_case, derived, picture);
  const auto box = region_box(lbm_case, derived, output.region);
  const auto extent = extent_of(box, picture);
  const auto times =
      static_cast<std::uint64_t>(std::max<std::int64_t>(schedule_of(output, derived).count(), 1));
  if (picture.surface) {
    const FlowArea area = flow_area(page_size(picture, extent), extent);
    return std::min(times, under_way) * (DepthBuffer::bytes(area.box.width, area.box.height) +
                                         SurfaceWindow::bytes(box.plane_cells()));
  }
  constexpr std::uint64_t bytes_a_cell = 24;  // gathered, as a field, and sorted for its limits
  return std::min(times, under_way) * bytes_a_cell * static_cast<std::uint64_t>(extent[0]) *
         static_cast<std::uint64_t>(extent[1]);
}

}  // namespace

FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture) {
  FieldOutput output;
  output.name = picture.name;
  output.fields = {source_of(picture.quantity).field, Kind::solid};
  if (picture.surface) output.fields.push_back(source_of(*picture.surface).field);
  output.region = picture_region(lbm_case, derived, picture);
  output.every_steps = picture.every_steps;
  output.every_time = picture.every_time;
  output.times = picture.times;
  output.at_end = picture.at_end;
  output.style.units = FieldUnits::lattice;
  return output;
}

std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived,
                              const Picture& picture) {
  const auto box = region_box(lbm_case, derived, picture_region(lbm_case, derived, picture));
  const PageSize size = page_size(picture, extent_of(box, picture));
  return sizeof(io::Colour) * static_cast<std::uint64_t>(size.width) *
         static_cast<std::uint64_t>(size.height);
}

std::uint64_t pictures_bytes(const Case& lbm_case, const Derived& derived) {
  std::uint64_t bytes = 0, page = 0;
  for (const Picture& picture : lbm_case.pictures) {
    bytes += gathered_bytes(lbm_case, derived, picture);
    page = std::max(page, predicted_bytes(lbm_case, derived, picture));
  }
  return bytes + page;
}

PictureFiles::PictureFiles(const ResultContext& context, const Picture& picture, Notices& notices)
    : context_(context),
      picture_(picture),
      fields_(fields_of(context.lbm_case, context.model.derived, picture)),
      planes_(context.lbm_case, context.model, fields_),
      schedule_(schedule_of(fields_, context.model.derived)),
      units_(file_units(context.lbm_case, context.model.derived, picture.units)),
      size_(page_size(picture, extent_of(planes_.box().wanted, picture))),
      range_(source_of(picture.quantity).kind, given_limits(picture)),
      notices_(notices) {}

bool PictureFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (picture_.at_end && step == context_.last_step);
}

double PictureFiles::scale() const { return units_.scales.of(source_of(picture_.quantity).field); }

std::uint64_t PictureFiles::host_bytes() const {
  return gathered_bytes(context_.lbm_case, context_.model.derived, picture_) +
         predicted_bytes(context_.lbm_case, context_.model.derived, picture_);
}

bool PictureFiles::Begun::is_complete() const {
  return std::visit([](const auto& some) { return some.is_complete(); }, gathered);
}

PictureFiles::Begun PictureFiles::begun(std::int64_t step) {
  const auto& box = planes_.box().wanted;
  const auto made = [&](auto gathered) {
    return Begun{fields::PlaneWindow(planes_.grid(), planes_.box(), planes_.threads()),
                 walls_at(context_.lbm_case, context_.model, step), std::move(gathered)};
  };
  if (!picture_.surface) return made(PictureValues(box.count, normal_axis(picture_), picture_.by));
  const double value = *picture_.value / units_.scales.of(source_of(*picture_.surface).field);
  return made(SurfaceWindow(box.count, static_cast<float>(value), picture_.bodies,
                            make_depth_buffer(view_of(picture_), box.count, size_)));
}

void PictureFiles::begin(std::int64_t step) {
  try {
    begun_.emplace(step, begun(step));
  } catch (const std::bad_alloc&) {
    throw ResourceError(fmt::format(
        "{}: out of memory for {} x {} pixels: make size smaller, or have fewer pictures at a time",
        where(context_.lbm_case, "pictures." + picture_.name), size_.width, size_.height));
  }
}

void PictureFiles::number_cells(int z, const fields::WallsAround& walls,
                                std::span<const float> drho, std::span<const float> velocity) {
  const auto& box = planes_.box().wanted;
  numbers_.resize(static_cast<std::size_t>(box.plane_cells()));
  const Source source = source_of(picture_.quantity);
  const auto number_rows = [&](int from, int to) {
    auto at = static_cast<std::size_t>(from) * static_cast<std::size_t>(box.count[0]);
    for (int y = box.begin[1] + from; y < box.begin[1] + to; ++y) {
      for (int x = box.begin[0]; x < box.begin[0] + box.count[0]; ++x, ++at) {
        numbers_[at] = walls.is_solid(x, y, z) ? std::numeric_limits<float>::quiet_NaN()
                                               : number_of(source, drho[at], &velocity[3 * at]);
      }
    }
  };
  in_parts(planes_.threads(), box.count[1], number_rows);
}

void PictureFiles::number_cells(std::span<const float> field, std::span<const float> solid) {
  numbers_.resize(solid.size());
  const auto number_part = [&](std::size_t from, std::size_t to) {
    take_numbers(source_of(picture_.quantity), field, from, to, numbers_);
    for (std::size_t i = from; i < to; ++i) {
      if (solid[i] != 0) numbers_[i] = std::numeric_limits<float>::quiet_NaN();
    }
  };
  in_parts(planes_.threads(), solid.size(), number_part);
}

void PictureFiles::add_surface_plane(SurfaceWindow& surface, int z, std::span<const float> field,
                                     std::span<const float> solid,
                                     std::span<const float> surface_field) {
  numbers_.resize(solid.size());
  on_surface_.resize(solid.size());
  const auto number_part = [&](std::size_t from, std::size_t to) {
    take_numbers(source_of(picture_.quantity), field, from, to, numbers_);
    take_numbers(source_of(*picture_.surface), surface_field, from, to, on_surface_);
  };
  in_parts(planes_.threads(), solid.size(), number_part);
  surface.add_plane(planes_.index(z), {on_surface_, numbers_, solid}, planes_.threads());
}

void PictureFiles::add_plane(std::int64_t step, int z, std::span<const float> drho,
                             std::span<const float> velocity) {
  Begun& picture = begun_.at(step);
  auto* const values = std::get_if<PictureValues>(&picture.gathered);
  if (values != nullptr && !planes_.box().has_halo) {
    number_cells(z, picture.walls, drho, velocity);
    values->add_plane(planes_.index(z), numbers_, planes_.threads());
  } else {
    const auto take = [&](int at, const auto& arrays) {
      if (values == nullptr) {
        return add_surface_plane(std::get<SurfaceWindow>(picture.gathered), at, arrays[0],
                                 arrays[1], arrays[2]);
      }
      number_cells(arrays[0], arrays[1]);
      values->add_plane(planes_.index(at), numbers_, planes_.threads());
    };
    planes_.add(picture.window, picture.walls, z, {drho, velocity}, take);
  }
  // In the order of time, for the limits of the colours: a later slice may be complete before an
  // earlier one.
  while (!begun_.empty() && begun_.begin()->second.is_complete()) {
    const auto first = begun_.extract(begun_.begin());
    write(first.key(), first.mapped());
  }
}

PageStyle PictureFiles::style_of(std::span<const float> numbers) {
  PageStyle style;
  style.size = size_;
  style.limits = range_.next(numbers);
  style.colours = colours_of(picture_);
  style.cell_length = units_.scales.length;
  return style;
}

io::Canvas PictureFiles::draw(std::int64_t step, const PictureValues& values) {
  const auto& box = planes_.box().wanted;
  const PictureField field = values.field(scale());
  const PageStyle style = style_of(field.values);
  return draw_page(field, style, picture_text(context_.lbm_case, picture_, units_, box, step),
                   units_);
}

io::Canvas PictureFiles::draw(std::int64_t step, const SurfaceWindow& surface) {
  const auto& box = planes_.box().wanted;
  const PageStyle style = style_of(seen_numbers(surface.buffer(), scale()));
  return draw_surface_page(surface.buffer(), box.count, scale(), style,
                           picture_text(context_.lbm_case, picture_, units_, box, step), units_);
}

void PictureFiles::write(std::int64_t step, const Begun& complete) {
  if (const auto* surface = std::get_if<SurfaceWindow>(&complete.gathered)) {
    sides_ |= surface->sides();
  }
  const std::string name = fmt::format("{}_{:09d}.png", picture_.name, step);
  io::write_png(
      context_.directory.file(name),
      std::visit([&](const auto& gathered) { return draw(step, gathered); }, complete.gathered));
  files_.push_back(name);
}

void PictureFiles::finish(std::int64_t) {
  constexpr unsigned above = 1, below = 2;  // find_sides()
  const unsigned sides = sides_ & (above | below);
  if (sides == 0 || sides == (above | below)) return;
  notices_.warn(
      fmt::format("{}: found {}, which no picture of this run meets: {} is {} it everywhere",
                  where(context_.lbm_case, "pictures." + picture_.name + ".value"), *picture_.value,
                  to_string(*picture_.surface), sides == below ? "below" : "above"));
}

io::Json PictureFiles::save_state() const {
  io::Json state = io::Json::object();
  if (const auto& limits = range_.latest()) {
    state["low"] = limits->low;
    state["high"] = limits->high;
  }
  return state;
}

void PictureFiles::load_state(const io::Json& state) {
  const bool whole = state.is_object() && state.contains("low") && state.contains("high") &&
                     state["low"].is_number() && state["high"].is_number();
  if (!whole) return range_.set_latest(std::nullopt);
  range_.set_latest(ColourLimits{state["low"].get<double>(), state["high"].get<double>()});
}

void PictureFiles::continue_files(std::int64_t step) {
  for (const std::string& name : context_.directory.names()) {
    const auto of_picture = step_of_file(name, picture_.name, ".png");
    // Errors are ignored: a remaining picture only takes space.
    if (of_picture && *of_picture > step) (void)context_.directory.file(name).remove();
  }
}

}  // namespace lbm::cases
