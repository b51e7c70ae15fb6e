#ifndef BCR_SRC_SCALE_FIGURES_NUMBER_TABLE_HPP
#define BCR_SRC_SCALE_FIGURES_NUMBER_TABLE_HPP

#include "src/report/plot/page.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bcr::scale {

/// An HTML table whose first column are words and all others numbers.
class NumberTable {
 public:
  explicit NumberTable(const std::vector<std::string>& heads) {
    html_ = "<div class=\"scroll\"><table class=\"numbers\"><thead><tr>";
    for (const std::string& head : heads) html_ += fmt::format("<th scope=\"col\">{}</th>", report::escape(head));
    html_ += "</tr></thead><tbody>\n";
  }

  void row(const std::string& name, const std::vector<std::string>& cells) {
    html_ += fmt::format("<tr><th scope=\"row\">{}</th>", report::escape(name));
    for (const std::string& cell : cells) html_ += fmt::format("<td>{}</td>", report::escape(cell));
    html_ += "</tr>\n";
  }

  std::string html() const { return html_ + "</tbody></table></div>\n"; }

 private:
  std::string html_;
};

inline std::string percent_text(const double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

}  // namespace bcr::scale

#endif
