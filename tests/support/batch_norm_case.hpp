#ifndef BCR_TESTS_SUPPORT_BATCH_NORM_CASE_HPP
#define BCR_TESTS_SUPPORT_BATCH_NORM_CASE_HPP

#include "kernels/norm/batch_norm_backward.hpp"
#include "kernels/norm/batch_norm_coefficients.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "tests/reference/batch_norm.hpp"
#include "tests/support/host_matrix.hpp"

#include <Kokkos_Core.hpp>

#include <vector>

namespace bcr::test {

/// One layer on the device, its inputs on the host as well, and its passes as the network runs them.
template <class Exec, class T>
struct BatchNormCase {
  BatchNormCase(const int rows_, const int channels_, const kernels::Activation activation_,
                const kernels::Dropout& dropout_)
      : rows(rows_),
        channels(channels_),
        activation(activation_),
        dropout(dropout_),
        src(random_reals<T>(rows_, channels_, -1, 3, 11)),
        diff_dst(random_reals<T>(rows_, channels_, -2, 2, 12)),
        gamma(random_reals<T>(1, channels_, 0.5, 2, 13).entries),
        beta(random_reals<T>(1, channels_, -1, 1, 14).entries),
        sums("bcr::tests::sums", 2, channels_),
        coefficients{vector(), vector(), vector(), vector()},
        running{vector(), vector()} {
    Kokkos::deep_copy(running.variance, T(1));
    for (std::size_t e = 0; e < src.entries.size(); ++e)
      kept.push_back(!dropout.active() || reference::is_kept(dropout.rate, dropout.seed, dropout.stream, dropout.step,
                                                             e + (e < dropout.numbers.split ? dropout.numbers.first
                                                                                            : dropout.numbers.second)));
  }

  Vector<T, Exec> vector() const { return {"bcr::tests::channels", std::size_t(channels)}; }
  Vector<double, Exec> partials() const {
    Vector<double, Exec> view("bcr::tests::partials", kernels::norm_partials(rows, channels));
    Kokkos::deep_copy(view, 1e300);
    return view;
  }
  bool with_relu() const { return activation == kernels::Activation::relu; }

  void compute_coefficients() {
    kernels::batch_norm_sums<Exec, T>(exec, to_device<Exec>(src), partials(), sums);
    kernels::batch_norm_coefficients<Exec, T>(exec, sums, rows, {to_device<Exec>(gamma), to_device<Exec>(beta)},
                                              epsilon, 0.1, running, coefficients);
    exec.fence();
  }

  std::vector<T> forward() const {
    const Matrix<T, Exec> dst("bcr::tests::dst", rows, channels);
    kernels::batch_norm_forward<Exec, T>(exec, to_device<Exec>(src), coefficients.scale, coefficients.shift, activation,
                                         dropout, dst);
    return to_host(dst);
  }

  /// Overwrites the sums of the forward pass.
  void compute_backward_sums() {
    kernels::batch_norm_backward_sums<Exec, T>(exec, to_device<Exec>(src), to_device<Exec>(diff_dst), coefficients,
                                               activation, dropout, partials(), sums);
    exec.fence();
  }

  Matrix<T, Exec> terms() const {
    const Matrix<T, Exec> result("bcr::tests::terms", 3, channels);
    kernels::batch_norm_backward_terms<Exec, T>(exec, sums, rows, coefficients, dropout, result);
    return result;
  }

  /// diff_src, which held `before`.
  std::vector<T> backward(const kernels::ChainStart start, const HostMatrix<T>& before) const {
    const auto diff_src = to_device<Exec>(before);
    kernels::batch_norm_backward<Exec, T>(exec, to_device<Exec>(src), to_device<Exec>(diff_dst), coefficients, terms(),
                                          activation, dropout, start, diff_src);
    return to_host(diff_src);
  }

  /// The coefficients of the device.
  std::vector<reference::Channel<T>> host_channels() const {
    const auto mean = to_host(coefficients.mean), inverse_std = to_host(coefficients.inverse_std),
               scale = to_host(coefficients.scale), shift = to_host(coefficients.shift);
    std::vector<reference::Channel<T>> result;
    for (int c = 0; c < channels; ++c) result.push_back({mean[c], inverse_std[c], scale[c], shift[c]});
    return result;
  }

  static constexpr double epsilon = 1e-5;
  Exec exec;
  int rows, channels;
  kernels::Activation activation;
  kernels::Dropout dropout;
  HostMatrix<T> src, diff_dst;
  std::vector<T> gamma, beta;
  std::vector<bool> kept;  ///< by dropout, element by element
  Matrix<double, Exec> sums;
  kernels::BatchNormCoefficients<Exec, T> coefficients;
  kernels::RunningStatistics<Exec, T> running;
};

}  // namespace bcr::test

#endif
