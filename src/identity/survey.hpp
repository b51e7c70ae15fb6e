#ifndef BCR_SRC_IDENTITY_SURVEY_HPP
#define BCR_SRC_IDENTITY_SURVEY_HPP

#include <string>
#include <vector>

namespace bcr::identity {

/// The digest of one subject on one execution space of this build.
struct Finding {
  std::string space;  ///< "Serial", "OpenMP", "Cuda", ...
  int concurrency;    ///< threads of that space
  std::string subject;
  std::string digest;
};

/// Runs every subject whose name starts with `prefix` on every execution space of this build.
std::vector<Finding> survey(const std::string& prefix = "");

}  // namespace bcr::identity

#endif
