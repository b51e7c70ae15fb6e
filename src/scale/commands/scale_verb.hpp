#ifndef BCR_SRC_SCALE_COMMANDS_SCALE_VERB_HPP
#define BCR_SRC_SCALE_COMMANDS_SCALE_VERB_HPP

#include "src/comm/communicator.hpp"
#include "src/core/config.hpp"
#include "src/core/log.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace CLI {
class App;
}

namespace bcr::scale {

enum class Outcome { done, failed };

/// What a verb is given besides its own options.
struct Surroundings {
  const Config& config;  ///< --config files and dotted overrides
  comm::Communicator& ranks;
  const Log& log;
  std::function<bool()> stop;
};

/// One verb of bcr-scale: adds its options to the parser, and runs if it was the one given.
class ScaleVerb {
 public:
  virtual ~ScaleVerb() = default;
  virtual CLI::App* declare(CLI::App& parser) = 0;
  virtual Outcome run(const Surroundings& surroundings) = 0;
};

/// A ConfigError if a launcher started several of a verb that runs alone.
void require_one_rank(const comm::Communicator& ranks, std::string_view verb);

/// A ConfigError if there are --config files or dotted options, which only `study` reads.
void require_no_config(const Config& config, std::string_view verb);

/// The verbs, in the order of --help.
std::unique_ptr<ScaleVerb> make_run_verb();
std::unique_ptr<ScaleVerb> make_study_verb();
std::unique_ptr<ScaleVerb> make_compare_verb();

}  // namespace bcr::scale

#endif
