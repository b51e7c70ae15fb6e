#ifndef BCR_SRC_CORE_REGISTRY_HPP
#define BCR_SRC_CORE_REGISTRY_HPP

#include "src/core/config/nearest_key.hpp"
#include "src/core/error.hpp"

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace bcr {

/// The components of one kind (losses, scores, backbones, ...) by name. An Entry is the whole description of one: at
/// least a `name`, then whatever the kind needs (options, explanation, check of shapes, title for pages, factory).
/// Every list of names and every message about a name comes from here, so that adding a component is adding one entry.
///
/// A room holds its registry in a function, `Registry<LossEntry>& losses()`, whose body lists what the room brings;
/// others add theirs with add() before they are asked for. References to entries stay valid.
template <class Entry>
class Registry {
 public:
  /// `kind` names what is in it in messages: "loss", "backbone".
  explicit Registry(std::string kind, std::initializer_list<Entry> entries = {}) : kind_(std::move(kind)) {
    for (const Entry& entry : entries) add(entry);
  }

  /// A ConfigError if the name is taken.
  void add(Entry entry) {
    require<ConfigError>(!contains(entry.name), kind_, "a name that is not taken", entry.name);
    entries_.push_back(std::move(entry));
  }

  /// In the order in which they were added.
  const std::deque<Entry>& entries() const noexcept { return entries_; }

  bool contains(const std::string_view name) const { return position(name) != entries_.end(); }

  /// A ConfigError that lists the names, and the nearest one, if there is none of this name.
  const Entry& find(const std::string_view name) const {
    const auto found = position(name);
    if (found != entries_.end()) return *found;
    const std::string nearest = nearest_key(name, names());
    throw ConfigError(kind_, "one of " + name_list(), '\'' + std::string(name) + '\'' +
                                 (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Entry& entry : entries_) list.emplace_back(entry.name);
    return list;
  }

  /// "a, b, c"
  std::string name_list() const {
    std::string list;
    for (const Entry& entry : entries_) list += (list.empty() ? "" : ", ") + std::string(entry.name);
    return list;
  }

 private:
  auto position(const std::string_view name) const {
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  }

  std::string kind_;
  std::deque<Entry> entries_;  // grows without moving what is in it
};

}  // namespace bcr

#endif
