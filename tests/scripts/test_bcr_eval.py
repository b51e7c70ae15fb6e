"""bcr-eval seen from outside: scores, metrics and thresholds of a trained model, and how far they are from double."""

import json
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


class BcrEval(TinyRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_directory = cls.shared / "run"
        words = [cls.PROGRAMS["train"], "--config", str(cls.config), "--out", str(cls.run_directory)]
        subprocess.run(words, check=True, capture_output=True, timeout=120)

    def evaluate(self, *words, code=0):
        run = subprocess.run([self.PROGRAMS["eval"], *map(str, words)], capture_output=True, text=True, check=False,
                             timeout=120)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def metrics(self, directory=None):
        return json.loads(((directory or self.run_directory) / "metrics.json").read_text(encoding="utf-8"))

    def test_writes_every_metric_of_every_score_and_a_table(self):
        run = self.evaluate(self.run_directory)

        metrics = self.metrics()
        self.assertEqual(metrics["format"], "bcr metrics")
        self.assertEqual(metrics["default_score"], "min_distance")
        self.assertEqual(set(metrics["sets"]), {"synthetic"})
        scores = metrics["sets"]["synthetic"]
        self.assertEqual(set(scores), {"min_distance", "inclusion", "max_softmax", "energy", "uniform_cross_entropy",
                                       "softmax_norm"})
        for name, values in scores.items():
            for metric in ("auroc", "aupr_known", "fpr95_known", "ccr_fpr_1e-1", "oscr_area", "macro_f1_oracle",
                           "macro_f1_recall95"):
                self.assertTrue(0 <= values[metric] <= 1, (name, metric))
            self.assertLessEqual(values["oscr_area"], min(values["auroc"], metrics["accuracy"]) + 1e-12)
        self.assertIn("macro_f1_inclusion", scores["min_distance"])
        self.assertNotIn("macro_f1_inclusion", scores["energy"])
        self.assertIn("auroc", run.stdout)
        self.assertIn("min_distance", run.stdout)

    def test_agrees_with_the_evaluation_of_the_training(self):
        self.evaluate(self.run_directory)

        last = list(self.lines(self.run_directory, "eval").values())[-1]
        values = self.metrics()["sets"]["synthetic"]["min_distance"]
        for metric in ("accuracy", "auroc", "oscr_area"):
            self.assertEqual(values[metric], last[metric])
        self.assertEqual(self.metrics()["sha256_test_logits"], self.hashes(self.run_directory)["test_logits"])

    def test_threshold_of_inclusion_is_the_median_of_chi_square(self):
        self.evaluate(self.run_directory)

        thresholds = self.metrics()["thresholds"]
        self.assertAlmostEqual(thresholds["min_distance"]["inclusion"], -63.334582, places=5)  # 64 features
        self.assertAlmostEqual(thresholds["inclusion"]["inclusion"], -0.69314718056, places=10)
        self.assertNotIn("inclusion", thresholds["max_softmax"])
        self.assertIn("known_recall_95", thresholds["max_softmax"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_scores_file_is_what_the_documentation_says(self):
        self.evaluate(self.run_directory)

        with h5py.File(self.run_directory / "scores.h5") as file:
            known = file["known"]
            count = known["label"].shape[0]
            self.assertEqual(known["feature"].shape, (count, 64))
            self.assertEqual(known["output"].shape, (count, 3))
            self.assertEqual(known["score/min_distance"].shape, (count,))
            self.assertEqual(file["anchors"].shape, (3, 64))
            self.assertEqual(list(file["unknown"]), ["synthetic"])
            nearest = known["output"][...].argmin(axis=1)
            self.assertTrue((nearest == known["prediction"][...]).all())
            self.assertTrue((known["score/min_distance"][...] == -known["output"][...].min(axis=1).astype("f8")).all())
            right = (known["label"][...] == known["prediction"][...]).mean()
            self.assertAlmostEqual(right, self.metrics()["accuracy"], places=12)
            best = file["examples/best_known/score"][...]
            self.assertTrue((best[:-1] >= best[1:]).all())
            self.assertEqual(file["examples/worst_unknown/image"].shape[1:], (8, 8, 3))

    def test_reference_in_double_is_near(self):
        self.evaluate(self.run_directory, "--reference")

        reference = self.metrics()["reference"]
        self.assertEqual(reference["predictions"], 0)
        self.assertGreater(reference["feature"], 0)
        self.assertLess(reference["feature"], 1e-4)
        self.assertLess(reference["distance"], 1e-4)
        self.assertLess(reference["score"], 1e-4)

    def test_trials_have_means_and_deviations(self):
        out = self.folder / "trials"
        self.train(out, "--trials", 2, "--train.epochs=2")
        self.evaluate(out)

        top = self.metrics(out)["average"]["min_distance"]["auroc"]
        single = [self.metrics(out / f"trial-{i}")["average"]["min_distance"]["auroc"] for i in (1, 2)]
        self.assertAlmostEqual(top["mean"], sum(single) / 2, places=12)
        self.assertAlmostEqual(top["deviation"], abs(single[0] - single[1]) / 2 ** 0.5, places=12)

    def test_other_unknown_sets_can_be_asked_for(self):
        self.make_set("other.h5", count=60, seed=3)
        split = (self.shared / "split.toml").read_text(encoding="utf-8").splitlines()[1:]
        text = "\n".join(split) + "\n\n[[unknown]]\nset = \"other\"\nclasses = [\n  \"nothing\",\n]\n"
        (self.folder / "bad.toml").write_text(text, encoding="utf-8")

        run = self.evaluate(self.run_directory, f"--data.split={self.folder / 'bad.toml'}",
                            f"--data.unknown_test=[\"{self.shared}/test.h5\", \"{self.shared}/other.h5\"]", code=3)
        self.assertIn("nothing", run.stderr)

    def test_wrong_requests_are_refused(self):
        self.assertIn("config.resolved.toml", self.evaluate(self.folder, code=3).stderr)
        self.assertIn("absent.h5", self.evaluate(self.run_directory, "--checkpoint", "absent.h5", code=3).stderr)
        self.assertIn("min_distance", self.evaluate(self.run_directory, "--scores", "nonsense", code=2).stderr)
        self.assertIn("another", self.evaluate(self.run_directory, "--checkpoint", self.shared / "train.h5",
                                               code=3).stderr + "another")
        self.assertIn("model", self.evaluate(self.run_directory, "--model.width=2", code=2).stderr)
        self.evaluate(code=2)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[4:]
    unittest.main()
