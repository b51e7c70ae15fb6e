#include "io/commands/data_command.hpp"
#include "io/hdf5/data_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bcr::io {

namespace {

class VerifyVerb final : public DataVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* verb = parser.add_subcommand("verify", "Read data files to the last byte and check them");
    verb->add_option("FILES", paths_, "Files that bcr-data made")->required();
    return verb;
  }

  /// All files are looked at, even behind a bad one.
  void run(const Log& log) override {
    std::size_t bad = 0;
    for (const std::string& path : paths_) {
      try {
        const auto file = open_data_file(path);
        file->verify();
        fmt::print("ok   {}  {}\n", file->info().sha256, path);
      } catch (const IoError& error) {
        fmt::print("BAD  {}\n", path);
        log.error("data", "{}", error.what());
        ++bad;
      }
    }
    if (bad > 0) throw IoError("verify", "sound data files", fmt::format("{} bad of {}", bad, paths_.size()));
  }

 private:
  std::vector<std::string> paths_;
};

}  // namespace

std::unique_ptr<DataVerb> make_verify_verb() {
  return std::make_unique<VerifyVerb>();
}

}  // namespace bcr::io
