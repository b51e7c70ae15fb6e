#include "src/nn/layers/add.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/network_case.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace bcr::nn {
namespace {

/// Row t of a table for token t, plus the label of the sample in channel 0: an operation of two sources, one of them
/// tokens, that asks for labels. It is known to this file alone.
struct LookUp {};

template <class Exec, class T>
class LookUpLayer final : public Layer<Exec, T> {
 public:
  LookUpLayer(const OperationWith<LookUp>& operation, const LayerContext<Exec, T>&)
      : shape_(operation.result_shape()) {}

  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    const auto table = views.src(0);
    const auto tokens = views.tokens(1);
    const auto labels = views.labels;
    const auto dst = views.dst();
    const int known = static_cast<int>(labels.extent(0));
    const int channels = shape_.channels;
    const T step = static_cast<T>(pass.step);
    using Range = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>;
    Kokkos::parallel_for(
        "bcr::tests::look_up", Range(exec, {0, 0}, {dst.extent_int(0), shape_.width}),
        KOKKOS_LAMBDA(const int i, const int t) {
          for (int c = 0; c < channels; ++c) dst(i, 0, t, c) = table(i, 0, tokens(i, t), c) + step;
          if (i < known) dst(i, 0, t, 0) += static_cast<T>(labels(i));
        });
  }
  void backward(const Exec&, const PassInfo&, const BackwardViews<Exec, T>&, const Workspace<Exec, T>&) override {}

 private:
  ImageShape shape_;
};

class LookUpOperation final : public OperationOf<LookUp, LookUpLayer> {
 public:
  using OperationOf::OperationOf;

  Element source_element(const std::size_t source) const override { return source == 1 ? Element::token : Element::real; }
  bool backward_reads_source(std::size_t) const override { return false; }

 protected:
  std::vector<ImageShape> infer() const override { return {{1, source_shape(1).width, source_shape(0).channels}}; }
};

Graph look_up_graph() {
  Graph graph;
  const ValueId table = graph.add_input("table", {1, 4, 2});
  const ValueId tokens = graph.add_input("tokens", {1, 3, 1}, Element::token);
  const ValueId found =
      graph.append(std::make_shared<LookUpOperation>("look_up", std::vector{table, tokens}, LookUp{}));
  graph.name_output("found", found);
  graph.name_output("features", global_average_pool(graph, "mean", found));
  return graph;
}

template <class Exec>
class NamedValues : public ::testing::Test {};
TYPED_TEST_SUITE(NamedValues, test::ExecSpaces);

TYPED_TEST(NamedValues, TokensLabelsAndTheStepReachTheOperationThatAsksForThem) {
  ParameterStore<TypeParam, float> parameters(Gradients::kept);
  ParameterStore<TypeParam, float> statistics(Gradients::none);
  Network<TypeParam, float> network(look_up_graph(), {.inference_images = 2}, parameters, statistics, TypeParam(),
                                    Log(LogLevel::off));
  const Tensor4<float, TypeParam> table("table", 2, 1, 4, 2);
  const Tokens<TypeParam> tokens("tokens", 2, 3);
  const Tokens<TypeParam> labels("labels", 1, 1);
  auto host_table = Kokkos::create_mirror_view(table);
  for (int e = 0; e < 16; ++e) host_table.data()[e] = static_cast<float>(e);
  Kokkos::deep_copy(table, host_table);
  auto host_tokens = Kokkos::create_mirror_view(tokens);
  for (int e = 0; e < 6; ++e) host_tokens.data()[e] = e % 4;
  Kokkos::deep_copy(tokens, host_tokens);
  Kokkos::deep_copy(labels, 100);
  Tensors<TypeParam, float> inputs;
  inputs.set("table", table);
  inputs.set("tokens", tokens);
  inputs.set("labels", labels);

  const auto outputs = network.forward(TypeParam(), {.step = 1000}, inputs);

  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs.images("found"));
  const auto features = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs.matrix("features"));
  EXPECT_EQ(found(0, 0, 2, 0), 4 + 1000 + 100);     // token 2 of the known sample
  EXPECT_EQ(found(0, 0, 2, 1), 5 + 1000);
  EXPECT_EQ(found(1, 0, 0, 0), 8 + 6 + 1000);       // token 3 of the other
  EXPECT_EQ(features(1, 0), 8 + (6 + 0 + 2) / 3.f + 1000);
}

