#ifndef BCR_SRC_SCALE_COMMANDS_SCALE_COMMAND_HPP
#define BCR_SRC_SCALE_COMMANDS_SCALE_COMMAND_HPP

#include "src/scale/commands/scale_verb.hpp"

#include <vector>

namespace bcr::scale {

/// All of bcr-scale between the command line and the files: data to stdout, talk to the log, failures as exceptions.
class ScaleCommand {
 public:
  ScaleCommand();
  ~ScaleCommand();

  void declare(CLI::App& parser);
  Outcome run(const Surroundings& surroundings);

 private:
  struct Entry {
    std::unique_ptr<ScaleVerb> verb;
    CLI::App* parser = nullptr;
  };
  std::vector<Entry> entries_;
};

}  // namespace bcr::scale

#endif
