#!/usr/bin/env python3
"""Writes tests/data/gamma_table.csv: P(a, x) and Q(a, x) as logarithms and hazards, from 50 digits and more.

Inputs are rounded to float first, so that they are exact in every type under test. Rows are grouped by regime; those of
`plan` have a = n/2 and x = D^2/2. Needs mpmath. Usage: scripts/make_gamma_table.py > tests/data/gamma_table.csv
"""

import struct
import sys

import mpmath as mp

mp.mp.dps = 60
DIMENSIONS = [1, 2, 3, 4, 5, 6, 8, 13, 17, 32, 64, 127, 128, 255, 256, 512, 640, 1024, 2048, 4095, 4096]


def to_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def lower_ratio(a, x):
    """P/E, E = x^a e^-x / Gamma(a), by the series of positive terms."""
    total = term = 1 / a
    k = 0
    while term > total * mp.mpf(10) ** -58:
        k += 1
        term *= x / (a + k)
        total += term
    return total


def upper_ratio(a, x):
    """Q/E by the continued fraction, Lentz's method."""
    b = x + 1 - a
    value, c, d = b, b, mp.mpf(0)
    for i in range(1, 1000000):
        b += 2
        step = i * (a - i)
        d = 1 / (b + step * d)
        c = b + step / c
        value *= c * d
        if abs(c * d - 1) < mp.mpf(10) ** -55:
            return 1 / value
    raise ArithmeticError(f"no convergence at a = {a}, x = {x}")


def row(a, x):
    """log P, log Q, pdf/P, pdf/Q; a and x are taken exactly."""
    mp.mp.dps = 60
    if a < 1 and x < 1:
        mp.mp.dps = 60 + max(0, int(-mp.log10(a)))  # Q is of the order of a
    a, x = mp.mpf(a), mp.mpf(x)
    log_mass = a * mp.log(x) - x - mp.loggamma(a)
    mass = mp.exp(log_mass)
    if x < a + 1:
        p = mass * lower_ratio(a, x)
        q = 1 - p
        if a > 1 and x <= a:
            return log_mass + mp.log(lower_ratio(a, x)), mp.log1p(-p), mass / x / p, mass / x / q
        return mp.log(p), mp.log(q), mass / x / p, mass / x / q
    ratio = upper_ratio(a, x)
    q = mass * ratio
    return mp.log1p(-q), log_mass + mp.log(ratio), mass / x / (1 - q), 1 / (x * ratio)


def spread(low, high, count):
    return [low * (high / low) ** (i / (count - 1)) for i in range(count)]


def around(value):
    """Three floats on either side of a seam, and the seam."""
    bits = struct.unpack("i", struct.pack("f", value))[0]
    return [struct.unpack("f", struct.pack("i", bits + step))[0] for step in (-1000, -1, 0, 1, 1000)]


def points():
    for n in DIMENSIONS:
        near = [0.3 + 0.1 * i for i in range(15)] + [1 + s * m / n**0.5 for m in (0.1, 1, 2.5, 6) for s in (-1, 1)]
        ratios = spread(1e-6, 1e3, 19) + [r for r in near if r > 0]
        for d2 in sorted({to_float(n * r) for r in ratios} | set(around(float(n + 2)))):
            yield "plan", n / 2, d2 / 2
    for a in (1e-30, 1e-10, 1e-3, 0.05, 0.3, 0.49, 0.7, 0.95, 0.999):
        for x in spread(1e-30, 0.9, 8) + spread(1.0, 600.0, 7) + [0.4, 0.56, 0.8] + around(1.0):
            yield "small shape", to_float(a), to_float(x)
    for a in (1.0, 1.001, 1.3, 2.2, 3.7, 5.5, 9.1, 17.3, 30.9, 77.7, 150.1, 333.3, 700.7, 998.9):
        for x in spread(1e-3 * a, 50 * a, 12) + [0.9 * a, 0.97 * a, 1.05 * a, 1.2 * a] + around(a + 1):
            yield "medium shape", to_float(a), to_float(x)
    for a in (1000.0, 1234.5, 5000.5, 65536.0, 1e6, 3e7):
        root = a**0.5
        centre = [a + z * root for z in (-7, -3, -1, -0.1, 0, 0.1, 1, 3, 7)]
        for x in centre + around(0.75 * a) + around(1.25 * a) + [0.1 * a, 0.5 * a, 0.9 * a, 1.1 * a, 2 * a, 30 * a]:
            yield "large shape", to_float(a), to_float(x)
    for a in around(1000.0):
        for x in (700.0, 900.0, 1000.0, 1001.0, 1100.0, 1400.0):
            yield "large shape", a, x


def main():
    print("regime,a,x,log_p,log_q,hazard_p,hazard_q")
    for regime, a, x in points():
        values = ",".join(mp.nstr(v, 19, min_fixed=0, max_fixed=0) for v in row(a, x))
        print(f"{regime},{a!r},{x!r},{values}")
        if a <= 0.5 and 0.01 < x < 30:  # the two formulas above against a third
            independent = mp.gammainc(mp.mpf(a), mp.mpf(x), mp.inf, regularized=True)
            if abs(mp.log(independent) - row(a, x)[1]) > mp.mpf(10) ** -19:
                sys.exit(f"the references disagree at a = {a}, x = {x}")


if __name__ == "__main__":
    main()
