#include "src/predict/rejection_flags.hpp"

#include <CLI/CLI.hpp>

#include <vector>

namespace bcr::predict {
namespace {

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : enum_names(Rule())) names.emplace_back(name);
  return names;
}

}  // namespace

void RejectionFlags::declare(CLI::App& parser) {
  parser.add_option("--rule", rule_, "what is unknown; if absent: conformal, or inclusion of a run without validation")
      ->check(CLI::IsMember(rule_names()));
  parser.add_option("--alpha", alpha_, "share of known samples that conformal and recall may reject")
      ->type_name("SHARE");
  parser
      .add_option_function<double>(
          "--threshold",
          [this](const double given) {
            threshold_ = given;
            has_threshold_ = true;
          },
          "unknown is what scores less: --rule given")
      ->type_name("SCORE");
}

RejectionOptions RejectionFlags::options() const {
  RejectionOptions options{.rule = std::nullopt, .alpha = alpha_, .threshold = std::nullopt};
  if (has_threshold_) options.threshold = threshold_;
  for (const auto& [name, value] : enum_names(Rule()))
    if (name == rule_) options.rule = value;
  return options;
}

}  // namespace bcr::predict
