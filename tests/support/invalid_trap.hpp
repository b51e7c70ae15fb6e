#ifndef BCR_TESTS_SUPPORT_INVALID_TRAP_HPP
#define BCR_TESTS_SUPPORT_INVALID_TRAP_HPP

#include <cfenv>

namespace bcr::test {

/// Lets NaN live while it is in scope: test programs otherwise trap every invalid operation (tests/support/main.cpp).
class InvalidTrapOff {
 public:
#ifdef __GLIBC__
  InvalidTrapOff() : enabled_(fedisableexcept(FE_INVALID)) {}
  ~InvalidTrapOff() {
    std::feclearexcept(FE_INVALID);
    feenableexcept(enabled_);
  }

 private:
  int enabled_;
#endif
};

}  // namespace bcr::test

#endif
