#ifndef BCR_SRC_CORE_CSV_HPP
#define BCR_SRC_CORE_CSV_HPP

#include <string>
#include <string_view>

namespace bcr {

/// A field of a CSV file (RFC 4180): one with a comma, a quote or a line feed stands in quotes.
std::string csv_field(std::string_view text);

}  // namespace bcr

#endif
