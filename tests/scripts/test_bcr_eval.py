"""bcr-eval seen from outside: scores, metrics and thresholds of a trained model, and how far they are from double."""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun, png  # noqa: E402

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
        run = subprocess.run([self.PROGRAMS["eval"], "--overwrite", *map(str, words)], capture_output=True, text=True,
                             check=False, timeout=120)
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
        self.assertEqual(set(scores), {"min_distance", "inclusion", "max_softmax", "energy", "gen",
                                       "uniform_cross_entropy", "softmax_norm"})
        for name, values in scores.items():
            for metric in ("auroc", "aupr_known", "fpr95_known", "ccr_fpr_1e-1", "oscr_area", "macro_f1_oracle",
                           "macro_f1_recall"):
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

        decisions = self.metrics()["decisions"]
        self.assertAlmostEqual(decisions["min_distance"]["inclusion"]["threshold"], -63.334582, places=5)  # 64 features
        self.assertAlmostEqual(decisions["inclusion"]["inclusion"]["threshold"], -0.69314718056, places=10)
        self.assertNotIn("inclusion", decisions["max_softmax"])
        self.assertIn("95 %", decisions["max_softmax"]["recall"]["found"])
        self.assertEqual(decisions["max_softmax"]["tau"]["threshold"], 0.5)
        self.assertNotIn("given", decisions["min_distance"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_decisions_are_what_their_thresholds_say(self):
        self.evaluate(self.run_directory, "--eval.recall=0.8", "--eval.threshold=-50")

        metrics = self.metrics()
        with h5py.File(self.run_directory / "scores.h5") as file:
            for score, rules in metrics["decisions"].items():
                for rule, decision in rules.items():
                    for group in (file["known"], file["unknown/synthetic"]):
                        accepted = group[f"score/{score}"][...] >= decision["threshold"]
                        answer = group[f"decision/{score}.{rule}"][...]
                        self.assertTrue((answer == [p if a else 3 for p, a in zip(group["prediction"], accepted)]).all())
            train = file["train_known/score/min_distance"][...]
            threshold = metrics["decisions"]["min_distance"]["recall"]["threshold"]
            self.assertGreaterEqual((train >= threshold).mean(), 0.8)
            self.assertLess((train > threshold).mean(), 0.8)
            self.assertEqual(metrics["decisions"]["min_distance"]["given"]["threshold"], -50)
            truth = list(file["known/label"]) + [3] * file["unknown/synthetic/prediction"].shape[0]
            given = list(file["known/decision/min_distance.given"]) + list(file["unknown/synthetic/decision/min_distance.given"])
        f1 = []
        for c in range(4):
            hits = sum(t == c and a == c for t, a in zip(truth, given))
            both = truth.count(c) + given.count(c)
            f1.append(2 * hits / both if both else 0)
        found = metrics["sets"]["synthetic"]["min_distance"]["macro_f1_given"]
        self.assertAlmostEqual(found, sum(f1) / 4, places=12)

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_all_scores_of_a_distance_head_are_fitted_and_kept(self):
        self.evaluate(self.run_directory, "--scores", "all")

        scores = set(self.metrics()["sets"]["synthetic"])
        self.assertLessEqual({"knn", "mahalanobis", "relative_mahalanobis", "fdbd", "react"}, scores)
        self.assertFalse({"vim", "openmax", "aosr"} & scores)
        with h5py.File(self.run_directory / "fitted.h5") as file:
            self.assertEqual(file["knn/bank"].shape[1], 64)
            self.assertEqual(file.attrs["weights_sha256"].decode() if isinstance(file.attrs["weights_sha256"], bytes)
                             else file.attrs["weights_sha256"], self.metrics()["from"]["weights_sha256"])

    def test_a_ladder_vae_is_trained_and_decides_by_its_own_rules(self):
        words = ["--model.name=lvae", "--model.width=1", "--model.layers=1", "--model.units=4", "--model.dropout=0",
                 "--model.head.name=linear", "--loss.name=cgdl", "--data.mean=[0.5,0.5,0.5]", "--data.std=[0.5,0.5,0.5]",
                 "--train.optimizer=adam", "--train.lr=0.005", "--train.epochs=8"]
        for name, threads in (("run", 1), ("again", 2)):
            self.train(self.folder / name, *words, threads=threads)
            self.evaluate(self.folder / name, "--scores", "cgdl,max_softmax,odin", f"--kokkos-num-threads={threads}")

        metrics = self.metrics(self.folder / "run")
        again = self.metrics(self.folder / "again")
        self.assertEqual(metrics["from"]["weights_sha256"], again["from"]["weights_sha256"])
        self.assertEqual(metrics["sets"], again["sets"])
        scores = metrics["sets"]["synthetic"]
        self.assertEqual(set(scores), {"cgdl", "max_softmax", "odin"})
        self.assertTrue(0 <= scores["cgdl"]["macro_f1_own"] <= 1)
        self.assertNotEqual(scores["odin"]["auroc"], scores["max_softmax"]["auroc"])
        steps = [json.loads(line) for line in (self.folder / "run" / "train.jsonl").read_text().splitlines()]
        losses = [step["loss"]["total"] for step in steps if step["kind"] == "epoch"]
        self.assertLess(losses[-1], losses[0], losses)

    def test_c2ae_keeps_its_classifier_and_decides_by_its_own_threshold(self):
        for name, count, seed in (("train.h5", 200, 1), ("test.h5", 90, 2)):  # which 16 divides
            self.data("import", "synthetic", "--count", count, "--size", 16, "--seed", seed, "-o", self.folder / name)
        files = [f"--data.known_train={self.folder / 'train.h5'}", f"--data.known_test={self.folder / 'test.h5'}",
                 f"--data.background_train=[\"{self.folder / 'train.h5'}\"]",
                 f"--data.unknown_test=[\"{self.folder / 'test.h5'}\"]"]
        self.train(self.folder / "softmax", *files, "--model.head.name=linear", "--loss.name=none", "--train.epochs=2")
        words = [*files, "--model.head.name=linear", "--model.decoder.name=conditioned", "--model.decoder.width=1",
                 "--loss.name=c2ae", f"--train.start_from={self.folder / 'softmax'}", "--train.learned=[\"decoder\"]",
                 "--train.optimizer=adam", "--train.lr=0.003", "--train.epochs=6", "--data.known.flip=never",
                 "--data.known.pad=0"]
        for name, threads in (("run", 1), ("again", 2)):
            self.train(self.folder / name, *words, threads=threads)
            self.evaluate(self.folder / name, "--scores", "c2ae,max_softmax", f"--kokkos-num-threads={threads}")
        self.evaluate(self.folder / "softmax", "--scores", "max_softmax")

        first, metrics, again = (self.metrics(self.folder / name) for name in ("softmax", "run", "again"))
        self.assertEqual(metrics["sha256_test_logits"], first["sha256_test_logits"])
        self.assertEqual(metrics["from"]["weights_sha256"], again["from"]["weights_sha256"])
        self.assertEqual(metrics["sets"], again["sets"])
        self.assertTrue(0 <= metrics["sets"]["synthetic"]["c2ae"]["macro_f1_own"] <= 1)
        self.assertLessEqual({"c2ae", "decoded_images", "network"}, set(metrics["seconds"]))
        manifest = json.loads((self.folder / "run" / "manifest.json").read_text(encoding="utf-8"))
        self.assertIn(first["from"]["weights_sha256"], json.dumps(manifest))
        steps = [json.loads(line) for line in (self.folder / "run" / "train.jsonl").read_text().splitlines()]
        losses = [step["loss"] for step in steps if step["kind"] == "epoch"]
        self.assertLess(losses[-1]["match"], losses[0]["match"], losses)
        self.assertAlmostEqual(losses[-1]["classification"], losses[0]["classification"], places=5)

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

    def split_with(self, name, more):
        """The split of the run and another unknown set."""
        split = (self.shared / "split.toml").read_text(encoding="utf-8").splitlines()[1:]
        (self.folder / name).write_text("\n".join(split) + "\n\n" + more, encoding="utf-8")
        return f"--data.split={self.folder / name}"

    def test_other_unknown_sets_can_be_asked_for(self):
        self.make_set("other.h5", count=60, seed=3)
        classes = re.search(r"\[\[unknown\]\].*?classes = \[(.*?)\]", (self.shared / "split.toml").read_text(),
                            re.DOTALL).group(1)
        files = f"--data.unknown_test=[\"{self.shared}/test.h5\", \"{self.shared}/other.h5\"]"
        out = self.folder / "run"
        shutil.copytree(self.run_directory, out)
        self.evaluate(out)
        alone = self.metrics(out)
        two = self.split_with("two.toml", f'[[unknown]]\nset = "other"\nclasses = [{classes}]\n')
        run = self.evaluate(out, files, two)

        both = self.metrics(out)
        self.assertEqual(set(both["sets"]), {"synthetic", "other"})
        self.assertEqual(both["sets"]["synthetic"], alone["sets"]["synthetic"])
        values = [scores["min_distance"]["auroc"] for scores in both["sets"].values()]
        self.assertNotEqual(values[0], values[1])
        self.assertAlmostEqual(both["average"]["min_distance"]["auroc"], sum(values) / 2, places=12)
        self.assertRegex(run.stdout, r"(?m)^other +\d")
        self.assertNotEqual(both["from"]["split_hash"], alone["from"]["split_hash"])

        absent = self.split_with("bad.toml", '[[unknown]]\nset = "other"\nclasses = [\n  "nothing",\n]\n')
        self.assertIn("nothing", self.evaluate(out, absent, files, code=3).stderr)

    def test_metrics_say_what_they_were_made_from(self):
        self.evaluate(self.run_directory)

        source = self.metrics()["from"]
        manifest = json.loads((self.run_directory / "manifest.json").read_text(encoding="utf-8"))
        self.assertEqual((source["checkpoint"], source["step"]), ("checkpoint-latest.h5", 24))
        self.assertEqual(source["weights_sha256"], manifest["sha256"]["final_weights"])
        self.assertEqual(source["split_hash"], manifest["split"]["hash"])
        self.assertEqual(source["data_sha256"], {side: entry["sha256"] for side, entry in manifest["data"].items()})

    def test_a_split_without_unknown_classes_has_an_accuracy(self):
        text = (self.shared / "split.toml").read_text(encoding="utf-8")
        text = re.sub(r"\[\[unknown\]\].*?(?=\n\[|\Z)", "", "\n".join(text.splitlines()[1:]), flags=re.DOTALL)
        (self.folder / "known.toml").write_text(text, encoding="utf-8")
        out = self.folder / "trials"
        self.train(out, "--trials", 2, "--train.epochs=2", f"--data.split={self.folder / 'known.toml'}",
                   "--data.unknown_test=[]")
        run = self.evaluate(out)

        top = self.metrics(out)["average"]["min_distance"]
        single = [self.metrics(out / f"trial-{i}")["accuracy"] for i in (1, 2)]
        self.assertAlmostEqual(top["accuracy"]["mean"], sum(single) / 2, places=12)
        self.assertNotIn("auroc", top)
        self.assertRegex(run.stdout, r"(?m)^accuracy +0\.\d{4} \+- 0\.\d{4}$")

    def test_an_unfinished_trial_is_told(self):
        out = self.folder / "trials"
        self.train(out, "--trials", 2, "--train.epochs=2", "--train.checkpoint_every=1")
        self.assertNotIn("not finished", self.evaluate(out).stderr)
        shutil.copy(out / "trial-2" / "checkpoint-0001.h5", out / "trial-2" / "checkpoint-latest.h5")

        self.assertRegex(self.evaluate(out).stderr, "trial-2 is not finished: step 8 of 16")
        shutil.rmtree(out / "trial-2")
        alone = self.evaluate(out).stdout
        self.assertIn("1 trial, ", alone)
        self.assertNotIn("+-", alone)  # undefined

    def test_an_evaluation_stays_unless_told_otherwise(self):
        run = self.folder / "run"
        shutil.copytree(self.run_directory, run)
        self.evaluate(run)
        files = {name: (run / name).read_bytes() for name in ("metrics.json", "scores.h5")}

        again = subprocess.run([self.PROGRAMS["eval"], run, "--eval.recall=0.5"], capture_output=True, text=True,
                               check=False, timeout=120)
        self.assertEqual(again.returncode, 2)
        self.assertIn("--overwrite", again.stderr)
        self.evaluate(run, "--eval.recall=0.5", "--out", self.folder / "half")
        self.assertEqual({name: (run / name).read_bytes() for name in files}, files)
        self.assertIn("50 %", self.metrics(self.folder / "half")["decisions"]["min_distance"]["recall"]["found"])
        self.assertTrue((self.folder / "half" / "scores.h5").exists())
        self.evaluate(run, "--eval.recall=0.5")  # with --overwrite
        self.assertNotEqual((run / "metrics.json").read_bytes(), files["metrics.json"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_file_names_go_from_import_to_scores(self):
        folder = self.folder / "pictures"
        for name, seed in (("cat", 1), ("dog", 2)):
            (folder / name).mkdir(parents=True)
            for i in range(12):
                (folder / name / f"{i:02}.png").write_bytes(png(8, 8, lambda x, y, i=i: (seed * 90, 9 * x, 7 * y + i)))
        self.data("import", "folder", folder, "--size", 8, "--name", "pets", "-o", self.folder / "pets.h5")
        self.data("split", "whole", "--data", self.folder / "pets.h5", "--unknown", self.shared / "test.h5", "-o",
                  self.folder / "pets.toml")
        file = self.folder / "pets.h5"
        self.train(self.folder / "run", f"--data.split={self.folder / 'pets.toml'}", f"--data.known_train={file}",
                   f"--data.known_test={file}", "--data.background_train=[]", "--data.known.batch=8",
                   "--data.validation=0.5", "--train.epochs=2", "--loss.name=none")
        self.evaluate(self.folder / "run")

        with h5py.File(self.folder / "run" / "scores.h5") as scores:
            self.assertEqual([name.decode() for name in scores["known/file"]],
                             [f"pictures/{name}/{i:02}.png" for name in ("cat", "dog") for i in range(12)])
            self.assertEqual(len(scores["validation/file"]), 12)
            self.assertNotIn("file", scores["unknown/synthetic"])

    def test_wrong_requests_are_refused(self):
        self.assertIn("config.resolved.toml", self.evaluate(self.folder, code=3).stderr)
        self.assertIn("absent.h5", self.evaluate(self.run_directory, "--checkpoint", "absent.h5", code=3).stderr)
        self.assertIn("min_distance", self.evaluate(self.run_directory, "--scores", "nonsense", code=2).stderr)
        self.assertIn("expected bcr checkpoint",
                      self.evaluate(self.run_directory, "--checkpoint", self.shared / "train.h5", code=3).stderr)
        self.assertIn("model", self.evaluate(self.run_directory, "--model.width=2", code=2).stderr)
        self.evaluate(code=2)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[4:]
    unittest.main()
