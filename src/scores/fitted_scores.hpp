#ifndef BCR_SRC_SCORES_FITTED_SCORES_HPP
#define BCR_SRC_SCORES_FITTED_SCORES_HPP

#include "src/scores/fitted_score.hpp"

namespace bcr::scores {

using FittedScorePointer = std::unique_ptr<FittedScore>;

/// Openmax (openmax.hpp): a Weibull model of the distances to the mean logits of each class. Two passes.
FittedScorePointer make_openmax(const HeadModel& head, const FittedScoreOptions& options);

/// CROSR (Yoshihashi et al., CVPR 2019): the same with distances of logits and latent vector, [y, z]; logits alone are
/// ranked and lowered. One pass more if the latent vector is scaled.
FittedScorePointer make_crosr(const HeadModel& head, const FittedScoreOptions& options);

/// Sun et al., ICML 2022: minus the squared distance of f / |f| to its k-th nearest among the training samples, exact,
/// by kernels/distance. A training sample does not count as its own neighbour. Keeps all training features; one pass.
FittedScorePointer make_knn(const HeadModel& head, const FittedScoreOptions& options);

/// Lee et al., NeurIPS 2018 (last layer, no noise at the input): S = 1/N sum_i (f_i - mu_(y_i))(f_i - mu_(y_i))^T with
/// the true labels; directions in which it has no more variance than n 2^-23 of its largest are left out, since dead
/// features have none. One pass.
FittedScorePointer make_mahalanobis(const HeadModel& head, const FittedScoreOptions& options);
/// Ren et al., 2021: less the same distance to the mean of all training samples with their covariance.
FittedScorePointer make_relative_mahalanobis(const HeadModel& head, const FittedScoreOptions& options);

/// Wang et al., CVPR 2022: o = -W^+ b; R spans the directions of least second moment of f - o; alpha makes the mean
/// residual of the training samples equal to their mean largest logit. Two passes.
FittedScorePointer make_vim(const HeadModel& head, const FittedScoreOptions& options);

/// Liu and Qin, ICML 2024: distances to the boundaries between the best class and each other, over the distance to the
/// mean feature. For a distance head the boundary between two anchors is (D_c^2 - D_best^2) / (2 |mu_c - mu_best|)
/// away.
FittedScorePointer make_fdbd(const HeadModel& head, const FittedScoreOptions& options);

/// Sun et al., NeurIPS 2021: the energy after features are cut off at t, a percentile of all training features (linear
/// interpolation between neighbours, as NumPy's). The percentile is exact and found in two passes that count.
FittedScorePointer make_react(const HeadModel& head, const FittedScoreOptions& options);

/// AOSR (aosr.hpp): a classifier of C + 1 classes on the logits, trained against uniform points. One pass.
FittedScorePointer make_aosr(const HeadModel& head, const FittedScoreOptions& options);

/// ODIN (Liang et al., ICLR 2018): the largest softmax probability at a high temperature, of images that were moved
/// against the gradient of their own cross-entropy; who runs the model moves them (src/train/input_step.hpp). The score
/// is its logarithm, in double: at a temperature of 1000 probabilities lie near 1/C. Nothing is fitted.
FittedScorePointer make_odin(const HeadModel& head, const FittedScoreOptions& options);

/// CGDL (cgdl.hpp): reconstruction errors, and a Gaussian of the features of each class. One pass.
FittedScorePointer make_cgdl(const HeadModel& head, const FittedScoreOptions& options);

/// C2AE (Oza and Patel, CVPR 2019): the least error of the reconstructions for all classes; a threshold between the
/// tails of the errors for the right class and for another (pareto.hpp). One pass; keeps two numbers of each training
/// image.
FittedScorePointer make_c2ae(const HeadModel& head, const FittedScoreOptions& options);

}  // namespace bcr::scores

#endif
