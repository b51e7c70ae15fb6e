#ifndef BCR_IO_SPLITS_SPLIT_HPP
#define BCR_IO_SPLITS_SPLIT_HPP

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// Some classes of one data set, by name: those listed, in this order, or all but those listed, in the order of the
/// set.
struct ClassChoice {
  enum class Rule { only, without };

  std::string set;  ///< "cifar10"
  Rule rule = Rule::only;
  std::vector<std::string> classes;

  bool operator==(const ClassChoice&) const = default;
};

/// An open-set problem: which classes are to be told apart, which serve as background in training, and which appear
/// only in the test. The label of a known class is its place in known.classes.
struct Split {
  std::string name;  ///< "cifar10", "random", ...
  int trial = 0;
  ClassChoice known;
  std::vector<ClassChoice> background;
  std::vector<ClassChoice> unknown;

  bool operator==(const Split&) const = default;
};

/// The split as TOML without its hash: the text that is hashed. A text is the same wherever it was written.
std::string split_text(const Split& split);

/// SHA-256 of split_text: what results are filed under.
std::string split_hash(const Split& split);

/// A TOML file: a line `hash = "..."`, then split_text. Written atomically.
void write_split(const std::filesystem::path& path, const Split& split);

/// Throws a ConfigError with file and line for a malformed file, an IoError if the hash is not that of the content. A
/// split written by hand may leave the hash out.
Split read_split(const std::filesystem::path& path);
Split parse_split(std::string_view text, const std::string& source);

/// Two names of one class: in the same set, equal names; between sets, equal WordNet ids ("n01443537 goldfish") or else
/// equal names. A name that is but a number, or "unlabelled", says nothing outside its own set.
bool same_class(std::string_view set_a, std::string_view name_a, std::string_view set_b, std::string_view name_b);

/// The classes that a choice means in a file with these class names. Throws an IoError that names `file` and the
/// classes that are not in it, or if nothing is left.
std::vector<std::string> chosen_classes(const ClassChoice& choice, std::span<const std::string> class_names,
                                        const std::string& file);

/// The class names of the data files of a split, in its order.
struct SplitFiles {
  struct Names {
    std::string file;
    std::vector<std::string> class_names;
  };
  Names known;
  std::vector<Names> background;
  std::vector<Names> unknown;
};

/// Throws a ConfigError that names the classes if one is listed twice or occurs in two of known, background and
/// unknown; an IoError that names them if a class is missing from its file.
void require_disjoint(const Split& split, const SplitFiles& files);

/// The same for what can be known without the files: lists that are written out.
void require_disjoint(const Split& split);

}  // namespace bcr::io

#endif
