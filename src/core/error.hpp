#ifndef BCR_SRC_CORE_ERROR_HPP
#define BCR_SRC_CORE_ERROR_HPP

#include <stdexcept>
#include <string>
#include <string_view>

namespace bcr {

/// Where in our source an error was noticed. The builtins of every compiler we use stand in for std::source_location,
/// which clang 14 lacks and some pairs of nvcc and g++ reject.
struct Where {
  std::string_view file;
  unsigned line = 0;

  static constexpr Where here(const char* const file = __builtin_FILE(), const unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Every error says which operation noticed it, what it expected and what it received.
/// The kinds below decide the exit code of a program (src/app/exit_code.hpp).
class Error : public std::runtime_error {
 public:
  Error(std::string_view operation, std::string_view expected, std::string_view received, Where where = Where::here());

  const std::string& operation() const noexcept { return operation_; }
  const std::string& expected() const noexcept { return expected_; }
  const std::string& received() const noexcept { return received_; }
  Where where() const noexcept { return where_; }

 private:
  std::string operation_;
  std::string expected_;
  std::string received_;
  Where where_;
};

enum class ErrorKind { config, shape, io, backend, numerics };

/// One class per kind. Not by inherited constructors: nvcc 13 fails on those with a default argument like this one.
template <ErrorKind kind>
struct ErrorOfKind : Error {
  ErrorOfKind(const std::string_view operation, const std::string_view expected, const std::string_view received,
              const Where where = Where::here())
      : Error(operation, expected, received, where) {}
};

/// A wrong command line or configuration: the user mends it before anything is computed.
using ConfigError = ErrorOfKind<ErrorKind::config>;

/// Extents or layouts that do not fit together: a caller's mistake.
using ShapeError = ErrorOfKind<ErrorKind::shape>;

/// A file or data set that is missing, damaged, or not what it claims to be.
using IoError = ErrorOfKind<ErrorKind::io>;

/// A library below us (oneDNN, MPI, a GPU) refused.
using BackendError = ErrorOfKind<ErrorKind::backend>;

/// NaN, infinity or divergence where a finite number is needed.
using NumericsError = ErrorOfKind<ErrorKind::numerics>;

/// Throws E unless the condition holds. For texts that must be composed, write `if (!ok) throw E(...)`.
template <class E>
void require(const bool condition, const std::string_view operation, const std::string_view expected,
             const std::string_view received, const Where where = Where::here()) {
  if (!condition) throw E(operation, expected, received, where);
}

}  // namespace bcr

#endif
