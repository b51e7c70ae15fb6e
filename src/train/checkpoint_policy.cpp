#include "src/train/checkpoint_policy.hpp"

#include "src/core/config/codec.hpp"
#include "src/core/error.hpp"
#include "src/train/data_record.hpp"
#include "src/train/run_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bcr::train {

namespace fs = std::filesystem;

namespace {

/// A second name for the file, in one step: a reader finds the old one or the new one. File systems without links have
/// no previous checkpoint.
void keep_as(const fs::path& file, const fs::path& name) {
  const fs::path temporary = name.parent_path() / fmt::format(".{}.tmp", name.filename().string());
  std::error_code error;
  fs::remove(temporary, error);
  fs::create_hard_link(file, temporary, error);
  if (!error) fs::rename(temporary, name, error);
  fs::remove(temporary, error);  // rename does nothing if both are one file already
}

/// Of those that are whole, the one that has come furthest. Says which are not.
std::optional<FoundCheckpoint> furthest_whole(const RunDirectory& directory, const fs::path& damaged, const Log& log) {
  std::optional<FoundCheckpoint> furthest;
  for (const fs::path& path : directory.checkpoints()) {
    if (path.filename() == damaged.filename()) continue;
    try {
      io::Checkpoint checkpoint = io::read_checkpoint(path);
      if (!furthest || checkpoint.step > furthest->checkpoint.step)
        furthest = FoundCheckpoint{std::move(checkpoint), path};
    } catch (const IoError& error) {
      log.warning("train", "{} is passed over: {}", path.string(), error.what());
    }
  }
  return furthest;
}

/// Refuses, or tells of, what differs between a checkpoint and the run that is to go on from it, or to be evaluated.
class Differences {
 public:
  Differences(const std::string_view purpose, const fs::path& path, const Log& log)
      : operation_(fmt::format("{} '{}'", purpose, path.string())), log_(log) {}

  void refuse(const std::string_view what, const std::string& in_file, const std::string& in_run) const {
    if (in_file == in_run) return;
    throw ConfigError(operation_, fmt::format("the {} of that run, '{}'", what, in_file), fmt::format("'{}'", in_run));
  }
  void tell(const std::string_view what, const std::string& in_file, const std::string& in_run) const {
    if (in_file != in_run)
      log_.warning("train", "since the checkpoint, {} has changed: was {}, is {}", what, in_file, in_run);
  }

 private:
  std::string operation_;
  const Log& log_;
};

std::string value_of(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "nothing" : found->second;
}

void warn_if_old(const FoundCheckpoint& found, const Log& log) {
  if (!found.checkpoint.is_checked)
    log.warning("train", "{} is of version 1: nothing tells if what it says of its run is what was written",
                found.path.string());
}

/// Calls compare(key, before, now) for every key of either; "nothing" stands for one that is absent.
template <class Compare>
void for_each_key(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& now,
                  const Compare& compare) {
  std::map<std::string, std::string> all = now;
  all.insert(before.begin(), before.end());
  for (const auto& [key, value] : all) compare(key, value_of(before, key), value_of(now, key));
}

/// The settings of a checkpoint. A key that is younger than it had the value that is its default now.
RunSettings trained_settings(const FoundCheckpoint& found) {
  RunSettings settings = settings_of(found.checkpoint.config, found.path.string());
  settings.merge(settings_of(to_toml(RunOptions()), "defaults"));
  return settings;
}

template <class MustStay>
void compare_data(const Differences& differences, const FoundCheckpoint& found, const io::Checkpoint& here,
                  const Log& log, const MustStay& must_stay) {
  if (found.checkpoint.data.empty()) {
    log.warning("train", "{} does not say which data it was trained on: see to it that they are the same",
                found.path.string());
    return;
  }
  for_each_key(digests_by_side(found.checkpoint.data), digests_by_side(here.data),
               [&](const std::string& side, const std::string& was, const std::string& is) {
                 if (must_stay(side)) differences.refuse("SHA-256 of data." + side, was, is);
                 differences.tell("SHA-256 of data." + side, was, is);
               });
}

void compare_normalisation(const Differences& differences, const io::Checkpoint& before, const io::Checkpoint& here) {
  if (before.mean.empty()) return;  // a file of version 1
  const auto text = [](const io::Checkpoint& checkpoint) {
    return fmt::format("mean {}, std {}", fmt::join(checkpoint.mean, " "), fmt::join(checkpoint.std, " "));
  };
  differences.refuse("normalisation", text(before), text(here));
}

std::string class_list(const io::ClassChoice& choice) {
  return fmt::format("{} {} of {}", choice.rule == io::ClassChoice::Rule::only ? "classes" : "all classes but",
                     fmt::join(choice.classes, ", "), choice.set);
}

std::string class_list(const std::vector<io::ClassChoice>& choices) {
  std::vector<std::string> lists;
  for (const io::ClassChoice& choice : choices) lists.push_back(class_list(choice));
  return fmt::format("{}", fmt::join(lists, "; "));
}

/// The split that a model was trained on. Files of version 1 have but its hash: then it is the file that they name, if
/// that is still the same.
io::Split trained_split(const FoundCheckpoint& found) {
  if (!found.checkpoint.split.empty()) return io::parse_split(found.checkpoint.split, found.path.string());
  const RunSettings settings = settings_of(found.checkpoint.config, found.path.string());
  std::string file = settings.contains("data.split") ? settings.at("data.split") : "";
  if (file.size() >= 2) file = file.substr(1, file.size() - 2);  // without its quotes
  const io::Split split = io::read_split(file);
  if (io::split_hash(split) != found.checkpoint.split_hash)
    throw ConfigError(fmt::format("evaluate '{}'", found.path.string()),
                      fmt::format("the split it was trained on, of hash {}", found.checkpoint.split_hash),
                      fmt::format("another in '{}'", file));
  return split;
}

/// The classes of a model are those it was trained on, in their order, and what was background cannot be unknown now.
void compare_classes(const Differences& differences, const io::Split& trained, const io::Split& here,
                     const bool other_unknown) {
  differences.refuse("known classes", class_list(trained.known), class_list(here.known));
  differences.refuse("background classes", class_list(trained.background), class_list(here.background));
  if (!other_unknown)
    differences.refuse("unknown classes (others can be asked for with --data.split)", class_list(trained.unknown),
                       class_list(here.unknown));
}

}  // namespace

