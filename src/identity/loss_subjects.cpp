#include "losses/registry.hpp"
#include "losses/scores/score.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bcr::identity {
namespace {

using losses::HeadOutputs;

constexpr int known = 71, background = 66, rows = known + background, classes = 43, dimensions = 67;

/// Squared distances, of which the nearest lies well within its class in some rows and at its boundary, D^2 = n, in
/// others. Logits of order 8.
template <class Exec, class T>
Matrix<T, Exec> make_outputs(const Exec& exec, const HeadOutputs kind, const int columns) {
  if (kind == HeadOutputs::logits)
    return matrix_input<T>(exec, "identity/logits", rows, columns,
                           [](Random& random) { return uniform_between<T>(random, T(-8), T(8)); });
  return matrix_input<T>(exec, "identity/distances", rows, columns, [columns](Random& random, const std::size_t i) {
    const int row = static_cast<int>(i) / columns;
    return spread_over_binades<T>(random, 2 + row % 5, 8);
  });
}

/// Every other label is the class that the row is nearest to: some losses have a term for those alone.
template <class Exec, class T>
Labels<Exec> make_labels(const Exec& exec, const HeadOutputs kind, const Matrix<T, Exec>& outputs, const int count) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  return vector_input<std::int32_t>(exec, "identity/loss_labels", count, [&](Random& random, const std::size_t i) {
    const T* const row = &host(i, 0);
    const T* const best =
        kind == HeadOutputs::logits ? std::max_element(row, row + classes) : std::min_element(row, row + classes);
    return i % 2 == 0 ? static_cast<std::int32_t>(best - row) : static_cast<std::int32_t>(random.below(classes));
  });
}

template <class Exec, class T>
Matrix<T, Exec> make_features(const Exec& exec) {
  return matrix_input<T>(exec, "identity/loss_features", rows, dimensions,
                         [](Random& random) { return uniform_between<T>(random, T(-1), T(1)); });
}

HeadOutputs outputs_of(const std::string_view loss) {
  return losses::all_losses().find(loss).accepts(HeadOutputs::squared_distances) ? HeadOutputs::squared_distances
                                                                               : HeadOutputs::logits;
}

/// Value, parts and gradient of one loss, with settings that put samples on both sides of its hinges.
template <class Exec, class T>
std::string loss_digest(const Exec& exec, const std::string_view name) {
  losses::LossOptions options;
  options.name = name;
  options.logit_scale = 0.125;
  options.energy = {-7, -8};
  options.objectosphere = {4.75, 0.25};
  const HeadOutputs kind = outputs_of(name);
  const int columns = losses::output_columns(options, classes);
  const auto outputs = make_outputs<Exec, T>(exec, kind, columns);
  const auto labels = make_labels(exec, kind, outputs, known);
  const auto loss = losses::make_loss<Exec, T>(options, {kind, classes, dimensions, rows});
  const Matrix<T, Exec> diff_outputs("bcr::identity::diff_outputs", rows, columns);
  const Vector<T, Exec> factor("bcr::identity::factor", rows);
  const Vector<double, Exec> parts("bcr::identity::parts", losses::loss_part_count);
  loss->evaluate(exec, {outputs, make_features<Exec, T>(exec), labels}, 0.75, {diff_outputs, factor}, parts);
  return digest_of(exec, diff_outputs, factor, parts);
}

