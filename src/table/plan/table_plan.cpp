#include "src/table/plan/table_plan.hpp"

#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"
#include "src/core/text_file.hpp"
#include "src/table/plan/blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;

/// The keys outside the arrays of tables.
struct Frame {
  TablePlan& plan;
  struct Scales {
    TablePlan& plan;
  };
};

template <class V>
void describe(V& v, Frame::Scales& o) {
  v("small", o.plan.small, "an hour of two cores");
  v("medium", o.plan.medium, "a night of a workstation");
  v("full", o.plan.full, "as published");
}

template <class V>
void describe(V& v, Frame& o) {
  v("title", o.plan.title, "heading", must_be::not_empty());
  v("paper", o.plan.paper, "what the published numbers call it");
  v("metrics", o.plan.metrics, "as metrics.json names them");
  v("rows", o.plan.rows, "what tells rows apart");
  v("columns", o.plan.columns, "what tells columns apart");
  Frame::Scales scales{o.plan};
  v("scales", scales, "how much is done");
}

/// A tree without the entries of these keys.
ConfigValue without(const ConfigValue& tree, const std::vector<std::string>& keys) {
  ConfigValue rest = tree;
  auto& table = std::get<ConfigValue::Table>(rest.data);
  std::erase_if(table, [&](const ConfigEntry& entry) {
    return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
  });
  return rest;
}

Setting read_setting(const ConfigValue& block, const std::string& path) {
  const ConfigValue plain = without(block, {"background"});
  Setting setting;
  OptionReader reader(plain, path);
  describe(reader, setting);
  reader.refuse_unknown();
  setting.background = read_blocks<Background>(block, "background");
  return setting;
}

template <class Entry>
const Entry& find_named(const std::vector<Entry>& entries, const std::string_view name, const std::string& what) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  throw ConfigError(what, fmt::format("one of {}", fmt::join(names, ", ")), std::string(name));
}

void require_consistent(const TablePlan& plan, const std::string& source) {
  for (const auto* const list : {&plan.rows, &plan.columns}) {
    for (const std::string& word : *list) {
      if (std::find(dimensions.begin(), dimensions.end(), word) == dimensions.end())
        throw ConfigError(source + ", rows and columns", fmt::format("some of {}", fmt::join(dimensions, ", ")), word);
    }
  }
  require<ConfigError>(!plan.methods.empty() && !plan.settings.empty() && !plan.metrics.empty(), source,
                       "metrics, [[methods]] and [[settings]]", "none");
  for (const Method& method : plan.methods) {
    if (!method.trained_as.empty()) plan.method(method.trained_as);
  }
  for (const Setting& setting : plan.settings) {
    if (!setting.trained_as.empty()) plan.setting(setting.trained_as);
    require<ConfigError>(!setting.background.empty(), source + ", setting " + setting.name, "[[settings.background]]",
                         "none");
  }
}

}  // namespace

const Scale& TablePlan::scale(const ScaleName wanted) const {
  return wanted == ScaleName::small ? small : wanted == ScaleName::medium ? medium : full;
}

const Method& TablePlan::method(const std::string_view wanted) const {
  return find_named(methods, wanted, name + ", method");
}

const Setting& TablePlan::setting(const std::string_view wanted) const {
  return find_named(settings, wanted, name + ", setting");
}

TablePlan parse_table_plan(const std::string_view text, const std::string& source) {
  const ConfigValue tree = parse_toml(text, source);
  TablePlan plan;
  plan.name = fs::path(source).stem().string();
  const ConfigValue plain = without(tree, {"methods", "settings"});
  Frame frame{plan};
  OptionReader reader(plain, "");
  describe(reader, frame);
  reader.refuse_unknown();
  plan.methods = read_blocks<Method>(tree, "methods");
  const auto& settings = array_of(tree, "settings");
  for (std::size_t i = 0; i < settings.size(); ++i) {
    plan.settings.push_back(read_setting(settings[i], fmt::format("settings[{}]", i)));
  }
  require_consistent(plan, source);
  return plan;
}

TablePlan read_table_plan(const fs::path& file) {
  return parse_table_plan(read_text(file), file.string());
}

fs::path find_configs(const fs::path& program) {
  for (fs::path folder = fs::absolute(program).parent_path();; folder = folder.parent_path()) {
    for (const char* const place : {"share/bcr/configs", "configs"}) {
      if (fs::exists(folder / place / "tables" / "data.toml")) return folder / place;
    }
    if (folder == folder.parent_path()) break;
  }
  throw IoError("find the configurations", "share/bcr/configs or configs in a folder above " + program.string(),
                "none; --configs DIR names it");
}

}  // namespace bcr::table
