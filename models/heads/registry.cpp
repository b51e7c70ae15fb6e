#include "models/heads/registry.hpp"

#include "models/heads/distance_head.hpp"
#include "models/heads/linear_head.hpp"
#include "src/core/instances.hpp"

namespace bcr::models {

HeadOutputs head_outputs(const HeadOptions& options) {
  if (options.name == "distance") return HeadOutputs::squared_distances;
  if (options.name == "linear") return HeadOutputs::logits;
  throw ConfigError("make_head", "one of distance, linear", options.name);
}

template <class Exec, class T>
std::unique_ptr<Head<Exec, T>> make_head(const HeadOptions& options, nn::ParameterStore<Exec, T>& parameters,
                                         const int features, const int columns, const int most_rows,
                                         const nn::Mode mode) {
  const HeadOutputs outputs = head_outputs(options);
  require<ConfigError>(features > 0, "make_head", "at least one feature", std::to_string(features));
  require<ConfigError>(columns > 0, "make_head", "at least one class", std::to_string(columns));
  require<ConfigError>(most_rows > 0, "make_head", "batches of at least one row", std::to_string(most_rows));
  if (outputs == HeadOutputs::squared_distances)
    return std::make_unique<DistanceHead<Exec, T>>(parameters, features, columns);
  return std::make_unique<LinearHead<Exec, T>>(parameters, features, columns, most_rows,
                                               options.bias ? HeadBias::added : HeadBias::none, mode);
}

#define BCR_INSTANCE(Exec, T)                                                               \
  template std::unique_ptr<Head<Exec, T>> make_head<Exec, T>(const HeadOptions&,            \
                                                             nn::ParameterStore<Exec, T>&, int, int, int, nn::Mode);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
