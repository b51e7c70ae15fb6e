#!/usr/bin/env python3
"""Writes tests/data/metric_cases.json: random scores with many ties and what scikit-learn and NumPy say about them.

Needs numpy and scikit-learn. The metrics that scikit-learn does not define are written out below from their
definitions, or as the published scripts compute them.  usage: make_metric_cases.py [output]
"""

import json
import pathlib
import sys

import numpy as np
import sklearn
from sklearn import metrics


def fpr_at_recall_nearest(positive, score, level):
    """Outlier exposure's rule: nearest recall, looking from full recall downwards."""
    order = np.argsort(-score, kind="stable")
    positive, score = positive[order], score[order]
    ends = np.r_[np.where(np.diff(score))[0], positive.size - 1]
    tps = np.cumsum(positive)[ends]
    fps = 1 + ends - tps
    recall = tps / tps[-1]
    last = int(np.searchsorted(tps, tps[-1]))
    recall, fps = recall[: last + 1][::-1], fps[: last + 1][::-1]
    return fps[np.argmin(np.abs(recall - level))] / np.sum(~positive)


def fpr_at_recall_first(positive, score, level):
    fpr, tpr, _ = metrics.roc_curve(positive, score, drop_intermediate=False)
    return fpr[np.argmax(tpr >= level)]


def both_directions(known, unknown, function):
    score = np.r_[known, unknown]
    is_known = np.r_[np.ones(len(known), bool), np.zeros(len(unknown), bool)]
    return float(function(is_known, score)), float(function(~is_known, -score))


def trapezoid(positive, score):
    precision, recall, _ = metrics.precision_recall_curve(positive, score)
    return metrics.auc(recall, precision)


def ccr(known, correct, unknown, tenths_of_promille):
    k = max(1, -(-len(unknown) * tenths_of_promille // 10000))
    threshold = np.sort(unknown)[-k]
    return float(np.sum(correct & (known > threshold)) / len(known))


def oscr_area(known, correct, unknown):
    good = known[correct]
    wins = np.sum(good[:, None] > unknown[None, :]) + 0.5 * np.sum(good[:, None] == unknown[None, :])
    return float(wins / (len(known) * len(unknown)))


def macro_f1(case, threshold):
    classes = case["classes"]
    truth = np.r_[case["labels"], np.full(len(case["unknown"]), classes)]
    score = np.r_[case["known"], case["unknown"]]
    prediction = np.where(score >= threshold, np.r_[case["predictions"], case["unknown_predictions"]], classes)
    return float(metrics.f1_score(truth, prediction, labels=range(classes + 1), average="macro", zero_division=0))


def make_case(rng, name, n_known, n_unknown, classes, steps):
    """Scores are multiples of 1/8 (exact in float), on `steps` levels."""
    known = np.minimum(rng.integers(0, steps, n_known), rng.integers(0, steps, n_known) + steps // 3) / 8 - 1
    unknown = np.minimum(rng.integers(0, steps, n_unknown), rng.integers(0, steps, n_unknown)) / 8 - 1
    labels = rng.integers(0, classes, n_known)
    predictions = np.where(rng.random(n_known) < 0.7, labels, rng.integers(0, classes, n_known))
    correct = labels == predictions
    case = {
        "name": name,
        "classes": classes,
        "known": known.tolist(),
        "labels": labels.tolist(),
        "predictions": predictions.tolist(),
        "unknown": unknown.tolist(),
        "unknown_predictions": rng.integers(0, classes, n_unknown).tolist(),
    }
    thresholds = sorted(set(known.tolist() + unknown.tolist()), reverse=True)
    f1 = {t: macro_f1(case, t) for t in thresholds}
    median = thresholds[len(thresholds) // 2]
    expected = {
        "accuracy": float(metrics.accuracy_score(labels, predictions)),
        "oscr_area": oscr_area(known, correct, unknown),
        "ccr": [ccr(known, correct, unknown, t) for t in (1, 10, 100, 1000, 3000)],
        "f1_threshold": median,
        "macro_f1": f1[median],
        "best_macro_f1": max(max(f1.values()), macro_f1(case, np.inf)),
    }
    expected["auroc"], _ = both_directions(known, unknown, metrics.roc_auc_score)
    pairs = {
        "average_precision": metrics.average_precision_score,
        "trapezoid": trapezoid,
        "fpr95_nearest": lambda p, s: fpr_at_recall_nearest(p, s, 0.95),
        "fpr90_nearest": lambda p, s: fpr_at_recall_nearest(p, s, 0.90),
        "fpr95_first": lambda p, s: fpr_at_recall_first(p, s, 0.95),
    }
    for key, function in pairs.items():
        expected[key + "_known"], expected[key + "_unknown"] = both_directions(known, unknown, function)
    case["expected"] = expected
    return case


def main():
    default = pathlib.Path(__file__).resolve().parent.parent / "tests/data/metric_cases.json"
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    rng = np.random.default_rng(20221023)
    shapes = [
        ("one of each", 1, 1, 1, 2),
        ("few", 5, 3, 2, 4),
        ("two levels", 40, 30, 3, 2),
        ("all equal", 17, 23, 4, 1),
        ("many ties", 200, 150, 6, 9),
        ("some ties", 257, 311, 10, 120),
        ("almost no ties", 300, 100, 20, 100000),
        ("one unknown", 90, 1, 5, 12),
        ("one known", 1, 90, 5, 12),
    ]
    cases = [make_case(rng, *shape) for shape in shapes]
    document = {"generator": f"numpy {np.__version__}, scikit-learn {sklearn.__version__}", "cases": cases}
    output.write_text(json.dumps(document) + "\n")
    print(f"{output}: {len(cases)} cases, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
