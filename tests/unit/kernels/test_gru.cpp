#include "kernels/math/sigmoid.hpp"
#include "kernels/math/tanh.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/gru_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::test::gru_tests {  // names of its own: devices compile several tests at a time
namespace {

using kernels::no_token;

struct Case {
  int inputs, units, steps;
  std::vector<int> first_steps;
};

/// Units that fill blocks of lanes and that do not; more rows than a tile has; rows that begin together and not.
const std::vector<Case> cases = {{4, 3, 5, {0, 0, 0}},     {50, 32, 7, {0, 0, 0, 4, 4, 4}},
                                 {5, 17, 4, {2, 0, 3, 1}}, {3, 40, 6, std::vector<int>(37, 1)},
                                 {1, 1, 1, {0}},           {2, 5, 3, {}},
                                 {2, 5, 0, {0, 0}}};

template <class T>
struct Inputs {
  explicit Inputs(const Case& c)
      : rows(static_cast<int>(c.first_steps.size())),
        tokens(tokens_beginning_at(c.first_steps, c.steps)),
        parameters(random_gru(c.inputs, c.units, 7)),
        src(random_reals<T>(rows * c.steps, c.inputs, -1, 1, 11)),
        diff_last(random_reals<T>(rows, c.units, -1, 1, 12)),
        diff_states(random_reals<T>(rows * c.steps, c.units, -1, 1, 13)) {}

  int rows;
  HostMatrix<std::int32_t> tokens;
  reference::GruParameters parameters;
  HostMatrix<T> src, diff_last, diff_states;
};

template <class Exec>
class Gru : public ::testing::Test {};
TYPED_TEST_SUITE(Gru, ExecSpaces);

/// The chains that the header promises, step by step; h is line t of the states of a row.
template <class T>
struct Chains {
  const reference::GruParameters& p;
  const T* x;
  const T* h;

  T bias(const std::vector<double>& from, const int gate, const int unit) const {
    return static_cast<T>(from[gate * p.units() + unit]);
  }
  T add_inputs(T sum, const int gate, const int unit) const {
    for (int d = 0; d < p.inputs(); ++d) sum = std::fma(x[d], static_cast<T>(p.W_i(gate * p.units() + unit, d)), sum);
    return sum;
  }
  T add_states(T sum, const int gate, const int unit) const {
    for (int d = 0; d < p.units(); ++d) sum = std::fma(h[d], static_cast<T>(p.W_h(gate * p.units() + unit, d)), sum);
    return sum;
  }
  T argument(const int gate, const int unit) const {
    return add_states(add_inputs(bias(p.b_i, gate, unit) + bias(p.b_h, gate, unit), gate, unit), gate, unit);
  }
  T next(const int unit) const {
    const T r = kernels::strict::sigmoid(argument(0, unit));
    const T z = kernels::strict::sigmoid(argument(1, unit));
    const T q = add_states(bias(p.b_h, 2, unit), 2, unit);
    const T n = kernels::strict::tanh(std::fma(r, q, add_inputs(bias(p.b_i, 2, unit), 2, unit)));
    return std::fma(z, h[unit] - n, n);
  }
};

template <class Exec, class T>
void expect_the_chains(const Case& c) {
  const Inputs<T> in(c);
  const GruLayerOnDevice<Exec, T> layer(in.tokens, in.parameters);
  layer.forward(to_device<Exec>(in.src));
  const std::vector<T> states = to_host(layer.states());
  const int H = c.units;
  HostMatrix<T> expected(in.rows * c.steps, H);
  const std::vector<T> zeros(H);
  for (int i = 0; i < in.rows; ++i)
    for (int t = c.first_steps[i]; t < c.steps; ++t) {
      const int line = i * c.steps + t;
      const T* const before = t == 0 ? zeros.data() : &expected.entries[std::size_t(line - 1) * H];
      const Chains<T> chains{in.parameters, &in.src.entries[std::size_t(line) * c.inputs], before};
      for (int unit = 0; unit < H; ++unit) expected(line, unit) = chains.next(unit);
    }
  EXPECT_TRUE(same_bits(states, expected.entries)) << c.units << " units, " << in.rows << " rows";

  const std::vector<T> last = to_host(layer.last_states(to_device<Exec>(in.src)));
  for (int i = 0; i < in.rows; ++i)
    for (int unit = 0; unit < H; ++unit)
      EXPECT_EQ(last[i * H + unit], c.steps == 0 ? T(0) : expected((i + 1) * c.steps - 1, unit));
}

TYPED_TEST(Gru, RunsTheChainsOfItsDefinition) {
  for (const Case& c : cases) {
    expect_the_chains<TypeParam, float>(c);
    expect_the_chains<TypeParam, double>(c);
  }
}

HostMatrix<double> lines_of(const HostMatrix<double>& all, const int first, const int count) {
  HostMatrix<double> some(count, all.columns);
  std::copy_n(all.entries.begin() + std::ptrdiff_t(first) * all.columns, some.entries.size(), some.entries.begin());
  return some;
}

TYPED_TEST(Gru, FollowsTheFormulasThereAndBack) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.units);
    const Inputs<double> in(c);
    const GruLayerOnDevice<TypeParam, double> layer(in.tokens, in.parameters);
    layer.forward(to_device<TypeParam>(in.src));
    const std::vector<double> states = to_host(layer.states());
    const std::vector<double> candidates = to_host(layer.trace().candidate);
    layer.backward(to_device<TypeParam>(in.diff_last), to_device<TypeParam>(in.diff_states));
    const std::vector<double> diff_candidate = to_host(layer.trace().candidate);

    for (int i = 0; i < in.rows; ++i) {
      const auto x = lines_of(in.src, i * c.steps, c.steps);
      const auto row = reference::gru_forward(in.parameters, x, c.first_steps[i]);
      auto diff_h = lines_of(in.diff_states, i * c.steps, c.steps);
      for (int j = 0; j < c.units && c.steps > 0; ++j) diff_h(c.steps - 1, j) += in.diff_last(i, j);
      reference::GruParameters gradients(c.inputs, c.units);
      reference::gru_backward(in.parameters, x, row, diff_h, gradients);
      for (int j = 0; j < c.units; ++j) {
        double candidate_sum = 0;
        for (int t = 0; t < c.steps; ++t) {
          const std::size_t at = std::size_t(i * c.steps + t) * c.units + j;
          EXPECT_NEAR(states[at], row.h(t + 1, j), tolerance::gru);
          if (t >= c.first_steps[i]) EXPECT_NEAR(candidates[at], row.n(t, j), tolerance::gru);
          candidate_sum += diff_candidate[at];
        }
        EXPECT_NEAR(candidate_sum, gradients.b_i[2 * c.units + j], tolerance::gru);
      }
    }
  }
}

