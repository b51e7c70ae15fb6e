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

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : enum_names(Rule())) names.emplace_back(name);
  return names;
}

std::vector<std::string> fit_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : io::enum_names(io::Fit())) names.emplace_back(name);
  return names;
}

constexpr std::size_t thumbnail_side = 192;
constexpr std::size_t batches_ahead = 2;

/// What the model says of those that could be read, and why the others could not be.
std::vector<std::pair<AnsweredPicture, const ReadImage*>> answered(Predictor& predictor,
                                                                   const std::vector<ReadImage>& images) {
  std::vector<std::uint8_t> pixels;
  for (const ReadImage& image : images)
    if (image.error.empty()) pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
  const std::vector<Answer> answers = predictor.predict(pixels);
  std::vector<std::pair<AnsweredPicture, const ReadImage*>> all;
  auto next = answers.begin();
  for (const ReadImage& image : images) {
    AnsweredPicture picture{image.name, std::nullopt, image.error};
    if (image.error.empty()) picture.answer = *next++;
    all.emplace_back(std::move(picture), &image);
  }
  return all;
}

}  // namespace

void PredictCommand::declare(CLI::App& parser) {
  parser.add_option("MODEL", model_, "a run directory, whose latest checkpoint is taken, or a checkpoint")->required();
  parser.add_option("PATH", paths_,
                    "pictures, folders of pictures, data files of bcr-data; -: paths from standard input");
  parser.add_option("--rule", rule_, "what is unknown; if absent: conformal, or inclusion of a run without validation")
      ->check(CLI::IsMember(rule_names()));
  parser.add_option("--alpha", alpha_, "share of known images that conformal and recall may reject")
      ->type_name("SHARE");
  parser
      .add_option_function<double>(
          "--threshold",
          [this](const double given) {
            threshold_ = given;
            has_threshold_ = true;
          },
          "unknown is what scores less: --rule given")
      ->type_name("SCORE");
  parser.add_option("--format", format_, "of the output")->check(CLI::IsMember({"csv", "jsonl", "page"}));
  parser
      .add_option("--fit", fit_,
                  "what becomes of pictures of another size, if not what became of those it was trained on")
      ->check(CLI::IsMember(fit_names()));
  parser.add_option("--batch", batch_, "images in a batch")->check(CLI::Range(1, 1 << 16))->type_name("N");
  parser
      .add_option("--workers", workers_, "threads that read pictures while the network runs (default: of the machine)")
      ->check(CLI::Range(1, 1 << 10))
      ->type_name("N");
}

RejectionOptions PredictCommand::rejection() const {
  RejectionOptions options{.rule = std::nullopt, .alpha = alpha_, .threshold = std::nullopt};
  if (has_threshold_) options.threshold = threshold_;
  for (const auto& [name, value] : enum_names(Rule()))
    if (name == rule_) options.rule = value;
  return options;
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
  Predictor predictor(model_, rejection(), log, batch_);
  const ImagePlan plan = image_plan(predictor);
  const Rejection& rule = predictor.rejection();
  const std::string threshold =
      rule.rule() == Rule::class_conformal
          ? rule.found()
          : fmt::format("{} < {}: {}", predictor.score_name(), rule.threshold(0), rule.found());
  log.info("predict", "{}, {} known classes", predictor.model(), predictor.class_names().size());
  log.info("predict", "unknown is {}", threshold);
  log.info("predict", "pictures that are not {}: {}", predictor.image().text(), io::fit_name(plan.fit));

  AnswerPage page({.model = fmt::format("{}, {} known classes", predictor.model(), predictor.class_names().size()),
                   .file = model_.string(),
                   .score = predictor.score_name(),
                   .threshold = threshold,
                   .fit = std::string(io::fit_name(plan.fit))},
                  predictor.class_names());
  const auto text_of = [&](const AnsweredPicture& picture, const ReadImage& image) {
    if (format_ == "csv") return csv_line(picture, predictor.class_names());
    if (format_ == "jsonl") return json_line(picture, predictor.class_names());
    return page.card(picture, image.thumbnail);
  };
  if (format_ == "csv") fmt::print("{}", csv_heading());
  if (format_ == "page") fmt::print("{}", page.head());

  PictureSource source(paths_, std::cin);
  OrderedWorkers<PictureRef, ReadImage> reader([&source] { return source.next(); },
                                               [&plan](const PictureRef& picture) { return read_image(picture, plan); },
                                               workers(), batches_ahead * batch_);
  io::ProgressLine progress(log, "predict");
  std::size_t unreadable = 0;
  std::size_t done = 0;
  for (auto images = reader.take(batch_); !images.empty(); images = reader.take(batch_)) {
    for (const auto& [picture, image] : answered(predictor, images)) {
      unreadable += picture.answer ? 0 : 1;
      fmt::print("{}", text_of(picture, *image));
    }
    std::fflush(stdout);
    done += images.size();
    if (isatty(STDOUT_FILENO) == 0) progress.show(done, 0);
  }
  if (format_ == "page") fmt::print("{}", page.foot());
  return unreadable;
}

}  // namespace bcr::predict
