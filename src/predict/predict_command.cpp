#include "src/predict/predict_command.hpp"

#include "io/commands/progress_line.hpp"
#include "src/core/ordered_workers.hpp"
#include "src/predict/answer_page.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <thread>

namespace bcr::predict {
namespace {

std::vector<std::string> fit_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : io::enum_names(io::Fit())) names.emplace_back(name);
  return names;
}

std::vector<std::string> mode_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : nn::enum_names(nn::Mode())) names.emplace_back(name);
  return names;
}

constexpr std::size_t thumbnail_side = 192;
constexpr std::size_t batches_ahead = 2;

std::string threshold_text(const Predictor& predictor) {
  const Rejection& rule = predictor.rejection();
  if (rule.rule() == Rule::class_conformal) return rule.found();
  return fmt::format("{} < {}: {}", predictor.score_name(), rule.threshold(0), rule.found());
}

std::string model_text(const Predictor& predictor) {
  return fmt::format("{}, {} known classes", predictor.model(), predictor.class_names().size());
}

}  // namespace

/// Standard output: a line for each answer, or a page of cards.
class AnswerOutput {
 public:
  AnswerOutput(std::string format, const AnswerPage::Facts& facts, const std::vector<std::string>& class_names)
      : format_(std::move(format)), class_names_(class_names), page_(facts, class_names) {
    if (format_ == "csv") fmt::print("{}", csv_heading());
    if (format_ == "page") fmt::print("{}", page_.head());
  }

  /// Of a batch, in its order; `answers` are those of the items without an error.
  template <class Item>
  void add(const std::vector<Item>& items, const std::vector<Answer>& answers) {
    auto next = answers.begin();
    for (const Item& item : items) {
      AnsweredPicture answered{item.name, std::nullopt, item.error};
      if (item.error.empty()) answered.answer = *next++;
      unreadable_ += answered.answer ? 0 : 1;
      fmt::print("{}", text_of(answered, thumbnail_of(item)));
    }
    std::fflush(stdout);
  }

  void end() const {
    if (format_ == "page") fmt::print("{}", page_.foot());
  }
  std::size_t unreadable() const { return unreadable_; }

 private:
  static const std::string& thumbnail_of(const ReadImage& image) { return image.thumbnail; }
  static std::string thumbnail_of(const TextRef& /*text*/) { return {}; }

  std::string text_of(const AnsweredPicture& answered, const std::string& thumbnail) {
    if (format_ == "csv") return csv_line(answered, class_names_);
    if (format_ == "jsonl") return json_line(answered, class_names_);
    return page_.card(answered, thumbnail);
  }

  std::string format_;
  const std::vector<std::string>& class_names_;
  AnswerPage page_;
  std::size_t unreadable_ = 0;
};

namespace {

/// Takes what is ready, at most a batch, and answers; `append` adds the numbers of an item without an error to the rest.
template <class Element, class Reader, class Append>
void answer_all(Predictor& predictor, Reader& reader, const std::size_t batch, const Append& append,
                AnswerOutput& output, const Log& log) {
  io::ProgressLine progress(log, "predict");
  std::size_t done = 0;
  std::vector<Element> samples;
  for (auto items = reader.take(batch); !items.empty(); items = reader.take(batch)) {
    samples.clear();
    for (const auto& item : items)
      if (item.error.empty()) append(item, samples);
    output.add(items, predictor.predict(std::span<const Element>(samples)));
    done += items.size();
    if (isatty(STDOUT_FILENO) == 0) progress.show(done, 0);
  }
}

}  // namespace

