#ifndef BCR_SRC_TRAIN_HOOKS_LOG_HOOK_HPP
#define BCR_SRC_TRAIN_HOOKS_LOG_HOOK_HPP

#include "src/train/training_state.hpp"
#include "src/train/work_rate.hpp"

#include <optional>
#include <string>

namespace bcr::train {

/// train.jsonl, the progress bar and a line per epoch; keeps the sums of the epoch and clears them at its end.
class LogHook final : public TrainingHook {
 public:
  explicit LogHook(TrainingState& state);

  void save(io::Checkpoint& checkpoint) const override;
  void restore(const io::Checkpoint& checkpoint) override;
  void begin(TrainingState& state) override;
  void before_step(TrainingState& state) override;
  void after_step(TrainingState& state) override;
  void after_epoch(TrainingState& state) override;

 private:
  std::optional<double> tokens_per_second(double seconds) const;
  /// "806 img/s", or "565 texts/s, 36012 tokens/s".
  std::string rate_text(double seconds) const;

  TrainingState& state_;
  WorkRate work_;
  std::uint64_t images_ = 0;  ///< or texts, of the epoch since the start of this process, on all ranks
  std::uint64_t tokens_ = 0;  ///< of these texts
  Kokkos::Timer timer_;       ///< of the epoch
};

}  // namespace bcr::train

#endif
