#ifndef BCR_IO_SPLITS_CLASS_LIST_HPP
#define BCR_IO_SPLITS_CLASS_LIST_HPP

#include "io/splits/split.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bcr::io {

/// Classes from a text file, one a line, by name or by WordNet id; '#' and what follows is a remark. An IoError if the
/// file cannot be read or names none.
std::vector<std::string> read_class_list(const std::filesystem::path& file);

/// The classes of a data file that a list means: of the same name, or the same WordNet id. What the file does not have
/// is passed over; each comes once, in the order of the file.
std::vector<std::string> listed_classes(std::span<const std::string> list, std::span<const std::string> class_names);

/// A sentence for every two sets of different sides whose classes cannot be told to be the same or not: numbers and
/// unlabelled images beside anything, WordNet ids beside words. Not for a background from which the split takes out
/// classes: somebody has looked.
std::vector<std::string> incomparable_sides(const Split& split, const SplitFiles& files);

}  // namespace bcr::io

#endif
