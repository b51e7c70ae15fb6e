#ifndef BCR_SRC_TRAIN_BEST_EPOCH_HPP
#define BCR_SRC_TRAIN_BEST_EPOCH_HPP

#include <vector>

namespace bcr::train {

/// Which epoch was best on the validation images, and whether it is worth going on. Nothing is chosen on test images.
class BestEpoch {
 public:
  /// Takes in the accuracy of an epoch; whether it is better than all before. Of equal ones the first stays the best.
  bool take(double accuracy, int epoch);

  /// Whether as many epochs have gone by since the best one; a patience of 0 never ends.
  bool is_out_of_patience(int epoch, int patience) const;

  int epoch() const noexcept { return epoch_; }  ///< 0: none yet
  double accuracy() const noexcept { return accuracy_; }

  /// For a checkpoint: nothing, or accuracy and epoch.
  std::vector<double> save() const;
  void restore(const std::vector<double>& saved);

 private:
  double accuracy_ = -1;
  int epoch_ = 0;
};

}  // namespace bcr::train

#endif
