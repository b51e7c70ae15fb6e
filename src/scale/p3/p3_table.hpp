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

/// What is known of a row beyond the columns of P3, for architectural efficiency, platform sets and code divergence.
/// Empty or 0: not known; a peer's row has no counts, they are those of the same problem in rows of ours.
struct P3Details {
  std::string program;              ///< "bcr 0.1.0 (1a2b3c4d5e6f, clean)", "torch 2.15.0"
  std::string space;                ///< where it ran: "OpenMP", "Cuda"
  std::string kind;                 ///< "cpu" or "gpu"
  std::string library;              ///< what computed its convolutions: "winograd", "onednn jit:avx2"
  double multiply_accumulates = 0;  ///< of the problem, as the algorithm is written
  double bytes = 0;
  double fma_per_second = 0;  ///< roofs of the platform
  double bytes_per_second = 0;
  double device_bytes = 0;   ///< the most that was allocated in the memory of the device
  std::string coverage_key;  ///< which lines of code it needs: "bcr strict OpenMP" (docs/guide/scaling.md)

  bool operator==(const P3Details&) const = default;
};

/// One line of a table in the columns of the P3 Analysis Library. Here the figure of merit is the time of a step in
/// seconds: lower is better.
struct P3Row {
  std::string date;  ///< ISO 8601
  double fom = 0;
  std::string application;  ///< "bcr strict"
  std::string problem;      ///< "train wrn-10-1 32x32x3 batch 128 classes 10"
  std::string platform;     ///< "AMD EPYC [1x2]": the machine, then ranks x threads in brackets
  P3Details details{};

  bool operator==(const P3Row&) const = default;
};

/// CSV with a header line: the five columns of P3, then those of P3Details. Fields with a comma, a quote or a line
/// break are quoted; numbers read back to the same bits.
std::string p3_text(std::span<const P3Row> rows);

/// Columns may stand in any order, beside others; those of P3Details may be absent. IoErrors name `source`, line and
/// column: a missing column of P3, a line of another length, a figure of merit that is no number > 0, a detail that is
/// no number >= 0.
std::vector<P3Row> parse_p3(std::string_view text, const std::string& source);
std::vector<P3Row> read_p3(const std::filesystem::path& file);

/// "AMD EPYC" of "AMD EPYC [1x2]"; other names stay as they are.
std::string machine_of(const std::string& platform);

}  // namespace bcr::scale

#endif