/// The objective of CROSR: classification, and a reconstruction of images whose size is no multiple of anything.
template <class Exec, class T>
std::string reconstruction_digest(const Exec& exec) {
  constexpr int labelled = rows - 5, numbers = losses::loss_part_count + 1;
  losses::LossOptions options;
  options.name = "reconstruction";
  const auto outputs = make_outputs<Exec, T>(exec, HeadOutputs::logits, classes);
  const auto labels = make_labels(exec, HeadOutputs::logits, outputs, labelled);
  const auto make_images = [&](const char* const stream) {
    return fill_input<Tensor4<T, Exec>>(exec, stream, Kokkos::LayoutRight(rows, 11, 13, 9),
                                        [](Random& random) { return uniform_between<T>(random, T(-2), T(2)); });
  };
  nn::Tensors<Exec, T> tensors(make_images("identity/loss_images"));
  tensors.set("reconstruction", make_images("identity/loss_reconstruction"));
  tensors.set("logits", outputs);
  tensors.set("features", make_features<Exec, T>(exec));
  const Tensor4<T, Exec> diff("bcr::identity::diff", rows, 11, 13, 9);
  const Matrix<T, Exec> diff_outputs("bcr::identity::diff_outputs", rows, classes);
  nn::Tensors<Exec, T> gradients;
  gradients.set("reconstruction", diff);
  gradients.set("logits", diff_outputs);
  const Vector<double, Exec> found("bcr::identity::numbers", numbers);
  losses::make_objective<Exec, T>(options, {HeadOutputs::logits, classes, dimensions, rows})
      ->evaluate(exec, {.tensors = tensors, .labels = labels, .lambda = 0.75}, gradients, found);
  return digest_of(exec, diff_outputs, diff, found);
}

/// The objective of CGDL, with the gradients of its prior.
template <class Exec, class T>
std::string cgdl_digest(const Exec& exec) {
  constexpr int labelled = rows - 5, numbers = losses::loss_part_count + 2, levels = 3;
  losses::LossOptions options;
  options.name = "cgdl";
  const auto outputs = make_outputs<Exec, T>(exec, HeadOutputs::logits, classes);
  const auto value = [](Random& random) { return uniform_between<T>(random, T(-2), T(2)); };
  const auto input = [&](const char* const stream, const int columns) {
    return matrix_input<T>(exec, stream, rows, columns, value);
  };
  const Matrix<T, Exec> images = input("identity/loss_images", 301), top = input("identity/loss_top", 2 * dimensions),
                        reconstruction = input("identity/loss_reconstruction", 301),
                        divergence = input("identity/loss_divergence", levels),
                        features = make_features<Exec, T>(exec);
  nn::Tensors<Exec, T> tensors, gradients;  // point at these
  tensors.set("images", images);
  tensors.set("reconstruction", reconstruction);
  tensors.set("top", top);
  tensors.set("divergence", divergence);
  tensors.set("logits", outputs);
  tensors.set("features", features);
  const auto diff = [](const int columns) { return Matrix<T, Exec>("bcr::identity::diff", rows, columns); };
  const Matrix<T, Exec> diff_outputs = diff(classes), by_image = diff(301), by_top = diff(2 * dimensions),
                        by_divergence = diff(levels);
  gradients.set("reconstruction", by_image);
  gradients.set("top", by_top);
  gradients.set("divergence", by_divergence);
  gradients.set("logits", diff_outputs);
  const Vector<double, Exec> found("bcr::identity::numbers", numbers);
  nn::ParameterStore<Exec, T> prior(nn::Gradients::kept);
  const auto objective = losses::make_objective<Exec, T>(options, {HeadOutputs::logits, classes, dimensions, rows});
  objective->add_parameters(prior);
  prior.allocate(exec, 1);
  objective->evaluate(exec,
                      {.tensors = tensors,
                       .labels = make_labels(exec, HeadOutputs::logits, outputs, labelled),
                       .lambda = 0.75},
                      gradients, found);
  return digest_of(exec, diff_outputs, by_image, by_top, by_divergence, prior.gradients(), found);
}

