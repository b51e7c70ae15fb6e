#!/usr/bin/env python3
"""The fitted scores by NumPy, SciPy and scikit-learn, from their published definitions, on the arrays that
bench/bench_scores.cpp left in a folder; and scikit-learn's isolation forest on 20 data sets.

usage: scores_peers.py scores DIR FEATURES CLASSES   CSV: score,peer,fit,score_seconds,difference,scale
       scores_peers.py forest PROGRAM DIR [seeds]    CSV: case,ours,peer,standard_error,sigmas
`difference` is the largest one to our scores, `scale` the spread of the peer's. Times are of the fastest formulation that
these libraries offer, not of the one that OpenOOD uses.
"""

import csv
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy import linalg, optimize, special


def load(folder, name, kind, width):
    return np.fromfile(folder / name, kind).reshape(-1, width) if width else np.fromfile(folder / name, kind)


def pseudo_inverse(matrix):
    values, vectors = linalg.eigh(matrix)
    kept = values > len(values) * 2.0**-23 * values[-1]
    return (vectors[:, kept] / values[kept]) @ vectors[:, kept].T


def mahalanobis(data):
    f, y = data["f"].astype(float), data["y"]
    means = np.stack([f[y == c].mean(0) for c in range(data["classes"])])
    centred = f - means[y]
    precision = pseudo_inverse(centred.T @ centred / len(f))

    def score(q):
        q = q.astype(float)
        return -np.min([np.einsum("ij,jk,ik->i", q - m, precision, q - m, optimize=True) for m in means], axis=0)
    return score


def relative_mahalanobis(data):
    near, f = mahalanobis(data), data["f"].astype(float)
    mean = f.mean(0)
    precision = pseudo_inverse((f - mean).T @ (f - mean) / len(f))

    def score(q):
        x = q.astype(float) - mean
        return near(q) + np.einsum("ij,jk,ik->i", x, precision, x, optimize=True)
    return score


def knn(data):
    from sklearn.neighbors import NearestNeighbors
    k = max(1, (len(data["f"]) + 500) // 1000)
    unit = lambda x: x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
    search = NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=-1).fit(unit(data["f"]))
    return lambda q: -search.kneighbors(unit(q))[0][:, -1].astype(float) ** 2


