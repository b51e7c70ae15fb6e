#ifndef BCR_LOSSES_REGISTRY_HPP
#define BCR_LOSSES_REGISTRY_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace bcr::losses {

/// What is known of a loss by its name alone.
struct LossInfo {
  enum class Fits { distances, logits, both };

  std::string_view name;
  Fits fits;               ///< the outputs it can be used with
  double lambda;           ///< the published weight of its background term
  int extra_columns;       ///< outputs besides one for each known class
  std::string_view score;  ///< the published score of a model trained with it; "" is the head's default score
  std::string_view formula;
};

inline constexpr std::size_t loss_count = 9;

/// Every loss, in the order of the documentation. Adding one is adding a line to registry.cpp.
std::span<const LossInfo> all_losses();

/// ConfigError that lists the known names if there is none of that name.
const LossInfo& find_loss(std::string_view name);

/// Columns that the outputs must have: C, or C + 1 for background_class.
int output_columns(const LossOptions& options, int classes);

/// The score that fits a model trained with this loss on a head with these outputs.
std::string_view default_score(const LossOptions& options, HeadOutputs outputs);

/// lambda after `epochs` (fractions allowed): the given or the published one, reached linearly from 0 if a ramp is set.
double lambda_at(const LossOptions& options, double epochs);

/// ConfigError if the outputs are of the wrong kind for the loss, or a size is not positive.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
