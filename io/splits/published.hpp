#ifndef BCR_IO_SPLITS_PUBLISHED_HPP
#define BCR_IO_SPLITS_PUBLISHED_HPP

#include "io/splits/split.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace bcr::io {

/// The class lists of the literature, one entry per name, as io/splits/published.toml holds them.
struct PublishedSplit {
  using Places = std::vector<std::vector<std::size_t>>;  ///< of each trial; a single list serves every trial

  std::string name;
  std::string summary;
  std::string source;
  std::string note;
  std::string known_set;
  std::string unknown_set;
  Places known;
  Places background;
  Places unknown;  ///< empty: whatever is not known

  std::size_t trials() const { return std::max(known.size(), unknown.size()); }
};

/// A data set as the lists see it. Without class names, the places are those of the data file.
struct PublishedSet {
  std::string name;
  std::size_t count = 0;
  std::vector<std::string> class_names;
};

const std::vector<PublishedSplit>& published_splits();

/// Throws a ConfigError that lists the names for any other.
const PublishedSplit& published_split(std::string_view name);
const PublishedSet& published_set(std::string_view name);

/// A data file as far as splits are concerned.
struct NamedClasses {
  std::string file;
  std::string set;  ///< see set_name
  std::vector<std::string> class_names;
};

/// "cifar10" of "cifar10 train": the parts of a data set share their classes.
std::string set_name(std::string_view file_name);

/// The split of a published list for the files of a user; `unknown` is the same file as `known` where the list takes
/// both from one set. Throws a ConfigError for an unknown name or trial, an IoError if the files do not hold the
/// classes.
Split make_published_split(std::string_view name, int trial, const NamedClasses& known, const NamedClasses& unknown);

struct RandomSplit {
  std::size_t known = 0;
  std::size_t background = 0;
  std::optional<std::size_t> unknown = {};  ///< default: all the others
  std::uint64_t seed = 0;
  int trial = 0;
};

/// Known, background and unknown classes of one set, drawn without return: a function of seed, trial and the class
/// names in their order alone. Each list is in the order of the set.
Split make_random_split(const RandomSplit& request, const NamedClasses& set);

/// All classes of one set known, all of others unknown.
Split make_whole_set_split(const NamedClasses& known, std::span<const NamedClasses> unknown);

/// The file published.toml, built into the program.
std::string_view published_text();

}  // namespace bcr::io

#endif
