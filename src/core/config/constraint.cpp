#include "src/core/config/constraint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace bcr {

bool Constraint::accepts(const double number) const {
  if (std::isnan(number)) return false;  // before the comparisons, which would raise FE_INVALID
  const bool above = low_end == End::closed ? number >= lowest : number > lowest;
  const bool below = high_end == End::closed ? number <= highest : number < highest;
  return above && below;
}

bool Constraint::accepts(const std::string_view word) const {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

bool Constraint::accepts_length(const std::size_t size) const {
  return length == Length::any || size > 0;
}

std::string Constraint::text() const {
  if (!words.empty()) return fmt::format(" from {{{}}}", fmt::join(words, ", "));
  if (length == Length::not_empty) return " that is not empty";
  const bool has_low = std::isfinite(lowest);
  const bool has_high = std::isfinite(highest);
  if (has_low && has_high) {
    return fmt::format(" in {}{}, {}{}", low_end == End::closed ? '[' : '(', lowest, highest,
                       high_end == End::closed ? ']' : ')');
  }
  if (has_low) return fmt::format(" {} {}", low_end == End::closed ? ">=" : ">", lowest);
  if (has_high) return fmt::format(" {} {}", high_end == End::closed ? "<=" : "<", highest);
  return "";
}

namespace must_be {

using End = Constraint::End;

Constraint positive() {
  Constraint constraint;
  constraint.lowest = 0;
  return constraint;
}

Constraint not_negative() {
  return at_least(0);
}

Constraint at_least(const double lowest) {
  Constraint constraint;
  constraint.lowest = lowest;
  constraint.low_end = End::closed;
  return constraint;
}

Constraint at_most(const double highest) {
  Constraint constraint;
  constraint.highest = highest;
  constraint.high_end = End::closed;
  return constraint;
}

Constraint between(const double lowest, const double highest) {
  Constraint constraint = at_least(lowest);
  constraint.highest = highest;
  constraint.high_end = End::closed;
  return constraint;
}

Constraint fraction() {
  return between(0, 1);
}

Constraint fraction_below_one() {
  Constraint constraint = between(0, 1);
  constraint.high_end = End::open;
  return constraint;
}

Constraint positive_or_infinite() {
  Constraint constraint = positive();
  constraint.high_end = End::closed;
  return constraint;
}

Constraint one_of(const std::initializer_list<std::string_view> words) {
  Constraint constraint;
  constraint.words.assign(words.begin(), words.end());
  return constraint;
}

Constraint one_of(std::vector<std::string> words) {
  Constraint constraint;
  constraint.words = std::move(words);
  return constraint;
}

Constraint not_empty() {
  Constraint constraint;
  constraint.length = Constraint::Length::not_empty;
  return constraint;
}

}  // namespace must_be
}  // namespace bcr
