#include "src/nn/linear_backend.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace bcr::test {
namespace {

template <class Exec>
class LinearBackends : public ::testing::Test {};
TYPED_TEST_SUITE(LinearBackends, ExecSpaces);

/// The layer by a backend, and its sums in double on the host.
template <class Exec, class T>
struct LinearCase {
  LinearCase(const nn::Mode mode, const HostMatrix<T>& src_, const HostMatrix<T>& weights_, const HostMatrix<T>& diff_,
             const std::vector<T>& bias_)
      : host_src(src_), host_weights(weights_), host_diff(diff_), host_bias(bias_),
        backend(nn::make_linear_backend<Exec, T>({.inputs = std::size_t(src_.columns),
                                                  .outputs = std::size_t(weights_.rows),
                                                  .most_rows = std::size_t(src_.rows)},
                                                 mode)),
        src(to_device<Exec>(src_)), weights(to_device<Exec>(weights_)), diff_dst(to_device<Exec>(diff_)),
        bias(to_device<Exec>(bias_)),
        dst("bcr::tests::dst", src_.rows, weights_.rows), diff_src("bcr::tests::diff_src", src_.rows, src_.columns),
        diff_weights("bcr::tests::diff_weights", weights_.rows, src_.columns),
        workspace("bcr::tests::workspace", backend->workspace_size()) {}

  void run(const kernels::ChainStart start) {
    backend->forward(exec, src, weights, bias, dst, workspace);
    backend->backward_data(exec, diff_dst, weights, start, diff_src, workspace);
    backend->backward_weights(exec, src, diff_dst, diff_weights, workspace);
    exec.fence();
  }

  /// `known` is what diff_src held before.
  void expect_products(const double known, const double limit) const {
    const int N = host_src.rows, C = host_weights.rows, n = host_src.columns;
    const auto found_dst = to_host(dst), found_diff_src = to_host(diff_src), found_diff_weights = to_host(diff_weights);
    const auto expect = [&](const std::vector<T>& found, const int at, const double value, const int terms) {
      EXPECT_NEAR(found[at], value, limit * std::sqrt(terms + 1.0)) << at;
    };
    for (int i = 0; i < N; ++i) {
      for (int c = 0; c < C; ++c) {
        double sum = host_bias.empty() ? 0 : host_bias[c];
        for (int d = 0; d < n; ++d) sum += double(host_src(i, d)) * host_weights(c, d);
        expect(found_dst, i * C + c, sum, n);
      }
      for (int d = 0; d < n; ++d) {
        double sum = known;
        for (int c = 0; c < C; ++c) sum += double(host_diff(i, c)) * host_weights(c, d);
        expect(found_diff_src, i * n + d, sum, C);
      }
    }
    for (int c = 0; c < C; ++c) {
      for (int d = 0; d < n; ++d) {
        double sum = 0;
        for (int i = 0; i < N; ++i) sum += double(host_diff(i, c)) * host_src(i, d);
        expect(found_diff_weights, c * n + d, sum, N);
      }
    }
  }

  Exec exec;
  HostMatrix<T> host_src, host_weights, host_diff;
  std::vector<T> host_bias;
  std::unique_ptr<nn::LinearBackend<Exec, T>> backend;
  Matrix<T, Exec> src, weights, diff_dst;
  Vector<T, Exec> bias;
  Matrix<T, Exec> dst, diff_src, diff_weights;
  Vector<T, Exec> workspace;
};

template <class Exec, class T>
void expect_both_modes_agree_with_loops() {
  for (const auto& [N, C, n] : {std::tuple{0, 3, 4}, {1, 1, 1}, {5, 3, 7}, {67, 10, 65}, {33, 130, 17}}) {
    for (const nn::Mode mode : {nn::Mode::strict, nn::Mode::fast}) {
      LinearCase<Exec, T> reals(mode, random_reals<T>(N, n, -1, 1, 1), random_reals<T>(C, n, -1, 1, 2),
                                random_reals<T>(N, C, -1, 1, 3), random_reals<T>(1, C, -1, 1, 4).entries);
      SCOPED_TRACE(reals.backend->description());
      reals.run(kernels::ChainStart::zero);
      reals.expect_products(0, tolerance::matrix_product<T>());

      LinearCase<Exec, T> integers(mode, random_integers<T>(N, n, -4, 4, 1), random_integers<T>(C, n, -4, 4, 2),
                                   random_integers<T>(N, C, -4, 4, 3), {});
      Kokkos::deep_copy(integers.diff_src, T(3));
      integers.run(kernels::ChainStart::dst);
      integers.expect_products(3, 0);
    }
  }
}

TYPED_TEST(LinearBackends, AgreeWithPlainLoopsInFloat) {
  expect_both_modes_agree_with_loops<TypeParam, float>();
}

TYPED_TEST(LinearBackends, AgreeWithPlainLoopsInDouble) {
  expect_both_modes_agree_with_loops<TypeParam, double>();
}

int fences_before_mkl = 0;

TYPED_TEST(LinearBackends, OneMklWaitsForTheKernelsBeforeEveryProduct) {
  LinearCase<TypeParam, float> products(nn::Mode::fast, random_reals<float>(5, 7, -1, 1, 1),
                                        random_reals<float>(3, 7, -1, 1, 2), random_reals<float>(5, 3, -1, 1, 3), {});
  if (products.backend->description() != "oneMKL") GTEST_SKIP() << products.backend->description();
  fences_before_mkl = 0;
  Kokkos::Tools::Experimental::set_begin_fence_callback([](const char* const name, std::uint32_t, std::uint64_t*) {
    if (std::string_view(name).find("mkl_linear") != std::string_view::npos) ++fences_before_mkl;
  });
  products.run(kernels::ChainStart::zero);
  Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);

  EXPECT_EQ(fences_before_mkl, 3);
}

TYPED_TEST(LinearBackends, StrictModeNeverAsksALibrary) {
  const auto backend = nn::make_linear_backend<TypeParam, float>({.inputs = 8, .outputs = 8, .most_rows = 8},
                                                                 nn::Mode::strict);

  EXPECT_EQ(backend->description(), "strict");
}

}  // namespace
}  // namespace bcr::test
