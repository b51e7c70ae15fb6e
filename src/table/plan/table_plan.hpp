#ifndef BCR_SRC_TABLE_PLAN_TABLE_PLAN_HPP
#define BCR_SRC_TABLE_PLAN_TABLE_PLAN_HPP

#include "src/core/config.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::table {

/// How much of an experiment is done.
enum class ScaleName { small, medium, full };

constexpr auto enum_names(ScaleName) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"small"sv, ScaleName::small}, std::pair{"medium"sv, ScaleName::medium},
                    std::pair{"full"sv, ScaleName::full}};
}

/// [scales.small] ...: what is laid over every experiment of the table, and how often it is repeated.
struct Scale {
  std::vector<std::string> configs;
  int trials = 1;
  std::string mode = "fast";
};

template <class V>
void describe(V& v, Scale& o) {
  v("configs", o.configs, "configurations laid over that of a setting");
  v("trials", o.trials, "repetitions, each with its own seed and split", must_be::between(1, 1000));
  v("mode", o.mode, "of the trainings", must_be::one_of({"strict", "fast"}));
}

/// [[methods]]: one way to train and to score.
struct Method {
  std::string name;
  std::string config;
  std::string reduced;
  std::vector<std::string> options;
  std::string trained_as;
  std::string begins_with;
  std::string shown_as;
  std::string score;
  std::string decision;
  std::vector<double> lambdas;
  bool tuned = false;
  bool extra = false;

  /// False for a method of which there are published numbers alone.
  bool can_run() const { return !config.empty(); }
};

template <class V>
void describe(V& v, Method& o) {
  v("name", o.name, "as the published numbers name it", must_be::not_empty());
  v("config", o.config, "configuration laid over that of the setting; empty: published numbers alone");
  v("reduced", o.reduced, "configuration in place of it at the scales small and medium");
  v("options", o.options, "more of it, such as loss.lambda=1.0");
  v("trained_as", o.trained_as, "the method whose trainings are scored; empty: its own");
  v("begins_with", o.begins_with, "the method whose weights its trainings start from; empty: none");
  v("shown_as", o.shown_as, "the method under which the table shows it; empty: itself");
  v("score", o.score, "score that is read; empty: the run's own");
  v("decision", o.decision, "rule that macro-F1 is read of");
  v("lambdas", o.lambdas, "weights of the background term, a run for each; empty: that of the configuration",
    must_be::not_negative());
  v("tuned", o.tuned, "whether --lambda tries several weights");
  v("extra", o.extra, "left out unless asked for");
}

/// [[settings.background]]: a set that may serve as background.
struct Background {
  std::string set;
  std::vector<std::string> without;
};

template <class V>
void describe(V& v, Background& o) {
  v("set", o.set, "a set of data.toml", must_be::not_empty());
  v("without", o.without, "classes that are left out; @FILE: those of a list below configs/");
}

/// [[settings]]: one experiment, a row or a block of rows of the table.
struct Setting {
  std::string name;
  std::string title;
  std::string config;
  std::string split;
  std::string paper;
  std::vector<std::string> unknown;
  std::vector<std::string> unknown_files;
  std::string trained_as;
  std::int64_t images = 0;
  std::int64_t tests = 0;
  int classes = 10;
  int image = 32;
  std::optional<double> step_seconds;
  std::vector<Background> background;

  /// The name of the split in the published numbers.
  const std::string& published_as() const { return paper.empty() ? name : paper; }
};

template <class V>
void describe(V& v, Setting& o) {
  v("name", o.name, "for --only and for directories", must_be::not_empty());
  v("title", o.title, "as the table names it", must_be::not_empty());
  v("config", o.config, "the experiment of the paper", must_be::not_empty());
  v("split", o.split, "of bcr-data split: a published one, or whole", must_be::not_empty());
  v("paper", o.paper, "setting of the published numbers; empty: name");
  v("unknown", o.unknown, "what the paper calls the unknown sets, in their order; empty: there is one");
  v("unknown_files", o.unknown_files, "sets of data.toml for them; empty: those of the configuration");
  v("trained_as", o.trained_as, "the setting whose trainings are evaluated; empty: its own");
  v("images", o.images, "known training images of a trial, to estimate with", must_be::at_least(1));
  v("tests", o.tests, "test images, to estimate with", must_be::at_least(1));
  v("classes", o.classes, "known classes, to estimate with", must_be::at_least(2));
  v("image", o.image, "height and width of an image, to estimate with", must_be::at_least(1));
  v("step_seconds", o.step_seconds, "of a training step elsewhere, where none can be timed beforehand",
    must_be::positive());
}

/// A table as configs/tables/table-N.toml describes it.
struct TablePlan {
  std::string name;  ///< "table-1"
  std::string title;
  std::string paper;
  std::vector<std::string> metrics;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  Scale small;
  Scale medium;
  Scale full;
  std::vector<Method> methods;
  std::vector<Setting> settings;

  const Scale& scale(ScaleName name) const;
  const Method& method(std::string_view name) const;    ///< a ConfigError lists the names for any other
  const Setting& setting(std::string_view name) const;  ///< the same
};

/// What a table is made of: rows and columns are told apart by these.
inline constexpr std::array<std::string_view, 5> dimensions = {"setting", "unknown", "method", "lambda", "metric"};

/// ConfigErrors name the file and the key.
TablePlan read_table_plan(const std::filesystem::path& file);
TablePlan parse_table_plan(std::string_view text, const std::string& source);

/// The folder with the configurations: configs/ in the checkout or share/bcr/configs of the installation that the
/// program belongs to. An IoError says where it was looked for.
std::filesystem::path find_configs(const std::filesystem::path& program);

}  // namespace bcr::table

#endif
