#ifndef BCR_SRC_CORE_CONFIG_HPP
#define BCR_SRC_CORE_CONFIG_HPP

#include "src/core/config/options.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace bcr {

/// A configuration as the user gave it: TOML files laid over each other, then overrides. It is read into described
/// options (src/core/config/options.hpp):
///
///   const Config config = Config::load(files, {"train.lr=0.1"});
///   const RunOptions options = config.read<RunOptions>();                       // everything at once, or
///   const auto train = config.section("train").read<train::TrainOptions>();     // one section
///   write_file("config.resolved.toml", to_toml(options));
///
/// Every fault is a ConfigError that names the key, what was expected, what was received, and file:line.
class Config {
 public:
  /// Empty: every option keeps its default.
  Config();

  /// Later files win over earlier ones and overrides (`train.lr=0.1`) over files; tables are merged key by key.
  static Config load(std::span<const std::filesystem::path> files, std::span<const std::string> overrides = {});

  /// From TOML text; `source` names it in messages.
  static Config parse(std::string_view text, const std::string& source = "text");

  /// The table under a dotted key; an empty one if absent. Throws if the key holds something else.
  Config section(std::string_view key) const;

  /// The defaults with everything the user gave laid over them. Unknown keys, wrong types and values out of range
  /// throw.
  template <class Options>
  Options read(Options options = {}) const {
    OptionReader reader(tree_, path_);
    describe(reader, options);
    reader.refuse_unknown();
    return options;
  }

  /// Throws for a key of this table that is not among the given ones: for those who read section by section.
  void require_only(std::span<const std::string_view> keys) const;

  const ConfigValue& tree() const { return tree_; }

 private:
  Config(ConfigValue tree, std::string path);

  ConfigValue tree_;
  std::string path_;
};

/// The sections, keys and values of some options, for write_toml and write_help.
template <class Options>
std::vector<OptionSection> list_options(Options options = {}) {
  OptionLister lister;
  describe(lister, options);
  return lister.sections();
}

/// Options as a TOML file that reads back to the same options: the resolved configuration.
template <class Options>
std::string to_toml(const Options& options, const Comments comments = Comments::none) {
  return write_toml(list_options(options), comments);
}

/// What can be configured, with defaults, for `--help`.
template <class Options>
std::string help_text(const Options& options = {}) {
  return write_help(list_options(options));
}

}  // namespace bcr

#endif
