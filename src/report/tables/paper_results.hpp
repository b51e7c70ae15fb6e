#ifndef BCR_SRC_REPORT_TABLES_PAPER_RESULTS_HPP
#define BCR_SRC_REPORT_TABLES_PAPER_RESULTS_HPP

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::report {

/// One line of a published table (src/report/tables/paper_results.toml).
struct PaperResult {
  std::string table;
  std::string setting;  ///< name of the split
  std::string unknown;  ///< unknown set; empty: the only one, or the average
  std::string network;
  std::string method;  ///< a name of method_of() (tables/run_facts.hpp), or of a baseline that bcr does not have
  std::optional<double> lambda;
  std::map<std::string, double> metrics;  ///< by our names: "accuracy", "auroc", "ccr_fpr_1e-1", "macro_f1_own"
};

/// Where the numbers were printed.
const std::string& paper_citation();

/// All lines of a setting, in the order of the paper. Splits of ARPL ("cifar10-arpl") share the lines of their own set.
std::vector<PaperResult> paper_results(std::string_view setting);

/// The line to stand beside a run: same setting, method and network, over all unknown sets; of another lambda none, of
/// several the one that states the lambda. macro-F1, under the decision that it was printed for, is joined from its
/// own table.
std::optional<PaperResult> paper_result_beside(std::string_view setting, std::string_view method,
                                                std::optional<double> lambda, std::string_view network);

/// The text of paper_results.toml, built into the program.
std::string_view paper_results_text();

}  // namespace bcr::report

#endif
