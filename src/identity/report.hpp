#ifndef BCR_SRC_IDENTITY_REPORT_HPP
#define BCR_SRC_IDENTITY_REPORT_HPP

#include <filesystem>
#include <map>
#include <string>

namespace bcr::identity {

/// Subject -> SHA-256, as kept in tests/identity/golden.txt: one "name digest" per line, '#' starts a comment.
using Golden = std::map<std::string, std::string>;

/// Throws IoError for a missing file or a line that is not of this form.
Golden read_golden(const std::filesystem::path& file);

/// The text of such a file.
std::string golden_text(const Golden& golden);

struct ReportOptions {
  std::filesystem::path golden;  ///< empty: compare the execution spaces of this build with each other only
  std::string prefix;            ///< only subjects whose name starts so
  bool print_golden = false;
};

struct Report {
  std::string text;  ///< CSV `space,threads,subject,sha256,equal`, or a golden file
  int compared = 0;
  int differing = 0;
};

/// Surveys, compares, and writes down. Without a golden file the first execution space is the standard. A subject
/// that the golden file does not know, and a golden subject that no survey found, count as differing.
Report make_report(const ReportOptions& options);

}  // namespace bcr::identity

#endif
