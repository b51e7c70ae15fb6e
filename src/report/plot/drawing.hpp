#ifndef BCR_SRC_REPORT_PLOT_DRAWING_HPP
#define BCR_SRC_REPORT_PLOT_DRAWING_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bcr::report {

struct Point {
  double x = 0;
  double y = 0;
};

enum class Anchor { start, middle, end };

/// An SVG picture under construction, in pixels from the top left. Shapes carry class names; their colours come from
/// src/report/plot/plot.css, which knows light and dark. A tip is what a reader sees when pointing at the shape.
/// Coordinates must be finite.
class Drawing {
 public:
  Drawing(double width, double height, std::string title);

  double width() const { return width_; }
  double height() const { return height_; }
  const std::string& title() const { return title_; }

  void line(Point from, Point to, std::string_view classes);
  void polyline(std::span<const Point> points, std::string_view classes, std::string_view tip = {});
  void polygon(std::span<const Point> points, std::string_view classes, std::string_view tip = {});
  void circle(Point centre, double radius, std::string_view classes, std::string_view tip = {});
  /// `opacity` in [0, 1].
  void rectangle(Point top_left, Point bottom_right, std::string_view classes, double opacity = 1,
                 std::string_view tip = {});
  void text(Point at, std::string_view words, std::string_view classes, Anchor anchor = Anchor::start);
  /// Reads from bottom to top, centred.
  void upright_text(Point at, std::string_view words, std::string_view classes);

  /// The picture as part of an HTML page that has plot_style() in its style sheet.
  std::string element() const;
  /// The picture as a file of its own.
  std::string file() const;

 private:
  void shape(std::string_view tag, std::string_view attributes, std::string_view classes, std::string_view tip);

  double width_;
  double height_;
  std::string title_;
  std::string body_;
};

/// The style sheet of all plots, src/report/plot/plot.css.
std::string_view plot_style();

/// A colour that belongs to no series: grey.
inline constexpr std::size_t neutral_colour = static_cast<std::size_t>(-1);

/// The class that gives the i-th series its colour and dash; they repeat after `series_colours`.
inline constexpr std::size_t series_colours = 8;
std::string series_class(std::size_t index);

}  // namespace bcr::report

#endif
