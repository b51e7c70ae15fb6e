#include "src/report/page.hpp"

#include "src/core/build_info.hpp"
#include "src/report/page_style.hpp"
#include "src/report/plot/markup.hpp"

#include <fmt/format.h>

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
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"bcr-report\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n"
      "<footer>Made by bcr-report {}. This page is complete: it loads nothing from anywhere.</footer>\n"
      "</body>\n</html>\n",
      escape(title_), page_style(), plot_style(), body_, escape(build_info().version));
}

}  // namespace bcr::report
