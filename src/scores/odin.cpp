#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/scores/fitted_scores.hpp"

#include <algorithm>

namespace bcr::scores {
namespace {

class Odin final : public FittedScore {
 public:
  Odin(const HeadModel& head, const OdinSettings& settings) : head_(head), settings_(settings) {}

  int passes() const override { return 0; }
  bool reads_features() const override { return false; }
  void add(int, const SampleRows&) override {}
  void finish(int) override {}

  /// -log sum_c exp((z_c - max z) / T).
  void score(const SampleRows& rows, const std::span<double> dst) const override {
    require<ShapeError>(rows.moved_output.size() == rows.count * rows.columns, "score odin",
                        "the outputs of moved images", "none");
    std::vector<double> logits(head_.classes);
    for (std::size_t i = 0; i < rows.count; ++i) {
      for (std::size_t c = 0; c < head_.classes; ++c) logits[c] = head_.logit(rows.moved_output_row(i)[c]);
      const double largest = *std::max_element(logits.begin(), logits.end());
      double sum = 0;
      for (const double z : logits) sum += kernels::strict::exp((z - largest) / settings_.temperature);
      dst[i] = -kernels::strict::log(sum);
    }
  }

  FittedState state() const override {
    return FittedState({{"settings", {2}, std::vector<double>{settings_.temperature, settings_.epsilon}}});
  }
  void restore(const FittedState& state) override {
    const std::vector<double>& settings = state.doubles("settings", {2});
    settings_ = {.temperature = settings[0], .epsilon = settings[1]};
  }

 private:
  HeadModel head_;
  OdinSettings settings_;
};

}  // namespace

FittedScorePointer make_odin(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<Odin>(head, options.odin);
}

}  // namespace bcr::scores
