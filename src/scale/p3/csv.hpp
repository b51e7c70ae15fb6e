#ifndef BCR_SRC_SCALE_P3_CSV_HPP
#define BCR_SRC_SCALE_P3_CSV_HPP

#include <string>
#include <string_view>
#include <vector>

namespace bcr::scale {

struct CsvRecord {
  std::size_t line = 0;  ///< where it begins, from 1
  std::vector<std::string> fields;
};

/// The records of RFC 4180: quoted fields may hold commas, line breaks and doubled quotes; line ends are LF or CRLF;
/// empty lines and a byte order mark are left out. An IoError that names `source` for a quote that is never closed.
std::vector<CsvRecord> parse_csv(std::string_view text, const std::string& source);

/// The text of a field, quoted where it must be.
std::string csv_field(std::string_view text);

}  // namespace bcr::scale

#endif
