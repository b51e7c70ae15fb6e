#include "io/splits/published.hpp"
#include "src/core/error.hpp"
#include "src/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

namespace {

/// `count` classes from place `first` of a random order on.
std::vector<std::string> draw(const NamedClasses& set, const Permutation& order, const std::size_t first,
                              const std::size_t count) {
  std::vector<std::size_t> places;
  for (std::size_t i = first; i < first + count; ++i) places.push_back(order(i));
  std::sort(places.begin(), places.end());
  std::vector<std::string> names;
  for (const std::size_t place : places) names.push_back(set.class_names[place]);
  return names;
}

}  // namespace

Split make_random_split(const RandomSplit& request, const NamedClasses& set) {
  const std::size_t classes = set.class_names.size();
  const std::size_t taken = request.known + request.background;
  const bool fits = request.known > 0 && request.known <= classes && request.background <= classes - request.known;
  const std::size_t rest = fits ? classes - taken : 0;
  const std::size_t unknown = request.unknown.value_or(rest);
  if (!fits || unknown > rest) {
    throw ConfigError("split random", fmt::format("1 to {} classes, the number in {}", classes, set.file),
                      fmt::format("{} known, {} background, {} unknown", request.known, request.background, unknown));
  }
  if (request.trial < 0) throw ConfigError("split random", "a trial >= 0", std::to_string(request.trial));
  const Permutation order(classes, request.seed, Stream("split"), static_cast<std::uint32_t>(request.trial));
  using Rule = ClassChoice::Rule;
  Split split{.name = fmt::format("random-{}-{}-{}-seed{}", request.known, request.background, unknown, request.seed),
              .trial = request.trial,
              .known = {set.set, Rule::only, draw(set, order, 0, request.known)},
              .background = {},
              .unknown = {}};
  if (request.background > 0) {
    split.background.push_back({set.set, Rule::only, draw(set, order, request.known, request.background)});
  }
  if (unknown > 0) split.unknown.push_back({set.set, Rule::only, draw(set, order, taken, unknown)});
  return split;
}

Split make_whole_set_split(const NamedClasses& known, const std::span<const NamedClasses> unknown) {
  using Rule = ClassChoice::Rule;
  Split split{.name = "whole-" + known.set,
              .trial = 0,
              .known = {known.set, Rule::only, known.class_names},
              .background = {},
              .unknown = {}};
  SplitFiles files{{known.file, known.class_names}, {}, {}};
  for (const NamedClasses& set : unknown) {
    split.unknown.push_back({set.set, Rule::without, {}});
    files.unknown.push_back({set.file, set.class_names});
  }
  require_disjoint(split, files);
  return split;
}

}  // namespace bcr::io
