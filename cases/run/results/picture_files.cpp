// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/picture_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/model/regions.hpp"
#include "cases/run/pictures/picture_page.hpp"
#include "cases/run/results/field_files.hpp"
#include "io/picture/png_file.hpp"

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

std::optional<ColourLimits> given_limits(const Picture& picture) {
  if (!picture.range) return std::nullopt;
  return ColourLimits{(*picture.range)[0], (*picture.range)[1]};
}

io::ColourMap colours_of(const Picture& picture) {
  const bool signs = source_of(picture.quantity).kind == NumberKind::both_signs;
  return picture.colours.value_or(signs ? io::ColourMap::coolwarm : io::ColourMap::viridis);
}

std::array<int, 2> cells_across(const tiling::FieldBox& box, const Picture& picture) {
  const auto axes = picture_axes(normal_axis(picture));
  return {box.count[axes[0]], box.count[axes[1]]};
}

}  // namespace

FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture) {
  FieldOutput output;
  output.name = picture.name;
  output.fields = {source_of(picture.quantity).field, Kind::solid};
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
  const PageSize size = page_size(picture, cells_across(box, picture));
  return sizeof(io::Colour) * static_cast<std::uint64_t>(size.width) *
         static_cast<std::uint64_t>(size.height);
}

PictureFiles::PictureFiles(const ResultContext& context, const Picture& picture)
    : context_(context),
      picture_(picture),
      fields_(fields_of(context.lbm_case, context.model.derived, picture)),
      planes_(context.lbm_case, context.model, fields_),
      schedule_(schedule_of(fields_, context.model.derived)),
      units_(file_units(context.lbm_case, context.model.derived, picture.units)),
      range_(source_of(picture.quantity).kind, given_limits(picture)) {}

bool PictureFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (picture_.at_end && step == context_.last_step);
}

std::uint64_t PictureFiles::host_bytes() const {
  const auto cells = cells_across(planes_.box().wanted, picture_);
  constexpr std::uint64_t bytes_a_cell = 24;  // gathered, as a field, and sorted for its limits
  return bytes_a_cell * static_cast<std::uint64_t>(cells[0]) *
             static_cast<std::uint64_t>(cells[1]) +
         predicted_bytes(context_.lbm_case, context_.model.derived, picture_);
}

void PictureFiles::begin(std::int64_t step) {
  const auto& wanted = planes_.box().wanted;
  begun_.emplace(step, Begun{fields::PlaneWindow(planes_.grid(), planes_.box()),
                             walls_at(context_.lbm_case, context_.model, step),
                             PictureValues(wanted.count, normal_axis(picture_), picture_.by)});
}

std::span<const float> PictureFiles::numbers_of(std::span<const float> field) {
  const Source source = source_of(picture_.quantity);
  if (components_of(source.field) == 1) return field;
  if (source.component < 0) {
    fields::magnitude(field, numbers_);
    return numbers_;
  }
  numbers_.resize(field.size() / 3);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    numbers_[i] = field[3 * i + static_cast<std::size_t>(source.component)];
  }
  return numbers_;
}

void PictureFiles::add_plane(std::int64_t step, int z, std::span<const float> density,
                             std::span<const float> velocity) {
  Begun& picture = begun_.at(step);
  planes_.add(picture.window, picture.walls, z, {density, velocity},
              [&](int at, const auto& arrays) {
                picture.values.add_plane(planes_.index(at), numbers_of(arrays[0]), arrays[1]);
              });
  // In the order of time, for the limits of the colours: a later slice may be complete before an
  // earlier one.
  while (!begun_.empty() && begun_.begin()->second.values.is_complete()) {
    const auto first = begun_.extract(begun_.begin());
    write(first.key(), first.mapped().values);
  }
}

void PictureFiles::write(std::int64_t step, const PictureValues& values) {
  const PictureField field = values.field(units_.scales.of(source_of(picture_.quantity).field));
  PageStyle style;
  style.size = page_size(picture_, {field.width, field.height});
  style.limits = range_.next(field.values);
  style.colours = colours_of(picture_);
  style.cell_length = units_.scales.length;
  const PictureText text =
      picture_text(context_.lbm_case, picture_, units_, planes_.box().wanted, step);
  const std::string name = fmt::format("{}_{:09d}.png", picture_.name, step);
  io::write_png(context_.directory.file(name), draw_page(field, style, text, units_));
  files_.push_back(name);
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
