#!/usr/bin/env python3
"""Times scipy.special.gammaincc and torch.special.gammaincc, one thread, on the inputs of bench_gamma.

Prints CSV: peer,case,ns_per_element. The inputs are those of bench/bench_gamma.cpp: 4096 values of D^2/n, spread
logarithmically over 0.3..3 in a scattered order. Best of many repetitions, as there.
"""

import time

import numpy as np

COUNT = 4096
SHAPES = (64, 128, 256, 320)
REPETITIONS = 60


def squared_distances(shape):
    order = (np.arange(COUNT) * 1609) % COUNT
    return 2.0 * shape * 0.3 * 10.0 ** (order / COUNT)


def best_ns(work):
    best = float("inf")
    for _ in range(REPETITIONS):
        start = time.perf_counter_ns()
        work()
        best = min(best, time.perf_counter_ns() - start)
    return best / COUNT


def scipy_cases():
    from scipy.special import gammaincc

    for shape in SHAPES:
        x = 0.5 * squared_distances(shape)
        a = np.full_like(x, shape)
        out = np.empty_like(x)
        yield "scipy.special.gammaincc", shape, lambda: gammaincc(a, x, out=out)


def torch_cases():
    import torch

    torch.set_num_threads(1)
    for shape in SHAPES:
        x = torch.from_numpy(0.5 * squared_distances(shape))
        a = torch.full_like(x, shape)
        out = torch.empty_like(x)
        yield "torch.special.gammaincc", shape, lambda: torch.special.gammaincc(a, x, out=out)


def main():
    print("peer,case,ns_per_element")
    for cases in (scipy_cases, torch_cases):
        try:
            for peer, shape, work in cases():
                print(f"{peer},a={shape},{best_ns(work):.2f}")
        except ImportError as error:
            print(f"{cases.__name__.split('_')[0]},absent,nan  # {error}")


if __name__ == "__main__":
    main()
