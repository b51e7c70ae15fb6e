#include "src/report/plot/page.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/build_info.hpp"
#include "src/core/error.hpp"
#include "src/report/plot/markup.hpp"
#include "src/report/plot/page_style.hpp"

#include <fmt/format.h>

#include <system_error>

namespace bcr::report {

void Page::add_heading(const int level, const std::string_view text) {
  body_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escape(text));
}

void Page::add_note(const std::string_view text) {
  body_ += fmt::format("<p class=\"note\">{}</p>\n", escape(text));
}

void Page::add_figures(const Figures& figures, const std::string& prefix) {
  if (figures.empty()) return;
  body_ += "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    body_ += fmt::format("<figure class=\"plate\"><h4>{}</h4>\n{}<figcaption>{}</figcaption></figure>\n",
                         escape(figure.drawing.title()), figure.drawing.element(), escape(figure.caption));
    files_.push_back({prefix + figure.file + ".svg", figure.drawing.file()});
  }
  body_ += "</div>\n";
}

std::string Page::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"{0}\">\n"
      "<title>{1}</title>\n<style>\n{2}{3}</style>\n</head>\n<body>\n<main>\n{4}</main>\n"
      "<footer>Made by {0} {5}. This page is complete: it loads nothing from anywhere.</footer>\n"
      "</body>\n</html>\n",
      escape(maker_), escape(title_), page_style(), plot_style(), body_, escape(build_info().version));
}

void Page::write(const std::filesystem::path& page, const std::filesystem::path& plots) const {
  std::error_code error;
  std::filesystem::create_directories(plots, error);
  if (error) throw IoError("make " + plots.string(), "a directory", error.message());
  for (const SvgFile& file : files_) write_file(plots / file.name, file.text);
  write_file(page, html());
}

}  // namespace bcr::report
