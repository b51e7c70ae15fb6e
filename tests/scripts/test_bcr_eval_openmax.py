"""The score openmax of bcr-eval: fitted to the training images, as its definition says, and refused where it means nothing."""

import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "eval": sys.argv[3]}

try:
    import h5py
except ImportError:
    h5py = None

SHIFT = 10000  # of a tail, as published


def weibull(distances, tail_size):
    """Shape and scale of the shifted tail by maximum likelihood and its smallest distance, or None."""
    tail = sorted(distances)[-tail_size:]
    if len(tail) < 2 or tail[0] == tail[-1]:
        return None
    logs = [math.log1p((d - tail[0]) / SHIFT) for d in tail]
    top, reach = max(logs), max(logs) - min(logs)
    scaled = [(x - top) / reach for x in logs]
    mean = sum(scaled) / len(scaled)

    def slope(sigma):
        weights = [math.exp(x / sigma) for x in scaled]
        return sigma + mean - sum(x * w for x, w in zip(scaled, weights)) / sum(weights)

    low, high = 1e-3, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    sigma = (low + high) / 2
    log_scale = sigma * math.log(sum(math.exp(x / sigma) for x in scaled) / len(scaled)) * reach + top
    return 1 / (sigma * reach), log_scale, tail[0]


class Openmax:
    """From the formulas of Bendale and Boult, in plain loops."""

    def __init__(self, logits, labels, tail_size, alpha):
        classes = len(logits[0])
        self.alpha = min(alpha, classes)
        self.means, self.tails = [], []
        for c in range(classes):
            members = [v for v, label in zip(logits, labels) if label == c and v.index(max(v)) == c]
            count = max(len(members), 1)
            self.means.append([sum(v[j] for v in members) / count for j in range(classes)])
            self.tails.append(weibull([math.dist(v, self.means[c]) for v in members], tail_size))

    def weight(self, c, v):
        if self.tails[c] is None:
            return 0.0
        shape, log_scale, smallest = self.tails[c]
        shifted = (math.dist(v, self.means[c]) - smallest) / SHIFT
        return -math.expm1(-math.exp(shape * (math.log1p(shifted) - log_scale)))

    def score(self, v):
        changed, unknown = list(v), 0.0
        ranked = sorted(range(len(v)), key=lambda c: -v[c])
        for rank, c in enumerate(ranked[:self.alpha]):
            share = (self.alpha - rank) / self.alpha * self.weight(c, v)
            changed[c] -= v[c] * share
            unknown += v[c] * share
        top = max(*changed, unknown)
        known = sum(math.exp(x - top) for x in changed)
        return known / (known + math.exp(unknown - top))


class BcrEvalOpenmax(TinyRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.softmax = cls.trained("softmax", "--model.head.name=linear", "--loss.name=none")
        cls.extra_column = cls.trained("extra", "--model.head.name=linear", "--loss.name=background_class")
        cls.distances = cls.trained("distances")

    @classmethod
    def trained(cls, name, *more):
        words = [cls.PROGRAMS["train"], "--config", str(cls.config), "--out", str(cls.shared / name), *more]
        subprocess.run(words, check=True, capture_output=True, timeout=120)
        return cls.shared / name

    def evaluate(self, *words, code=0):
        run = subprocess.run([self.PROGRAMS["eval"], "--overwrite", *map(str, words)], capture_output=True, text=True,
                             check=False, timeout=120)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    @staticmethod
    def metrics(directory):
        return json.loads((directory / "metrics.json").read_text(encoding="utf-8"))

    def test_is_one_of_the_scores_of_a_linear_head(self):
        run = self.evaluate(self.softmax)

        metrics = self.metrics(self.softmax)
        values = metrics["sets"]["synthetic"]["openmax"]
        self.assertEqual(metrics["default_score"], "max_softmax")
        for name in ("auroc", "ccr_fpr_1e-1", "oscr_area", "macro_f1_recall"):
            self.assertTrue(0 <= values[name] <= 1, name)
        self.assertNotEqual(values["auroc"], metrics["sets"]["synthetic"]["max_softmax"]["auroc"])
        self.assertIn("threshold", metrics["decisions"]["openmax"]["recall"])
        self.assertNotIn("threshold", metrics["decisions"]["openmax"]["own"])
        self.assertTrue(0 <= values["macro_f1_own"] <= 1)
        self.assertIn("openmax", run.stdout)

    def test_can_be_the_only_score(self):
        self.evaluate(self.softmax)
        beside_others = self.metrics(self.softmax)["sets"]["synthetic"]["openmax"]

        self.evaluate(self.softmax, "--scores", "openmax")

        alone = self.metrics(self.softmax)
        self.assertEqual(alone["default_score"], "openmax")
        self.assertEqual(alone["sets"]["synthetic"], {"openmax": beside_others})

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_is_what_its_definition_says(self):
        for directory, settings in ((self.softmax, (20, 10)), (self.softmax, (7, 2)), (self.extra_column, (20, 10))):
            with self.subTest(directory=directory.name, settings=settings):
                tail_size, alpha = settings
                # The training images as known test images: their logits, to which the score is fitted, are in the file.
                self.evaluate(directory, f"--data.known_test={self.shared}/train.h5", "--scores", "energy,openmax",
                              f"--eval.openmax.tail_size={tail_size}", f"--eval.openmax.alpha={alpha}")
                with h5py.File(directory / "scores.h5") as file:
                    self.assertNotIn("output", file["train_known"])
                    self.compare_with_definition(file, tail_size, alpha)

    def compare_with_definition(self, file, tail_size, alpha):
        known, unknown = file["known"], file["unknown/synthetic"]
        logits = [row[:3] for row in known["output"][...].astype("f8").tolist()]
        reference = Openmax(logits, known["label"][...].tolist(), tail_size, alpha)
        seen = set()
        for rows, scores in ((logits, known["score/openmax"]), (logits, file["train_known/score/openmax"]),
                             ([row[:3] for row in unknown["output"][...].astype("f8").tolist()],
                              unknown["score/openmax"])):
            self.assertEqual(len(rows), len(scores))
            for row, score in zip(rows, scores[...].tolist()):
                self.assertAlmostEqual(score, reference.score(row), places=9)
                seen.add(score)
        self.assertGreater(len(seen), 100)

    def test_fits_no_distances(self):
        self.evaluate(self.distances)
        self.assertNotIn("openmax", self.metrics(self.distances)["sets"]["synthetic"])

        run = self.evaluate(self.distances, "--scores", "openmax", code=2)

        self.assertIn("model.head.name = linear", run.stderr)

    def test_wrong_settings_are_refused(self):
        for word, told in (("--eval.openmax.tail_size=1", "2"), ("--eval.openmax.alpha=0", "1"),
                           ("--eval.openmax.distance=cosine", "eucos"), ("--eval.openmax.tailsize=20", "tail_size"),
                           ("--eval.openmax.alpha=2.5", "integer")):
            with self.subTest(word=word):
                run = self.evaluate(self.softmax, word, code=2)
                self.assertIn(word[2:].split("=")[0], run.stderr)
                self.assertIn(told, run.stderr)
        self.assertIn("openmax", self.evaluate(self.softmax, "--scores", "nonsense", code=2).stderr)
        self.assertIn("twice", self.evaluate(self.softmax, "--scores", "energy,energy", code=2).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[4:]
    unittest.main()