TYPED_TEST(NamedValues, RefuseInputsThatAreNotThoseOfTheGraph) {
  ParameterStore<TypeParam, float> parameters(Gradients::kept);
  ParameterStore<TypeParam, float> statistics(Gradients::none);
  Network<TypeParam, float> network(look_up_graph(), {.inference_images = 2}, parameters, statistics, TypeParam(),
                                    Log(LogLevel::off));
  Tensors<TypeParam, float> inputs;
  const auto forward = [&] { network.forward(TypeParam(), {}, inputs); };
  const Tensor4<float, TypeParam> table("table", 2, 1, 4, 2);

  inputs.set("table", table);
  EXPECT_THROW(forward(), ShapeError);  // no tokens
  inputs.set("tokens", table);
  EXPECT_THROW(forward(), ShapeError);  // real ones
  inputs.set("tokens", Tokens<TypeParam>("tokens", 1, 3));
  EXPECT_THROW(forward(), ShapeError);  // of one sample instead of two
  inputs.set("tokens", Tokens<TypeParam>("tokens", 2, 3));
  EXPECT_NO_THROW(forward());
}

/// Two linear layers: "hidden" is an output, and goes on to the features.
Graph two_outputs() {
  Graph graph(ImageShape{1, 1, 3});
  const Initializer initial{Fill::normal, 0.5};
  const ValueId hidden = linear(graph, "first", graph.input(), {.channels = 4, .initial = initial});
  graph.name_output("hidden", hidden);
  graph.name_output("features", linear(graph, "second", hidden, {.channels = 2, .initial = initial}));
  return graph;
}

/// L = a . hidden + b . features, so dL/d(first.bias) = sum over samples of (a + second.weights^T b).
TYPED_TEST(NamedValues, EveryOutputReceivesAGradientFromOutside) {
  constexpr int images = 2;
  test::NetworkCase<TypeParam, double> network(two_outputs(), Mode::strict, images);
  network.set_images(test::random_values(images * 3, 1));
  network.forward();
  const auto hidden = test::random_values(images * 4, 2);
  const auto features = test::random_values(images * 2, 3);
  network.set_diff("hidden", hidden);

  const auto gradients = network.backward(features);

  const auto weights = network.parameter_values().at("second.weights");
  for (int h = 0; h < 4; ++h) {
    double expected = 0;
    for (int i = 0; i < images; ++i)
      expected += hidden[i * 4 + h] + features[i * 2] * weights[h] + features[i * 2 + 1] * weights[4 + h];
    EXPECT_NEAR(gradients.at("first.bias")[h], expected, 1e-14);
  }
}

TEST(Schedule, KeepsOutputsOutOfFusionsAndInPlaceSums) {
  Graph graph(ImageShape{8, 8, 4});
  const auto x = convolution(graph, "stem", graph.input(), {.channels = 4});
  const auto y = convolution(graph, "conv", graph.input(), {.channels = 4}, x);
  graph.name_output("stem", x);
  graph.name_output("features", global_average_pool(graph, "pool", y));

  for (const auto phase : {Phase::inference, Phase::training}) {
    const auto schedule = make_schedule(graph, phase);

    EXPECT_FALSE(schedule.overwrites[1]);
    EXPECT_NE(schedule.value[x], schedule.value[y]);
    EXPECT_GE(schedule.buffers[schedule.value[x]].last, 2);
  }
  EXPECT_EQ(make_schedule(graph, Phase::training).adds_diff_to[1], x);
}

TEST(Graph, RefusesWhatIsNoInputAndNoOutput) {
  Graph graph(ImageShape{4, 4, 1});
  const auto x = convolution(graph, "conv", graph.input(), {.channels = 1});

  EXPECT_THROW(graph.add_input("tokens", {1, 3, 1}, Element::token), ShapeError);
  EXPECT_THROW(graph.name_output("images", graph.input()), ShapeError);
  EXPECT_THROW(graph.output("logits"), ShapeError);
  graph.name_output("map", x);
  EXPECT_THROW(graph.name_output("map", x), ShapeError);
  EXPECT_THROW(add(graph, "add", x, graph.input(), Activation::none), ShapeError);  // an output is a consumer
}

}  // namespace
}  // namespace bcr::nn
