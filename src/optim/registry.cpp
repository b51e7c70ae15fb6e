#include "src/optim/registry.hpp"

namespace bcr::optim {

OptimizerEntry sgd();
OptimizerEntry sgd_classical();
OptimizerEntry adam();

Registry<OptimizerEntry>& all_optimizers() {
  static Registry<OptimizerEntry> optimizers("optimizer", {sgd(), sgd_classical(), adam()});
  return optimizers;
}

}  // namespace bcr::optim