def vim(data):
    f, W, b = data["f"].astype(float), data["W"].astype(float), data["b"].astype(float)
    n = f.shape[1]
    o = -np.linalg.pinv(W) @ b
    vectors = linalg.eigh((f - o).T @ (f - o) / len(f))[1][:, ::-1]
    rest = vectors[:, 256 if n >= 512 else n // 2:]
    residual = lambda x: np.linalg.norm((x - o) @ rest, axis=1)
    alpha = data["z"].max(1).astype(float).mean() / residual(f).mean()
    return lambda q: special.logsumexp(data["zq"].astype(float), axis=1) - alpha * residual(q.astype(float))


def fdbd(data):
    mean, W = data["f"].astype(float).mean(0), data["W"].astype(float)
    apart = np.linalg.norm(W[:, None] - W[None], axis=2)
    np.fill_diagonal(apart, np.inf)

    def score(q):
        z = data["zq"].astype(float)
        best = z.argmax(1)
        gaps = (z[np.arange(len(z)), best][:, None] - z) / apart[best]
        return gaps.sum(1) / np.linalg.norm(q.astype(float) - mean, axis=1)
    return score


def react(data):
    t = np.percentile(data["f"].astype(float), 90)
    W, b = data["W"].astype(float), data["b"].astype(float)
    return lambda q: special.logsumexp(np.minimum(q.astype(float), t) @ W.T + b, axis=1)


def weibull_tail(distances, shift=1e4):
    """Maximum likelihood by SciPy's own optimiser, in the variables log shape and log scale."""
    tail = np.sort(distances)[-20:]
    logs = np.log1p((tail - tail[0]) / shift)
    spread = logs.std() or 1.0

    def slope(log_sigma):  # d/d sigma of the log likelihood, with the scale eliminated
        w = np.exp((logs - logs[-1]) / np.exp(log_sigma))
        return np.exp(log_sigma) + logs.mean() - (w * logs).sum() / w.sum()
    sigma = np.exp(optimize.brentq(slope, np.log(spread) - 8, np.log(spread) + 8, xtol=1e-14))
    scale = logs[-1] + sigma * np.log(np.exp((logs - logs[-1]) / sigma).mean())
    return lambda d: -np.expm1(-np.exp((np.log1p((d - tail[0]) / shift) - scale) / sigma))


def openmax(data, alpha=10):
    z, y, C = data["z"].astype(float), data["y"], data["classes"]
    alpha = min(alpha, C)
    right = z.argmax(1) == y
    means = np.stack([z[right & (y == c)].mean(0) for c in range(C)])
    tails = [weibull_tail(np.linalg.norm(z[right & (y == c)] - means[c], axis=1)) for c in range(C)]

    def score(_):
        v = data["zq"].astype(float)
        w = np.stack([tails[c](np.linalg.norm(v - means[c], axis=1)) for c in range(C)], axis=1)
        rank = np.argsort(np.argsort(-v, axis=1, kind="stable"), axis=1)
        share = np.clip((alpha - rank) / alpha, 0, None) * w
        known, unknown = special.logsumexp(v * (1 - share), axis=1), (v * share).sum(1)
        return special.expit(known - unknown)
    return score


SCORES = {"openmax": (openmax, "SciPy"), "knn": (knn, "scikit-learn"), "mahalanobis": (mahalanobis, "NumPy"),
          "relative_mahalanobis": (relative_mahalanobis, "NumPy"), "vim": (vim, "NumPy"), "fdbd": (fdbd, "NumPy"),
          "react": (react, "NumPy")}


def compare_scores(folder, features, classes):
    data = {"classes": classes, "f": load(folder, "train_features.f32", "f4", features),
            "z": load(folder, "train_outputs.f32", "f4", classes), "y": load(folder, "train_labels.i32", "i4", 0),
            "q": load(folder, "test_features.f32", "f4", features), "zq": load(folder, "test_outputs.f32", "f4", classes),
            "W": load(folder, "weights.f32", "f4", features), "b": load(folder, "bias.f32", "f4", 0)}
    rows = csv.writer(sys.stdout)
    rows.writerow(["score", "peer", "fit", "score_seconds", "difference", "scale"])
    for name, (fit, peer) in SCORES.items():
        ours = np.fromfile(folder / f"{name}.f64", "f8")
        start = time.perf_counter()
        score = fit(data)
        middle = time.perf_counter()
        theirs = score(data["q"])
        end = time.perf_counter()
        rows.writerow([name, peer, middle - start, end - middle, np.abs(ours - theirs).max(), theirs.std()])


def data_sets(random):
    for d in (1, 2, 5, 10):
        yield f"normal, {d} features", random.normal(size=(1000, d))
        yield f"uniform, {d} features", random.uniform(size=(800, d))
        yield f"two clouds, {d} features", random.normal(size=(900, d)) + 6 * random.integers(0, 2, (900, 1))
        yield f"heavy tails, {d} features", random.standard_t(2, size=(700, d))
        yield f"small integers, {d} features", random.integers(0, 4, size=(600, d)).astype(float)


def compare_forest(program, folder, seeds):
    from sklearn.ensemble import IsolationForest
    random = np.random.default_rng(0)
    rows = csv.writer(sys.stdout)
    rows.writerow(["case", "ours", "peer", "standard_error", "sigmas"])
    for name, x in data_sets(random):
        x = x.astype("f4")
        queries = np.concatenate([x[:100], x[:50] + 2 * x.std(0)]).astype("f4")
        psi = int(0.9 * len(x))
        usual = 2 * (np.log(psi - 1) + np.euler_gamma) - 2 * (psi - 1) / psi
        x.tofile(folder / "rows.f32")
        queries.tofile(folder / "queries.f32")
        (folder / "shape.txt").write_text(f"{x.shape[1]} 100 0.9 {seeds}\n")
        subprocess.run([program, "forest", folder], check=True, env={**os.environ, "OMP_PROC_BIND": "false"})
        ours = np.fromfile(folder / "paths.f64", "f8").reshape(seeds, -1).mean(1)
        theirs = []
        for seed in range(seeds):
            forest = IsolationForest(n_estimators=100, max_samples=0.9, random_state=seed).fit(x)
            theirs.append((-np.log2(-forest.score_samples(queries)) * usual).mean())
        error = np.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / seeds)
        difference = np.mean(ours) - np.mean(theirs)
        rows.writerow([name, np.mean(ours), np.mean(theirs), error, difference / error])
        sys.stdout.flush()


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "scores":
        compare_scores(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    elif len(sys.argv) in (4, 5) and sys.argv[1] == "forest":
        compare_forest(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) == 5 else 10)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
