#ifndef BCR_TESTS_REFERENCE_GRU_HPP
#define BCR_TESTS_REFERENCE_GRU_HPP

#include "tests/support/host_matrix.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace bcr::test::reference {

/// One layer of gated recurrent units in double, written from the formulas of PyTorch's documentation:
///   r = s(W_ir x + b_ir + W_hr h + b_hr)            z = s(W_iz x + b_iz + W_hz h + b_hz)
///   n = tanh(W_in x + b_in + r (W_hn h + b_hn))     h' = (1 - z) n + z h
struct GruParameters {
  HostMatrix<double> W_i;  ///< [3 H, E], gates r, z, n
  HostMatrix<double> W_h;  ///< [3 H, H]
  std::vector<double> b_i;
  std::vector<double> b_h;

  GruParameters(const int inputs, const int units)
      : W_i(3 * units, inputs), W_h(3 * units, units), b_i(3 * units), b_h(3 * units) {}
  int units() const { return W_h.columns; }
  int inputs() const { return W_i.columns; }
};

/// What a layer did with one row of L steps; h has L + 1 lines, the first is zero.
struct GruRow {
  HostMatrix<double> h, r, z, n, q;
  int first_step;
};

inline double sigmoid(const double x) {
  return 1 / (1 + std::exp(-x));
}

inline double product(const HostMatrix<double>& weights, const int row, const HostMatrix<double>& x, const int line) {
  double sum = 0;
  for (int d = 0; d < weights.columns; ++d) sum += weights(row, d) * x(line, d);
  return sum;
}

/// x: the inputs [L, E] of a row that begins at first_step.
inline GruRow gru_forward(const GruParameters& p, const HostMatrix<double>& x, const int first_step) {
  const int L = x.rows, H = p.units();
  GruRow row{HostMatrix<double>(L + 1, H), HostMatrix<double>(L, H), HostMatrix<double>(L, H),
             HostMatrix<double>(L, H),     HostMatrix<double>(L, H), first_step};
  for (int t = first_step; t < L; ++t)
    for (int j = 0; j < H; ++j) {
      const auto input = [&](const int gate) { return product(p.W_i, gate * H + j, x, t) + p.b_i[gate * H + j]; };
      const auto recurrent = [&](const int gate) {
        return product(p.W_h, gate * H + j, row.h, t) + p.b_h[gate * H + j];
      };
      row.r(t, j) = sigmoid(input(0) + recurrent(0));
      row.z(t, j) = sigmoid(input(1) + recurrent(1));
      row.q(t, j) = recurrent(2);
      row.n(t, j) = std::tanh(input(2) + row.r(t, j) * row.q(t, j));
      row.h(t + 1, j) = (1 - row.z(t, j)) * row.n(t, j) + row.z(t, j) * row.h(t, j);
    }
  return row;
}

/// Adds the gradients of the parameters to `gradients`, and returns those of x; diff_h(t, j) is what the loss asks of
/// the state after step t directly.
inline HostMatrix<double> gru_backward(const GruParameters& p, const HostMatrix<double>& x, const GruRow& row,
                                       const HostMatrix<double>& diff_h, GruParameters& gradients) {
  const int L = x.rows, H = p.units();
  HostMatrix<double> diff_x(L, p.inputs());
  std::vector<double> later(H, 0.0);
  for (int t = L - 1; t >= row.first_step; --t) {
    std::vector<double> diff_input(3 * H), diff_recurrent(3 * H), earlier(H);
    for (int j = 0; j < H; ++j) {
      const double diff = later[j] + diff_h(t, j);
      const double r = row.r(t, j), z = row.z(t, j), n = row.n(t, j);
      const double inside_n = diff * (1 - z) * (1 - n * n);
      diff_input[j] = diff_recurrent[j] = inside_n * row.q(t, j) * r * (1 - r);
      diff_input[H + j] = diff_recurrent[H + j] = diff * (row.h(t, j) - n) * z * (1 - z);
      diff_input[2 * H + j] = inside_n;
      diff_recurrent[2 * H + j] = inside_n * r;
      earlier[j] = diff * z;
    }
    for (int c = 0; c < 3 * H; ++c) {
      for (int d = 0; d < p.inputs(); ++d) {
        gradients.W_i(c, d) += diff_input[c] * x(t, d);
        diff_x(t, d) += diff_input[c] * p.W_i(c, d);
      }
      for (int d = 0; d < H; ++d) {
        gradients.W_h(c, d) += diff_recurrent[c] * row.h(t, d);
        earlier[d] += diff_recurrent[c] * p.W_h(c, d);
      }
      gradients.b_i[c] += diff_input[c];
      gradients.b_h[c] += diff_recurrent[c];
    }
    later = earlier;
  }
  return diff_x;
}

}  // namespace bcr::test::reference

#endif
