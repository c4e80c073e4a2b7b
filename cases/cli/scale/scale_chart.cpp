#include "cases/cli/scale/scale_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace lbm::cases {
namespace {

constexpr double width = 640, height = 420, left = 80, right = 170, top = 40, bottom = 60;
constexpr std::array<const char*, 6> colours = {"#1f5fa8", "#c2512a", "#3a8a4d",
                                                "#7a4fa0", "#9a7b16", "#4a4a4a"};

using Points = std::vector<std::pair<double, double>>;  // processes, MLUPS

// Both axes are logarithmic: what scales is a straight line.
class Axes {
 public:
  Axes(double most_processes, double least_speed, double most_speed)
      : most_x_(std::max(2.0, most_processes)),
        least_y_(least_speed / 1.3),
        most_y_(most_speed * 1.3) {}

  double x(double processes) const {
    return left + (width - left - right) * std::log(processes) / std::log(most_x_);
  }
  double y(double mlups) const {
    return height - bottom -
           (height - top - bottom) * std::log(mlups / least_y_) / std::log(most_y_ / least_y_);
  }
  // 1, 2, 5, 10, 20 ... of the range.
  std::vector<double> speed_ticks() const {
    std::vector<double> ticks;
    for (double decade = std::pow(10, std::floor(std::log10(least_y_))); decade < most_y_;
         decade *= 10) {
      for (const double step : {1.0, 2.0, 5.0}) {
        const double tick = decade * step;
        if (tick >= least_y_ && tick <= most_y_) ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  double most_x_, least_y_, most_y_;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string curve(const Axes& axes, const Points& points, const char* colour, bool dashed) {
  std::string svg = fmt::format(
      "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} "
      "points=\"",
      colour, dashed ? " stroke-dasharray=\"5 4\"" : "");
  for (const auto& [p, v] : points) svg += fmt::format("{:.1f},{:.1f} ", axes.x(p), axes.y(v));
  svg += "\"/>\n";
  for (const auto& [p, v] : points) {
    if (dashed) break;
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", axes.x(p),
                       axes.y(v), colour);
  }
  return svg;
}

std::string frame(const Axes& axes, const std::vector<double>& processes,
                  const std::string& title) {
  std::string svg = text_at(left, top - 16, "start", title);
  for (const double tick : axes.speed_ticks()) {
    svg += line(left, axes.y(tick), width - right, axes.y(tick), "#dddddd");
    svg += text_at(left - 8, axes.y(tick) + 4, "end", fmt::format("{:.0f}", tick));
  }
  for (const double p : processes) {
    svg += line(axes.x(p), height - bottom, axes.x(p), height - bottom + 5, "#333333");
    svg += text_at(axes.x(p), height - bottom + 20, "middle", fmt::format("{:.0f}", p));
  }
  svg += line(left, height - bottom, width - right, height - bottom, "#333333");
  svg += text_at((left + width - right) / 2, height - 16, "middle", "processes");
  return svg + text_at(12, top - 16, "start", "MLUPS");
}

std::string chart(const std::vector<ScaleRow>& rows, Scaling scaling) {
  std::map<int, std::pair<Points, Points>> curves;  // by planes: measured, foretold
  std::vector<double> processes, speeds;
  for (const ScaleRow& row : rows) {
    if (row.point.scaling != scaling || !row.failure.empty() || row.mlups <= 0) continue;
    const double p = row.point.processes;
    processes.push_back(p);
    speeds.push_back(row.mlups);
    auto& [measured, foretold] = curves[row.point.planes];
    measured.emplace_back(p, row.mlups);
    if (!row.predicted_mlups) continue;
    foretold.emplace_back(p, *row.predicted_mlups);
    speeds.push_back(*row.predicted_mlups);
  }
  if (processes.empty()) return "";
  const auto [least, most] = std::minmax_element(speeds.begin(), speeds.end());
  const Axes axes(*std::max_element(processes.begin(), processes.end()), *least, *most);
  std::string svg =
      frame(axes, processes, fmt::format("{} scaling (dashed: the model)", to_string(scaling)));
  std::size_t i = 0;
  for (const auto& [planes, both] : curves) {
    const char* const colour = colours[i % colours.size()];
    svg += curve(axes, both.first, colour, false) + curve(axes, both.second, colour, true);
    const double y = top + 20.0 * static_cast<double>(++i);
    svg += line(width - right + 14, y - 4, width - right + 34, y - 4, colour);
    svg += text_at(width - right + 40, y, "start",
                   fmt::format("{} planes{}", planes, scaling == Scaling::weak ? " each" : ""));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "{2}</svg>\n",
      width, height, svg);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> scale_charts(const std::vector<ScaleRow>& rows) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Scaling scaling : {Scaling::weak, Scaling::strong}) {
    std::string svg = chart(rows, scaling);
    if (!svg.empty()) files.emplace_back(fmt::format("{}.svg", to_string(scaling)), std::move(svg));
  }
  return files;
}

}  // namespace lbm::cases
