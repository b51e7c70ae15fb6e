#ifndef BCR_SRC_SCORES_OPTIONS_HPP
#define BCR_SRC_SCORES_OPTIONS_HPP

#include "src/core/config.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bcr::scores {

enum class OpenmaxDistance {
  euclidean,  ///< |v - mean|, the usual choice for ten to a hundred classes
  eucos       ///< |v - mean| / 200 + (1 - cosine of the angle), the choice of the original for a thousand classes
};

constexpr auto enum_names(OpenmaxDistance) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"euclidean"sv, OpenmaxDistance::euclidean}, std::pair{"eucos"sv, OpenmaxDistance::eucos}};
}

struct OpenmaxSettings {
  std::size_t tail_size = 20;
  std::int32_t alpha = 10;
  OpenmaxDistance distance = OpenmaxDistance::euclidean;
  double epsilon = 0;
};

template <class V>
void describe(V& v, OpenmaxSettings& o) {
  v("tail_size", o.tail_size, "largest distances of a class that its Weibull model is fitted to", must_be::at_least(2));
  v("alpha", o.alpha, "highest logits that may lose to unknown; at most the number of classes", must_be::at_least(1));
  v("distance", o.distance, "to the mean logits of a class: euclidean, or eucos with the angle as well");
  v("epsilon", o.epsilon, "probability of the best known class below which its decision is unknown",
    must_be::between(0, 1));
}

/// What the entries of a latent vector are divided by before distances are taken.
enum class LatentScale {
  none,      ///< as they are: logits, which are larger, decide
  deviation  ///< their standard deviation over the training images
};

constexpr auto enum_names(LatentScale) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"none"sv, LatentScale::none}, std::pair{"deviation"sv, LatentScale::deviation}};
}

struct CrosrSettings {
  LatentScale latent_scale = LatentScale::none;
};

template <class V>
void describe(V& v, CrosrSettings& o) {
  v("latent_scale", o.latent_scale, "none: latent entries as they are; deviation: each over its deviation in training");
}

struct KnnSettings {
  std::int32_t k = 0;
};

template <class V>
void describe(V& v, KnnSettings& o) {
  v("k", o.k, "which neighbour; 0: one for every thousand training images, at least 1", must_be::not_negative());
}

struct VimSettings {
  std::int32_t dimensions = 0;
};

template <class V>
void describe(V& v, VimSettings& o) {
  v("dimensions", o.dimensions, "of the principal space; 0: 256 of at least 512 features, else half of them",
    must_be::not_negative());
}

struct ReactSettings {
  double percentile = 90;
};

template <class V>
void describe(V& v, ReactSettings& o) {
  v("percentile", o.percentile, "of all training features, above which features are cut off", must_be::between(0, 100));
}

/// When the second stage of AOSR ends: by the rule of the published code (training accuracy), or by the share of
/// training samples that it calls unknown.
enum class AosrStop { accuracy, rate };

constexpr auto enum_names(AosrStop) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"accuracy"sv, AosrStop::accuracy}, std::pair{"rate"sv, AosrStop::rate}};
}

struct AosrSettings {
  double mu = 0.05;
  double kappa = 0.001;
  double points = 3;
  std::int32_t trees = 100;
  double samples = 0.9;
  std::int32_t epochs = 100;
  std::int32_t batch = 32;
  double lr = 1e-3;
  double floor = 1;
  AosrStop stop = AosrStop::accuracy;
  std::uint64_t seed = 0;
};

