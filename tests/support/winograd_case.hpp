#ifndef BCR_TESTS_SUPPORT_WINOGRAD_CASE_HPP
#define BCR_TESTS_SUPPORT_WINOGRAD_CASE_HPP

#include "kernels/conv/winograd.hpp"
#include "tests/support/convolution_case.hpp"

#include <vector>

namespace bcr::test {

/// Of the cases, those that the algorithm serves.
inline std::vector<ConvolutionCase> winograd_cases() {
  auto cases = convolution_cases();
  std::erase_if(cases, [](const auto& c) { return c.kernel != 3 || c.stride != 1; });
  cases.push_back({1, 5, 4, 18, 33, 3, 1, 2});
  return cases;
}

template <class Exec, class T>
reference::Tensor<T> winograd(const ConvolutionCase& c, const reference::Tensor<T>& src,
                              const reference::Tensor<T>& weights, const reference::Tensor<T>& dst,
                              const kernels::ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_dst = upload<Exec>(dst);
  kernels::winograd_forward<Exec, T>(
      Exec{}, c.pad, upload<Exec>(src), device_weights, {}, device_dst, start,
      workspace<Exec, T>(kernels::winograd_forward_workspace_size<Exec, T>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(device_dst);
}

template <class Exec, class T>
reference::Tensor<T> winograd_gradient(const ConvolutionCase& c, const reference::Tensor<T>& diff_dst,
                                       const reference::Tensor<T>& weights, const reference::Tensor<T>& diff_src,
                                       const kernels::ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_diff_src = upload<Exec>(diff_src);
  kernels::winograd_backward_data<Exec, T>(
      Exec{}, c.pad, upload<Exec>(diff_dst), device_weights, device_diff_src, start,
      workspace<Exec, T>(kernels::winograd_backward_data_workspace_size<Exec, T>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(device_diff_src);
}

template <class Exec, class T>
reference::Tensor<T> winograd_weights(const ConvolutionCase& c, const reference::Tensor<T>& src,
                                      const reference::Tensor<T>& diff_dst) {
  const auto diff_weights = upload<Exec>(reals<T>(c.weights(), 99));
  const auto device_diff_dst = upload<Exec>(diff_dst);
  kernels::winograd_backward_weights<Exec, T>(
      Exec{}, c.pad, upload<Exec>(src), device_diff_dst, diff_weights,
      workspace<Exec, T>(kernels::winograd_backward_weights_workspace_size<Exec, T>(device_diff_dst, diff_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(diff_weights);
}

}  // namespace bcr::test

#endif
