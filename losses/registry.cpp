#include "losses/registry.hpp"

#include "losses/background_class_loss.hpp"
#include "losses/class_inclusion_loss.hpp"
#include "losses/classification_loss.hpp"
#include "losses/energy_loss.hpp"
#include "losses/hsc_loss.hpp"
#include "losses/objectosphere_loss.hpp"
#include "losses/triplet_loss.hpp"
#include "losses/uniformity_loss.hpp"
#include "src/core/instances.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace bcr::losses {
namespace {

using Fits = LossInfo::Fits;

constexpr std::array<LossInfo, loss_count> table{
    LossInfo{"none", Fits::both, 0, 0, "", "-log softmax(z)_y of known samples, no background term"},
    LossInfo{"class_inclusion", Fits::distances, 5, 0, "", "-log P_I if y is nearest; background -log(1 - P_I)"},
    LossInfo{"hsc", Fits::distances, 1, 0, "", "sqrt(D_y^2 + 1) - 1; background -log(1 - exp(1 - sqrt(D^2 + 1)))"},
    LossInfo{"triplet", Fits::distances, 5, 0, "", "max(0, d(known, mu_y) - d(background, mu_y) + m)"},
    LossInfo{"uniformity", Fits::logits, 0.5, 0, "", "background: cross-entropy of softmax(z) to uniform"},
    LossInfo{"entropic", Fits::logits, 1, 0, "", "uniformity with weight 1"},
    LossInfo{"objectosphere", Fits::logits, 1, 0, "", "entropic + w (max(xi - |f|, 0)^2; background |f|^2)"},
    LossInfo{"energy", Fits::logits, 0.1, 0, "energy", "max(0, E - m_in)^2; background max(0, m_out - E)^2"},
    LossInfo{"background_class", Fits::logits, 1, 1, "", "background: -log softmax(z)_{C+1}"},
};

template <class Exec, class T>
using Maker = std::unique_ptr<Loss<Exec, T>> (*)(const LossOptions&, const LossShape&);

/// In the order of the table.
template <class Exec, class T>
constexpr std::array<Maker<Exec, T>, loss_count> makers{
    make_classification_loss<Exec, T>, make_class_inclusion_loss<Exec, T>, make_hsc_loss<Exec, T>,
    make_triplet_loss<Exec, T>,        make_uniformity_loss<Exec, T>,      make_uniformity_loss<Exec, T>,
    make_objectosphere_loss<Exec, T>,  make_energy_loss<Exec, T>,          make_background_class_loss<Exec, T>};

void check(const LossInfo& info, const LossShape& shape) {
  const bool distances = shape.outputs == HeadOutputs::squared_distances;
  const std::string operation = "loss." + std::string(info.name);
  require<ConfigError>(info.fits != Fits::distances || distances, operation, "a head that gives squared distances",
                       "a head that gives logits");
  require<ConfigError>(info.fits != Fits::logits || !distances, operation, "a head that gives logits",
                       "a head that gives squared distances");
  require<ConfigError>(shape.classes > 0, operation, "at least one known class", std::to_string(shape.classes));
  require<ConfigError>(shape.features > 0, operation, "at least one feature", std::to_string(shape.features));
  require<ConfigError>(shape.most_rows > 0, operation, "batches of at least one row", std::to_string(shape.most_rows));
}

}  // namespace

std::span<const LossInfo> all_losses() {
  return table;
}

const LossInfo& find_loss(const std::string_view name) {
  std::string names;
  for (const LossInfo& info : table) {
    if (info.name == name) return info;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw ConfigError("find_loss", "one of " + names, name);
}

int output_columns(const LossOptions& options, const int classes) {
  return classes + find_loss(options.name).extra_columns;
}

std::string_view default_score(const LossOptions& options, const HeadOutputs outputs) {
  const LossInfo& info = find_loss(options.name);
  if (!info.score.empty()) return info.score;
  return outputs == HeadOutputs::squared_distances ? "min_distance" : "max_softmax";
}

double lambda_at(const LossOptions& options, const double epochs) {
  const double lambda = options.lambda.value_or(find_loss(options.name).lambda);
  if (epochs >= options.lambda_ramp) return lambda;
  return lambda * (std::max(epochs, 0.0) / options.lambda_ramp);
}

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_loss(const LossOptions& options, const LossShape& shape) {
  const LossInfo& info = find_loss(options.name);
  check(info, shape);
  return makers<Exec, T>[static_cast<std::size_t>(&info - table.data())](options, shape);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
