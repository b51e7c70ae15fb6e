#ifndef BCR_IO_DATASETS_IMPORT_REQUEST_HPP
#define BCR_IO_DATASETS_IMPORT_REQUEST_HPP

#include "io/images/fit.hpp"
#include "io/text/text_set.hpp"
#include "io/text/tokenizer.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// Which part of a data set that is published in several. `unstated` is right for single files; a directory that holds
/// both needs a statement, because training on test images by accident is the worst mistake a data tool can help with.
enum class Part { unstated, train, test, all };

/// Which of CIFAR-100's two labels of an image counts.
enum class LabelKind { fine, coarse };

/// Called now and then with the number of images or documents done and the number to do (0 if unknown).
using Progress = std::function<void(std::size_t done, std::size_t total)>;

/// Called for each file that is left out, with the reason.
using Skipped = std::function<void(const std::string& file, const std::string& reason)>;

/// What the user asked a reader for. Each reader documents which fields it looks at.
struct ImportRequest {
  std::vector<std::filesystem::path> paths;
  Part part = Part::unstated;
  LabelKind label_kind = LabelKind::fine;
  std::size_t size = 0;                  ///< side of the images to make; 0 keeps the published size
  Fit fit = Fit::area_crop;              ///< how pictures of other sizes become such images
  std::size_t channels = 3;              ///< of images made from pictures: 3, or 1 for grey
  double skip_at_most = 0;               ///< share of a folder's pictures that may be unreadable
  std::size_t count = 0;                 ///< images to synthesise
  std::uint64_t seed = 0;                ///< of synthetic images
  std::vector<std::string> class_names;  ///< of formats that have none
  WordRule words = WordRule::spaces;     ///< of text folders and tables
  EmptyDocuments empty = EmptyDocuments::refuse;
  std::vector<std::string> text_columns = {"text"};  ///< of a table: names, or numbers from 1 if it has no header
  std::string label_column = "label";                ///< likewise; empty: no labels
  Progress progress = [](std::size_t, std::size_t) {};
  Skipped skipped = [](const std::string&, const std::string&) {};
};

/// Throws a ConfigError unless there is at least one path.
void require_paths(const ImportRequest& request, std::string_view format, std::string_view expected);

/// The files of a published layout under `directory` that make the wanted part.
/// ConfigError if the part is unstated, IoError for a missing file.
std::vector<std::filesystem::path> published_files(const std::filesystem::path& directory, Part part,
                                                   const std::vector<std::string>& train,
                                                   const std::vector<std::string>& test);

/// True if the only path is a directory: a published layout rather than single files.
bool is_published_layout(const ImportRequest& request);

/// "cifar10: data_batch_1.bin, data_batch_2.bin": file names without their directories.
std::string source_text(std::string_view format, const std::vector<std::filesystem::path>& paths);

}  // namespace bcr::io

#endif