/// Rows that begin late give the bits of a batch of their own that has only their steps.
TYPED_TEST(Gru, DoesNotNoticeWhoSharesTheBatch) {
  const Case together{6, 20, 9, {0, 0, 0, 4, 4, 4, 4}};
  const Case apart{6, 20, 5, {0, 0, 0, 0}};
  const Inputs<float> in(together);
  Inputs<float> late(apart);
  for (int i = 0; i < late.rows; ++i) {
    std::copy_n(&in.diff_last.entries[(3 + i) * 20], 20, &late.diff_last.entries[i * 20]);
    for (int t = 0; t < 5; ++t)
      std::copy_n(&in.src.entries[((3 + i) * 9 + 4 + t) * 6], 6, &late.src.entries[(i * 5 + t) * 6]);
  }
  const GruLayerOnDevice<TypeParam, float> both(in.tokens, in.parameters);
  const GruLayerOnDevice<TypeParam, float> one(late.tokens, late.parameters);
  both.forward(to_device<TypeParam>(in.src));
  one.forward(to_device<TypeParam>(late.src));
  both.backward(to_device<TypeParam>(in.diff_last), {});
  one.backward(to_device<TypeParam>(late.diff_last), {});

  const auto states = to_host(both.states()), states_of_one = to_host(one.states());
  const auto gates = to_host(both.trace().reset_update), gates_of_one = to_host(one.trace().reset_update);
  const auto q = to_host(both.trace().recurrent), q_of_one = to_host(one.trace().recurrent);
  for (int i = 0; i < late.rows; ++i)
    for (int t = 0; t < 9; ++t) {
      const int line = (3 + i) * 9 + t, alone = i * 5 + t - 4;
      for (int j = 0; j < 20; ++j) {
        EXPECT_EQ(states[line * 20 + j], t < 4 ? 0.0f : states_of_one[alone * 20 + j]);
        EXPECT_EQ(q[line * 20 + j], t < 4 ? 0.0f : q_of_one[alone * 20 + j]);
        EXPECT_EQ(gates[line * 40 + j], t < 4 ? 0.0f : gates_of_one[alone * 40 + j]);
        EXPECT_EQ(gates[line * 40 + 20 + j], t < 4 ? 0.0f : gates_of_one[alone * 40 + 20 + j]);
      }
    }
}

