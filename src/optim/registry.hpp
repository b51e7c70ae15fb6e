#ifndef BCR_SRC_OPTIM_REGISTRY_HPP
#define BCR_SRC_OPTIM_REGISTRY_HPP

#include "src/core/per_instance.hpp"
#include "src/core/registry.hpp"
#include "src/optim/optimizer.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace bcr::optim {

template <class Exec, class T>
using OptimizerMaker = std::unique_ptr<Optimizer<Exec, T>> (*)(ParameterLayout);

/// All there is to know of an optimiser but its arithmetic.
struct OptimizerEntry {
  std::string_view name;
  std::string_view explanation;
  PerInstance<OptimizerMaker> make;
};

/// Every optimiser. Each describes itself in the file of its name; registry.cpp lists them.
Registry<OptimizerEntry>& all_optimizers();

/// ConfigError that lists the names for one that is not known, or if the layout cannot be (parameter_layout.hpp).
template <class Exec, class T>
std::unique_ptr<Optimizer<Exec, T>> make_optimizer(const std::string_view name, ParameterLayout layout) {
  return all_optimizers().find(name).make.template at<Exec, T>()(std::move(layout));
}

}  // namespace bcr::optim

#endif
