#ifndef BCR_SRC_REPORT_PLOT_PAGE_HPP
#define BCR_SRC_REPORT_PLOT_PAGE_HPP

#include "src/report/plot/drawing.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::report {

/// Text made safe for HTML and XML, between tags and inside quoted attributes. Control characters that XML forbids and
/// bytes that are no UTF-8 become U+FFFD, so that whatever a file says, the page stays well formed.
std::string escape(std::string_view text);

/// RFC 4648, with padding.
std::string base64(std::span<const std::uint8_t> bytes);

/// A name made safe for a file: lower case, digits, '-' and '.'; anything else becomes '-'.
std::string file_name(std::string_view text);

/// A drawing with what is said below it. `file` names its SVG file, without folder and ending.
struct Figure {
  std::string file;
  std::string caption;
  Drawing drawing;
};

using Figures = std::vector<Figure>;

/// The style sheet of the page, src/report/plot/page.css, built into the program.
std::string_view page_style();

/// What stands before and behind the content of a page. `maker` is the program that the page names.
std::string page_head(const std::string& title, const std::string& maker);
std::string page_foot(const std::string& maker);

/// An HTML page in the making, and the SVG files that go beside it. It needs nothing but itself: style, pictures and
/// plots are inside.
class Page {
 public:
  struct SvgFile {
    std::string name;  ///< "loss.svg"
    std::string text;
  };

  /// `maker` is the program that the footer names.
  Page(std::string title, std::string maker) : title_(std::move(title)), maker_(std::move(maker)) {}

  /// Ready HTML.
  void add(std::string_view html) { body_ += html; }
  /// <h2>, <h3>, ... with a text of ours or a user's.
  void add_heading(int level, std::string_view text);
  void add_note(std::string_view text);
  /// Figures side by side; their files are named `prefix` + name.
  void add_figures(const Figures& figures, const std::string& prefix);

  std::string html() const;
  const std::vector<SvgFile>& files() const { return files_; }

  /// Writes the page, and its plots into a folder that is made if absent.
  void write(const std::filesystem::path& page, const std::filesystem::path& plots) const;

 private:
  std::string title_;
  std::string maker_;
  std::string body_;
  std::vector<SvgFile> files_;
};

}  // namespace bcr::report

#endif
