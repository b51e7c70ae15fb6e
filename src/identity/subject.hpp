#ifndef BCR_SRC_IDENTITY_SUBJECT_HPP
#define BCR_SRC_IDENTITY_SUBJECT_HPP

#include <string>
#include <vector>

namespace bcr::identity {

/// One thing whose bits must be the same everywhere: computes on fixed inputs and returns the SHA-256 of the outputs.
template <class Exec>
struct Subject {
  std::string name;  ///< "math.exp.float64"
  std::string (*digest)(const Exec&);
};

// One function per family of kernels; each appends its subjects. survey.cpp lists them all.
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
void add_network_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_norm_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_optim_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_augment_subjects(std::vector<Subject<Exec>>& subjects);
template <class Exec>
void add_random_subjects(std::vector<Subject<Exec>>& subjects);

}  // namespace bcr::identity

#endif
