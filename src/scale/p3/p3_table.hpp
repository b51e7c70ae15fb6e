#ifndef BCR_SRC_SCALE_P3_P3_TABLE_HPP
#define BCR_SRC_SCALE_P3_P3_TABLE_HPP

#include <filesystem>
#include <span>
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

/// One line of a table in the columns of the P3 Analysis Library. Here the figure of merit is the time of a training
/// step in seconds: lower is better.
struct P3Row {
  std::string date;  ///< ISO 8601
  double fom = 0;
  std::string application;  ///< "bcr strict"
  std::string problem;      ///< "train wrn-10-1 32x32x3 batch 128 classes 10"
  std::string platform;     ///< "AMD EPYC [1x2]": the machine, then ranks x threads in brackets

  bool operator==(const P3Row&) const = default;
};

/// CSV with a header line. Fields with a comma, a quote or a line break are quoted; numbers read back to the same bits.
std::string p3_text(std::span<const P3Row> rows);

/// Columns may stand in any order, beside others. IoErrors name `source`, line and column: a missing column, a line of
/// another length, a figure of merit that is no number > 0.
std::vector<P3Row> parse_p3(std::string_view text, const std::string& source);
std::vector<P3Row> read_p3(const std::filesystem::path& file);

/// "AMD EPYC" of "AMD EPYC [1x2]"; other names stay as they are.
std::string machine_of(const std::string& platform);

}  // namespace bcr::scale

#endif
