#include "src/nn/backends/device_blas.hpp"
#include "tests/support/host_matrix.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using kernels::ChainStart;

/// Stands in for cuBLAS and rocBLAS: the product by columns that both define, so that what is asked of them can be
/// tested without their devices.
class PlainBlas {
 public:
  using Exec = test::Exec;
  static constexpr const char* name = "plain";

  template <class T>
  void multiply(const Exec& exec, const nn::DeviceProduct<T>& product, const std::string&) {
    exec.fence();
    const auto entry = [](const auto& matrix, const nn::Turned turned, const int row, const int column) {
      return turned == nn::Turned::yes ? matrix.data[column + row * matrix.stride]
                                       : matrix.data[row + column * matrix.stride];
    };
    for (int row = 0; row < product.rows; ++row) {
      for (int column = 0; column < product.columns; ++column) {
        T& result = product.c.data[row + column * product.c.stride];
        T sum = product.beta == 0 ? T(0) : product.beta * result;
        for (int term = 0; term < product.terms; ++term)
          sum += entry(product.a, product.turned_a, row, term) * entry(product.b, product.turned_b, term, column);
        result = sum;
      }
    }
  }
};

/// a b of small integers: exact.
HostMatrix<double> product(const HostMatrix<double>& a, const HostMatrix<double>& b) {
  HostMatrix<double> result(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j)
      for (int k = 0; k < a.columns; ++k) result(i, j) += a(i, k) * b(k, j);
  return result;
}
HostMatrix<double> turned(const HostMatrix<double>& a) {
  HostMatrix<double> result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
  return result;
}
std::vector<double> plus(std::vector<double> values, const std::vector<double>& repeated) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += repeated[i % repeated.size()];
  return values;
}

struct BlasBackends : ::testing::Test {
  const int N = 6, inputs = 5, outputs = 3;
  const HostMatrix<double> src = random_integers<double>(N, inputs, -4, 4, 1);
  const HostMatrix<double> diff = random_integers<double>(N, outputs, -4, 4, 2);
  const std::vector<double> bias{1, -2, 3};
  const std::vector<double> three{3};
  const Exec exec{};
  const Vector<double, Exec> no_workspace;
};

TEST_F(BlasBackends, AskForTheProductsOfAFullyConnectedLayer) {
  const auto weights = random_integers<double>(outputs, inputs, -4, 4, 3);
  nn::BlasLinear<PlainBlas, double> layer;
  const auto device_src = to_device<Exec>(src), device_weights = to_device<Exec>(weights);
  const auto device_diff = to_device<Exec>(diff);
  Matrix<double, Exec> dst("bcr::tests::dst", N, outputs), diff_src("bcr::tests::diff_src", N, inputs);
  Matrix<double, Exec> diff_weights("bcr::tests::diff_weights", outputs, inputs);

  layer.forward(exec, device_src, device_weights, to_device<Exec>(bias), dst, no_workspace);
  EXPECT_EQ(to_host(dst), plus(product(src, turned(weights)).entries, bias));
  layer.forward(exec, device_src, device_weights, {}, dst, no_workspace);
  EXPECT_EQ(to_host(dst), product(src, turned(weights)).entries);

  Kokkos::deep_copy(diff_src, 3.0);
  layer.backward_data(exec, device_diff, device_weights, ChainStart::dst, diff_src, no_workspace);
  EXPECT_EQ(to_host(diff_src), plus(product(diff, weights).entries, three));
  layer.backward_data(exec, device_diff, device_weights, ChainStart::zero, diff_src, no_workspace);
  EXPECT_EQ(to_host(diff_src), product(diff, weights).entries);

  layer.backward_weights(exec, device_src, device_diff, diff_weights, no_workspace);
  EXPECT_EQ(to_host(diff_weights), product(turned(diff), src).entries);
}

TEST_F(BlasBackends, AskForTheProductsOfAConvolutionOfOneTap) {
  const auto weights = random_integers<double>(inputs, outputs, -4, 4, 3);
  const nn::ConvolutionProblem problem{.name = "shortcut",
                                       .src = {.height = 1, .width = 3, .channels = inputs},
                                       .dst = {.height = 1, .width = 3, .channels = outputs},
                                       .taps = 1,
                                       .window = {.stride = 1, .pad = 0}};
  const auto convolution = nn::make_one_tap_convolution<PlainBlas, double>(problem);
  ASSERT_NE(convolution, nullptr);
  const auto images = [](const Matrix<double, Exec>& pixels) {
    return Tensor4<double, Exec>(pixels.data(), 2, 1, 3, pixels.extent(1));
  };
  const auto device_src = to_device<Exec>(src), taps = to_device<Exec>(weights), device_diff = to_device<Exec>(diff);
  const Tensor4<double, Exec> device_weights(taps.data(), 1, 1, inputs, outputs);
  Matrix<double, Exec> dst("bcr::tests::dst", N, outputs), diff_src("bcr::tests::diff_src", N, inputs);
  Matrix<double, Exec> diff_weights("bcr::tests::diff_weights", inputs, outputs);
  const auto forward = [&](const ChainStart start) {
    convolution->forward(exec, images(device_src), device_weights, to_device<Exec>(bias), start, images(dst),
                         no_workspace);
    return to_host(dst);
  };

  EXPECT_EQ(forward(ChainStart::bias), plus(product(src, weights).entries, bias));
  Kokkos::deep_copy(dst, 3.0);
  EXPECT_EQ(forward(ChainStart::dst), plus(product(src, weights).entries, three));
  EXPECT_EQ(forward(ChainStart::zero), product(src, weights).entries);

  Kokkos::deep_copy(diff_src, 3.0);
  convolution->backward_data(exec, images(device_diff), device_weights, ChainStart::dst, images(diff_src),
                             no_workspace);
  EXPECT_EQ(to_host(diff_src), plus(product(diff, turned(weights)).entries, three));
  convolution->backward_data(exec, images(device_diff), device_weights, ChainStart::zero, images(diff_src),
                             no_workspace);
  EXPECT_EQ(to_host(diff_src), product(diff, turned(weights)).entries);

  convolution->backward_weights(exec, images(device_src), images(device_diff),
                                Tensor4<double, Exec>(diff_weights.data(), 1, 1, inputs, outputs), no_workspace);
  EXPECT_EQ(to_host(diff_weights), product(turned(src), diff).entries);
}

TEST_F(BlasBackends, LeaveOtherConvolutionsToOthers) {
  nn::ConvolutionProblem problem{.name = "other", .src = {4, 4, 2}, .dst = {4, 4, 2}, .taps = 3, .window = {1, 1}};
  EXPECT_EQ((nn::make_one_tap_convolution<PlainBlas, float>(problem)), nullptr);
  problem.taps = 1;
  problem.window = {2, 0};
  EXPECT_EQ((nn::make_one_tap_convolution<PlainBlas, float>(problem)), nullptr);
}

}  // namespace
}  // namespace bcr::test
