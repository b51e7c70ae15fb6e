"""Texts from raw files to metrics, seen from outside: imported, trained on, evaluated; ranks and kills change no bit."""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_text import COMMON, TOPICS, command, make_text_problem  # noqa: E402

DATA, TRAIN, EVAL, MPIRUN = sys.argv[1:5]


class Text(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="bcr-text-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.config = make_text_problem(cls.folder, DATA)
        cls.once = cls.folder / "once"
        command(TRAIN, "--config", cls.config, "--out", cls.once)

    def manifest(self, run):
        return json.loads((run / "manifest.json").read_text(encoding="utf-8"))

    def weights(self, run):
        return self.manifest(run)["sha256"]["final_weights"]

    def test_a_run_carries_its_vocabulary(self):
        words = (self.once / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
        self.assertEqual(self.manifest(self.once)["data"]["vocabulary"]["words"], len(words))
        self.assertTrue(set(words) <= set(COMMON) | set(sum(TOPICS.values(), [])))

    def test_training_learns_and_evaluation_agrees_with_it(self):
        run = command(EVAL, self.once)
        metrics = json.loads((self.once / "metrics.json").read_text(encoding="utf-8"))
        self.assertGreater(metrics["accuracy"], 0.8)
        self.assertIn("auroc", run.stdout)
        self.assertIn("unknown", metrics["sets"])

    def test_the_log_counts_tokens(self):
        lines = (self.once / "train.jsonl").read_text(encoding="utf-8").splitlines()
        epochs = [record for record in map(json.loads, lines) if record["kind"] == "epoch"]
        self.assertEqual(len(epochs), 3)
        for epoch in epochs:  # messages of 3 to 12 tokens (20 before they are cut), sentences of 2 to 9
            mean = epoch["tokens_per_second"] / epoch["images_per_second"]
            self.assertTrue(4 < mean < 12, mean)

    def test_evaluation_may_read_longer_documents(self):
        copy = self.folder / "longer"
        shutil.copytree(self.once, copy)
        command(EVAL, copy, "--data.text.longest=30", "--data.text.unknown_width=length")

    @unittest.skipIf(MPIRUN == "none", "this build has no MPI")
    def test_the_number_of_ranks_changes_no_bit(self):
        for ranks in (1, 2, 4):
            out = self.folder / f"ranks-{ranks}"
            command(MPIRUN, "-n", ranks, TRAIN, "--config", self.config, "--train.shards=4", "--out", out)
        self.assertEqual(self.weights(self.folder / "ranks-1"), self.weights(self.folder / "ranks-2"))
        self.assertEqual(self.weights(self.folder / "ranks-1"), self.weights(self.folder / "ranks-4"))

    def test_a_killed_run_that_is_resumed_ends_in_the_same_bits(self):
        out = self.folder / "killed"
        words = [str(w) for w in (TRAIN, "--config", self.config, "--train.epochs=3", "--out", out)]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (out / "checkpoint-latest.h5").exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if self.manifest(out)["sha256"].get("final_weights") is None:
            command(*words, "--resume", "auto")
        self.assertEqual(self.weights(out), self.weights(self.once))

    def test_images_and_texts_do_not_go_together(self):
        said = command(TRAIN, "--config", self.config, "--model.name=resnet18", "--out", self.folder / "no", code=2)
        self.assertIn("gru", said.stderr)
        said = command(TRAIN, "--config", self.config, "--model.vocabulary=10", "--out", self.folder / "no", code=2)
        self.assertIn("model.vocabulary", said.stderr)

    def test_another_vocabulary_is_not_resumed(self):
        copy = self.folder / "other"
        shutil.copytree(self.once, copy)
        said = command(TRAIN, "--config", self.config, "--data.text.words=20", "--train.epochs=4", "--out", copy,
                       "--resume", "auto", code=2)
        self.assertIn("data.text.words", said.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
