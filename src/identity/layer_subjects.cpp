#include "kernels/film/film.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/curves.hpp"
#include "src/nn/layers/dropout.hpp"
#include "src/nn/layers/film.hpp"
#include "src/nn/layers/gaussian.hpp"
#include "src/nn/layers/leaky_relu.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"
#include "src/nn/network.hpp"

namespace bcr::identity {
namespace {

constexpr int samples = 5;
constexpr nn::Initializer initial{nn::Fill::uniform, 0.5};

/// A training pass and back of a small network around one operation: features, and the gradients of all parameters.
template <class Exec, class T>
std::string pass_digest(const Exec& exec, const nn::Graph& graph) {
  nn::ParameterStore<Exec, T> parameters(nn::Gradients::kept);
  nn::ParameterStore<Exec, T> statistics(nn::Gradients::none);
  nn::Network<Exec, T> network(graph, {.training_images = samples, .inference_images = 0}, parameters, statistics, exec,
                               Log(LogLevel::off));
  parameters.allocate(exec, 1);
  statistics.allocate(exec, 1);
  const auto& input = graph.shape(graph.input());
  const auto value = [](Random& random) { return uniform_between<T>(random, -2, 2); };
  const auto images =
      fill_input<Tensor4<T, Exec>>(exec, "identity/layer/images",
                                   Kokkos::LayoutRight(samples, input.height, input.width, input.channels), value);
  const nn::PassInfo pass{nn::Phase::training, 1, 7};
  const auto features = network.forward(exec, pass, images).matrix("features");
  Kokkos::deep_copy(exec, network.diff("features", samples).matrix(),
                    matrix_input<T>(exec, "identity/layer/diff", samples, features.extent(1), value));
  Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace> kept("bcr::identity::features", samples,
                                                                 features.extent(1));
  Kokkos::deep_copy(exec, kept, features);
  network.backward(exec, pass, images);
  return digest_of(exec, kept, parameters.gradients());
}

nn::ValueId add_stem(nn::Graph& graph) {
  return nn::convolution(graph, "stem", graph.input(), {.channels = 11, .initial = initial});
}

void add_features(nn::Graph& graph, const nn::ValueId value) {
  nn::linear(graph, "features", value, {.channels = 9, .initial = initial});
}

nn::Graph concatenated() {
  nn::Graph graph({9, 10, 3});
  const auto x = add_stem(graph);
  const auto y = nn::convolution(graph, "next", x, {.channels = 5, .initial = initial});
  add_features(graph, nn::concatenate(graph, "all", {y, x, y}));
  return graph;
}

nn::Graph dropped() {
  nn::Graph graph({9, 10, 3});
  add_features(graph, nn::dropout(graph, "drop", add_stem(graph), {.rate = 0.3}));
  return graph;
}

nn::Graph averaged() {
  nn::Graph graph({9, 10, 3});
  add_features(graph,
               nn::average_pool(graph, "pool", add_stem(graph), {.window = {.kernel = 3, .stride = 2, .pad = 1}}));
  return graph;
}

nn::Graph rectified() {
  nn::Graph graph({9, 10, 3});
  add_features(graph, nn::relu(graph, "relu", add_stem(graph)));
  return graph;
}

nn::Graph grown() {
  nn::Graph graph({9, 10, 3});
  auto x = nn::reshape(graph, "turned", add_stem(graph), {10, 9, 11});
  x = nn::transposed_convolution(graph, "grow", x, {.channels = 7, .bias = nn::Bias::added, .initial = initial});
  add_features(graph, x);
  return graph;
}

/// A learned slope behind a batch norm that learns nothing, a fixed one, tanh.
nn::Graph bent() {
  nn::Graph graph({9, 10, 3});
  const auto x = nn::batch_norm(graph, "norm", add_stem(graph),
                                {.activation = nn::Activation::none, .affine = nn::Affine::none});
  const auto y = nn::leaky_relu(graph, "learned", x, {.slope = 0.25, .kind = nn::Slope::learned});
  const auto z = nn::leaky_relu(graph, "fixed", nn::linear(graph, "fc", y, {.channels = 13, .initial = initial}), {});
  add_features(graph, nn::tanh(graph, "tanh", z));
  return graph;
}

/// A Gaussian of which a sample is drawn, joined with one that is made from the sample; the divergence counts too.
nn::Graph gaussians() {
  nn::Graph graph({9, 10, 3});
  const auto x = add_stem(graph);
  const auto up = nn::linear(graph, "up", x, {.channels = 14, .initial = initial});
  const auto most = nn::linear(graph, "most", x, {.channels = 10, .initial = initial});
  const auto top = nn::gaussian_sample(graph, "top", most);
  const auto down = nn::linear(graph, "down", top, {.channels = 14, .initial = initial});
  const auto joined = nn::gaussian_join(graph, "join", up, down);
  add_features(graph, nn::concatenate(graph, "all", {joined.sample, joined.divergence}));
  return graph;
}

/// Features that classes modulate, and images that stand one under the other.
nn::Graph modulated() {
  nn::Graph graph({9, 10, 3});
  const auto f = nn::linear(graph, "f", add_stem(graph), {.channels = 13, .initial = initial});
  auto x = nn::film(graph, "film", f, {.classes = 5, .conditions = 3, .initial = initial});
  x = nn::convolution(graph, "widen", x, {.channels = 42, .taps = 1, .window = {1, 0}, .initial = initial});
  x = nn::reshape(graph, "map", x, {6, 3, 7});
  x = nn::transposed_convolution(graph, "grow", x,
                                 {.channels = 5, .bias = nn::Bias::added, .initial = initial, .stacked = 3});
  add_features(graph, x);
  return graph;
}

/// A label and three other classes of each of 101 rows.
template <class Exec>
std::string conditions_digest(const Exec& exec) {
  constexpr int rows = 101, classes = 7;
  const auto labels = vector_input<std::int32_t>(exec, "identity/film_labels", rows, [](Random& random, std::size_t) {
    return static_cast<std::int32_t>(random.below(classes));
  });
  const Matrix<std::int32_t, Exec> conditions("bcr::identity::conditions", rows, 4);
  kernels::choose_conditions<Exec>(
      exec, {.classes = classes, .drawn = true, .seed = 1, .stream = Stream("film/identity"), .step = 7}, labels,
      conditions);
  return digest_of(exec, conditions);
}

/// The gradient by the images in a pass that keeps running statistics and drops nothing.
template <class Exec, class T>
std::string frozen_digest(const Exec& exec) {
  nn::Graph graph({8, 10, 3});
  const auto x = nn::batch_norm(graph, "norm", add_stem(graph), {.dropout = 0.3});
  add_features(graph, nn::max_pool(graph, "pool", x, {}));
  nn::ParameterStore<Exec, T> parameters(nn::Gradients::kept);
  nn::ParameterStore<Exec, T> statistics(nn::Gradients::none);
  nn::Network<Exec, T> network(
      graph,
      {.training_images = samples, .inference_images = 0, .input_gradients = nn::InputGradients::written}, parameters,
      statistics, exec, Log(LogLevel::off));
  parameters.allocate(exec, 1);
  statistics.allocate(exec, 1);
  const auto value = [](Random& random) { return uniform_between<T>(random, -2, 2); };
  const auto images = fill_input<Tensor4<T, Exec>>(exec, "identity/layer/images",
                                                   Kokkos::LayoutRight(samples, 8, 10, 3), value);
  const nn::PassInfo pass{nn::Phase::frozen, 1, 7};
  network.forward(exec, pass, images);
  const auto diff = network.diff("features", samples).matrix();
  Kokkos::deep_copy(exec, diff, matrix_input<T>(exec, "identity/layer/diff", samples, diff.extent(1), value));
  network.backward(exec, pass, images);
  return digest_of(exec, network.input_diff("images", samples).images());
}

template <class Exec, class T, nn::Graph (*graph)()>
std::string digest(const Exec& exec) {
  return pass_digest<Exec, T>(exec, graph());
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  const std::string type(element_type_name<T>());
  subjects.push_back({"layer.average_pool." + type, digest<Exec, T, averaged>});
  subjects.push_back({"layer.concatenate." + type, digest<Exec, T, concatenated>});
  subjects.push_back({"layer.curves." + type, digest<Exec, T, bent>});
  subjects.push_back({"layer.dropout." + type, digest<Exec, T, dropped>});
  subjects.push_back({"layer.film." + type, digest<Exec, T, modulated>});
  subjects.push_back({"layer.gaussian." + type, digest<Exec, T, gaussians>});
  subjects.push_back({"layer.input_gradient." + type, frozen_digest<Exec, T>});
  subjects.push_back({"layer.relu." + type, digest<Exec, T, rectified>});
  subjects.push_back({"layer.transposed_convolution." + type, digest<Exec, T, grown>});
}

}  // namespace

template <class Exec>
void add_layer_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
  subjects.push_back({"layer.film_conditions.int32", conditions_digest<Exec>});
}

#define BCR_INSTANCE(Exec) template void add_layer_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
