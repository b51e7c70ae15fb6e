#ifndef BCR_SRC_SCORES_FITTED_STATE_HPP
#define BCR_SRC_SCORES_FITTED_STATE_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bcr::scores {

/// A named array on the host, row-major.
struct FittedArray {
  std::string name;
  std::vector<std::size_t> extents;
  std::variant<std::vector<double>, std::vector<float>> values;
};

/// The fitted parameters of one score, as a file holds them.
class FittedState {
 public:
  FittedState() = default;
  explicit FittedState(std::vector<FittedArray> arrays) : arrays_(std::move(arrays)) {}

  const std::vector<FittedArray>& arrays() const noexcept { return arrays_; }

  /// An IoError that names the array if there is none of this name, of another type, or of other extents. An extent of
  /// `any` is not compared.
  const std::vector<double>& doubles(std::string_view name, const std::vector<std::size_t>& extents) const;
  const std::vector<float>& floats(std::string_view name, const std::vector<std::size_t>& extents) const;

  static constexpr std::size_t any = static_cast<std::size_t>(-1);

 private:
  const FittedArray& find(std::string_view name, const std::vector<std::size_t>& extents) const;

  std::vector<FittedArray> arrays_;
};

}  // namespace bcr::scores

#endif
