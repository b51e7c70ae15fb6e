#include "src/train/openmax_score.hpp"

#include "src/core/error.hpp"

#include <string>
#include <vector>

namespace bcr::train {
namespace {

/// The first `classes` columns of the outputs of a set, packed.
std::vector<float> known_logits(const io::SetScores& set, const int classes) {
  const auto kept = static_cast<std::size_t>(classes);
  const std::size_t columns = set.count() == 0 ? kept : set.outputs.size() / set.count();
  require<ShapeError>(columns >= kept, "OpenmaxScore", std::to_string(kept) + " logits of each image",
                      std::to_string(columns));
  if (columns == kept) return set.outputs;
  std::vector<float> logits;
  logits.reserve(set.count() * kept);
  for (std::size_t row = 0; row < set.count(); ++row) {
    const auto first = set.outputs.begin() + static_cast<std::ptrdiff_t>(row * columns);
    logits.insert(logits.end(), first, first + classes);
  }
  return logits;
}

metrics::Openmax fit(const io::SetScores& training, const int classes, const metrics::OpenmaxSettings& settings) {
  const std::vector<float> logits = known_logits(training, classes);
  return metrics::Openmax::fit(metrics::LogitRows<float>{logits, classes}, training.labels, settings);
}

}  // namespace

OpenmaxScore::OpenmaxScore(const io::SetScores& training, const int classes, const metrics::OpenmaxSettings& settings)
    : settings_(settings), openmax_(fit(training, classes, settings)) {}

int OpenmaxScore::classes_with_tail() const {
  int fitted = 0;
  for (std::int32_t c = 0; c < openmax_.classes(); ++c) fitted += openmax_.tail(c).fitted() ? 1 : 0;
  return fitted;
}

void OpenmaxScore::add_to(io::SetScores& set) const {
  const std::vector<float> logits = known_logits(set, openmax_.classes());
  std::vector<double> scores(set.count());
  openmax_.scores(metrics::LogitRows<float>{logits, openmax_.classes()}, scores);
  set.scores.emplace_back(name, std::move(scores));
}

}  // namespace bcr::train
