#ifndef BCR_SRC_REPORT_REPORT_HPP
#define BCR_SRC_REPORT_REPORT_HPP

#include "src/report/plot/page.hpp"
#include "src/report/run/run.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bcr::report {

struct ReportOptions {
  std::vector<std::filesystem::path> runs;
  /// Where report.html and report/*.svg go; empty: into the run directory if there is one run, else where we stand.
  std::filesystem::path out;
};

/// What was written, and the table of the runs as text.
struct ReportResult {
  std::filesystem::path page;
  std::size_t plots = 0;
  std::string table;
};

/// Reads the runs, writes the page and the plots. IoError for a damaged or missing file, ConfigError without runs.
ReportResult write_report(const ReportOptions& options);

/// The page of runs that were read.
Page make_page(std::span<const Run> runs);

}  // namespace bcr::report

#endif
