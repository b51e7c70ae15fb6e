#include "losses/registry.hpp"

#include <algorithm>
#include <string>

namespace bcr::losses {

using DescribeLoss = LossEntry();
// Each in the file of its name; entropic_loss with uniformity_loss.
DescribeLoss classification_loss, class_inclusion_loss, hsc_loss, triplet_loss, uniformity_loss, entropic_loss,
    objectosphere_loss, energy_loss, background_class_loss, reconstruction_loss, cgdl_loss, c2ae_loss;

Registry<LossEntry>& all_losses() {
  static Registry<LossEntry> losses("loss", {classification_loss(), class_inclusion_loss(), hsc_loss(), triplet_loss(),
                                             uniformity_loss(), entropic_loss(), objectosphere_loss(), energy_loss(),
                                             background_class_loss(), reconstruction_loss(), cgdl_loss(), c2ae_loss()});
  return losses;
}

std::vector<LossEntry> row_losses() {
  std::vector<LossEntry> losses;
  for (const LossEntry& entry : all_losses().entries())
    if (entry.is_of_rows()) losses.push_back(entry);
  return losses;
}

std::vector<std::string> loss_names() {
  return all_losses().names();
}

std::string loss_title(const std::string_view name) {
  return all_losses().contains(name) ? std::string(all_losses().find(name).title) : std::string();
}

bool LossEntry::accepts(const HeadOutputs outputs) const {
  return fits == Fits::both || (fits == Fits::distances) == (outputs == HeadOutputs::squared_distances);
}

void require_fitting(const LossEntry& entry, const LossShape& shape) {
  const bool distances = shape.outputs == HeadOutputs::squared_distances;
  const std::string operation = "loss." + std::string(entry.name);
  require<ConfigError>(entry.accepts(shape.outputs), operation,
                       distances ? "a head that gives logits" : "a head that gives squared distances",
                       distances ? "a head that gives squared distances" : "a head that gives logits");
  require<ConfigError>(shape.classes > 0, operation, "at least one known class", std::to_string(shape.classes));
  require<ConfigError>(shape.features > 0, operation, "at least one feature", std::to_string(shape.features));
  require<ConfigError>(shape.most_rows > 0, operation, "batches of at least one row", std::to_string(shape.most_rows));
}

int output_columns(const LossOptions& options, const int classes) {
  return classes + all_losses().find(options.name).extra_columns;
}

std::string_view default_score(const LossOptions& options, const HeadOutputs outputs) {
  const LossEntry& entry = all_losses().find(options.name);
  if (!entry.score.empty()) return entry.score;
  return outputs == HeadOutputs::squared_distances ? "min_distance" : "max_softmax";
}

double lambda_at(const LossOptions& options, const double epochs) {
  const double lambda = options.lambda.value_or(all_losses().find(options.name).lambda);
  if (epochs >= options.lambda_ramp) return lambda;
  return lambda * (std::max(epochs, 0.0) / options.lambda_ramp);
}

}  // namespace bcr::losses
