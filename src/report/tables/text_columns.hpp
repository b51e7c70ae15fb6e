#ifndef BCR_SRC_REPORT_TABLES_TEXT_COLUMNS_HPP
#define BCR_SRC_REPORT_TABLES_TEXT_COLUMNS_HPP

#include <string>
#include <vector>

namespace bcr::report {

/// Rows of equally many words as plain text for a terminal, each column as wide as its widest word.
std::string text_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace bcr::report

#endif
