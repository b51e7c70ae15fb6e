#include "src/report/tables/paper_results.hpp"

#include "src/core/config/codec.hpp"
#include "src/core/config/toml.hpp"

#include <algorithm>
#include <utility>

namespace bcr::report {

namespace {

struct Library {
  std::string source;
  std::vector<PaperResult> results;
};

template <class T>
void read_key(const ConfigValue& table, const std::string_view key, T& option) {
  const ConfigValue* const value = table.find(key);
  if (value != nullptr && !codec::decode(*value, option)) refuse_value(*value, "another type");
}

/// The lines of one block: entry i of each list belongs to methods[i].
void read_block(const ConfigValue& block, std::vector<PaperResult>& results) {
  constexpr std::pair<const char*, const char*> columns[] = {
      {"accuracy", "accuracy"},
      {"auroc", "auroc"},
      {"aupr", "aupr_known"},
      {"fpr95", "fpr95_known"},
      {"ccr", "ccr_fpr_1e-1"}};
  PaperResult common;
  std::vector<std::string> methods;
  std::vector<std::string> rules;
  std::vector<double> lambdas, macro_f1;
  read_key(block, "table", common.table);
  read_key(block, "setting", common.setting);
  read_key(block, "unknown", common.unknown);
  read_key(block, "network", common.network);
  read_key(block, "methods", methods);
  read_key(block, "lambda", lambdas);
  read_key(block, "decisions", rules);
  read_key(block, "macro_f1", macro_f1);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    PaperResult result = common;
    result.method = methods[i];
    if (!lambdas.empty()) result.lambda = lambdas.at(i);
    for (const auto& [key, metric] : columns) {
      std::vector<double> values;
      read_key(block, key, values);
      if (!values.empty()) result.metrics[metric] = values.at(i);
    }
    if (!macro_f1.empty()) result.metrics["macro_f1_" + rules.at(i)] = macro_f1.at(i);
    results.push_back(std::move(result));
  }
}

const Library& library() {
  static const Library once = [] {
    const ConfigValue tree = parse_toml(paper_results_text(), "paper_results.toml");
    Library made;
    read_key(tree, "source", made.source);
    for (const ConfigValue& block : std::get<ConfigValue::Array>(tree.find("results")->data)) {
      read_block(block, made.results);
    }
    return made;
  }();
  return once;
}

}  // namespace

const std::string& paper_citation() {
  return library().source;
}

std::vector<PaperResult> paper_results(std::string_view setting) {
  if (setting.ends_with("-arpl")) setting.remove_suffix(5);
  std::vector<PaperResult> found;
  for (const PaperResult& result : library().results) {
    if (result.setting == setting) found.push_back(result);
  }
  return found;
}

std::optional<PaperResult> paper_result_beside(const std::string_view setting, const std::string_view method,
                                                const std::optional<double> lambda, const std::string_view network) {
  std::optional<PaperResult> found;
  std::map<std::string, double> decided;  // Table 4 has lines of its own
  for (const PaperResult& result : paper_results(setting)) {
    if (result.method != method || result.network != network || !result.unknown.empty()) continue;
    if (result.lambda && result.lambda != lambda) continue;
    if (!result.metrics.contains("auroc")) decided.insert(result.metrics.begin(), result.metrics.end());
    if (!found || !found->metrics.contains("auroc") || result.lambda) found = result;
  }
  if (found) found->metrics.insert(decided.begin(), decided.end());
  return found;
}

}  // namespace bcr::report
