#include "src/core/error.hpp"
#include "src/scale/commands/scale_verb.hpp"
#include "src/scale/p3/comparison.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bcr::scale {
namespace {

class CompareVerb final : public ScaleVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* const verb =
        parser.add_subcommand("compare", "speed-ups between two tables; exit code 1 if one is slower");
    verb->add_option("BEFORE", before_, "table in the columns of P3, as study writes it")->required();
    verb->add_option("AFTER", after_, "another one")->required();
    verb->add_option("--flag", flag_, "growth of a time that counts as slower; default 0.1")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 10.0));
    return verb;
  }

  Outcome run(const Surroundings& surroundings) override {
    require_one_rank(surroundings.ranks, "compare");
    require_no_config(surroundings.config, "compare");
    const auto cases = compare_tables(read_p3(before_), read_p3(after_), flag_);
    if (!any_common(cases))
      throw IoError("compare " + before_.string() + " with " + after_.string(), "a common case", "none");
    fmt::print("{}", comparison_text(cases));
    return any_slower(cases) ? Outcome::failed : Outcome::done;
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path after_;
  double flag_ = 0.1;
};

}  // namespace

std::unique_ptr<ScaleVerb> make_compare_verb() {
  return std::make_unique<CompareVerb>();
}

}  // namespace bcr::scale
