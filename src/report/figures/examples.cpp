#include "src/report/figures/run_figures.hpp"

#include "io/images/picture_file.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/plot/page.hpp"

#include <fmt/format.h>

namespace bcr::report {

namespace {

struct Heading {
  const char* name;
  const char* title;
  const char* text;
};

constexpr Heading headings[] = {
    {"best_known", "Most certain and right", "known samples, classified right, with the highest scores"},
    {"worst_known", "Known, but missed", "known samples with the lowest scores: first to be rejected"},
    {"best_unknown", "Rejected best", "unknown samples with the lowest scores"},
    {"worst_unknown", "Unknown, but taken in", "unknown samples with the highest scores: mistaken for a class"},
};

io::Picture picture_of(const io::ExampleImages& example, const std::size_t index) {
  io::Picture picture{example.height, example.width, {}};
  const std::size_t pixels = example.height * example.width;
  const std::uint8_t* const first = example.images.data() + index * pixels * example.channels;
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      picture.rgb.push_back(first[i * example.channels + (example.channels == 3 ? c : 0)]);
    }
  }
  return picture;
}

std::string name_of(const RunScores& scores, const std::vector<std::int32_t>& classes, const std::size_t index) {
  if (index >= classes.size()) return {};
  const auto place = static_cast<std::size_t>(classes[index]);
  return classes[index] >= 0 && place < scores.classes() ? scores.class_names[place] : std::to_string(classes[index]);
}

std::string sample_html(const RunScores& scores, const io::ExampleImages& example, const std::size_t index) {
  const bool known = example.name.ends_with("_known");
  const std::string said = name_of(scores, example.predictions, index);
  const std::string truth = known                              ? name_of(scores, example.labels, index)
                            : index < example.classes.size() ? fmt::format("unknown ({})", example.classes[index])
                                                             : std::string("unknown");
  const std::string score = index < example.scores.size() ? number_text(example.scores[index], 3) : std::string();
  const std::string words = fmt::format("{}, called {}, score {}", truth, said, score);
  const bool wrong = known && truth != said;
  const std::string sample =
      example.texts.empty()
          ? fmt::format("<img src=\"data:image/png;base64,{}\" alt=\"{}\" title=\"{}\" loading=\"lazy\">",
                        base64(io::encode_png(picture_of(example, index))), escape(words), escape(words))
          : fmt::format("<blockquote title=\"{}\">{}</blockquote>", escape(words), escape(example.texts[index]));
  return fmt::format(
      "<figure class=\"shot\">{}<figcaption>{}<b{}>{}</b><span>{}</span></figcaption></figure>\n", sample,
      wrong ? fmt::format("<s>{}</s> ", escape(truth)) : "", wrong ? " class=\"wrong\"" : "", escape(said),
      escape(score));
}

}  // namespace

std::string example_sheets(const RunScores& scores) {
  std::string html;
  for (const Heading& heading : headings) {
    for (const io::ExampleImages& example : scores.examples) {
      if (example.name != heading.name) continue;
      html +=
          fmt::format("<div class=\"sheet\"><h4>{}</h4><p>{}</p><div class=\"shots{}\">\n", heading.title, heading.text,
                      example.texts.empty() ? "" : " texts");
      for (std::size_t i = 0; i < example.count(); ++i) html += sample_html(scores, example, i);
      html += "</div></div>\n";
    }
  }
  return html;
}

}  // namespace bcr::report
