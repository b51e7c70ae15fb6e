#ifndef BCR_SRC_IDENTITY_REPORT_HPP
#define BCR_SRC_IDENTITY_REPORT_HPP

#include <filesystem>
#include <string>

namespace bcr::identity {

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