void PredictCommand::declare(CLI::App& parser) {
  parser.add_option("MODEL", model_, "a run directory, whose latest checkpoint is taken, or a checkpoint")->required();
  parser.add_option("PATH", paths_,
                    "pictures or texts (.txt), folders of them, data files of bcr-data; -: paths of pictures "
                    "from standard input, or texts, a line each");
  rejection_.declare(parser);
  parser.add_option("--mode", mode_, "strict: the same bits everywhere; fast: by the vendor's library (default: that of the training)")
      ->check(CLI::IsMember(mode_names()));
  parser.add_option("--format", format_, "of the output")->check(CLI::IsMember({"csv", "jsonl", "page"}));
  parser
      .add_option("--fit", fit_,
                  "what becomes of pictures of another size, if not what became of those it was trained on")
      ->check(CLI::IsMember(fit_names()));
  parser.add_option("--words", words_, "how texts become words: as they stand between spaces, or as 20 Newsgroups")
      ->check(CLI::IsMember({"spaces", "letters"}));
  parser.add_flag("--lines", lines_, "each line of a .txt file is a text");
  parser.add_option("--batch", batch_, "images or texts in a batch")->check(CLI::Range(1, 1 << 16))->type_name("N");
  parser
      .add_option("--workers", workers_, "threads that read pictures while the network runs (default: of the machine)")
      ->check(CLI::Range(1, 1 << 10))
      ->type_name("N");
}

ImagePlan PredictCommand::image_plan(const Predictor& predictor) const {
  const auto [height, width, channels] = predictor.image();
  ImagePlan plan{.fit = predictor.fit(),
                 .height = std::size_t(height),
                 .width = std::size_t(width),
                 .channels = std::size_t(channels),
                 .thumbnail = format_ == "page" ? thumbnail_side : 0};
  if (const auto asked = io::fit_of_name(fit_)) plan.fit = *asked;
  return plan;
}

std::size_t PredictCommand::workers() const {
  return workers_ > 0 ? workers_ : std::max(1U, std::thread::hardware_concurrency());
}

SavedModel PredictCommand::saved_model() const {
  SavedModel saved = read_saved_model(model_);
  for (const auto& [name, value] : nn::enum_names(nn::Mode()))
    if (name == mode_) saved.options.mode = value;
  return saved;
}

std::size_t PredictCommand::run(const Log& log) const {
  Predictor predictor(saved_model(), rejection_.options(), log, batch_);
  const std::string fit = predictor.reads_texts() ? "words by the rule " + words_
                                                  : std::string(io::fit_name(image_plan(predictor).fit));
  log.info("predict", "{}", model_text(predictor));
  log.info("predict", "unknown is {}", threshold_text(predictor));
  if (!predictor.reads_texts()) log.info("predict", "pictures that are not {}: {}", predictor.image().text(), fit);

  AnswerOutput output(format_,
                      {.model = model_text(predictor),
                       .file = model_.string(),
                       .score = predictor.score_name(),
                       .threshold = threshold_text(predictor),
                       .fit = fit},
                      predictor.class_names());
  if (predictor.reads_texts()) {
    answer_texts(predictor, output, log);
  } else {
    answer_pictures(predictor, output, log);
  }
  output.end();
  return output.unreadable();
}

void PredictCommand::answer_pictures(Predictor& predictor, AnswerOutput& output, const Log& log) const {
  const ImagePlan plan = image_plan(predictor);
  PictureSource source(paths_, std::cin);
  OrderedWorkers<PictureRef, ReadImage> reader([&source] { return source.next(); },
                                               [&plan](const PictureRef& picture) { return read_image(picture, plan); },
                                               workers(), batches_ahead * batch_);
  const auto append = [](const ReadImage& image, std::vector<std::uint8_t>& pixels) {
    pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
  };
  answer_all<std::uint8_t>(predictor, reader, batch_, append, output, log);
}

void PredictCommand::answer_texts(Predictor& predictor, AnswerOutput& output, const Log& log) const {
  const TextReading reading{words_ == "letters" ? io::WordRule::letters : io::WordRule::spaces, lines_};
  const auto steps = static_cast<std::size_t>(predictor.steps());
  TextSource source(paths_, std::cin, reading, predictor.vocabulary());
  // The source does the work; a thread of its own, so that texts of a pipe are answered as they come.
  OrderedWorkers<TextRef, TextRef> reader([&source] { return source.next(); }, [](const TextRef& text) { return text; },
                                          1, batches_ahead * batch_);
  const auto append = [steps](const TextRef& text, std::vector<std::int32_t>& rows) {
    rows.resize(rows.size() + steps);
    pad_in_front(text.tokens, std::span(rows).last(steps));
  };
  answer_all<std::int32_t>(predictor, reader, batch_, append, output, log);
}

}  // namespace bcr::predict
