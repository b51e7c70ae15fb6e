#ifndef BCR_SRC_TABLE_PLAN_RUN_PLAN_HPP
#define BCR_SRC_TABLE_PLAN_RUN_PLAN_HPP

#include "src/table/data/data_sets.hpp"
#include "src/table/plan/table_plan.hpp"
#include "src/train/options.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bcr::table {

/// What the user wants of a table.
struct Request {
  ScaleName scale = ScaleName::small;
  std::vector<std::string> only;     ///< settings; empty: all
  std::vector<std::string> methods;  ///< empty: those of the paper; "all": the others too
  std::vector<double> lambdas;       ///< to choose from on validation images, for methods that are tuned
  std::optional<int> trials;
  std::optional<int> epochs;         ///< with a schedule as long, and a warm-up that is shorter
  std::optional<std::string> mode;   ///< else that of the scale
  std::vector<std::string> overrides;  ///< "train.epochs=3": laid over every training, last
  enum class Missing { refused, left_out } missing = Missing::refused;
  std::filesystem::path configs;
  std::filesystem::path out;
};

/// The share of known training images that is kept out where lambda is to be chosen.
inline constexpr double validation_share = 0.1;

/// The data of a setting, by the names of data.toml.
struct SettingData {
  std::string known_train;
  std::string known_test;
  Background background;
  std::vector<std::string> unknown_test;
  std::vector<std::string> unknown;  ///< what the paper calls them; empty: there is one
  std::vector<std::string> left_out;  ///< unknown sets of the paper that are not there

  std::vector<std::string> all_sets() const;
};

/// One call of bcr-train.
struct Training {
  std::string setting;
  std::string method;
  std::optional<double> lambda;
  int trial = 0;  ///< counted from 0
  std::filesystem::path directory;
  std::vector<std::filesystem::path> configs;
  std::vector<std::string> overrides;  ///< "loss.lambda=1"
  train::RunOptions options;           ///< what all of that resolves to
};

/// One call of bcr-eval.
struct Evaluation {
  std::size_t training = 0;
  std::string setting;  ///< whose unknown sets are scored
  std::filesystem::path directory;
  std::vector<std::string> scores;     ///< empty: those that bcr-eval chooses
  std::vector<std::string> overrides;  ///< split and unknown sets
  std::vector<std::string> unknown;    ///< what the paper calls them
  std::filesystem::path split;
  std::vector<std::filesystem::path> unknown_files;
};

/// One trial of one place in the table: what is read of an evaluation.
struct Reading {
  std::string setting;
  std::string method;
  std::optional<double> lambda;
  int trial = 0;
  std::size_t evaluation = 0;
};

/// A call of bcr-data split.
struct PlannedSplit {
  std::filesystem::path file;
  std::vector<std::string> words;  ///< behind `bcr-data split`; sets as {name}, for their files
};

/// Everything that a table needs. The first trials of all come before the second of any: a table of few trials comes
/// early.
struct RunPlan {
  TablePlan table;
  std::vector<std::string> settings;
  std::vector<std::string> methods;
  std::vector<SettingData> data;       ///< of each setting
  std::vector<std::string> data_sets;  ///< of all, each once
  std::vector<PlannedSplit> splits;
  std::vector<Training> trainings;
  std::vector<Evaluation> evaluations;
  std::vector<Reading> readings;
  std::vector<std::string> missing;  ///< a sentence for each data set that was wanted and is not there
  bool is_tuned = false;             ///< whether lambda is chosen on validation images
};

/// ConfigErrors for names and values that do not exist. What is missing stays out of the plan.
RunPlan plan_runs(const TablePlan& table, const Request& request, const DataSets& sets);

/// Where the HDF5 file of a set will be: where it was found, or in `out`/data.
std::filesystem::path file_of_set(const DataSets& sets, const std::string& name, const std::filesystem::path& out);

/// "class-inclusion-unknown" of "class_inclusion, unknown": the name of a folder.
std::string folder_name(const std::string& method);

}  // namespace bcr::table

#endif