template <class V>
void describe(V& v, AosrSettings& o) {
  v("mu", o.mu, "weight of the uniform points, and the share of training samples that may become unknown",
    must_be::positive());
  v("kappa", o.kappa, "share of the points, those in the densest places, that count as known",
    must_be::between(0, 0.99));
  v("points", o.points, "uniform points for each training sample", must_be::positive());
  v("trees", o.trees, "of the isolation forest", must_be::at_least(1));
  v("samples", o.samples, "share of the training samples that a tree sees", must_be::between(0.001, 1));
  v("epochs", o.epochs, "most epochs of the second stage", must_be::at_least(1));
  v("batch", o.batch, "training samples of a step", must_be::at_least(1));
  v("lr", o.lr, "learning rate of Adam", must_be::positive());
  v("floor", o.floor, "least number of unknown training samples to divide by; the published code has 1e-5",
    must_be::positive());
  v("stop", o.stop, "accuracy: the published rule; rate: when a share mu of the training samples is unknown");
  v("seed", o.seed, "of points, trees, first weights and orders");
}

struct OdinSettings {
  double temperature = 1000;
  double epsilon = 0.0014;
};

template <class V>
void describe(V& v, OdinSettings& o) {
  v("temperature", o.temperature, "that logits are divided by", must_be::positive());
  v("epsilon", o.epsilon, "step of a pixel in [0, 1], before normalisation", must_be::not_negative());
}

/// How far the latent rule of CGDL lets features lie from the mean of a class.
enum class CgdlContour {
  corner,     ///< as the published code: the corner of the box that holds half of the class
  chi_square  ///< the squared distance below which a share eval.cgdl.share of the class lies
};

constexpr auto enum_names(CgdlContour) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"corner"sv, CgdlContour::corner}, std::pair{"chi-square"sv, CgdlContour::chi_square}};
}

struct CgdlSettings {
  bool reconstruction_rule = true;
  bool latent_rule = true;
  double deviations = 2;
  CgdlContour contour = CgdlContour::corner;
  double share = 0.95;
  std::int32_t draws = 20000;
  std::uint64_t seed = 0;
};

template <class V>
void describe(V& v, CgdlSettings& o) {
  v("reconstruction_rule", o.reconstruction_rule, "whether large reconstruction errors are unknown");
  v("latent_rule", o.latent_rule, "whether features far from every class are unknown");
  v("deviations", o.deviations, "above the mean error of training images at which errors are large",
    must_be::not_negative());
  v("contour", o.contour, "corner: that of the box that holds half of a class, as published; chi-square: a quantile");
  v("share", o.share, "of a class inside the contour chi-square", must_be::between(0.01, 0.9999));
  v("draws", o.draws, "normal vectors that the box is found with", must_be::at_least(100));
  v("seed", o.seed, "of the draws");
}

struct C2aeSettings {
  double tail = 0.1;
  double unknown = 0.5;
  std::uint64_t seed = 0;
};

template <class V>
void describe(V& v, C2aeSettings& o) {
  v("tail", o.tail, "share of the errors that the Pareto distribution of their tail is fitted to",
    must_be::between(0.001, 0.9));
  v("unknown", o.unknown, "how likely unknown images are taken to be, for the threshold",
    must_be::between(0.001, 0.999));
  v("seed", o.seed, "of the other class that a training image is reconstructed for");
}

/// What fitted scores can be told: part of the section [eval].
struct FittedScoreOptions {
  OpenmaxSettings openmax;
  CrosrSettings crosr;
  KnnSettings knn;
  VimSettings vim;
  ReactSettings react;
  AosrSettings aosr;
  OdinSettings odin;
  CgdlSettings cgdl;
  C2aeSettings c2ae;
};

template <class V>
void describe(V& v, FittedScoreOptions& o) {
  v("openmax", o.openmax, "the scores openmax and crosr, for linear heads");
  v("crosr", o.crosr, "the score crosr, for linear heads on a backbone with a latent vector");
  v("knn", o.knn, "the score knn");
  v("vim", o.vim, "the score vim, for linear heads");
  v("react", o.react, "the score react");
  v("aosr", o.aosr, "the score aosr, a second stage for linear heads");
  v("odin", o.odin, "the score odin");
  v("cgdl", o.cgdl, "the score cgdl, for linear heads on an lvae");
  v("c2ae", o.c2ae, "the score c2ae, for linear heads beside a conditioned decoder");
}

}  // namespace bcr::scores

#endif
