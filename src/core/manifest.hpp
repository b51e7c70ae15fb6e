#ifndef BCR_SRC_CORE_MANIFEST_HPP
#define BCR_SRC_CORE_MANIFEST_HPP

#include "src/core/config/codec.hpp"
#include "src/core/config/value.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace bcr {

/// The record that makes a run repeatable, manifest.json. It begins with what src/core knows,
///   version, git.{hash, state}, build.*, libraries.*, kokkos.*, machine.*, slurm.*, environment.*, time_utc
/// and is completed by whoever knows more:
///   manifest.add_library("hdf5", "1.10.8");
///   manifest.set("seed", 7);
///   manifest.set("sha256.final_weights", hex);      // a dot opens an object: {"sha256": {"final_weights": ...}}
class Manifest {
 public:
  /// Gathers the facts; of Kokkos only what it was built with, unless it is initialized.
  Manifest();

  void add_library(std::string_view name, std::string_view version);

  /// Sets or replaces an entry: bool, integer, number, string, path, enum, or a vector of these.
  template <class T>
  void set(const std::string_view key, const T& value) {
    set_value(key, codec::encode(value));
  }
  void set(const std::string_view key, const char* const value) { set(key, std::string(value)); }
  void set(const std::string_view key, const std::string_view value) { set(key, std::string(value)); }

  /// A tree as it is, such as a resolved configuration.
  void set_value(std::string_view key, ConfigValue value);

  /// The entry under a dotted key, or nullptr.
  const ConfigValue* find(std::string_view key) const;

  /// Indented JSON, keys in the order in which they were set. Numbers that JSON cannot hold (NaN, inf) become strings.
  std::string to_json() const;

  /// Writes the JSON atomically.
  void write(const std::filesystem::path& file) const;

 private:
  ConfigValue root_;
};

/// The present moment, "2025-01-31T12:34:56Z".
std::string utc_now();

}  // namespace bcr

#endif
