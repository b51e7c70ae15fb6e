#ifndef BCR_TESTS_UNIT_CORE_EXAMPLE_OPTIONS_HPP
#define BCR_TESTS_UNIT_CORE_EXAMPLE_OPTIONS_HPP

#include "src/core/config.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Options with every type a configuration can hold, in a namespace of their own as a room's are.
namespace bcr::test::example {

enum class Mode { strict, fast };

constexpr auto enum_names(Mode) {
  return std::array{std::pair{std::string_view("strict"), Mode::strict},
                    std::pair{std::string_view("fast"), Mode::fast}};
}

struct ScheduleOptions {
  std::vector<int> milestones = {30, 60};
  std::vector<double> factors;
  bool operator==(const ScheduleOptions&) const = default;
};

template <class V>
void describe(V& v, ScheduleOptions& o) {
  v("milestones", o.milestones, "epochs at which the rate drops", must_be::positive());
  v("factors", o.factors, "by how much it drops");
}

struct TrainOptions {
  double lr = 0.1;
  float decay = 5e-4f;
  int epochs = 100;
  ScheduleOptions schedule;
  bool nesterov = true;
  std::optional<int> limit;
  bool operator==(const TrainOptions&) const = default;
};

template <class V>
void describe(V& v, TrainOptions& o) {
  v("lr", o.lr, "initial learning rate", must_be::positive());
  v("decay", o.decay, "weight decay", must_be::fraction_below_one());
  v("epochs", o.epochs, "passes over the training set", must_be::at_least(1));
  v("schedule", o.schedule, "how the rate falls");
  v("nesterov", o.nesterov, "look ahead");
  v("limit", o.limit, "stop after so many steps", must_be::positive());
}

struct RunOptions {
  std::uint64_t seed = 1;
  Mode mode = Mode::strict;
  std::string name = "run";
  std::filesystem::path out = "runs/a";
  std::vector<std::string> classes;
  std::string loss = "bcr";
  TrainOptions train;
  bool operator==(const RunOptions&) const = default;
};

template <class V>
void describe(V& v, RunOptions& o) {
  v("seed", o.seed, "of every random number");
  v("mode", o.mode, "how numbers are computed");
  v("name", o.name, "of the run", must_be::not_empty());
  v("out", o.out, "directory of the run");
  v("classes", o.classes, "known ones");
  v("loss", o.loss, "background loss", must_be::one_of({"bcr", "entropy"}));
  v("train", o.train, "the training loop");
}

}  // namespace bcr::test::example

#endif
