#include "src/scale/commands/scale_verb.hpp"
#include "src/scale/measure/measure_point.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bcr::scale {
namespace {

class RunVerb final : public ScaleVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* const verb = parser.add_subcommand("run", "time training steps in this process; JSON to stdout");
    for (const OptionSection& section : list_options<PointOptions>()) {
      for (const OptionLine& line : section.lines) {
        const auto take = [this, key = line.key](const std::string& value) { given_.push_back(key + "=" + value); };
        verb->add_option_function<std::string>(
                "--" + line.key, take,
                fmt::format("{} ({}; default {})", line.help, line.expected, to_toml_text(*line.value)))
            ->type_name("");
      }
    }
    return verb;
  }

  Outcome run(const Surroundings& surroundings) override {
    require_no_config(surroundings.config, "run");
    const auto options = Config::load({}, given_).read<PointOptions>();
    const std::optional<Point> point = measure_point(options, surroundings.ranks, surroundings.log, surroundings.stop);
    if (!point) return Outcome::failed;
    if (surroundings.ranks.is_root()) fmt::print("{}", point_json(*point));
    return Outcome::done;
  }

 private:
  std::vector<std::string> given_;
};

}  // namespace

std::unique_ptr<ScaleVerb> make_run_verb() {
  return std::make_unique<RunVerb>();
}

}  // namespace bcr::scale
