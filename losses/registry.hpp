#ifndef BCR_LOSSES_REGISTRY_HPP
#define BCR_LOSSES_REGISTRY_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"
#include "src/core/per_instance.hpp"
#include "src/core/registry.hpp"

#include <memory>
#include <string_view>

namespace bcr::losses {

struct LossEntry;

template <class Exec, class T>
using ObjectiveMaker = std::unique_ptr<Objective<Exec, T>> (*)(const LossEntry&, const LossOptions&, const LossShape&);

/// All there is to know of a loss but its formula.
struct LossEntry {
  enum class Fits { distances, logits, both };
  enum class Reads { known, background };

  std::string_view name;
  std::string_view title;                       ///< on pages
  Fits fits = Fits::both;                       ///< the outputs it can be used with
  Reads reads = Reads::background;              ///< known rows alone, or background rows too
  std::string_view reads_besides = {};          ///< a tensor of the backbone that it reads and differentiates besides
                                                ///< outputs and features; "": a loss of single rows
  bool pairs_rows = false;                      ///< known row i and background row i belong together, so to one shard
  double lambda = 1;                            ///< the published weight of its background term
  int extra_columns = 0;                        ///< outputs besides one for each known class
  std::string_view score = {};                  ///< the published one of a model trained with it; "": that of the head
  std::string_view formula = {};                ///< in words
  void (*check)(const LossOptions&) = nullptr;  ///< ConfigError for settings that a run cannot mean
  PerInstance<ObjectiveMaker> make;

  bool accepts(HeadOutputs outputs) const;
  bool is_of_rows() const { return reads_besides.empty(); }
};

/// Every loss, in the order of the documentation. Each describes itself in losses/<name>_loss.cpp; registry.cpp lists
/// them.
Registry<LossEntry>& all_losses();
/// Those that make_loss() makes.
std::vector<LossEntry> row_losses();

/// Columns that the outputs must have: C, or C + 1 for background_class.
int output_columns(const LossOptions& options, int classes);

/// The score that fits a model trained with this loss on a head with these outputs.
std::string_view default_score(const LossOptions& options, HeadOutputs outputs);

/// lambda after `epochs` (fractions allowed): the given or the published one, reached linearly from 0 if a ramp is set.
double lambda_at(const LossOptions& options, double epochs);

/// ConfigError if the outputs are of the wrong kind for the loss, or a size is not positive.
void require_fitting(const LossEntry& entry, const LossShape& shape);

/// What the options name. A ConfigError as require_fitting says.
template <class Exec, class T>
std::unique_ptr<Objective<Exec, T>> make_objective(const LossOptions& options, const LossShape& shape) {
  const LossEntry& entry = all_losses().find(options.name);
  require_fitting(entry, shape);
  return entry.make.template at<Exec, T>()(entry, options, shape);
}

/// The same, for those who evaluate a loss of rows by itself; a ConfigError if it is none.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_loss(const LossOptions& options, const LossShape& shape) {
  auto objective = make_objective<Exec, T>(options, shape);
  auto* const loss = dynamic_cast<Loss<Exec, T>*>(objective.get());
  require<ConfigError>(loss != nullptr, "loss." + options.name, "a loss of single rows", "another objective");
  objective.release();
  return std::unique_ptr<Loss<Exec, T>>(loss);
}

}  // namespace bcr::losses

#endif
