#ifndef BCR_SRC_TRAIN_DATA_RECORD_HPP
#define BCR_SRC_TRAIN_DATA_RECORD_HPP

#include "src/train/batches/open_data.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::train {

/// Which files one side of a run's data is made from.
struct DataRecord {
  std::string side;  ///< known_train, validation, background, known_test, unknown_<set>
  std::vector<std::string> files;
  std::vector<std::string> sha256;
  std::size_t images = 0;
};

/// Of every side, empty ones too, but no validation that nobody asked for.
std::vector<DataRecord> data_records(const OpenData& data);

/// What a checkpoint keeps of them: a line for each side that has files, its name and their SHA-256; and of texts one
/// for the vocabulary.
std::string digest_lines(const OpenData& data);

/// Such lines by side.
std::map<std::string, std::string> digests_by_side(const std::string& lines);

/// Whether a side is trained on or chosen by, not only tested on.
bool is_trained_on(std::string_view side);

/// Data files of version 1 do not notice by themselves that their pixels have changed: they are read once to verify
/// them, with a warning.
void verify_old_files(const OpenData& data, const Log& log);

/// How pictures of other sizes became the images of a side, if its files say so and agree; else nothing.
std::string fit_of(const Dataset& side);

/// Two sides whose pictures were fitted in different ways can be told apart by that.
void warn_of_different_fits(const OpenData& data, const Log& log);

/// Tests on images that were trained on are possible, and rarely meant.
void warn_of_shared_images(const OpenData& data, const Log& log);

}  // namespace bcr::train

#endif
