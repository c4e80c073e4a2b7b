// SPDX-License-Identifier: Apache-2.0

// The data of a series of pictures: NAME_000001200.picture, which Python draws as
// NAME_000001200.png and removes (python/lbm/pictures). A file is a line of JSON, the head, and
// then little-endian float32: the numbers of PictureValues, or the points of SurfaceFile; both in
// lattice units.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/case/case_location.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/run/pictures/picture_data.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/plane_files.hpp"
#include "io/files/place.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

using fields::Kind;

struct Source {
  Kind field;
  int component;  // -1: the magnitude
};

// The quantities of a vector follow each other: its magnitude, then x, y, z.
Source source_of(PictureQuantity quantity) {
  using enum PictureQuantity;
  const auto of_vector = [&](Kind field, PictureQuantity magnitude) {
    return Source{field, static_cast<int>(quantity) - static_cast<int>(magnitude) - 1};
  };
  if (quantity <= velocity_z) return of_vector(Kind::velocity, speed);
  if (quantity == density) return {Kind::density, 0};
  if (quantity == pressure) return {Kind::pressure, 0};
  if (quantity <= vorticity_z) return of_vector(Kind::vorticity, vorticity);
  if (quantity >= scalar) {
    const auto number = static_cast<std::size_t>(quantity) - static_cast<std::size_t>(scalar);
    return {fields::scalar_kind(number), 0};
  }
  return {Kind::q_criterion, 0};
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

// The data file of one picture. Arrays: the coloured field, the solid mask, the field of the
// surface.
class PictureWriter final : public io::ImageWriter {
 public:
  // value: of an isosurface, in lattice units.
  PictureWriter(const Picture& picture, const std::array<int, 3>& cells, double value,
                const io::Place& place, std::string head, int threads)
      : picture_(picture), head_(std::move(head)), threads_(threads) {
    place_ = place;
    if (picture.surface) {
      surface_.emplace(cells, static_cast<float>(value), picture.bodies, place, head_);
    } else {
      values_.emplace(cells, normal_axis(picture), picture.by);
    }
  }

  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    const std::span<const float> solid = arrays[1];
    coloured_.resize(solid.size());
    on_surface_.resize(surface_ ? solid.size() : 0);
    in_parts(threads_, solid.size(), [&](std::size_t from, std::size_t to) {
      take_numbers(source_of(picture_.quantity), arrays[0], from, to, coloured_);
      if (surface_) {
        take_numbers(source_of(*picture_.surface), arrays[2], from, to, on_surface_);
        return;
      }
      for (std::size_t i = from; i < to; ++i) {
        if (solid[i] != 0) coloured_[i] = std::numeric_limits<float>::quiet_NaN();
      }
    });
    if (surface_) return surface_->add_plane(z, {on_surface_, coloured_, solid}, threads_);
    values_->add_plane(z, coloured_, threads_);
  }

  void close() override {
    if (surface_) return surface_->commit();
    const std::vector<float> all = values_->values();
    head_.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float));
    io::write_file_atomically(place_, head_);
  }

  bool any_above() const { return surface_ && surface_->any_above(); }
  bool any_below() const { return surface_ && surface_->any_below(); }

 private:
  const Picture& picture_;
  std::string head_;
  int threads_;
  std::optional<PictureValues> values_;  // or:
  std::optional<SurfaceFile> surface_;
  std::vector<float> coloured_, on_surface_;  // numbers of a plane
};

// An output whose files Python draws and removes.
class PictureFiles final : public PlaneFiles {
 public:
  PictureFiles(const ResultContext& context, const Picture& picture, Notices& notices)
      : PlaneFiles(context, fields_of(context.lbm_case, context.model.derived, picture)),
        picture_(picture),
        units_(file_units(context.lbm_case, context.model.derived, picture.units)),
        notices_(notices) {}

