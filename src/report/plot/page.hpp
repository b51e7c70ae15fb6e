#ifndef BCR_SRC_REPORT_PLOT_PAGE_HPP
#define BCR_SRC_REPORT_PLOT_PAGE_HPP

#include "src/report/plot/figure.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::report {

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
