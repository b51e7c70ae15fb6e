#include "src/train/examples.hpp"

#include <algorithm>
#include <numeric>

namespace bcr::train {
namespace {

constexpr std::size_t example_words = 40;

/// One sample of one set.
struct Pick {
  const io::SetScores* scores;
  const Dataset* dataset;
  std::size_t row;

  double score() const { return scores->scores.front().second[row]; }
};

std::vector<Pick> all_of(const io::SetScores& scores, const Dataset& dataset) {
  std::vector<Pick> picks(scores.count());
  for (std::size_t row = 0; row < picks.size(); ++row) picks[row] = {&scores, &dataset, row};
  return picks;
}

enum class Order { highest_first, lowest_first };

/// Equal scores keep their order: the choice is the same everywhere.
void sort(std::vector<Pick>& picks, const Order order) {
  std::stable_sort(picks.begin(), picks.end(), [order](const Pick& a, const Pick& b) {
    return order == Order::highest_first ? a.score() > b.score() : a.score() < b.score();
  });
}

/// Known sets have the classes of the split.
std::string class_of(const Pick& pick) {
  const auto& own = pick.scores->class_names;
  const auto& names = own.empty() ? pick.dataset->pieces().front().selection.classes : own;
  return names.at(static_cast<std::size_t>(pick.scores->labels[pick.row]));
}

/// Of one image alone: whoever picks may have read only its part of the set, or nothing.
std::vector<std::uint8_t> pixels_of(const Pick& pick) {
  std::vector<std::uint8_t> pixels(pick.dataset->image_bytes());
  pick.dataset->part(pick.row, 1).read(pixels);
  return pixels;
}

/// The words of a document, or the pixels of an image.
void add_sample(const Pick& pick, io::ExampleImages& examples) {
  if (pick.dataset->holds_texts()) {
    examples.texts.push_back(pick.dataset->text(pick.row, example_words));
    return;
  }
  const auto extents = pick.dataset->extents();
  examples.height = extents[0];
  examples.width = extents[1];
  examples.channels = extents[2];
  const std::vector<std::uint8_t> image = pixels_of(pick);
  examples.images.insert(examples.images.end(), image.begin(), image.end());
}

io::ExampleImages examples_of(std::string name, const std::vector<Pick>& picks, const std::size_t most) {
  io::ExampleImages examples;
  examples.name = std::move(name);
  for (std::size_t i = 0; i < std::min(most, picks.size()); ++i) {
    const Pick& pick = picks[i];
    add_sample(pick, examples);
    examples.indices.push_back(static_cast<std::int64_t>(pick.row));
    examples.labels.push_back(pick.scores->labels[pick.row]);
    examples.classes.push_back(class_of(pick));
    examples.predictions.push_back(pick.scores->predictions[pick.row]);
    examples.scores.push_back(pick.score());
  }
  return examples;
}

}  // namespace

TestScores label_by_file(TestScores scores, const OpenData& data) {
  scores.known.files = data.known_test.file_names();
  for (std::size_t set = 0; set < scores.unknown.size(); ++set) {
    io::SetScores& unknown = scores.unknown[set].second;
    const Dataset::Piece& piece = data.unknown_test[set].pieces().front();  // each set is one file
    unknown.files = data.unknown_test[set].file_names();
    unknown.class_names = piece.file->info().class_names;
    for (std::size_t i = 0; i < unknown.labels.size(); ++i)
      unknown.labels[i] = piece.file->labels()[piece.selection.rows[i]];
  }
  return scores;
}

std::vector<io::ExampleImages> pick_examples(const TestScores& scores, const OpenData& data, const std::size_t most) {
  const std::vector<Pick> known = all_of(scores.known, data.known_test);
  std::vector<Pick> unknown;
  for (std::size_t set = 0; set < scores.unknown.size(); ++set) {
    const auto more = all_of(scores.unknown[set].second, data.unknown_test[set]);
    unknown.insert(unknown.end(), more.begin(), more.end());
  }
  std::vector<Pick> right;
  for (const Pick& pick : known)
    if (pick.scores->predictions[pick.row] == pick.scores->labels[pick.row]) right.push_back(pick);

  std::vector<io::ExampleImages> examples;
  const auto add = [&](const char* const name, std::vector<Pick> picks, const Order order) {
    sort(picks, order);
    if (!picks.empty()) examples.push_back(examples_of(name, picks, most));
  };
  add("best_known", right, Order::highest_first);
  add("worst_known", known, Order::lowest_first);
  add("best_unknown", unknown, Order::lowest_first);
  add("worst_unknown", unknown, Order::highest_first);
  return examples;
}

}  // namespace bcr::train
