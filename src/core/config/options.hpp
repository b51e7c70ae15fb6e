#ifndef BCR_SRC_CORE_CONFIG_OPTIONS_HPP
#define BCR_SRC_CORE_CONFIG_OPTIONS_HPP

#include "src/core/config/codec.hpp"
#include "src/core/config/constraint.hpp"
#include "src/core/config/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Options are plain structs with defaults, described once, in the namespace of the struct:
///
///   struct TrainOptions {
///     double lr = 0.1;
///     int epochs = 100;
///   };
///   template <class V>
///   void describe(V& v, TrainOptions& o) {
///     v("lr", o.lr, "initial learning rate", must_be::positive());
///     v("epochs", o.epochs, "passes over the training set", must_be::at_least(1));
///   }
///
/// A member that is itself described is a section: v("train", o.train, "the training loop"). A key may depend on one
/// described before it (`if (o.name == "gru") v("gru", o.gru, ...)`). Reading, refusing unknown keys, writing back and
/// help are visitors of that one description.
namespace bcr {

/// Reads a table into options. Afterwards refuse_unknown() throws for whatever the table holds that nobody asked for.
class OptionReader {
 public:
  /// `path` is where the table stands in the whole configuration; "" for the root.
  OptionReader(const ConfigValue& table, std::string path);

  template <class T>
  void operator()(const std::string_view key, T& option, const std::string_view /*help*/,
                  const Constraint& limits = {}) {
    if constexpr (codec::Leaf<T>) {
      const ConfigValue* const given = find(key);
      const bool decoded = given == nullptr || codec::decode(*given, option);
      check(key, codec::kind(codec::Type<T>()), limits, given, decoded ? codec::encode_if_set(option) : std::nullopt,
            decoded ? Decoded::yes : Decoded::no);
    } else {
      const Position outer = enter(key);
      describe(*this, option);
      leave(outer);
    }
  }

  void refuse_unknown() const;

 private:
  enum class Decoded { no, yes };
  struct Position {
    const ConfigValue* table;  ///< nullptr: the section was not given
    std::string path;
  };

  const ConfigValue* find(std::string_view key);
  Position enter(std::string_view key);
  void leave(const Position& outer) { here_ = outer; }
  void check(std::string_view key, const std::string& kind, const Constraint& limits, const ConfigValue* given,
             const std::optional<ConfigValue>& value, Decoded decoded) const;
  void refuse_unknown(const ConfigValue& table, const std::string& path) const;

  Position here_;
  Position root_;
  std::vector<std::string> keys_;
  std::vector<std::string> sections_;
};

/// One option as a reader of the configuration sees it.
struct OptionLine {
  std::string key;
  std::optional<ConfigValue> value;  ///< Empty for an optional that is not set.
  std::string help;
  std::string expected;  ///< "a number > 0"
};

struct OptionSection {
  std::string path;
  std::string help;
  std::vector<OptionLine> lines;
};

/// Lists options and their values, section by section, in the order of their description.
class OptionLister {
 public:
  OptionLister() : sections_(1) {}

  template <class T>
  void operator()(const std::string_view key, T& option, const std::string_view help, const Constraint& limits = {}) {
    if constexpr (codec::Leaf<T>) {
      sections_[here_].lines.push_back({std::string(key), codec::encode_if_set(option), std::string(help),
                                        codec::kind(codec::Type<T>()) + limits.text()});
    } else {
      const std::size_t outer = here_;
      sections_.push_back({join_key(sections_[outer].path, key), std::string(help), {}});
      here_ = sections_.size() - 1;
      describe(*this, option);
      here_ = outer;
    }
  }

  const std::vector<OptionSection>& sections() const { return sections_; }

 private:
  std::vector<OptionSection> sections_;  ///< The first is the root.
  std::size_t here_ = 0;
};

enum class Comments { none, help };

/// The listed options as TOML, every one with its value; Comments::help puts the help and the limits above each.
std::string write_toml(const std::vector<OptionSection>& sections, Comments comments);

/// One line per option: dotted key, default, help and limits, in columns.
std::string write_help(const std::vector<OptionSection>& sections);

}  // namespace bcr

#endif
