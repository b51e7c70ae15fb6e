#include "src/identity/survey.hpp"

#include "src/core/instances.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

template <class Exec>
void survey_space(const std::string& prefix, std::vector<Finding>& findings) {
  const Exec exec;
  for (const auto& subject : subjects_starting_with<Exec>(prefix))
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
