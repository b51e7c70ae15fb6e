#ifndef BCR_SRC_TRAIN_BATCHES_DATA_OPTIONS_HPP
#define BCR_SRC_TRAIN_BATCHES_DATA_OPTIONS_HPP

#include "kernels/augment/crop.hpp"
#include "src/core/config.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::kernels {

constexpr auto enum_names(Flip) {
  return std::array{std::pair{std::string_view("never"), Flip::never}, std::pair{std::string_view("half"), Flip::half}};
}

constexpr auto enum_names(Border) {
  return std::array{std::pair{std::string_view("black"), Border::black},
                    std::pair{std::string_view("mean"), Border::mean}};
}

}  // namespace bcr::kernels

namespace bcr::train {

/// What becomes of the samples that are left when the known set is no multiple of the batch.
enum class LastBatch { keep, drop };

constexpr auto enum_names(LastBatch) {
  return std::array{std::pair{std::string_view("keep"), LastBatch::keep},
                    std::pair{std::string_view("drop"), LastBatch::drop}};
}

/// Whether the batches of a loss that reads known images alone hold background images too: batch norm sees them then.
enum class BackgroundBatches { if_read, always };

constexpr auto enum_names(BackgroundBatches) {
  return std::array{std::pair{std::string_view("if_read"), BackgroundBatches::if_read},
                    std::pair{std::string_view("always"), BackgroundBatches::always}};
}

struct SideOptions {
  int batch = 128;
  int pad = 4;
  kernels::Flip flip = kernels::Flip::half;

  bool operator==(const SideOptions&) const = default;
};

template <class V>
void describe(V& v, SideOptions& o) {
  v("batch", o.batch, "samples in a batch, over all ranks", must_be::at_least(1));
  v("pad", o.pad, "border (data.border) from which a window is cut at random; 0: none", must_be::between(0, 64));
  v("flip", o.flip, "mirror left to right: never, or half of the images");
}

/// To how many steps a document of an unknown test set is padded: to the longest of its batch, as the authors of
/// outlier exposure do, or to data.text.length, whatever stands beside it.
enum class UnknownWidth { batch, length };

constexpr auto enum_names(UnknownWidth) {
  return std::array{std::pair{std::string_view("batch"), UnknownWidth::batch},
                    std::pair{std::string_view("length"), UnknownWidth::length}};
}

/// The section [data.text].
struct TextOptions {
  int words = 10000;
  int length = 100;
  int longest = 0;
  UnknownWidth unknown_width = UnknownWidth::batch;

  bool operator==(const TextOptions&) const = default;
};

template <class V>
void describe(V& v, TextOptions& o) {
  v("words", o.words, "most frequent words of the known training documents that are told apart", must_be::at_least(1));
  v("length", o.length, "known documents: their first tokens, padded in front to as many", must_be::at_least(1));
  v("longest", o.longest, "other documents: their first tokens, at most; 0: as many as length", must_be::at_least(0));
  v("unknown_width", o.unknown_width,
    "unknown test documents are padded to the longest of their batch, or to length: then batches change nothing");
}

/// The section [data].
struct DataOptions {
  std::filesystem::path split;
  std::filesystem::path known_train;
  std::filesystem::path known_test;
  std::vector<std::filesystem::path> background_train;
  std::vector<std::filesystem::path> unknown_test;
  std::vector<double> mean;
  std::vector<double> std;
  kernels::Border border = kernels::Border::black;
  double validation = 0;
  LastBatch last_batch = LastBatch::keep;
  BackgroundBatches background_batches = BackgroundBatches::if_read;
  std::uint64_t device_budget_mib = 2048;
  std::filesystem::path scratch;
  SideOptions known;
  SideOptions background;
  TextOptions text;

  bool operator==(const DataOptions&) const = default;
};

template <class V>
void describe(V& v, DataOptions& o) {
  v("split", o.split, "open-set split, made by bcr-data split");
  v("known_train", o.known_train, "data file with the known classes, for training");
  v("known_test", o.known_test, "data file with the known classes, for testing");
  v("background_train", o.background_train, "data files of the background, in the order of the split");
  v("unknown_test", o.unknown_test, "data files with the unknown classes, in the order of the split");
  v("mean", o.mean, "of each channel, pixels in [0, 1]; empty: those of known_train", must_be::fraction());
  v("std", o.std, "of each channel; empty: those of known_train", must_be::positive());
  v("border", o.border, "of padded images: black, or the mean colour, which is 0 once normalised");
  v("validation", o.validation, "fraction of each known class that is kept out of training, to choose by; 0: none",
    must_be::fraction_below_one());
  v("last_batch", o.last_batch, "what to do with the smaller batch at the end of an epoch");
  v("background_batches", o.background_batches,
    "background samples in the batches: if the loss reads them, or always (batch norm sees them)");
  v("device_budget_mib", o.device_budget_mib, "device memory for samples; images beyond it are streamed");
  v("scratch", o.scratch, "directory for sets that are streamed; empty: the system's");
  v("known", o.known, "batches of known classes");
  v("background", o.background, "batches of background classes");
  v("text", o.text, "documents");
}

}  // namespace bcr::train

#endif
