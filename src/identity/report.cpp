#include "src/identity/report.hpp"

#include "src/core/error.hpp"
#include "src/identity/survey.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

namespace bcr::identity {
namespace {

bool is_digest(const std::string& word) {
  return word.size() == 64 && word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Golden read_golden(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw IoError("read " + file.string(), "a file of golden digests", "no readable file");
  Golden golden;
  std::string line;
  for (unsigned number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name, digest, rest;
    if (!(words >> name >> digest) || (words >> rest) || !is_digest(digest)) {
      throw IoError(fmt::format("read {}:{}", file.string(), number), "\"subject sha256\"", '"' + line + '"');
    }
    golden[name] = digest;
  }
  return golden;
}

std::string golden_text(const Golden& golden) {
  std::string text =
      "# SHA-256 of every strict subject on its fixed inputs. The same on every backend, thread count,\n"
      "# compiler, optimisation level and instruction set. Made by: bcr-identity --print-golden\n";
  for (const auto& [name, digest] : golden) text += fmt::format("{} {}\n", name, digest);
  return text;
}

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
