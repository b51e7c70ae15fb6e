#include "models/heads/registry.hpp"

#include "src/core/instances.hpp"

namespace bcr::models {

HeadEntry distance_head();
HeadEntry linear_head();

Registry<HeadEntry>& all_heads() {
  static Registry<HeadEntry> heads("head", {distance_head(), linear_head()});
  return heads;
}

std::vector<std::string> head_names() {
  return all_heads().names();
}

HeadOutputs head_outputs(const HeadOptions& options) {
  return all_heads().find(options.name).outputs;
}

template <class Exec, class T>
std::unique_ptr<Head<Exec, T>> make_head(const HeadOptions& options, nn::ParameterStore<Exec, T>& parameters,
                                         const int features, const int columns, const int most_rows,
                                         const nn::Mode mode) {
  const HeadEntry& entry = all_heads().find(options.name);
  require<ConfigError>(features > 0, "make_head", "at least one feature", std::to_string(features));
  require<ConfigError>(columns > 0, "make_head", "at least one class", std::to_string(columns));
  require<ConfigError>(most_rows > 0, "make_head", "batches of at least one row", std::to_string(most_rows));
  return entry.make.at<Exec, T>()(options, parameters, {features, columns, most_rows}, mode);
}

#define BCR_INSTANCE(Exec, T)                                                               \
  template std::unique_ptr<Head<Exec, T>> make_head<Exec, T>(const HeadOptions&,            \
                                                             nn::ParameterStore<Exec, T>&, int, int, int, nn::Mode);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