/// The second stage of C2AE: two reconstructions of each image.
template <class Exec, class T>
std::string c2ae_digest(const Exec& exec) {
  constexpr int labelled = rows - 5, numbers = losses::loss_part_count + 2, size = 301;
  losses::LossOptions options;
  options.name = "c2ae";
  const auto outputs = make_outputs<Exec, T>(exec, HeadOutputs::logits, classes);
  const auto input = [&](const char* const stream, const int columns) {
    return matrix_input<T>(exec, stream, rows, columns,
                           [](Random& random) { return uniform_between<T>(random, T(-2), T(2)); });
  };
  const Matrix<T, Exec> images = input("identity/loss_images", size),
                        reconstructions = input("identity/loss_reconstructions", 2 * size),
                        features = make_features<Exec, T>(exec);
  const Matrix<T, Exec> diff_outputs("bcr::identity::diff_outputs", rows, classes);
  const Matrix<T, Exec> by_image("bcr::identity::diff", rows, 2 * size);
  nn::Tensors<Exec, T> tensors, gradients;
  tensors.set("images", images);
  tensors.set("reconstructions", reconstructions);
  tensors.set("logits", outputs);
  tensors.set("features", features);
  gradients.set("reconstructions", by_image);
  gradients.set("logits", diff_outputs);
  const Vector<double, Exec> found("bcr::identity::numbers", numbers);
  losses::make_objective<Exec, T>(options, {HeadOutputs::logits, classes, dimensions, rows})
      ->evaluate(exec,
                 {.tensors = tensors,
                  .labels = make_labels(exec, HeadOutputs::logits, outputs, labelled),
                  .lambda = 0.75},
                 gradients, found);
  return digest_of(exec, by_image, found);
}

/// The scores that one digest joins. A score that came later has a subject of its own: digests that were published stay.
constexpr std::array joined_scores{"max_softmax",           "min_distance", "inclusion", "energy",
                                   "uniform_cross_entropy", "softmax_norm"};

template <class Exec, class T>
std::string score_digest(const Exec& exec, const HeadOutputs kind, const std::string_view name) {
  const auto outputs = make_outputs<Exec, T>(exec, kind, classes);
  const auto features = make_features<Exec, T>(exec);
  const Vector<double, Exec> scores("bcr::identity::scores", rows);
  const Labels<Exec> predictions("bcr::identity::predictions", rows);
  losses::make_score<Exec, T>(name, {kind, classes, dimensions, 0.125, 2.0})
      ->evaluate(exec, outputs, features, scores, predictions);
  return digest_of(exec, scores, predictions);
}

template <class Exec, class T, HeadOutputs kind>
std::string scores_digest(const Exec& exec) {
  Sha256 hash;
  for (const std::string_view name : joined_scores)
    if (losses::all_scores().find(name).fits_outputs(kind)) hash.update(score_digest<Exec, T>(exec, kind, name));
  return to_hex(hash.digest());
}

template <class Exec, class T, HeadOutputs kind>
std::string max_logit_digest(const Exec& exec) {
  return score_digest<Exec, T>(exec, kind, "max_logit");
}

template <class Exec, class T, HeadOutputs kind>
std::string gen_digest(const Exec& exec) {
  return score_digest<Exec, T>(exec, kind, "gen");
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  const std::string type(element_type_name<T>());
  for (const losses::LossEntry& entry : losses::row_losses())
    subjects.push_back({fmt::format("loss.{}.{}", entry.name, type),
                        [name = entry.name](const Exec& exec) { return loss_digest<Exec, T>(exec, name); }});
  subjects.push_back({"loss.reconstruction." + type, reconstruction_digest<Exec, T>});
  subjects.push_back({"loss.cgdl." + type, cgdl_digest<Exec, T>});
  subjects.push_back({"loss.c2ae." + type, c2ae_digest<Exec, T>});
  subjects.push_back({"scores.distances." + type, scores_digest<Exec, T, HeadOutputs::squared_distances>});
  subjects.push_back({"scores.logits." + type, scores_digest<Exec, T, HeadOutputs::logits>});
  subjects.push_back({"scores.max_logit." + type, max_logit_digest<Exec, T, HeadOutputs::logits>});
  subjects.push_back({"scores.gen_distances." + type, gen_digest<Exec, T, HeadOutputs::squared_distances>});
  subjects.push_back({"scores.gen_logits." + type, gen_digest<Exec, T, HeadOutputs::logits>});
}

}  // namespace

template <class Exec>
void add_loss_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
}

#define BCR_INSTANCE(Exec) template void add_loss_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
