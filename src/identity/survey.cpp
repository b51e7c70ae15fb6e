#include "src/identity/survey.hpp"

#include "src/core/instances.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

template <class Exec>
void survey_space(const std::string& prefix, std::vector<Finding>& findings) {
  const Exec exec;
  std::vector<Subject<Exec>> subjects = subjects_starting_with<Exec>(prefix);
  std::vector<Subject<Exec>> fitted;
  add_fitted_score_subjects(fitted);
  for (const auto& subject : fitted)
    if (subject.name.starts_with(prefix)) subjects.push_back(subject);
  for (const auto& subject : subjects)
    findings.push_back({Exec::name(), exec.concurrency(), subject.name, subject.digest(exec)});
}

}  // namespace

std::vector<Finding> survey(const std::string& prefix) {
  std::vector<Finding> findings;
#define BCR_INSTANCE(Exec) survey_space<Exec>(prefix, findings);
  BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE
  return findings;
}

}  // namespace bcr::identity
