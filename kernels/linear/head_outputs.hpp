#ifndef BCR_KERNELS_LINEAR_HEAD_OUTPUTS_HPP
#define BCR_KERNELS_LINEAR_HEAD_OUTPUTS_HPP

#include <array>
#include <string_view>
#include <utility>

namespace bcr::kernels {

/// What a head computes from a feature, and so how a class score z is read from it. Heads produce it, losses and scores
/// read it, and neither knows the other.
enum class HeadOutputs {
  squared_distances,  ///< D^2 to the anchor of each class: z = -s D^2
  logits              ///< z itself
};

constexpr auto enum_names(HeadOutputs) {
  return std::array{std::pair{std::string_view("squared distances"), HeadOutputs::squared_distances},
                    std::pair{std::string_view("logits"), HeadOutputs::logits}};
}

constexpr std::string_view name_of(const HeadOutputs outputs) {
  return outputs == HeadOutputs::squared_distances ? "squared distances" : "logits";
}

/// The name of the outputs in a table of tensors.
constexpr std::string_view tensor_name(const HeadOutputs outputs) {
  return outputs == HeadOutputs::squared_distances ? "squared_distances" : "logits";
}

}  // namespace bcr::kernels

#endif
