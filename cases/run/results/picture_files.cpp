// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/picture_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/run/results/field_files.hpp"
#include "io/files/place.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

using fields::Kind;

struct Source {
  Kind field;
  int component = 0;  // -1: the magnitude
};

Source source_of(PictureQuantity quantity) {
  static constexpr std::array<Source, 11> all{{{Kind::velocity, -1},
                                               {Kind::velocity, 0},
                                               {Kind::velocity, 1},
                                               {Kind::velocity, 2},
                                               {Kind::density},
                                               {Kind::pressure},
                                               {Kind::vorticity, -1},
                                               {Kind::vorticity, 0},
                                               {Kind::vorticity, 1},
                                               {Kind::vorticity, 2},
                                               {Kind::q_criterion}}};
  static_assert(all.size() == enum_names(PictureQuantity{}).size());
  return all[static_cast<std::size_t>(quantity)];
}

// Takes those of cells from ... to - 1 of a field with components.
void take_numbers(const Source& source, std::span<const float> field, std::size_t from,
                  std::size_t to, std::span<float> numbers) {
  const auto components = static_cast<std::size_t>(components_of(source.field));
  const auto cells = field.subspan(components * from, components * (to - from));
  const auto taken = numbers.subspan(from, to - from);
  if (source.component < 0) return fields::magnitude(cells, taken);
  const auto component = static_cast<std::size_t>(source.component);
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = cells[components * i + component];
}

std::uint64_t columns_of(const tiling::FieldBox& box, const Picture& picture) {
  const auto [right, up] = picture_axes(normal_axis(picture));
  return static_cast<std::uint64_t>(box.count[right]) * static_cast<std::uint64_t>(box.count[up]);
}

// Bytes of a picture's buffers, for all times at which planes are still missing.
std::uint64_t gathered_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture) {
  // Two sweeps overlap. More pictures in a sweep (Sweep::early) need more memory.
  constexpr std::int64_t under_way = 2, bytes_a_column = 20;  // gathered, and as the file
  const FieldOutput output = fields_of(lbm_case, derived, picture);
  const auto box = region_box(lbm_case, derived, output.region);
  const auto times = static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(schedule_of(output, derived).count(), 1, under_way));
  return times * (picture.surface ? SurfaceFile::bytes(box.plane_cells())
                                  : bytes_a_column * columns_of(box, picture));
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
  const auto [width, height] = picture.size.value_or(std::array<std::int64_t, 2>{1280, 1440});
  return 3 * static_cast<std::uint64_t>(width * height) +
         (picture.surface ? 0 : sizeof(float) * columns_of(box, picture));
}

std::uint64_t pictures_bytes(const Case& lbm_case, const Derived& derived) {
  std::uint64_t bytes = 0;
  for (const Picture& picture : lbm_case.pictures) {
    bytes += gathered_bytes(lbm_case, derived, picture);
  }
  return bytes;
}

PictureFiles::PictureFiles(const ResultContext& context, const Picture& picture, Notices& notices)
    : context_(context),
      picture_(picture),
      fields_(fields_of(context.lbm_case, context.model.derived, picture)),
      planes_(context.lbm_case, context.model, fields_),
      schedule_(schedule_of(fields_, context.model.derived)),
      units_(file_units(context.lbm_case, context.model.derived, picture.units)),
      notices_(notices) {}

bool PictureFiles::wants(std::int64_t step) const {
  return schedule_.contains(step) || (picture_.at_end && step == context_.last_step);
}

std::uint64_t PictureFiles::host_bytes() const {
  return gathered_bytes(context_.lbm_case, context_.model.derived, picture_);
}

std::string PictureFiles::head(std::int64_t step) const {
  const Picture& p = picture_;
  const auto& box = planes_.box().wanted;
  io::Json head{{"title", context_.lbm_case.name},
                {"name", p.name},
                {"step", step},
                {"time", static_cast<double>(step) * units_.time},
                {"units", units_.physical                           ? "physical"
                          : units_.text == file_units_text::lattice ? "lattice"
                                                                    : "reference"},
                {"cell", units_.scales.length},
                {"begin", box.begin},
                {"cells", box.count},
                {"quantity", to_string(p.quantity)},
                {"scale", units_.scales.of(source_of(p.quantity).field)}};
  if (p.size) head["size"] = *p.size;
  if (p.colours) head["colours"] = to_string(*p.colours);
  if (p.range) head["range"] = *p.range;
  if (p.surface) {
    head["surface"] = to_string(*p.surface);
    head["value"] = *p.value;
    head["view"] = p.view.value_or(default_view);
    head["up"] = p.up.value_or(2);
  } else {
    head["normal"] = normal_axis(p);
    if (p.project) head["by"] = to_string(p.by);
  }
  return head.dump() + "\n";
}

