#include "src/identity/report.hpp"

#include "src/identity/golden.hpp"
#include "src/identity/survey.hpp"

#include <fmt/format.h>

#include <set>

namespace bcr::identity {
namespace {

Golden first_of_each(const std::vector<Finding>& findings) {
  Golden golden;
  for (const auto& finding : findings) golden.emplace(finding.subject, finding.digest);
  return golden;
}

}  // namespace

Report make_report(const ReportOptions& options) {
  const std::vector<Finding> findings = survey(options.prefix);
  const Golden golden = options.golden.empty() ? first_of_each(findings) : read_golden(options.golden);
  Report report;
  if (options.print_golden) {
    report.text = golden_text(first_of_each(findings));
    return report;
  }
  report.text = "space,threads,subject,sha256,equal\n";
  std::set<std::string> seen;
  for (const auto& finding : findings) {
    const auto standard = golden.find(finding.subject);
    const bool equal = standard != golden.end() && standard->second == finding.digest;
    seen.insert(finding.subject);
    ++report.compared;
    report.differing += equal ? 0 : 1;
    report.text += fmt::format("{},{},{},{},{}\n", finding.space, finding.concurrency, finding.subject, finding.digest,
                               equal ? "yes" : "no");
  }
  for (const auto& [subject, digest] : golden) {
    if (!subject.starts_with(options.prefix) || seen.contains(subject)) continue;
    ++report.compared;
    ++report.differing;
    report.text += fmt::format("none,0,{},missing,no\n", subject);
  }
  return report;
}

}  // namespace bcr::identity
