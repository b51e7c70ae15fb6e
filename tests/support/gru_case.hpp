#ifndef BCR_TESTS_SUPPORT_GRU_CASE_HPP
#define BCR_TESTS_SUPPORT_GRU_CASE_HPP

#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/gru.hpp"
#include "tests/reference/gru.hpp"
#include "tests/support/host_matrix.hpp"

#include <algorithm>
#include <vector>

namespace bcr::test {

/// tokens [rows, steps] of rows that begin at the given steps; the tokens themselves do not matter to a layer.
inline HostMatrix<std::int32_t> tokens_beginning_at(const std::vector<int>& first_steps, const int steps) {
  HostMatrix<std::int32_t> tokens(static_cast<int>(first_steps.size()), steps);
  for (int i = 0; i < tokens.rows; ++i)
    for (int t = 0; t < steps; ++t) tokens(i, t) = t < first_steps[i] ? kernels::no_token : 2 + i;
  return tokens;
}

template <class T>
HostMatrix<T> rounded(const HostMatrix<double>& matrix) {
  HostMatrix<T> result(matrix.rows, matrix.columns);
  std::ranges::transform(matrix.entries, result.entries.begin(), [](const double x) { return static_cast<T>(x); });
  return result;
}

/// Numbers that float holds too.
inline reference::GruParameters random_gru(const int inputs, const int units, const unsigned seed) {
  reference::GruParameters p(inputs, units);
  const auto fill = [&](std::vector<double>& values, const unsigned number) {
    const auto reals = random_reals<float>(1, static_cast<int>(values.size()), -0.6, 0.6, seed + number);
    std::ranges::copy(reals.entries, values.begin());
  };
  fill(p.W_i.entries, 0);
  fill(p.W_h.entries, 1);
  fill(p.b_i, 2);
  fill(p.b_h, 3);
  return p;
}

/// One layer with its memory on a device: the kernels one after the other.
template <class Exec, class T>
class GruLayerOnDevice {
 public:
  GruLayerOnDevice(const HostMatrix<std::int32_t>& tokens, const reference::GruParameters& p)
      : rows_(tokens.rows),
        steps_(tokens.columns),
        tokens_(to_device<Exec>(tokens)),
        W_i_(to_device<Exec>(rounded<T>(p.W_i))),
        W_h_(to_device<Exec>(rounded<T>(p.W_h))),
        b_i_(to_device<Exec>(std::vector<T>(p.b_i.begin(), p.b_i.end()))),
        b_h_(to_device<Exec>(std::vector<T>(p.b_h.begin(), p.b_h.end()))),
        states_("bcr::tests::states", lines(), p.units()),
        trace_{{"bcr::tests::reset_update", lines(), 2u * p.units()},
               {"bcr::tests::candidate", lines(), std::size_t(p.units())},
               {"bcr::tests::recurrent", lines(), std::size_t(p.units())}},
        workspace_("bcr::tests::workspace", kernels::gru_workspace_size<Exec, T>(rows_, p.inputs(), p.units())) {}

  std::size_t lines() const { return std::size_t(rows_) * steps_; }
  kernels::GruWeights<Exec, T> weights() const { return {W_i_, W_h_, b_i_, b_h_}; }
  const kernels::GruTrace<Exec, T>& trace() const { return trace_; }
  const Matrix<T, Exec>& states() const { return states_; }

  void forward(const Matrix<T, Exec>& src, const std::int32_t shared = kernels::no_token) const {
    kernels::gru_forward<Exec, T>(Exec{}, tokens_, src, weights(), states_, {}, trace_, workspace_, shared);
  }
  Matrix<T, Exec> last_states(const Matrix<T, Exec>& src, const std::int32_t shared = kernels::no_token) const {
    Matrix<T, Exec> dst("bcr::tests::last", rows_, states_.extent(1));
    kernels::gru_forward<Exec, T>(Exec{}, tokens_, src, weights(), {}, dst, {}, workspace_, shared);
    return dst;
  }
  /// Either may be empty.
  void backward(const Matrix<T, Exec>& diff_last, const Matrix<T, Exec>& diff_states) const {
    kernels::gru_backward<Exec, T>(Exec{}, tokens_, W_h_, states_, diff_last, diff_states, trace_, workspace_);
  }

 private:
  int rows_;
  int steps_;
  Matrix<std::int32_t, Exec> tokens_;
  Matrix<T, Exec> W_i_, W_h_;
  Vector<T, Exec> b_i_, b_h_;
  Matrix<T, Exec> states_;
  kernels::GruTrace<Exec, T> trace_;
  Vector<T, Exec> workspace_;
};

}  // namespace bcr::test

#endif
