#ifndef BCR_SRC_TRAIN_REFERENCE_CHECK_HPP
#define BCR_SRC_TRAIN_REFERENCE_CHECK_HPP

#include "src/train/evaluator.hpp"

#include <cstddef>

namespace bcr::train {

/// The largest differences between a model and its reference: the same weights, in double, on the host's cores.
struct ReferenceDifferences {
  std::size_t images = 0;
  double feature = 0;            ///< |f - f_ref|
  double output = 0;             ///< |z - z_ref| / max(1, |z_ref|): distances or logits
  double log_inclusion = 0;      ///< |log P_I - ref| / max(1, |ref|); 0 for logits
  double score = 0;              ///< of the default score, likewise
  std::size_t predictions = 0;   ///< images with another prediction
};

/// Shows up to `most_images` of every test set to both. Strict arithmetic in the reference, whatever the mode.
ReferenceDifferences compare_with_reference(Evaluator& evaluator, const RunOptions& options, const OpenData& data,
                                            const FoundCheckpoint& found, std::size_t most_images);

}  // namespace bcr::train

#endif
