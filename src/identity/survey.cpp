#include "src/identity/survey.hpp"

#include "src/core/instances.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

template <class Exec>
void survey_space(const std::string& prefix, std::vector<Finding>& findings) {
  std::vector<Subject<Exec>> subjects;
  add_math_subjects(subjects);
  add_gamma_subjects(subjects);
  add_distance_subjects(subjects);
  add_reduce_subjects(subjects);
  add_convolution_subjects(subjects);
  add_linear_subjects(subjects);
  add_loss_subjects(subjects);
  add_norm_subjects(subjects);
  add_optim_subjects(subjects);
  add_augment_subjects(subjects);
  add_random_subjects(subjects);
  add_network_subjects(subjects);
  const Exec exec;
  for (const auto& subject : subjects) {
    if (!subject.name.starts_with(prefix)) continue;
    findings.push_back({Exec::name(), exec.concurrency(), subject.name, subject.digest(exec)});
  }
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
