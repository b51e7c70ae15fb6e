#include "kernels/linear/linear.hpp"
#include "kernels/rnn/gru.hpp"
#include "kernels/rnn/gru_gradients.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/gru_case.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace bcr::test::gru_gradient_tests {  // names of its own: devices compile several tests at a time
namespace {

using kernels::ChainStart;
using kernels::MetLine;
using kernels::no_token;

/// n numbers a line. Columns and units that fill blocks, tiles and groups and that do not; one chain, and more.
struct Case {
  int n, units, steps;
  std::vector<int> first_steps;
};
std::vector<Case> cases() {
  std::vector<Case> all = {{4, 3, 5, {0, 0, 0}},      {50, 32, 7, {0, 0, 0, 4, 4, 4}},
                           {5, 17, 4, {2, 0, 3, 1}},  {1, 1, 1, {0}},
                           {33, 40, 6, {6, 6, 0, 6}}, {2, 5, 3, {}},
                           {2, 5, 0, {0, 0}},         {70, 12, 150, {}},
                           {150, 140, 60, {}}};
  for (int i = 0; i < 20; ++i) {
    all[7].first_steps.push_back(i % 3 * 49);
    all[8].first_steps.push_back(i % 2 * 7);
  }
  return all;
}

/// Gradients and inputs as a layer has them: 0 where a row has not begun. One unit in eight is -0, or too small for its
/// products: then the order in which zeros are added shows.
template <class T>
struct Inputs {
  explicit Inputs(const Case& c)
      : lines(static_cast<int>(c.first_steps.size()) * c.steps),
        tokens(tokens_beginning_at(c.first_steps, c.steps)),
        reset_update(random_reals<T>(lines, 2 * c.units, -1, 1, 21)),
        third(random_reals<T>(lines, c.units, -1, 1, 22)),
        src(random_reals<T>(lines, c.n, -1, 1, 23)),
        weights(random_reals<T>(3 * c.units, c.n, -1, 1, 24)),
        before(lines, c.n) {
    for (int line = 0; line < lines; ++line) {
      const bool begun = tokens.entries[line] != no_token;
      const auto thin = [&](HostMatrix<T>& matrix) {
        for (int j = 0; j < matrix.columns; ++j) {
          if (!begun) matrix(line, j) = T(0);
          if (begun && j % 8 == 3) matrix(line, j) = line % 2 == 0 ? T(-0.0) : -std::numeric_limits<T>::denorm_min();
        }
      };
      thin(reset_update);
      thin(third);
      thin(src);
      for (int d = 0; d < c.n; ++d) before(line, d) = line % c.steps == 0 ? T(0) : src(line - 1, d);
    }
  }

  int lines;
  HostMatrix<std::int32_t> tokens;
  HostMatrix<T> reset_update, third, src, weights, before;
};

template <class Exec, class T>
Vector<T, Exec> room(const std::size_t size) {
  return Vector<T, Exec>("bcr::tests::workspace", size);
}

template <class Exec, class T>
struct OnDevice {
  explicit OnDevice(const Case& c)
      : in(c),
        tokens(to_device<Exec>(in.tokens)),
        reset_update(to_device<Exec>(in.reset_update)),
        third(to_device<Exec>(in.third)),
        src(to_device<Exec>(in.src)),
        weights(to_device<Exec>(in.weights)),
        before(to_device<Exec>(in.before)),
        H(c.units),
        n(c.n),
        workspace(room<Exec, T>(kernels::GruGradients<Exec, T>::workspace_size(in.lines, n, H))),
        linear_workspace(room<Exec, T>(kernels::linear_workspace_size<Exec, T>(in.lines, 2 * H, n))) {}

  Matrix<T, Exec> first_gates(const Matrix<T, Exec>& all) const { return Matrix<T, Exec>(all.data(), 2 * H, n); }
  Matrix<T, Exec> last_gate(const Matrix<T, Exec>& all) const { return Matrix<T, Exec>(all.data() + 2 * H * n, H, n); }

