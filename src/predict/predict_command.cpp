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
  template <class Item, class ThumbnailOf>
  void add(const std::vector<Item>& items, const std::vector<Answer>& answers, const ThumbnailOf& thumbnail_of) {
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

void PredictCommand::declare(CLI::App& parser) {
  parser.add_option("MODEL", model_, "a run directory, whose latest checkpoint is taken, or a checkpoint")->required();
  parser.add_option("PATH", paths_,
                    "pictures or texts (.txt), folders of them, data files of bcr-data; -: paths of pictures "
                    "from standard input, or texts, a line each");
  rejection_.declare(parser);
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

std::size_t PredictCommand::run(const Log& log) const {
  Predictor predictor(model_, rejection_.options(), log, batch_);
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
  io::ProgressLine progress(log, "predict");
  std::size_t done = 0;
  for (auto images = reader.take(batch_); !images.empty(); images = reader.take(batch_)) {
    std::vector<std::uint8_t> pixels;
    for (const ReadImage& image : images)
      if (image.error.empty()) pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
    output.add(images, predictor.predict(pixels), [](const ReadImage& image) { return image.thumbnail; });
    done += images.size();
    if (isatty(STDOUT_FILENO) == 0) progress.show(done, 0);
  }
}

void PredictCommand::answer_texts(Predictor& predictor, AnswerOutput& output, const Log& log) const {
  const TextReading reading{words_ == "letters" ? io::WordRule::letters : io::WordRule::spaces, lines_};
  const auto steps = static_cast<std::size_t>(predictor.steps());
  TextSource source(paths_, std::cin, reading, predictor.vocabulary());
  io::ProgressLine progress(log, "predict");
  std::size_t done = 0;
  for (bool more = true; more;) {
    std::vector<TextRef> texts;
    std::vector<std::int32_t> rows;
    while (texts.size() < batch_ && more) {
      auto text = source.next();
      more = text.has_value();
      if (!more) break;
      if (text->error.empty()) {
        rows.resize(rows.size() + steps);
        pad_in_front(text->tokens, std::span(rows).last(steps));
      }
      texts.push_back(std::move(*text));
    }
    output.add(texts, predictor.predict(rows), [](const TextRef&) { return std::string(); });
    done += texts.size();
    if (isatty(STDOUT_FILENO) == 0) progress.show(done, 0);
  }
}

}  // namespace bcr::predict
