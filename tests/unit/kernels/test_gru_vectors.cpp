#include "tests/support/data_folder.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/gru_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

// Two layers against PyTorch in double: states, gates, padding, and the gradients of a linear functional.
namespace bcr::test::gru_vectors {  // names of its own: devices compile several tests at a time
namespace {

constexpr int rows = 3, steps = 5, width = 4, units = 3;

nlohmann::json vectors() {
  std::ifstream file(data_folder + "gru_vectors.json");
  return nlohmann::json::parse(file);
}

HostMatrix<double> matrix(const nlohmann::json& values, const int lines, const int columns) {
  HostMatrix<double> result(lines, columns);
  result.entries = values.get<std::vector<double>>();
  return result;
}

reference::GruParameters parameters(const nlohmann::json& document, const std::string& before, const int layer) {
  const auto of = [&](const char* const name) { return document.at(before + name + "_l" + std::to_string(layer)); };
  const int inputs = layer == 0 ? width : units;
  reference::GruParameters p(inputs, units);
  p.W_i = matrix(of("weight_ih"), 3 * units, inputs);
  p.W_h = matrix(of("weight_hh"), 3 * units, units);
  p.b_i = of("bias_ih").get<std::vector<double>>();
  p.b_h = of("bias_hh").get<std::vector<double>>();
  return p;
}

HostMatrix<std::int32_t> token_matrix(const std::vector<std::vector<std::int32_t>>& ids) {
  HostMatrix<std::int32_t> tokens(static_cast<int>(ids.size()), static_cast<int>(ids[0].size()));
  for (int i = 0; i < tokens.rows; ++i)
    for (int t = 0; t < tokens.columns; ++t) tokens(i, t) = ids[i][t];
  return tokens;
}

void expect_near(const std::vector<double>& computed, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(computed.size(), expected.size()) << what;
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(computed[k], expected[k], tolerance::gru) << what << k;
}

template <class Exec>
struct Stack {
  Stack(const nlohmann::json& document, const HostMatrix<std::int32_t>& ids)
      : tokens(ids),
        first(ids, parameters(document, "", 0)),
        second(ids, parameters(document, "", 1)),
        embedded("bcr::tests::embedded", ids.entries.size(), width) {
    kernels::embedding_forward<Exec, double>(Exec{}, to_device<Exec>(ids),
                                             to_device<Exec>(matrix(document.at("embedding"), 5, width)), embedded);
    first.forward(embedded);
    second.forward(first.states());
  }

  HostMatrix<std::int32_t> tokens;
  GruLayerOnDevice<Exec, double> first, second;
  Matrix<double, Exec> embedded;
};

/// The products around the way back, by plain loops.
struct LayerGradients {
  template <class Exec>
  LayerGradients(const GruLayerOnDevice<Exec, double>& layer, const reference::GruParameters& p,
                 const Matrix<double, Exec>& src)
      : of(p.inputs(), units), src_gradient(rows * steps, p.inputs()) {
    const auto x = to_host(src), states = to_host(layer.states());
    const auto gates = to_host(layer.trace().reset_update);
    const auto n = to_host(layer.trace().candidate), q = to_host(layer.trace().recurrent);
    for (int line = 0; line < rows * steps; ++line)
      for (int c = 0; c < 3 * units; ++c) {
        const double input = c < 2 * units ? gates[line * 2 * units + c] : n[line * units + c - 2 * units];
        const double recurrent = c < 2 * units ? input : q[line * units + c - 2 * units];
        of.b_i[c] += input;
        of.b_h[c] += recurrent;
        for (int d = 0; d < p.inputs(); ++d) {
          of.W_i(c, d) += input * x[line * p.inputs() + d];
          src_gradient(line, d) += input * p.W_i(c, d);
        }
        if (line % steps == 0) continue;
        for (int d = 0; d < units; ++d) of.W_h(c, d) += recurrent * states[(line - 1) * units + d];
      }
  }

  void expect_equal(const reference::GruParameters& expected, const std::string& layer) const {
    expect_near(of.W_i.entries, expected.W_i.entries, layer + " W_i ");
    expect_near(of.W_h.entries, expected.W_h.entries, layer + " W_h ");
    expect_near(of.b_i, expected.b_i, layer + " b_i ");
    expect_near(of.b_h, expected.b_h, layer + " b_h ");
  }

  reference::GruParameters of;
  HostMatrix<double> src_gradient;
};

template <class Exec>
class GruVectors : public ::testing::Test {};
TYPED_TEST_SUITE(GruVectors, ExecSpaces);

TYPED_TEST(GruVectors, HoldForTheStatesAndTheGatesOfTheFirstStep) {
  const auto document = vectors();
  const Stack<TypeParam> stack(document, token_matrix(document.at("ids")));
  expect_near(to_host(stack.second.states()), document.at("outputs_layer2"), "state ");
  const auto gates = to_host(stack.first.trace().reset_update);
  const auto n = to_host(stack.first.trace().candidate);
  const auto& expected = document.at("layer1_t0");
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < units; ++j) {
      const int line = i * steps;
      EXPECT_NEAR(gates[line * 2 * units + j], expected.at("r")[i * units + j].get<double>(), tolerance::gru);
      EXPECT_NEAR(gates[line * 2 * units + units + j], expected.at("z")[i * units + j].get<double>(), tolerance::gru);
      EXPECT_NEAR(n[line * units + j], expected.at("n")[i * units + j].get<double>(), tolerance::gru);
    }
}

TYPED_TEST(GruVectors, HoldForASequenceOfNothingButPadding) {
  const auto document = vectors();
  const Stack<TypeParam> stack(document, token_matrix({{1, 1, 1, 1, 1}}));
  const auto expected = document.at("all_pad_h_n_T5").get<std::vector<double>>();
  const auto first = to_host(stack.first.states()), second = to_host(stack.second.states());
  for (int j = 0; j < units; ++j) {
    EXPECT_NEAR(first[(steps - 1) * units + j], expected[j], tolerance::gru);
    EXPECT_NEAR(second[(steps - 1) * units + j], expected[units + j], tolerance::gru);
  }
}

TYPED_TEST(GruVectors, HoldForEveryGradientOfALinearFunctional) {
  const auto document = vectors();
  const auto& expected = document.at("case1_linear_functional");
  const Stack<TypeParam> stack(document, token_matrix(document.at("ids")));
  stack.second.backward(to_device<TypeParam>(matrix(expected.at("weights_of_loss"), rows, units)), {});
  const LayerGradients second(stack.second, parameters(document, "", 1), stack.first.states());
  stack.first.backward({}, to_device<TypeParam>(second.src_gradient));
  const LayerGradients first(stack.first, parameters(document, "", 0), stack.embedded);
  Matrix<double, TypeParam> diff_table("bcr::tests::diff_table", 5, width);
  kernels::embedding_backward<TypeParam, double>(
      TypeParam{}, to_device<TypeParam>(stack.tokens), to_device<TypeParam>(first.src_gradient), document.at("pad"),
      diff_table, Vector<std::int32_t, TypeParam>("bcr::tests::workspace", kernels::embedding_workspace_size(15)));

  second.expect_equal(parameters(expected, "grad_", 1), "second layer");
  first.expect_equal(parameters(expected, "grad_", 0), "first layer");
  expect_near(first.src_gradient.entries, expected.at("grad_embedded"), "vector ");
  expect_near(to_host(diff_table), expected.at("grad_embedding"), "table ");
}

}  // namespace
}  // namespace bcr::test::gru_vectors
