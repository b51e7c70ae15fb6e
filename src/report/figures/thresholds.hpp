#ifndef BCR_SRC_REPORT_FIGURES_THRESHOLDS_HPP
#define BCR_SRC_REPORT_FIGURES_THRESHOLDS_HPP

#include "src/report/run/run.hpp"

#include <string>
#include <vector>

namespace bcr::report {

/// A score below which an image is called unknown.
struct RejectionRule {
  std::string name;  ///< "P_I = ½"
  double score = 0;
};

/// The rules for the default score that were fixed before the test images were seen, the best founded first: those in
/// metrics.json; else, from the scores of training images, the one that accepts 95 % of them.
std::vector<RejectionRule> rejection_rules(const Run& run);

}  // namespace bcr::report

#endif
