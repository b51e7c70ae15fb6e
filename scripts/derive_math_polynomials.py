#!/usr/bin/env python3
"""Derive the polynomial coefficients of kernels/math (needs mpmath).

Weighted minimax fits by the Remez exchange in 60 digits. Coefficients are rounded to the target format one after the
other, lowest order first, and the remaining ones fitted again, so that rounding costs almost nothing.
Prints C++ hexadecimal literals and the weighted error that is left.
"""
import argparse
import sys

from mpmath import mp, mpf, cos, pi, exp, log, log1p, expm1, erfc, sqrt, matrix, lu_solve

mp.dps = 60


def round_to(value, bits):
    """Nearest number with `bits` significant bits."""
    with mp.workprec(bits):
        return +value


def literal(value, single):
    """Hexadecimal floating literal of a number that is exact in double."""
    text = float(value).hex()
    mantissa, exponent = text.split("p")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}p{exponent}" + ("f" if single else "")


def extrema(error, lo, hi, count):
    """The alternating extrema of the error on a dense cosine grid, improved by a parabola."""
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / count) for i in range(count + 1)]
    values = [error(x) for x in grid]
    points = []
    for i, value in enumerate(values):
        left = values[i - 1] if i > 0 else None
        right = values[i + 1] if i < count else None
        peak = all(n is None or abs(n) <= abs(value) or n * value < 0 for n in (left, right))
        if not peak:
            continue
        if points and values[points[-1]] * value > 0:
            if abs(value) > abs(values[points[-1]]):
                points[-1] = i
        else:
            points.append(i)
    return [grid[i] for i in points], max(abs(v) for v in values)


def remez(target, weight, orders, lo, hi, rounds=12):
    """Minimise |weight (target - sum_j c_j x^orders_j)| on [lo, hi]; returns the coefficients and the peak."""
    size = len(orders)
    nodes = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / size) for i in range(size + 1)]
    if any(weight(x) == 0 for x in nodes):
        shift = (hi - lo) / 997
        nodes = [x + shift if weight(x) == 0 else x for x in nodes]
    best = None
    for _ in range(rounds):
        system = matrix(size + 1, size + 1)
        rhs = matrix(size + 1, 1)
        for i, x in enumerate(nodes):
            for j, order in enumerate(orders):
                system[i, j] = x**order
            system[i, size] = (-1) ** i / weight(x)
            rhs[i] = target(x)
        solution = lu_solve(system, rhs)
        coefficients = [solution[j] for j in range(size)]
        level = abs(solution[size])

        def error(x):
            return weight(x) * (target(x) - sum(c * x**o for c, o in zip(coefficients, orders)))

        points, peak = extrema(error, lo, hi, 30 * (size + 2))
        if best is None or peak < best[1]:
            best = (coefficients, peak)
        if peak <= level * (1 + mpf(10) ** -4):
            break
        points = [x for x in points if weight(x) != 0]
        while len(points) > size + 1:
            points.pop(0 if abs(error(points[0])) < abs(error(points[-1])) else -1)
        if len(points) < size + 1:
            break
        nodes = points
    return best


def fit(name, target, weight, degree, lo, hi, bits, refit=True):
    """Fit, round lowest order first, print. No refit where [lo, hi] holds 0: x, x^2, ... is no Haar system there."""
    done = [] if refit else [round_to(c, bits) for c in remez(target, weight, range(degree + 1), lo, hi)[0]]
    while len(done) <= degree:
        start = len(done)
        orders = list(range(start, degree + 1))

        def rest(x):
            return target(x) - sum(c * x**o for o, c in enumerate(done))

        done.append(round_to(remez(rest, weight, orders, lo, hi)[0][0], bits))

    def error(x):
        return weight(x) * (target(x) - sum(c * x**o for o, c in enumerate(done)))

    peak = extrema(error, lo, hi, 2000)[1]
    print(f"// {name}: degree {degree}, weighted error 2^{float(log(peak, 2)):.2f}")
    print("    " + ", ".join(literal(c, bits == 24) for c in done))
    sys.stdout.flush()
    return done


def exp_target(x):
    """(e^x - 1 - x - x^2/2) / x^3 = 1/6 + x/24 + ..."""
    if abs(x) < mpf(10) ** -8:
        return mpf(1) / 6 + x / 24 + x**2 / 120 + x**3 / 720 + x**4 / 5040
    with mp.workdps(90):
        return (exp(x) - 1 - x - x**2 / 2) / x**3


def log_target(z):
    """R(z) of log((1+s)/(1-s)) = 2 s + s R(s^2), divided by z: 2/3 + 2/5 z + ..."""
    if z < mpf(10) ** -10:
        return mpf(2) / 3 + 2 * z / 5 + 2 * z**2 / 7 + 2 * z**3 / 9 + 2 * z**4 / 11
    with mp.workdps(90):
        s = sqrt(z)
        return (log1p(s) - log1p(-s) - 2 * s) / (s * z)


def scaled_erfc(shift):
    """t -> (x + shift) e^(x^2) erfc(x) at x = shift (1 + t) / (1 - t), which maps [-1, 1) to [0, inf)."""

    def target(t):
        if 1 - t < mpf(10) ** -3:
            u = (1 - t) / (shift * (1 + t))  # 1 / x
            total, term = mpf(0), mpf(1)
            for k in range(1, 60):
                total += term
                term *= -(2 * k - 1) * u * u / 2
                if abs(term) < mpf(10) ** -55:
                    break
            return (1 + shift * u) * total / sqrt(pi)
        x = shift * (1 + t) / (1 - t)
        return (x + shift) * exp(x * x) * erfc(x)

    return target


def fit_erfc(shift, largest, degree, pairs, bits):
    """The lowest `pairs` coefficients are printed as high and low halves."""
    target = scaled_erfc(shift)
    top = (largest - shift) / (largest + shift)
    exact, peak = remez(target, lambda t: 1 / target(t), range(degree + 1), mpf(-1), top)
    high = [round_to(c, bits) for c in exact]
    low = [round_to(c - h, bits) for c, h in zip(exact, high)]
    print(f"// erfc, shift {int(shift)}: degree {degree}, weighted error 2^{float(log(peak, 2)):.2f}")
    for i in range(pairs):
        print("    {" + literal(high[i], bits == 24) + ", " + literal(low[i], bits == 24) + "},")
    print("    " + ", ".join(literal(c, bits == 24) for c in high[pairs:]))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="exp, log or erfc")
    only = parser.parse_args().only
    half_ln2 = log(mpf(2)) / 2 * (1 + mpf(2) ** -12)
    if only in ("", "exp"):
        for degree, bits in ((8, 53), (4, 24)):
            fit("exp", exp_target, lambda x: max(x**2, mpf(1) / 1024), degree, -half_ln2, half_ln2, bits, refit=False)
    if only in ("", "log"):
        top = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * (1 + mpf(2) ** -12)
        for degree, bits in ((6, 53), (3, 24)):
            fit("log", log_target, lambda z: max(z, mpf(10) ** -6), degree, mpf(0), top, bits)
    if only in ("", "erfc"):
        for shift, largest, degree, pairs, bits in ((3, 27.3, 24, 5, 53), (3, 10.1, 11, 4, 24)):
            fit_erfc(mpf(shift), mpf(largest), degree, pairs, bits)


if __name__ == "__main__":
    main()
