#include "src/report/plot/drawing.hpp"

#include "src/report/plot/page.hpp"

#include <fmt/format.h>

#include <utility>

namespace bcr::report {

namespace {

/// A tenth of a pixel is finer than any screen; fewer digits make small pages.
std::string pixels(const double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string point_list(const std::span<const Point> points) {
  std::string list;
  for (const Point& point : points) {
    if (!list.empty()) list += ' ';
    list += pixels(point.x) + ',' + pixels(point.y);
  }
  return list;
}

constexpr std::string_view anchor_name(const Anchor anchor) {
  return anchor == Anchor::start ? "start" : (anchor == Anchor::middle ? "middle" : "end");
}

}  // namespace

Drawing::Drawing(const double width, const double height, std::string title)
    : width_(width), height_(height), title_(std::move(title)) {}

void Drawing::shape(const std::string_view tag, const std::string_view attributes, const std::string_view classes,
                    const std::string_view tip) {
  body_ += fmt::format("<{} {} class=\"{}\"", tag, attributes, classes);
  body_ += tip.empty() ? std::string("/>\n") : fmt::format("><title>{}</title></{}>\n", escape(tip), tag);
}

void Drawing::line(const Point from, const Point to, const std::string_view classes) {
  shape("line",
        fmt::format(R"(x1="{}" y1="{}" x2="{}" y2="{}")", pixels(from.x), pixels(from.y), pixels(to.x), pixels(to.y)),
        classes, {});
}

void Drawing::polyline(const std::span<const Point> points, const std::string_view classes,
                       const std::string_view tip) {
  if (!points.empty()) shape("polyline", fmt::format(R"(points="{}")", point_list(points)), classes, tip);
}

void Drawing::polygon(const std::span<const Point> points, const std::string_view classes, const std::string_view tip) {
  if (!points.empty()) shape("polygon", fmt::format(R"(points="{}")", point_list(points)), classes, tip);
}

void Drawing::circle(const Point centre, const double radius, const std::string_view classes,
                     const std::string_view tip) {
  shape("circle", fmt::format(R"(cx="{}" cy="{}" r="{}")", pixels(centre.x), pixels(centre.y), pixels(radius)), classes,
        tip);
}

void Drawing::rectangle(const Point top_left, const Point bottom_right, const std::string_view classes,
                        const double opacity, const std::string_view tip) {
  std::string attributes =
      fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", pixels(top_left.x), pixels(top_left.y),
                  pixels(bottom_right.x - top_left.x), pixels(bottom_right.y - top_left.y));
  if (opacity < 1) attributes += fmt::format(R"( fill-opacity="{:.3g}")", opacity);
  shape("rect", attributes, classes, tip);
}

void Drawing::text(const Point at, const std::string_view words, const std::string_view classes, const Anchor anchor) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", pixels(at.x),
                       pixels(at.y), classes, anchor_name(anchor), escape(words));
}

void Drawing::upright_text(const Point at, const std::string_view words, const std::string_view classes) {
  body_ +=
      fmt::format("<text transform=\"translate({} {}) rotate(-90)\" class=\"{}\" text-anchor=\"middle\">{}</text>\n",
                  pixels(at.x), pixels(at.y), classes, escape(words));
}

std::string Drawing::element() const {
  return fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     pixels(width_), pixels(height_), escape(title_), body_);
}

std::string Drawing::file() const {
  constexpr std::string_view paper =
      "svg.plot{background:#fff}@media (prefers-color-scheme:dark){svg.plot{background:#1b1e24}}\n";
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<title>{2}</title>\n<style>\n{3}{4}</style>\n{5}</svg>\n",
      pixels(width_), pixels(height_), escape(title_), plot_style(), paper, body_);
}

std::string series_class(const std::size_t index) {
  return fmt::format("s{}", index == neutral_colour ? 0 : index % series_colours + 1);
}

}  // namespace bcr::report
