#ifndef BCR_TESTS_SUPPORT_NETWORK_CASE_HPP
#define BCR_TESTS_SUPPORT_NETWORK_CASE_HPP

#include "src/core/log.hpp"
#include "src/nn/network.hpp"
#include "tests/reference/network.hpp"

#include <random>
#include <string>
#include <vector>

namespace bcr::test {

inline std::vector<double> random_values(const std::size_t count, const unsigned seed) {
  std::vector<double> values(count);
  std::mt19937 engine(seed);
  for (double& value : values) value = engine() * 0x1p-31 - 1;
  return values;
}

/// A network with its stores, filled from the host and read back.
template <class Exec, class T>
class NetworkCase {
 public:
  NetworkCase(const nn::Graph& graph, const nn::Mode mode, const int images, const int most_images = 0)
      : NetworkCase(graph, images,
                    {.mode = mode, .training_images = std::max(images, most_images), .inference_images = 0}) {}

  NetworkCase(const nn::Graph& graph, const int images, const nn::NetworkSettings& settings)
      : images_(images),
        network_(graph, settings, parameters_, statistics_, Exec(), Log(LogLevel::off)),
        input_("bcr::tests::images", images, graph.shape(0).height, graph.shape(0).width, graph.shape(0).channels) {
    parameters_.allocate(Exec(), 7);
    statistics_.allocate(Exec(), 7);
    // gamma and beta away from 1 and 0, so that their gradients and roles are distinct.
    unsigned seed = 100;
    for (std::size_t id = 0; id < parameters_.slices().size(); ++id, ++seed) {
      const auto& name = parameters_.slices()[id].name;
      if (name.ends_with(".gamma") || name.ends_with(".beta")) set_parameter(id, shifted(name, seed));
    }
  }

  nn::ParameterStore<Exec, T>& parameters() { return parameters_; }
  nn::ParameterStore<Exec, T>& statistics() { return statistics_; }
  nn::Network<Exec, T>& network() { return network_; }

  void set_images(const std::vector<double>& values) { fill(nn::flat<Exec, T>(input_), values); }
  void set_parameter(const int id, const std::vector<double>& values) { fill(parameters_.values(id), values); }
  void set_statistic(const int id, const std::vector<double>& values) { fill(statistics_.values(id), values); }

  std::vector<double> forward(const nn::PassInfo& pass = training_pass()) {
    return read(network_.forward(Exec(), pass, input_).matrix("features"));
  }

  void set_diff(const std::string& output, const std::vector<double>& values) {
    fill(nn::flat<Exec, T>(network_.diff(output, images_).images()), values);
  }

  reference::NamedValues backward(const std::vector<double>& diff_features,
                                  const nn::PassInfo& pass = training_pass()) {
    set_diff("features", diff_features);
    network_.backward(Exec(), pass, input_);
    return named([&](const int id) { return parameters_.gradients(id); });
  }

  reference::NamedValues parameter_values() {
    return named([&](const int id) { return parameters_.values(id); });
  }

  std::vector<double> statistic_values() const { return read(statistics_.values()); }

  static nn::PassInfo training_pass() { return {.phase = nn::Phase::training, .seed = 3, .step = 5}; }

 private:
  std::vector<double> shifted(const std::string& name, const unsigned seed) {
    std::vector<double> values;
    for (const auto& slice : parameters_.slices())
      if (slice.name == name) values = random_values(slice.size, seed);
    for (double& value : values) value = name.ends_with(".gamma") ? 1 + value / 2 : value / 4;
    return values;
  }

  static void fill(const Vector<T, Exec>& device, const std::vector<double>& values) {
    const auto mirror = Kokkos::create_mirror_view(device);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = static_cast<T>(values[i]);
    Kokkos::deep_copy(device, mirror);
  }

  template <class View>
  static std::vector<double> read(const View& device) {
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
    return {mirror.data(), mirror.data() + mirror.size()};
  }

  template <class Select>
  reference::NamedValues named(const Select& select) {
    reference::NamedValues result;
    for (std::size_t id = 0; id < parameters_.slices().size(); ++id)
      result[parameters_.slices()[id].name] = read(select(static_cast<int>(id)));
    return result;
  }

  int images_;
  nn::ParameterStore<Exec, T> parameters_{nn::Gradients::kept};
  nn::ParameterStore<Exec, T> statistics_{nn::Gradients::none};
  nn::Network<Exec, T> network_;
  Tensor4<T, Exec> input_;
};

}  // namespace bcr::test

#endif