/// Rows that are padded in front, some of which begin late: they may share what they compute, and keep their bits.
template <class Exec, class T>
void expect_the_same_bits_when_padding_is_shared(const std::vector<int>& first_words, const int steps) {
  constexpr std::int32_t padding = 1;
  const int rows = static_cast<int>(first_words.size()), inputs = 5, units = 37;
  HostMatrix<std::int32_t> tokens(rows, steps);
  auto src = random_reals<T>(rows * steps, inputs, -1, 1, 31);
  for (int i = 0; i < rows; ++i)
    for (int t = 0; t < steps; ++t) {
      const bool late = i % 3 == 2 && t < 2;
      tokens(i, t) = late ? no_token : t < first_words[i] ? padding : 2 + i % 2;
      for (int d = 0; d < inputs && tokens(i, t) == padding; ++d) src(i * steps + t, d) = T(0.25) * T(d);
    }
  if (rows > 0) tokens(0, steps - 1) = padding;  // a word before it: not shared
  const GruLayerOnDevice<Exec, T> apart(tokens, random_gru(inputs, units, 7)),
      together(tokens, random_gru(inputs, units, 7));
  apart.forward(to_device<Exec>(src));
  together.forward(to_device<Exec>(src), padding);
  EXPECT_TRUE(same_bits(to_host(together.states()), to_host(apart.states())));
  EXPECT_TRUE(same_bits(to_host(together.trace().reset_update), to_host(apart.trace().reset_update)));
  EXPECT_TRUE(same_bits(to_host(together.trace().candidate), to_host(apart.trace().candidate)));
  EXPECT_TRUE(same_bits(to_host(together.trace().recurrent), to_host(apart.trace().recurrent)));
  EXPECT_TRUE(same_bits(to_host(together.last_states(to_device<Exec>(src), padding)),
                        to_host(apart.last_states(to_device<Exec>(src)))));
}

TYPED_TEST(Gru, KeepsItsBitsWhenPaddingIsShared) {
  std::vector<int> first_words(70);
  for (int i = 0; i < 70; ++i) first_words[i] = i * 5 % 12;
  for (const auto& words : {first_words, std::vector<int>(40, 9), std::vector<int>(5, 0), std::vector<int>{}}) {
    expect_the_same_bits_when_padding_is_shared<TypeParam, float>(words, 9);
    expect_the_same_bits_when_padding_is_shared<TypeParam, double>(words, 9);
  }
}

TYPED_TEST(Gru, ShiftsStatesByAStep) {
  const auto states = random_reals<float>(4 * 7, 33, -1, 1, 2);
  const Matrix<float, TypeParam> dst("bcr::tests::dst", 4 * 7, 33);
  kernels::gru_states_before<TypeParam, float>(TypeParam{}, 7, to_device<TypeParam>(states), dst);
  const auto before = to_host(dst);
  for (int line = 0; line < 4 * 7; ++line)
    for (int j = 0; j < 33; ++j) EXPECT_EQ(before[line * 33 + j], line % 7 == 0 ? 0.0f : states(line - 1, j));
  EXPECT_THROW((kernels::gru_states_before<TypeParam, float>(TypeParam{}, 5, dst, dst)), ShapeError);
}

TYPED_TEST(Gru, AllocatesNothing) {
  const Inputs<float> in(cases[1]);
  const GruLayerOnDevice<TypeParam, float> layer(in.tokens, in.parameters);
  const auto src = to_device<TypeParam>(in.src);
  const auto diff_last = to_device<TypeParam>(in.diff_last);
  layer.forward(src);
  layer.backward(diff_last, {});
  const AllocationCounter counter;
  layer.forward(src);
  layer.backward(diff_last, {});
  Kokkos::fence();
  EXPECT_EQ(counter.count(), 0);
}

TYPED_TEST(Gru, RefusesShapesThatDoNotFit) {
  const Inputs<float> in(cases[0]);
  const GruLayerOnDevice<TypeParam, float> layer(in.tokens, in.parameters);
  const Matrix<float, TypeParam> narrow("bcr::tests::narrow", 15, 3);
  EXPECT_THROW(layer.forward(narrow), ShapeError);
  EXPECT_THROW(layer.backward(Matrix<float, TypeParam>("bcr::tests::wide", 3, 4), {}), ShapeError);
}

}  // namespace
}  // namespace bcr::test::gru_tests
