#ifndef BCR_SRC_SCALE_SCALE_COMMAND_HPP
#define BCR_SRC_SCALE_SCALE_COMMAND_HPP

#include "src/comm/communicator.hpp"
#include "src/core/config.hpp"
#include "src/core/log.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::scale {

enum class Outcome { done, failed };

/// What a verb is given besides its own options.
struct CommandContext {
  const Config& config;  ///< --config files and dotted overrides
  comm::Communicator& ranks;
  const Log& log;
  std::function<bool()> stop;
};

class ScaleVerb;

/// All of bcr-scale between the command line and the files: data to stdout, talk to the log, failures as exceptions.
class ScaleCommand {
 public:
  ScaleCommand();
  ~ScaleCommand();

  void declare(CLI::App& parser);
  Outcome run(const CommandContext& context);

 private:
  struct Entry {
    std::unique_ptr<ScaleVerb> verb;
    CLI::App* parser = nullptr;
  };
  std::vector<Entry> entries_;
};

}  // namespace bcr::scale

#endif