io::Place PictureFiles::file(std::int64_t step) const {
  return context_.directory.file(fmt::format("{}_{:09d}.picture", picture_.name, step));
}

void PictureFiles::begin(std::int64_t step) {
  const auto& box = planes_.box().wanted;
  const auto add = [&](auto gathered) {
    begun_.emplace(step,
                   Begun{fields::PlaneWindow(planes_.grid(), planes_.box(), planes_.threads()),
                         walls_at(context_.lbm_case, context_.model, step), std::move(gathered)});
  };
  try {
    if (!picture_.surface) return add(PictureValues(box.count, normal_axis(picture_), picture_.by));
    const double value = *picture_.value / units_.scales.of(source_of(*picture_.surface).field);
    add(SurfaceFile(box.count, static_cast<float>(value), picture_.bodies, file(step), head(step)));
  } catch (const std::bad_alloc&) {
    throw ResourceError(
        fmt::format("{}: out of memory for {} x {} x {} cells: have fewer pictures at a time",
                    where(context_.lbm_case, "pictures." + picture_.name), box.count[0],
                    box.count[1], box.count[2]));
  }
}

void PictureFiles::add_plane(std::int64_t step, int z, std::span<const float> drho,
                             std::span<const float> velocity) {
  Begun& picture = begun_.at(step);
  planes_.add(picture.window, picture.walls, z, {drho, velocity},
              [&](int at, const auto& arrays) { take(step, planes_.index(at), arrays); });
  if (!complete_.empty() && complete_.back() == step) begun_.erase(step);
}

void PictureFiles::take(std::int64_t step, int z, std::span<const std::span<const float>> arrays) {
  auto& gathered = begun_.at(step).gathered;
  auto& [numbers, on_surface] = of_planes_;
  const std::span<const float> solid = arrays[1];
  for (auto& of_plane : of_planes_) of_plane.resize(solid.size());
  in_parts(planes_.threads(), solid.size(), [&](std::size_t from, std::size_t to) {
    take_numbers(source_of(picture_.quantity), arrays[0], from, to, of_planes_[0]);
    if (picture_.surface) {
      take_numbers(source_of(*picture_.surface), arrays[2], from, to, of_planes_[1]);
      return;
    }
    for (std::size_t i = from; i < to; ++i) {
      if (solid[i] != 0) of_planes_[0][i] = std::numeric_limits<float>::quiet_NaN();
    }
  });
  if (auto* surface = std::get_if<SurfaceFile>(&gathered)) {
    surface->add_plane(z, {on_surface, numbers, solid}, planes_.threads());
    if (!surface->is_complete()) return;
    any_above_ |= surface->any_above();
    any_below_ |= surface->any_below();
    surface->commit();
  } else {
    auto& values = std::get<PictureValues>(gathered);
    values.add_plane(z, numbers, planes_.threads());
    if (!values.is_complete()) return;
    const std::vector<float> all = values.values();
    std::string text = head(step);
    text.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float));
    io::write_file_atomically(file(step), text);
  }
  complete_.push_back(step);
}

std::vector<std::string> PictureFiles::files() const {
  std::vector<std::string> names;
  for (const std::int64_t step : complete_) {
    const std::string data = file(step).path().filename().string();
    const bool there = file(step).open(O_RDONLY).valid();
    names.push_back(there ? data : data.substr(0, data.rfind('.')) + ".png");
  }
  return names;
}

void PictureFiles::finish(std::int64_t) {
  if (any_above_ == any_below_) return;
  notices_.warn(
      fmt::format("{}: found {}, which no picture of this run meets: {} is {} it everywhere",
                  where(context_.lbm_case, "pictures." + picture_.name + ".value"), *picture_.value,
                  to_string(*picture_.surface), any_below_ ? "below" : "above"));
}

void PictureFiles::continue_files(std::int64_t step) {
  for (const std::string& name : context_.directory.names()) {
    for (const char* ending : {".png", ".picture"}) {
      const auto of_picture = step_of_file(name, picture_.name, ending);
      // Errors are ignored: a remaining picture only takes space.
      if (of_picture && *of_picture > step) (void)context_.directory.file(name).remove();
    }
  }
}

}  // namespace lbm::cases
