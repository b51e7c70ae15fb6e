#include "tests/support/exec_spaces.hpp"
#include "tests/support/gru_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

namespace bcr::test::gru_gradient {  // names of its own: devices compile several tests at a time
namespace {

template <class Exec>
class GruGradient : public ::testing::Test {};
TYPED_TEST_SUITE(GruGradient, ExecSpaces);

constexpr int inputs = 3, units = 5, steps = 4;
const std::vector<int> first_steps = {0, 0, 2, 1};

/// Sum of weighted last states.
template <class Exec>
double functional(const reference::GruParameters& p, const HostMatrix<double>& src, const HostMatrix<double>& weights) {
  const GruLayerOnDevice<Exec, double> layer(tokens_beginning_at(first_steps, steps), p);
  const auto last = to_host(layer.last_states(to_device<Exec>(src)));
  double sum = 0;
  for (std::size_t k = 0; k < last.size(); ++k) sum += last[k] * weights.entries[k];
  return sum;
}

/// Fourth order in the step.
template <class Function>
double central_difference(double& at, const Function& function) {
  constexpr double step = 0x1p-8;
  const double centre = at;
  const auto value = [&](const double offset) {
    at = centre + offset * step;
    return function();
  };
  const double slope = (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step);
  at = centre;
  return slope;
}

TYPED_TEST(GruGradient, OfBiasesAndRecurrentWeightsAgreesWithCentralDifferences) {
  auto p = random_gru(inputs, units, 3);
  const auto src = random_reals<double>(4 * steps, inputs, -1, 1, 4);
  const auto weights = random_reals<double>(4, units, -1, 1, 5);
  const GruLayerOnDevice<TypeParam, double> layer(tokens_beginning_at(first_steps, steps), p);
  layer.forward(to_device<TypeParam>(src));
  layer.backward(to_device<TypeParam>(weights), {});
  const auto gates = to_host(layer.trace().reset_update), q = to_host(layer.trace().recurrent);
  const auto n = to_host(layer.trace().candidate), states = to_host(layer.states());
  const auto difference = [&](double& at) {
    return central_difference(at, [&] { return functional<TypeParam>(p, src, weights); });
  };
  for (int c = 0; c < 3 * units; ++c) {
    double diff_input = 0, diff_recurrent = 0;
    std::vector<double> diff_weights(units);
    for (int line = 0; line < 4 * steps; ++line) {
      const bool candidate = c >= 2 * units;
      const double input = candidate ? n[line * units + c - 2 * units] : gates[line * 2 * units + c];
      const double recurrent = candidate ? q[line * units + c - 2 * units] : input;
      diff_input += input;
      diff_recurrent += recurrent;
      for (int d = 0; d < units && line % steps != 0; ++d)
        diff_weights[d] += recurrent * states[(line - 1) * units + d];
    }
    EXPECT_NEAR(diff_input, difference(p.b_i[c]), tolerance::gru_difference) << c;
    EXPECT_NEAR(diff_recurrent, difference(p.b_h[c]), tolerance::gru_difference) << c;
    for (int d = 0; d < units; ++d)
      EXPECT_NEAR(diff_weights[d], difference(p.W_h(c, d)), tolerance::gru_difference) << c << ' ' << d;
  }
}

}  // namespace
}  // namespace bcr::test::gru_gradient
