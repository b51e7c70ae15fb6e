#include "src/train/best_epoch.hpp"

namespace bcr::train {

bool BestEpoch::take(const double accuracy, const int epoch) {
  if (!(accuracy > accuracy_)) return false;
  accuracy_ = accuracy;
  epoch_ = epoch;
  return true;
}

bool BestEpoch::is_out_of_patience(const int epoch, const int patience) const {
  return patience > 0 && epoch_ > 0 && epoch - epoch_ >= patience;
}

std::vector<double> BestEpoch::save() const {
  return epoch_ == 0 ? std::vector<double>() : std::vector<double>{accuracy_, double(epoch_)};
}

void BestEpoch::restore(const std::vector<double>& saved) {
  if (saved.size() != 2) return;
  accuracy_ = saved[0];
  epoch_ = static_cast<int>(saved[1]);
}

}  // namespace bcr::train
