#!/usr/bin/env python3
"""Writes kernels/gamma/gamma_polynomials.hpp: the constants of the incomplete gamma function, from 60-digit arithmetic.

Needs mpmath. Usage:
scripts/make_gamma_polynomials.py | clang-format > kernels/gamma/gamma_polynomials.hpp
"""

import textwrap

import mpmath as mp

mp.mp.dps = 60

HEADER = """\
#ifndef BCR_KERNELS_GAMMA_GAMMA_POLYNOMIALS_HPP
#define BCR_KERNELS_GAMMA_GAMMA_POLYNOMIALS_HPP

// Written by scripts/make_gamma_polynomials.py: change that, not this.
#include "kernels/math/format.hpp"

namespace bcr::kernels::impl {
"""

FOOTER = """
}  // namespace bcr::kernels::impl

#endif"""


def chebyshev(function, count):
    """Coefficients of the polynomial that meets function(t) in `count` Chebyshev points of [-1, 1]."""
    angles = [mp.pi * (2 * k + 1) / (2 * count) for k in range(count)]
    values = [function(mp.cos(angle)) for angle in angles]
    sums = [2 * mp.fsum(v * mp.cos(j * angle) for v, angle in zip(values, angles)) / count for j in range(count)]
    return [sums[0] / 2] + sums[1:]


def monomial(series):
    """The same polynomial in powers of t, lowest first."""
    powers = [mp.mpf(0)] * len(series)
    before, now = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    for j, weight in enumerate(series):
        basis = before if j == 0 else now
        for i, c in enumerate(basis):
            powers[i] += weight * c
        if j > 0:
            after = [mp.mpf(0)] + [2 * c for c in now]
            for i, c in enumerate(before):
                after[i] -= c
            before, now = now, after
    return powers


def stirling(a):
    return mp.loggamma(a) - (a - mp.mpf(1) / 2) * mp.log(a) + a - mp.log(2 * mp.pi) / 2


def mills(z):
    return mp.sqrt(mp.pi / 2) * mp.erfc(z / mp.sqrt(2)) * mp.exp(z * z / 2)


def reciprocal(series):
    inverse = [1 / series[0]]
    for n in range(1, len(series)):
        inverse.append(-mp.fsum(series[i] * inverse[n - i] for i in range(1, n + 1)) / series[0])
    return inverse


def temme(orders, length=40):
    """Taylor coefficients in eta of c_0 .. c_(orders-1): c_0 = 1/sigma - 1/eta, c_k = c_(k-1)'/eta + g_k/sigma."""
    # sigma(eta) from sigma - log(1 + sigma) = eta^2 / 2, that is sigma sigma' = eta (1 + sigma)
    sigma = [mp.mpf(0), mp.mpf(1)]
    for n in range(2, length + 2):
        known = mp.fsum(sigma[i] * (n + 1 - i) * sigma[n + 1 - i] for i in range(2, n))
        sigma.append((sigma[n - 1] - known) / (n + 1))
    inverse = reciprocal(sigma[1:])  # 1/sigma = sum inverse[i] eta^(i-1)
    # g_k: reciprocal gamma expansion, exp(-sum B_2j / (2j (2j-1) a^(2j-1)))
    logarithm = [mp.mpf(0)] * (orders + 1)
    for j in range(1, orders + 1):
        if 2 * j - 1 <= orders:
            logarithm[2 * j - 1] = -mp.bernoulli(2 * j) / (2 * j * (2 * j - 1))
    g = [mp.mpf(1)]
    for n in range(1, orders + 1):
        g.append(mp.fsum(j * logarithm[j] * g[n - j] for j in range(1, n + 1)) / n)
    c = [inverse[1:]]
    for k in range(1, orders):
        derivative = [i * value for i, value in enumerate(c[-1])][1:]
        c.append([derivative[i] + g[k] * inverse[i] for i in range(1, len(derivative))])
    return c


def call(argument, coefficients, lead):
    """polynomial(argument, c0, c1, ...) broken into lines of at most 120 columns."""
    text = ", ".join(float(c).hex() for c in coefficients)
    lines = textwrap.wrap(text, 112)
    return "\n".join([f"{lead}strict::impl::polynomial({argument},"] + ["      " + line for line in lines]) + ");"


