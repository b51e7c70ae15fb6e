#ifndef BCR_LOSSES_OPTIONS_HPP
#define BCR_LOSSES_OPTIONS_HPP

#include "src/core/config.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::losses {

/// Which part of the class-inclusion loss counts: the pull on known samples, the push on background samples, or both.
enum class InclusionTerms { both, known, unknown };

constexpr auto enum_names(InclusionTerms) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"both"sv, InclusionTerms::both}, std::pair{"known"sv, InclusionTerms::known},
                    std::pair{"unknown"sv, InclusionTerms::unknown}};
}

/// How log P_I and log(1 - P_I) are found: from logarithms, or as written, log(1 - P_I + eps) in the type of the model.
/// The second is there to be compared with: it has no gradient deep inside a class, and infinities without eps.
enum class InclusionNumerics { log_domain, naive_eps };

constexpr auto enum_names(InclusionNumerics) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"log_domain"sv, InclusionNumerics::log_domain},
                    std::pair{"naive_eps"sv, InclusionNumerics::naive_eps}};
}

struct InclusionOptions {
  InclusionTerms terms = InclusionTerms::both;
  InclusionNumerics numerics = InclusionNumerics::log_domain;
  double floor = 1e-6;
  double eps = 1e-9;
};

struct HscOptions {
  double floor = 1e-6;
};

/// Euclidean distances as they are, or squared.
enum class TripletDistance { euclidean, squared };

constexpr auto enum_names(TripletDistance) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"euclidean"sv, TripletDistance::euclidean},
                    std::pair{"squared"sv, TripletDistance::squared}};
}

struct TripletOptions {
  double margin = 1;
  TripletDistance distance = TripletDistance::euclidean;
};

struct ObjectosphereOptions {
  double xi = 50;
  double ring_weight = 1e-4;
};

struct EnergyOptions {
  double m_in = -23;
  double m_out = -5;
};

/// The squared difference of image and reconstruction: summed over an image, or its mean as in the published code.
enum class CgdlReconstruction { sum, mean };

constexpr auto enum_names(CgdlReconstruction) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"sum"sv, CgdlReconstruction::sum}, std::pair{"mean"sv, CgdlReconstruction::mean}};
}

struct CgdlOptions {
  double classification = 100;
  CgdlReconstruction reconstruction = CgdlReconstruction::sum;
};

struct C2aeOptions {
  double match = 0.9;
};

/// The section [loss]. Settings of terms that are not chosen are kept and ignored, so a run may switch the name alone.
struct LossOptions {
  std::string name = "class_inclusion";
  std::optional<double> lambda;
  double lambda_ramp = 0;
  double logit_scale = 1;
  InclusionOptions inclusion;
  HscOptions hsc;
  TripletOptions triplet;
  ObjectosphereOptions objectosphere;
  EnergyOptions energy;
  CgdlOptions cgdl;
  C2aeOptions c2ae;
};

/// Of every loss there is (registry.hpp).
std::vector<std::string> loss_names();
/// For pages; "" if there is none of that name.
std::string loss_title(std::string_view name);

template <class V>
void describe(V& v, InclusionOptions& o) {
  v("terms", o.terms, "L_bg,k + L_bg,u, or one of them alone");
  v("numerics", o.numerics, "logarithms of P_I computed as such, or -log(1 - P_I + eps) as written, for comparison");
  v("floor", o.floor, "D^2/n below which the push on background samples grows no more", must_be::between(1e-30, 1e-3));
  v("eps", o.eps, "the eps of naive_eps", must_be::not_negative());
}

template <class V>
void describe(V& v, HscOptions& o) {
  v("floor", o.floor, "D^2/n below which the push on background samples grows no more", must_be::between(1e-30, 0.5));
}

template <class V>
void describe(V& v, TripletOptions& o) {
  v("margin", o.margin, "m in max(0, d(known) - d(background) + m)", must_be::not_negative());
  v("distance", o.distance, "d is the distance to the anchor, or its square");
}

template <class V>
void describe(V& v, ObjectosphereOptions& o) {
  v("xi", o.xi, "norm that known features shall exceed", must_be::not_negative());
  v("ring_weight", o.ring_weight, "weight of the term on the norm of the features", must_be::not_negative());
}

template <class V>
void describe(V& v, EnergyOptions& o) {
  v("m_in", o.m_in, "energy below which known samples are left alone");
  v("m_out", o.m_out, "energy above which background samples are left alone");
}

template <class V>
void describe(V& v, CgdlOptions& o) {
  v("classification", o.classification, "weight of the cross-entropy", must_be::not_negative());
  v("reconstruction", o.reconstruction, "squared difference to the image: sum over its numbers, or mean");
}

template <class V>
void describe(V& v, C2aeOptions& o) {
  v("match", o.match, "alpha, the weight of the image for its class; 1 - alpha is that of another, for another class",
    must_be::between(0, 1));
}

template <class V>
void describe(V& v, LossOptions& o) {
  v("name", o.name, "background term", must_be::one_of(loss_names()));
  v("lambda", o.lambda,
    "weight of the background term, of CROSR's or C2AE's error, of CGDL's divergence; absent: the published one",
    must_be::not_negative());
  v("lambda_ramp", o.lambda_ramp, "epochs in which lambda grows linearly from 0", must_be::not_negative());
  v("logit_scale", o.logit_scale, "s in z = -s D^2 of a distance classifier", must_be::positive());
  v("inclusion", o.inclusion, "class_inclusion: -log P_I of known, -log(1 - P_I) of background samples");
  v("hsc", o.hsc, "hsc: hypersphere classifier, P_H = exp(1 - sqrt(D^2 + 1))");
  v("triplet", o.triplet, "triplet: anchor, known sample, background sample");
  v("objectosphere", o.objectosphere, "objectosphere: uniform softmax and small features for background samples");
  v("energy", o.energy, "energy: squared hinges on -log sum exp z");
  v("cgdl", o.cgdl, "cgdl: cross-entropy, reconstruction and divergence of a ladder VAE");
  v("c2ae", o.c2ae, "c2ae: reconstruction for the right class and for another");
}

}  // namespace bcr::losses

#endif
