#ifndef BCR_SRC_CORE_CONFIG_CONSTRAINT_HPP
#define BCR_SRC_CORE_CONFIG_CONSTRAINT_HPP

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bcr {

/// What an option may be besides its type. Made by the functions of must_be; each element of an array is checked.
struct Constraint {
  enum class End { open, closed };
  enum class Length { any, not_empty };

  // The default says: finite. A NaN satisfies no constraint.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  End low_end = End::open;
  End high_end = End::open;
  std::vector<std::string> words;  ///< If not empty, a string must be one of these.
  Length length = Length::any;     ///< Of strings and arrays.

  bool accepts(double number) const;
  bool accepts(std::string_view word) const;
  bool accepts_length(std::size_t size) const;

  /// " > 0", " in [0, 1)", " from {a, b}", or "" if all is allowed: continues "a number", "a string", ...
  std::string text() const;
};

namespace must_be {

Constraint positive();
Constraint not_negative();
Constraint at_least(double lowest);
Constraint at_most(double highest);
Constraint between(double lowest, double highest);  ///< Both ends allowed.
Constraint fraction();                              ///< In [0, 1].
Constraint fraction_below_one();                    ///< In [0, 1): momentum, dropout.
Constraint positive_or_infinite();                  ///< A bound that may be switched off.
Constraint one_of(std::initializer_list<std::string_view> words);
Constraint one_of(std::vector<std::string> words);  ///< Such as the names() of a Registry.
Constraint not_empty();  ///< For strings and arrays; with an empty default this makes the option a required one.

}  // namespace must_be
}  // namespace bcr

#endif
