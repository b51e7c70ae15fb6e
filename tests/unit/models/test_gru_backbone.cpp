#include "models/backbones/gru.hpp"
#include "src/core/log.hpp"
#include "src/nn/network.hpp"
#include "src/optim/registry.hpp"
#include "tests/reference/optimiser_steps.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <string>

// The whole backbone against PyTorch in double (tests/data/gru_vectors.json): features, every gradient, steps of Adam.
namespace bcr::test::gru_backbone {  // names of its own: devices compile several tests at a time
namespace {

constexpr int rows = 3, steps = 5, units = 3, classes = 2;
const models::GruSettings small{.vocabulary = 5, .embedding = 4, .units = units, .layers = 2};

nlohmann::json vectors() {
  std::ifstream file(data_folder + "gru_vectors.json");
  return nlohmann::json::parse(file);
}

/// Our name of a tensor, and the one of PyTorch.
const std::map<std::string, std::string> names = {
    {"embedding.table", "embedding"},           {"gru1.input_weights", "weight_ih_l0"},
    {"gru1.recurrent_weights", "weight_hh_l0"}, {"gru1.input_bias", "bias_ih_l0"},
    {"gru1.recurrent_bias", "bias_hh_l0"},      {"gru2.input_weights", "weight_ih_l1"},
    {"gru2.recurrent_weights", "weight_hh_l1"}, {"gru2.input_bias", "bias_ih_l1"},
    {"gru2.recurrent_bias", "bias_hh_l1"}};

template <class Exec>
class SmallGru {
 public:
  explicit SmallGru(const nn::Mode mode)
      : network_(models::gru({1, steps, 1}, small), {.mode = mode, .training_images = rows, .inference_images = rows},
                 parameters_, statistics_, Exec{}, Log(LogLevel::off)),
        tokens_("bcr::tests::tokens", rows, steps) {
    parameters_.allocate(Exec{}, 1);
    const auto mirror = Kokkos::create_mirror_view(tokens_);
    const std::vector<std::vector<std::int32_t>> ids = document_.at("ids");
    for (int i = 0; i < rows; ++i)
      for (int t = 0; t < steps; ++t) mirror(i, t) = ids[i][t];
    Kokkos::deep_copy(tokens_, mirror);
    inputs_.set("tokens", tokens_);
    for_each([&](const int id, const std::string& name) { write(parameters_.values(id), document_.at(name)); });
  }

  const nlohmann::json& document() const { return document_; }
  nn::ParameterStore<Exec, double>& parameters() { return parameters_; }

  std::vector<double> features(const nn::Phase phase) {
    return to_host(network_.forward(Exec{}, {.phase = phase}, inputs_).matrix("features"));
  }
  void backward(const std::vector<double>& diff_features) {
    const auto diff = network_.diff("features", rows).matrix();
    write(Vector<double, Exec>(diff.data(), diff.size()), diff_features);
    network_.backward(Exec{}, {.phase = nn::Phase::training}, inputs_);
  }
  void expect_gradients(const nlohmann::json& expected) {
    for_each([&](const int id, const std::string& name) {
      expect_near(to_host(parameters_.gradients(id)), expected.at("grad_" + name), name);
    });
  }
  static void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                          const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], expected[k], tolerance::gru) << what << ' ' << k;
  }
  std::vector<double> value(const std::string& torch_name) {
    std::vector<double> found;
    for_each([&](const int id, const std::string& name) {
      if (name == torch_name) found = to_host(parameters_.values(id));
    });
    return found;
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) {
    for (std::size_t id = 0; id < parameters_.slices().size(); ++id)
      visit(static_cast<int>(id), names.at(parameters_.slices()[id].name));
  }
  static void write(const Vector<double, Exec>& device, const std::vector<double>& values) {
    ASSERT_EQ(device.size(), values.size());
    const auto mirror = Kokkos::create_mirror_view(device);
    for (std::size_t k = 0; k < values.size(); ++k) mirror(k) = values[k];
    Kokkos::deep_copy(device, mirror);
  }

  nlohmann::json document_ = vectors();
  nn::ParameterStore<Exec, double> parameters_{nn::Gradients::kept};
  nn::ParameterStore<Exec, double> statistics_{nn::Gradients::none};
  nn::Network<Exec, double> network_;
  nn::Tokens<Exec> tokens_;
  nn::Tensors<Exec, double> inputs_;
};

/// Cross-entropy of rows 0 and 1 and uniformity of row 2 behind a linear layer, by plain loops.
struct UniformityHead {
  explicit UniformityHead(const nlohmann::json& document) {
    for (const double value : document.at("linear_weight")) weights.push_back({value});
    for (const double value : document.at("linear_bias")) bias.push_back({value});
  }