def function(comment, signature, body):
    lines = "\n".join("/// " + line for line in comment.splitlines())
    print(f"\n{lines}\nKOKKOS_FORCEINLINE_FUNCTION double {signature} {{\n{body}\n}}")


def main():
    print(HEADER, end="")
    limit = (3 - 2 * mp.sqrt(2)) ** 2  # s^2 at 1 + f = sqrt(2)
    inverse_tanh = lambda z: mp.mpf(2) / 3 if z == 0 else (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z
    in_t = monomial(chebyshev(lambda t: inverse_tanh(limit * (t + 1) / 2), 7))
    remainder = [mp.fsum(in_t[j] * mp.binomial(j, i) * (-1) ** (j - i) for j in range(i, 7)) * (2 / limit) ** i
                 for i in range(7)]
    function("R(z) of log(1 + f) = 2 s + s^3 R(s^2), s = f / (2 + f), for 1 + f from sqrt(1/2) to sqrt(2).",
             "log_remainder(const double z)",
             "  const double z2 = z * z;\n" + call("z2", remainder[0::2], "  const double even = ") + "\n"
             + call("z2", remainder[1::2], "  const double odd = ") + "\n  return Kokkos::fma(z, odd, even);")
    half = mp.log(2) / 2
    in_t = monomial(chebyshev(lambda t: (mp.expm1(half * t) - half * t) / (half * t) ** 2, 10))
    quadratic = [c / half**i for i, c in enumerate(in_t)]
    function("q(r) of e^r = 1 + r + r^2 q(r) for |r| <= log(2) / 2; r2 = r^2.",
             "exp_remainder(const double r, const double r2)",
             call("r2", quadratic[0::2], "  const double even = ") + "\n"
             + call("r2", quadratic[1::2], "  const double odd = ") + "\n  return Kokkos::fma(r, odd, even);")
    ratio = monomial(chebyshev(lambda t: mp.loggamma(1 + (t + 1) / 2) / ((t + 1) / 2), 23))
    function("log Gamma(1 + a) for 0 <= a <= 1, right to the last digits relative to a.",
             "log_gamma_1p(const double a)",
             "  const double t = Kokkos::fma(2.0, a, -1.0);\n" + call("t", ratio, "  return a * "))
    correction = monomial(chebyshev(lambda t: (lambda a: a * stirling(a))(4 / (t + 1) - 1), 21))
    function("log Gamma(a) - ((a - 1/2) log a - a + log(2 pi) / 2) for a >= 1: 1/(12 a) - 1/(360 a^3) + ...",
             "stirling_correction(const double a)",
             "  const double t = 4.0 / (a + 1.0) - 1.0;\n  "
             + call("t", correction, "const double scaled = ") + "\n  return scaled / a;")
    tail = monomial(chebyshev(lambda t: (lambda w: w * mills(w - 5))(10 / (t + 1)), 25))
    function("Mills' ratio exp(z^2/2) int_z^inf exp(-t^2/2) dt of the normal law for z >= 0.\n"
             "(z + 5) m(z) is smooth in 1/(z + 5), up to z = inf (Shepherd and Laframboise, Math. Comp. 36, 1981).",
             "mills_ratio(const double z)",
             "  const double w = z + 5.0;\n  const double t = 10.0 / w - 1.0;\n"
             + call("t", tail, "  const double scaled = ") + "\n  return scaled / w;")
    c = temme(5)
    body = [call("eta", c[k][:length], f"  const double c{k} = ") for k, length in enumerate([15, 11, 8, 5, 3])]
    body.append("  return strict::impl::polynomial(inverse_a, c0, c1, c2, c3, c4);")
    function("sum_k c_k(eta) / a^k of Temme's uniform expansion (DLMF 8.12.7-10) for a >= 1000 and |sigma| <= 1/4.",
             "temme_sum(const double eta, const double inverse_a)", "\n".join(body))
    print(FOOTER)


if __name__ == "__main__":
    main()