  // Those of the data where they are there, otherwise those of the pictures.
  std::vector<std::string> files() const override {
    std::vector<std::string> names;
    for (const std::int64_t step : complete_) {
      const std::string data = file(step).path().filename().string();
      const bool there = file(step).open(O_RDONLY).valid();
      names.push_back(there ? data : data.substr(0, data.rfind('.')) + ".png");
    }
    return names;
  }
  void finish(std::int64_t) override {
    if (any_above_ == any_below_) return;
    notices_.warn(
        fmt::format("{}: found {}, which no picture of this run meets: {} is {} it everywhere",
                    where(context_.lbm_case, "pictures." + picture_.name + ".value"),
                    *picture_.value, name_of(*picture_.surface), any_below_ ? "below" : "above"));
  }
  std::string state_name() const override { return "pictures." + picture_.name; }
  void continue_files(std::int64_t step) override {
    for (const std::string& name : context_.directory.names()) {
      for (const char* ending : {".png", ".picture"}) {
        const auto of_picture = step_of_file(name, picture_.name, ending);
        // Errors are ignored: a remaining picture only takes space.
        if (of_picture && *of_picture > step) (void)context_.directory.file(name).remove();
      }
    }
  }

 private:
  std::unique_ptr<io::ImageWriter> open(std::int64_t step) override {
    const auto& cells = planes_.box().wanted.count;
    const Kind of = source_of(picture_.surface.value_or(picture_.quantity)).field;
    const double value =
        (picture_.value.value_or(0) - units_.scales.added_to(of)) / units_.scales.of(of);
    try {
      return std::make_unique<PictureWriter>(picture_, cells, value, file(step), head(step),
                                             planes_.threads());
    } catch (const std::bad_alloc&) {
      throw ResourceError(fmt::format(
          "{}: out of memory for {} x {} x {} cells: have fewer pictures at a time",
          where(context_.lbm_case, "pictures." + picture_.name), cells[0], cells[1], cells[2]));
    }
  }
  void complete(io::ImageWriter& file, std::int64_t step) override {
    file.close();
    const auto& picture = dynamic_cast<const PictureWriter&>(file);
    any_above_ |= picture.any_above();
    any_below_ |= picture.any_below();
    complete_.push_back(step);
  }

  std::string name_of(PictureQuantity quantity) const {
    const bool of_flow = quantity < PictureQuantity::scalar;
    return of_flow ? to_string(quantity) : units_.name_of(source_of(quantity).field);
  }
  std::string head(std::int64_t step) const {
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
                  {"quantity", name_of(p.quantity)},
                  {"scale", units_.scales.of(source_of(p.quantity).field)}};
    if (const double added = units_.scales.added_to(source_of(p.quantity).field); added != 0) {
      head["added"] = added;
    }
    if (p.size) head["size"] = *p.size;
    if (p.colours) head["colours"] = to_string(*p.colours);
    if (p.range) head["range"] = *p.range;
    if (p.surface) {
      head["surface"] = name_of(*p.surface);
      head["value"] = *p.value;
      head["view"] = p.view.value_or(default_view);
      head["up"] = p.up.value_or(2);
    } else {
      head["normal"] = normal_axis(p);
      if (p.project) head["by"] = to_string(p.by);
    }
    return head.dump() + "\n";
  }

  io::Place file(std::int64_t step) const {
    return context_.directory.file(fmt::format("{}_{:09d}.picture", picture_.name, step));
  }

  const Picture& picture_;
  FileUnits units_;  // of the picture
  Notices& notices_;
  bool any_above_ = false, any_below_ = false;  // of an isosurface: sides of all pictures
  std::vector<std::int64_t> complete_;          // steps
};

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
  // Two sweeps overlap. More pictures in a sweep (Sweep::early) need more memory.
  constexpr std::int64_t under_way = 2, bytes_a_column = 20;  // gathered, and as the file
  std::uint64_t bytes = 0;
  for (const Picture& picture : lbm_case.pictures) {
    const FieldOutput output = fields_of(lbm_case, derived, picture);
    const auto box = region_box(lbm_case, derived, output.region);
    const auto times = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(schedule_of(output, derived).count(), 1, under_way));
    bytes += times * (picture.surface ? SurfaceFile::bytes(box.plane_cells())
                                      : bytes_a_column * columns_of(box, picture));
  }
  return bytes;
}

ConsumerPtr make_picture_files(const ResultContext& context, const Picture& picture,
                               Notices& notices) {
  return std::make_unique<PictureFiles>(context, picture, notices);
}

}  // namespace lbm::cases
