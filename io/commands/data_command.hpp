#ifndef BCR_IO_COMMANDS_DATA_COMMAND_HPP
#define BCR_IO_COMMANDS_DATA_COMMAND_HPP

#include "src/core/log.hpp"

#include <memory>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::io {

/// One verb of bcr-data: adds its options to the parser, and runs if it was the one given.
class DataVerb {
 public:
  virtual ~DataVerb() = default;
  virtual CLI::App* declare(CLI::App& parser) = 0;
  virtual void run(const Log& log) = 0;
};

/// The verbs, in the order of --help.
std::unique_ptr<DataVerb> make_import_verb();
std::unique_ptr<DataVerb> make_info_verb();
std::unique_ptr<DataVerb> make_split_verb();
std::unique_ptr<DataVerb> make_verify_verb();

/// All of bcr-data between the command line and the files: data to stdout, talk to `log`, failures as exceptions.
class DataCommand {
 public:
  DataCommand();
  ~DataCommand();

  void declare(CLI::App& parser);
  void run(const Log& log);

 private:
  struct Entry {
    std::unique_ptr<DataVerb> verb;
    CLI::App* parser = nullptr;
  };
  std::vector<Entry> entries_;
};

}  // namespace bcr::io

#endif
