#include "src/predict/answer_page.hpp"

#include "src/report/plot/page.hpp"

#include <fmt/format.h>

namespace bcr::predict {
namespace {

using report::escape;

/// Counts come after the cards and are shown before them; the buttons work without a script.
constexpr const char* style = R"css(<style>
main { display: flex; flex-direction: column; }
header { order: -2; }
.counts { order: -1; margin: 8px 0 18px; }
.answers { display: grid; gap: 14px; grid-template-columns: repeat(auto-fill, minmax(164px, 1fr)); }
.answer { margin: 0; padding: 10px 10px 8px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; border-top: 4px solid var(--mark); min-width: 0; }
.answer.unknown { border-top-color: var(--bad); }
.answer.unreadable { border-top-color: var(--line); }
.answer img { display: block; width: 100%; aspect-ratio: 1; object-fit: contain; border-radius: 5px; background: var(--shade); }
.answer img[src^="data:image/png"] { image-rendering: pixelated; }
.answer figcaption { margin-top: 6px; font-size: 12.5px; line-height: 1.4; overflow-wrap: anywhere; }
.answer b { font-size: 14.5px; }
.answer.unknown b { color: var(--bad); }
.answer span { display: block; color: var(--soft); font-variant-numeric: tabular-nums; }
.answer .path { font-size: 11.5px; }
.choice { margin: 4px 16px 12px 0; display: inline-block; }
main:has(#only-known:checked) .answer:not(.known), main:has(#only-unknown:checked) .answer:not(.unknown),
main:has(#only-unreadable:checked) .answer:not(.unreadable) { display: none; }
</style>
)css";

std::string fact(const char* const name, const std::string& value) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, escape(value));
}

std::string choice(const char* const which, const char* const words, const bool first) {
  return fmt::format("<label class=\"choice\"><input type=\"radio\" name=\"only\" id=\"only-{}\"{}> {}</label>\n",
                     which, first ? " checked" : "", words);
}

std::string count_row(const std::string& label, const std::size_t count, const std::size_t all) {
  return fmt::format("<tr><th>{}</th><td>{}</td><td>{:.1f} %</td></tr>\n", escape(label), count,
                     100.0 * static_cast<double>(count) / static_cast<double>(all));
}

std::string number(const char* const name, const std::optional<double> value) {
  return value ? fmt::format("{} {:.3g}", name, *value) : std::string();
}

/// The numbers that are there, with dots between them.
std::string numbers(const Answer& answer) {
  std::string text;
  for (const std::string& part :
       {number("P_I", answer.inclusion), number("distance", answer.distance), number("p-value", answer.p_value)})
    if (!part.empty()) text += (text.empty() ? "" : " · ") + part;
  return text.empty() ? number("score", answer.score) : text;
}

}  // namespace

std::string AnswerPage::head() const {
  return report::page_head("Known, or unknown?", "bcr-predict") + style +
         "<header><p class=\"over\">bcr-predict</p><h1>Known, or unknown?</h1>\n<div class=\"scroll\"><table "
         "class=\"words\">\n" +
         fact("model", facts_.model) + fact("from", facts_.file) + fact("unknown is", facts_.threshold) +
         fact("by the score", facts_.score) + fact("pictures of other sizes", facts_.fit) +
         "</table></div>\n</header>\n<div>" + choice("all", "all pictures", true) + choice("known", "known", false) +
         choice("unknown", "unknown", false) + choice("unreadable", "not readable", false) +
         "</div>\n<div class=\"answers\">\n";
}

std::string AnswerPage::card(const AnsweredPicture& picture, const std::string& thumbnail) {
  const std::string path = escape(picture.path);
  const std::string image = thumbnail.empty() ? std::string()
                                              : fmt::format("<img src=\"{}\" alt=\"{}\" title=\"{}\" loading=\"lazy\">",
                                                            thumbnail, path, path);
  if (!picture.answer) {
    ++unreadable_;
    return fmt::format(
        "<figure class=\"answer unreadable\"><figcaption><b>not readable</b><span>{}</span>"
        "<span class=\"path\">{}</span></figcaption></figure>\n",
        escape(picture.error), path);
  }
  const Answer& answer = *picture.answer;
  const std::string& guess = class_names_[static_cast<std::size_t>(answer.guess)];
  if (answer.unknown) {
    ++unknown_;
  } else {
    ++counts_[guess];
  }
  std::string guesses = answer.unknown ? "nearest: " + guess : std::string();
  if (answer.second)
    guesses += (guesses.empty() ? "then " : ", then ") + class_names_[static_cast<std::size_t>(*answer.second)];
  return fmt::format(
      "<figure class=\"answer {}\">{}<figcaption><b>{}</b><span>{}</span><span>{}</span>"
      "<span class=\"path\">{}</span></figcaption></figure>\n",
      answer.unknown ? "unknown" : "known", image, escape(answer.unknown ? "unknown" : guess), escape(guesses),
      escape(numbers(answer)), path);
}

std::string AnswerPage::foot() const {
  std::size_t all = unknown_ + unreadable_;
  for (const auto& [label, count] : counts_) all += count;
  std::string text = fmt::format("</div>\n<div class=\"counts\"><p class=\"line\"><b>{}</b> pictures</p>\n", all);
  if (all > 0) {
    text +=
        "<table class=\"small numbers\"><thead><tr><th>label</th><th>pictures</th><th>share</th></tr></thead><tbody>\n";
    for (const auto& [label, count] : counts_) text += count_row(label, count, all);
    if (unknown_ > 0) text += count_row("unknown", unknown_, all);
    if (unreadable_ > 0) text += count_row("not readable", unreadable_, all);
    text += "</tbody></table>\n";
  }
  return text + "</div>\n" + report::page_foot("bcr-predict");
}

}  // namespace bcr::predict