  /// The loss; diff_features and the gradients of weights and bias.
  double run(const std::vector<double>& features, const std::vector<int>& labels) {
    diff_features.assign(features.size(), 0.0);
    diff_weights.assign(weights.size(), 0.0);
    diff_bias.assign(classes, 0.0);
    double loss = 0;
    for (int i = 0; i < rows; ++i) {
      double logit[classes], sum = 0;
      for (int c = 0; c < classes; ++c) {
        logit[c] = bias[c].value;
        for (int j = 0; j < units; ++j) logit[c] += weights[c * units + j].value * features[i * units + j];
        sum += std::exp(logit[c]);
      }
      for (int c = 0; c < classes; ++c) {
        const double target = i < 2 ? (labels[i] == c ? 1.0 : 0.0) : 1.0 / classes;
        const double weight = i < 2 ? 0.5 : 1.0;
        loss -= weight * target * (logit[c] - std::log(sum));
        const double diff = weight * (std::exp(logit[c]) / sum - target);
        diff_bias[c] += diff;
        for (int j = 0; j < units; ++j) {
          diff_weights[c * units + j] += diff * features[i * units + j];
          diff_features[i * units + j] += diff * weights[c * units + j].value;
        }
      }
    }
    return loss;
  }
  void step(const double rate, const int t) {
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k].step(diff_weights[k], rate, 0.9, 0.999, 1e-8, t);
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k].step(diff_bias[k], rate, 0.9, 0.999, 1e-8, t);
  }

  std::vector<bcr::reference::AdamParameter> weights, bias;
  std::vector<double> diff_features, diff_weights, diff_bias;
};

template <class Exec>
class GruBackbone : public ::testing::Test {};
TYPED_TEST_SUITE(GruBackbone, ExecSpaces);

TYPED_TEST(GruBackbone, GivesTheFeaturesAndGradientsOfPyTorchInBothModes) {
  for (const nn::Mode mode : {nn::Mode::strict, nn::Mode::fast}) {
    SmallGru<TypeParam> net(mode);
    const auto& expected = net.document().at("case1_linear_functional");
    std::vector<double> last = net.document().at("h_n");
    last.erase(last.begin(), last.begin() + rows * units);  // of the second layer
    SmallGru<TypeParam>::expect_near(net.features(nn::Phase::inference), last, "inference");
    SmallGru<TypeParam>::expect_near(net.features(nn::Phase::training), last, "training");
    net.backward(expected.at("weights_of_loss"));
    net.expect_gradients(expected);
  }
}

TYPED_TEST(GruBackbone, FollowsAdamOfPyTorchUnderUniformity) {
  SmallGru<TypeParam> net(nn::Mode::strict);
  const auto& expected = net.document().at("case3_uniformity");
  const auto& adam = net.document().at("adam_on_case3");
  const std::vector<int> labels = net.document().at("case2_class_inclusion").at("labels");
  UniformityHead head(expected);
  const auto optimizer = optim::make_optimizer<TypeParam, double>("adam", optim::one_group(net.parameters()));

  for (int t = 1; t <= 3; ++t) {
    const double loss = head.run(net.features(nn::Phase::training), labels);
    EXPECT_NEAR(loss, adam.at("losses_before_steps_0_to_3")[t - 1].template get<double>(), tolerance::gru);
    net.backward(head.diff_features);
    if (t == 1) net.expect_gradients(expected);
    optimizer->step(TypeParam{}, adam.at("lr"), net.parameters().gradients(), net.parameters().values());
    head.step(adam.at("lr"), t);
    if (t == 1) {
      SmallGru<TypeParam>::expect_near(net.value("weight_hh_l1"), adam.at("weight_hh_l1_after_step1"), "step 1");
      SmallGru<TypeParam>::expect_near(net.value("embedding"), adam.at("embedding_after_step1"), "step 1");
    }
  }
  SmallGru<TypeParam>::expect_near(net.value("embedding"), adam.at("embedding_after_step3"), "step 3");
  EXPECT_NEAR(head.run(net.features(nn::Phase::training), labels),
              adam.at("losses_before_steps_0_to_3")[3].template get<double>(), tolerance::gru);
}

using Host = Kokkos::DefaultHostExecutionSpace;

TEST(GruBackboneShape, HasThePublishedNumbersOfParametersAndFeatures) {
  const auto graph = models::gru({1, 100, 1}, {});
  nn::ParameterStore<Host, float> parameters(nn::Gradients::kept), statistics(nn::Gradients::none);
  const nn::Network<Host, float> network(graph, {.inference_images = 2}, parameters, statistics, Host(),
                                         Log(LogLevel::off));
  parameters.allocate(Host(), 5);

  EXPECT_EQ(parameters.count(), 500'100u + 69'120u + 99'072u);
  EXPECT_EQ(graph.shape(graph.output()), (nn::ImageShape{1, 1, 128}));
  EXPECT_EQ(graph.multiply_accumulates(), 100.0 * 3 * 128 * (50 + 128 + 128 + 128));
  const auto table = to_host(parameters.values(0));
  double squares = 0;
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (k / 50 == 1) EXPECT_EQ(table[k], 0.0f);
    squares += double(table[k]) * table[k];
  }
  EXPECT_NEAR(squares / 500'050, 1.0, 0.01);
  for (const float weight : to_host(parameters.values(2))) EXPECT_LE(std::abs(weight), 1 / std::sqrt(128.0f));
}

TEST(GruBackboneShape, RefusesWhatIsNoSequenceOfTokens) {
  EXPECT_THROW(models::gru({2, 5, 1}, small), ShapeError);
  EXPECT_THROW(models::gru({1, 5, 3}, small), ShapeError);
  EXPECT_THROW(models::gru({1, 5, 1}, {.layers = 0}), ConfigError);
}

}  // namespace
}  // namespace bcr::test::gru_backbone
