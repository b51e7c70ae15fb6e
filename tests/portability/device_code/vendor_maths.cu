// The functions of the vendor's maths library, each once: scripts/audit_ptx.py learns its constants from the PTX.
#include <cmath>

extern "C" __global__ void vendor_maths(const double* const src, double* const dst) {
  const double x = src[0];
  int place = 0;
  const double values[] = {std::exp(x),  std::exp2(x),  std::expm1(x),    std::log(x),  std::log2(x),  std::log10(x), std::log1p(x),
                           std::erf(x),  std::erfc(x),  std::lgamma(x),   std::tgamma(x), std::pow(x, src[1]), std::cbrt(x),
                           std::sin(x),  std::cos(x),   std::tan(x),      std::sinh(x), std::cosh(x),  std::tanh(x),
                           std::asin(x), std::acos(x),  std::atan(x),     std::asinh(x), std::acosh(x), std::atanh(x)};
  for (const double value : values) dst[place++] = value;
}
