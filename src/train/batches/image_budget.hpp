#ifndef BCR_SRC_TRAIN_BATCHES_IMAGE_BUDGET_HPP
#define BCR_SRC_TRAIN_BATCHES_IMAGE_BUDGET_HPP

#include <cstdint>
#include <memory>

namespace bcr::train {

/// Room in device memory, given back when the last copy is gone; null: there is none.
using ImageRoom = std::shared_ptr<const void>;

/// Device memory that all images of a run may take together. Sets ask for it in the order in which they are made ready.
class ImageBudget : public std::enable_shared_from_this<ImageBudget> {
 public:
  explicit ImageBudget(const std::uint64_t mebibytes) : left_(mebibytes << 20) {}

  ImageRoom take(const std::uint64_t bytes) {
    if (bytes > left_) return nullptr;
    left_ -= bytes;
    return {this, [budget = shared_from_this(), bytes](const void*) { budget->left_ += bytes; }};
  }

 private:
  std::uint64_t left_;
};

}  // namespace bcr::train

#endif
