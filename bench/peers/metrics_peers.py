#!/usr/bin/env python3
"""Times scikit-learn on the 10 million scores of bench/bench_metrics.cpp.

Prints CSV: peer,case,ns_per_score,value. The scores are made by the same counter-based generator, bit by bit.
usage: metrics_peers.py [float|double] [repetitions]
"""

import sys
import time

import numpy as np
from sklearn import metrics

PER_SET = 5_000_000


def random_bits(index):
    z = (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniform(bits, kind):
    if kind == "float":
        return (bits >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "double"
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    base = np.uint64(4) * np.arange(PER_SET, dtype=np.uint64)
    known = np.maximum(uniform(random_bits(base), kind), uniform(random_bits(base + np.uint64(1)), kind))
    unknown = uniform(random_bits(base + np.uint64(2)), kind)
    score = np.r_[known, unknown]
    is_known = np.r_[np.ones(PER_SET, np.int8), np.zeros(PER_SET, np.int8)]
    cases = {
        "roc_auc_score": lambda: metrics.roc_auc_score(is_known, score),
        "average_precision_score": lambda: metrics.average_precision_score(is_known, score),
        "roc_curve": lambda: metrics.roc_curve(is_known, score)[0].size,
    }
    print("peer,case,ns_per_score,value")
    for name, work in cases.items():
        best, value = float("inf"), None
        for _ in range(repetitions):
            start = time.perf_counter()
            value = work()
            best = min(best, time.perf_counter() - start)
        print(f"sklearn.metrics.{name},{kind},{best * 1e9 / (2 * PER_SET):.2f},{value:.17g}", flush=True)


if __name__ == "__main__":
    main()
