// The oneDNN backend of src/nn on the device of Kokkos::SYCL against the strict kernels on the host.
#include "src/nn/backends/backends.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/sycl/device_code.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using bcr::kernels::ChainStart;
using bcr::test::ConvolutionCase;
using Host = Kokkos::Serial;
using Device = Kokkos::SYCL;
using Tensor = bcr::reference::Tensor<float>;

bcr::nn::ConvolutionProblem problem_of(const ConvolutionCase& c) {
  const auto dst = c.dst();
  return {"conv", {c.height, c.width, c.inputs}, {dst[1], dst[2], dst[3]}, c.kernel, c.window()};
}

/// Random contents of the tensors of one convolution.
struct Contents {
  Tensor src, weights, bias, dst;
  using Make = Tensor (*)(const std::array<int, 4>&, std::uint64_t);
  Contents(const ConvolutionCase& c, const Make make)
      : src(make(c.src(), 1)),
        weights(make(c.weights(), 2)),
        bias(make({1, 1, 1, c.outputs}, 3)),
        dst(make(c.dst(), 4)) {}
};

Tensor magnitudes(Tensor tensor) {
  for (float& value : tensor.value) value = std::abs(value);
  return tensor;
}

/// One direction by one backend: from host tensors to a host tensor.
template <class Exec>
class Runner {
 public:
  using Backend = bcr::nn::ConvolutionBackend<Exec, float>;
  explicit Runner(std::unique_ptr<Backend> backend)
      : backend_(std::move(backend)), workspace_("bcr::tests::workspace", backend_->workspace_size()) {}

  Tensor forward(const Contents& t, const ChainStart start) {
    const auto dst = bcr::test::upload<Exec>(t.dst);
    const auto bias = bcr::test::upload<Exec>(t.bias);
    backend_->forward(exec_, bcr::test::upload<Exec>(t.src), bcr::test::upload<Exec>(t.weights),
                      bcr::Vector<float, Exec>(bias.data(), bias.size()), start, dst, workspace_);
    return result(dst);
  }
  Tensor backward_data(const Contents& t, const ChainStart start) {
    const auto diff_src = bcr::test::upload<Exec>(t.src);
    backend_->backward_data(exec_, bcr::test::upload<Exec>(t.dst), bcr::test::upload<Exec>(t.weights), start, diff_src,
                            workspace_);
    return result(diff_src);
  }
  Tensor backward_weights(const Contents& t) {
    const auto diff_weights = bcr::test::upload<Exec>(t.weights);
    backend_->backward_weights(exec_, bcr::test::upload<Exec>(t.src), bcr::test::upload<Exec>(t.dst), diff_weights,
                               workspace_);
    return result(diff_weights);
  }

 private:
  Tensor result(const bcr::Tensor4<float, Exec>& view) {
    exec_.fence("bcr::tests");
    return bcr::test::download<float, Exec>(view);
  }

  Exec exec_;
  std::unique_ptr<Backend> backend_;
  bcr::Vector<float, Exec> workspace_;
};

Runner<Device> on_device(const ConvolutionCase& c) {
  return Runner<Device>(bcr::nn::make_onednn_convolution<Device, float>(problem_of(c), c.images, Device()));
}
Runner<Host> on_host(const ConvolutionCase& c) {
  return Runner<Host>(bcr::nn::make_strict_convolution<Host, float>(problem_of(c), c.images));
}

std::vector<ConvolutionCase> cases() {
  auto all = bcr::test::convolution_cases();
  std::erase_if(all, [](const ConvolutionCase& c) { return c.images * c.inputs * c.outputs == 0; });
  return all;
}

class SyclConvolution : public testing::TestWithParam<ConvolutionCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, SyclConvolution, testing::ValuesIn(cases()));

TEST_P(SyclConvolution, IsExactOnSmallIntegers) {
  const Contents contents(GetParam(), bcr::test::integers<float>);
  auto device = on_device(GetParam());
  auto host = on_host(GetParam());

  using bcr::test::first_difference;
  for (const ChainStart start : {ChainStart::zero, ChainStart::bias, ChainStart::dst})
    EXPECT_EQ(first_difference(device.forward(contents, start), host.forward(contents, start)), "");
  for (const ChainStart start : {ChainStart::zero, ChainStart::dst})
    EXPECT_EQ(first_difference(device.backward_data(contents, start), host.backward_data(contents, start)), "");
  EXPECT_EQ(first_difference(device.backward_weights(contents), host.backward_weights(contents)), "");
}

/// Both sides round each of `terms` products and sums; `sizes` is the sum of their magnitudes.
void expect_close(const Tensor& received, const Tensor& expected, const Tensor& sizes, const int terms) {
  ASSERT_EQ(received.extent, expected.extent);
  const double relative = bcr::test::tolerance::convolution_of_library<float>(terms);
  for (std::size_t i = 0; i < received.value.size(); ++i)
    ASSERT_NEAR(received.value[i], expected.value[i], relative * sizes.value[i]) << "element " << i;
}

TEST_P(SyclConvolution, IsCloseToTheStrictKernels) {
  const ConvolutionCase c = GetParam();
  const Contents contents(c, bcr::test::reals<float>);
  Contents sizes = contents;
  for (Tensor* tensor : {&sizes.src, &sizes.weights, &sizes.bias, &sizes.dst}) *tensor = magnitudes(*tensor);
  auto device = on_device(c);
  auto host = on_host(c);

  const int taps = c.kernel * c.kernel;
  expect_close(device.forward(contents, ChainStart::bias), host.forward(contents, ChainStart::bias),
               host.forward(sizes, ChainStart::bias), taps * c.inputs + 1);
  expect_close(device.backward_data(contents, ChainStart::dst), host.backward_data(contents, ChainStart::dst),
               host.backward_data(sizes, ChainStart::dst), taps * c.outputs + 1);
  expect_close(device.backward_weights(contents), host.backward_weights(contents), host.backward_weights(sizes),
               c.images * c.dst()[1] * c.dst()[2]);
}

TEST(SyclConvolution, TellsItsImplementation) {
  const ConvolutionCase c{2, 8, 8, 16, 16, 3, 1, 1};
  const auto backend = bcr::nn::make_onednn_convolution<Device, float>(problem_of(c), c.images, Device());
  std::fprintf(stderr, "%s, %s\n", bcr::nn::onednn_version().c_str(), backend->description().c_str());
  EXPECT_TRUE(backend->description().starts_with("oneDNN "));
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  bcr::sycl_check::DeviceCode code({BCR_DEVICE_OPTIONS, "-ffp-contract=off"},
                                   bcr::sycl_check::DeviceCode::Compile::at_launch);
  bcr::sycl_check::set_device_code(&code);
  const Kokkos::ScopeGuard kokkos;
  return RUN_ALL_TESTS();
}