io::Checkpoint begin_checkpoint(const RunOptions& options, const OpenData& data) {
  io::Checkpoint checkpoint;
  checkpoint.mode = std::get<std::string>(codec::encode(options.mode).data);
  checkpoint.config = to_toml(options);
  checkpoint.split_hash = data.split_hash;
  checkpoint.split = io::split_text(data.split);
  checkpoint.data = digest_lines(data);
  checkpoint.mean = data.mean;
  checkpoint.vocabulary = data.vocabulary.joined();
  checkpoint.std = data.std;
  const Dataset& known = data.known_train.count() > 0 ? data.known_train : data.known_test;
  if (known.count() > 0) {  // samples that were made in memory have no file
    checkpoint.class_names = known.pieces().front().selection.classes;
    checkpoint.sample.assign(known.extents().begin(), known.extents().end());
    checkpoint.fit = fit_of(known);
  }
  checkpoint.seed = options.seed;
  return checkpoint;
}

std::string save_latest(const RunDirectory& directory, const io::Checkpoint& checkpoint) {
  return io::write_checkpoint(directory.latest(), checkpoint, [&] {
    if (fs::exists(directory.latest())) keep_as(directory.latest(), directory.previous());
  });
}

std::optional<FoundCheckpoint> find_checkpoint(const RunDirectory& directory, const std::string& resume,
                                               const Log& log) {
  const bool automatic = resume == "auto";
  const fs::path path = automatic ? directory.latest() : fs::path(resume);
  if (automatic && !fs::exists(path)) {
    auto other = furthest_whole(directory, path, log);
    if (other) log.warning("train", "{} is not there; {} has come furthest", path.string(), other->path.string());
    return other;
  }
  try {
    return FoundCheckpoint{io::read_checkpoint(path), path};
  } catch (const IoError& error) {
    if (!fs::exists(path)) throw;
    auto whole = furthest_whole(directory, path, log);
    if (automatic && whole) {
      log.warning("train", "{} is passed over: {}", path.string(), error.what());
      return whole;
    }
    throw IoError("resume",
                  fmt::format("a whole checkpoint in '{}'{}", path.string(),
                              whole ? fmt::format("; the newest whole one is --resume {}", whole->path.string())
                                    : std::string("; there is no other, so begin anew in another --out")),
                  error.what());
  }
}

void require_same_run(const FoundCheckpoint& found, const io::Checkpoint& here, const Log& log) {
  const Differences differences("resume from", found.path, log);
  warn_if_old(found, log);
  differences.refuse("model", found.checkpoint.model, here.model);
  differences.refuse("optimizer", found.checkpoint.optimizer, here.optimizer);
  differences.refuse("seed", std::to_string(found.checkpoint.seed), std::to_string(here.seed));
  differences.refuse("mode", found.checkpoint.mode, here.mode);
  differences.refuse("split", found.checkpoint.split_hash, here.split_hash);
  for_each_key(trained_settings(found), settings_of(here.config, "this run"),
               [&](const std::string& key, const std::string& was, const std::string& is) {
                 if (fixes_the_algorithm(key)) differences.refuse(key, was, is);
                 differences.tell(key, was, is);
               });
  compare_data(differences, found, here, log, is_trained_on);
  compare_normalisation(differences, found.checkpoint, here);
}

void require_same_model(const FoundCheckpoint& found, const RunOptions& options, const OpenData& data,
                        const OtherTestData& other, const Log& log) {
  const Differences differences("evaluate", found.path, log);
  warn_if_old(found, log);
  const io::Checkpoint here = begin_checkpoint(options, data);
  // Before the data, which depend on them: background that the loss does not read is no part of a run.
  for_each_key(trained_settings(found), settings_of(here.config, "this evaluation"),
               [&](const std::string& key, const std::string& was, const std::string& is) {
                 if (key.starts_with("model.") || key.starts_with("loss.")) differences.refuse(key, was, is);
               });
  if (found.checkpoint.split_hash != here.split_hash)
    compare_classes(differences, trained_split(found), data.split, other.split);
  compare_data(differences, found, here, log, [&](const std::string& side) {
    if (side == "known_test") return !other.known_test;
    return is_trained_on(side) || !(other.split || other.unknown_test);
  });
  compare_normalisation(differences, found.checkpoint, here);
}

}  // namespace bcr::train
