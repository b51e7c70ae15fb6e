#ifndef BCR_SRC_IDENTITY_SUBJECT_HPP
#define BCR_SRC_IDENTITY_SUBJECT_HPP

#include <functional>
#include <string>
#include <vector>

namespace bcr::identity {

/// One thing whose bits must be the same everywhere: computes on fixed inputs and returns the SHA-256 of the outputs.
template <class Exec>
struct Subject {
  std::string name;  ///< "math.exp.float64"
  std::function<std::string(const Exec&)> digest;
};

// One function per family of kernels; each appends its subjects.
template <class Exec>
void add_math_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_gamma_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_distance_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_reduce_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_convolution_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_linear_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_loss_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_layer_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_network_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_norm_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_optim_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_augment_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_random_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_rnn_subjects(std::vector<Subject<Exec>>& subjects);

/// Those of src/scores, which run on the host's threads whatever the space: subjects of programs that have that room.
template <class Exec>
void add_fitted_score_subjects(std::vector<Subject<Exec>>& subjects);

/// All of the others whose names start with the prefix.
template <class Exec>
std::vector<Subject<Exec>> subjects_starting_with(const std::string& prefix) {
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
  add_rnn_subjects(subjects);
  add_layer_subjects(subjects);
  add_network_subjects(subjects);
  std::erase_if(subjects, [&](const Subject<Exec>& subject) { return !subject.name.starts_with(prefix); });
  return subjects;
}

}  // namespace bcr::identity

#endif