  std::vector<T> weights_by_products(const Matrix<T, Exec>& met) const {
    const Matrix<T, Exec> dst("bcr::tests::expected", 3 * H, n);
    const auto product = [&](const Matrix<T, Exec>& diff, const Matrix<T, Exec>& to) {
      kernels::linear_backward_weights<Exec, T>(Exec{}, met, diff, to, linear_workspace);
    };
    product(reset_update, first_gates(dst));
    product(third, last_gate(dst));
    return to_host(dst);
  }
  std::vector<T> gradients_of_weights(const MetLine met) const {
    const Matrix<T, Exec> dst("bcr::tests::dst", 3 * H, n);
    kernels::GruGradients<Exec, T>::weights(Exec{}, tokens, {reset_update, third}, src, met, dst, workspace);
    return to_host(dst);
  }
  std::vector<T> inputs_by_products(const Matrix<T, Exec>& dst, const ChainStart start) const {
    kernels::linear_backward_data<Exec, T>(Exec{}, reset_update, first_gates(weights), dst, start, linear_workspace);
    kernels::linear_backward_data<Exec, T>(Exec{}, third, last_gate(weights), dst, ChainStart::dst, linear_workspace);
    return to_host(dst);
  }
  std::vector<T> gradients_of_inputs(const Matrix<T, Exec>& dst, const ChainStart start) const {
    kernels::GruGradients<Exec, T>::inputs(Exec{}, tokens, {reset_update, third}, weights, start, dst, workspace);
    return to_host(dst);
  }

  Inputs<T> in;
  Matrix<std::int32_t, Exec> tokens;
  Matrix<T, Exec> reset_update, third, src, weights, before;
  std::size_t H, n;
  Vector<T, Exec> workspace, linear_workspace;
};

template <class Exec, class T>
void expect_the_bits_of_products(const Case& c) {
  SCOPED_TRACE(c.units);
  const OnDevice<Exec, T> layer(c);
  EXPECT_TRUE(same_bits(layer.gradients_of_weights(MetLine::same_step), layer.weights_by_products(layer.src)));
  EXPECT_TRUE(same_bits(layer.gradients_of_weights(MetLine::step_before), layer.weights_by_products(layer.before)));
  for (const auto start : {ChainStart::zero, ChainStart::dst})
    EXPECT_TRUE(same_bits(layer.gradients_of_inputs(to_device<Exec>(layer.in.src), start),
                          layer.inputs_by_products(to_device<Exec>(layer.in.src), start)));
}

template <class Exec>
class GruGradients : public ::testing::Test {};
TYPED_TEST_SUITE(GruGradients, ExecSpaces);

TYPED_TEST(GruGradients, HaveTheBitsOfProductsOverAllLines) {
  if constexpr (!is_host_exec<TypeParam>) GTEST_SKIP() << "devices take the products themselves";
  if constexpr (is_host_exec<TypeParam>)
    for (const Case& c : cases()) {
      expect_the_bits_of_products<TypeParam, float>(c);
      expect_the_bits_of_products<TypeParam, double>(c);
    }
}

TYPED_TEST(GruGradients, RefuseShapesThatDoNotFit) {
  if constexpr (!is_host_exec<TypeParam>) GTEST_SKIP() << "devices take the products themselves";
  if constexpr (is_host_exec<TypeParam>) {
    const OnDevice<TypeParam, float> layer(cases().front());
    const Matrix<float, TypeParam> narrow("bcr::tests::narrow", 9, 3);
    using Gradients = kernels::GruGradients<TypeParam, float>;
    EXPECT_THROW(Gradients::weights(TypeParam{}, layer.tokens, {layer.reset_update, layer.third}, layer.src,
                                    MetLine::same_step, narrow, layer.workspace),
                 ShapeError);
    EXPECT_THROW(Gradients::inputs(TypeParam{}, layer.tokens, {layer.reset_update, layer.reset_update}, layer.weights,
                                   ChainStart::zero, narrow, layer.workspace),
                 ShapeError);
  }
}

}  // namespace
}  // namespace bcr::test::gru_gradient_tests
