"""Texts from raw files to metrics, seen from outside: imported, trained on, evaluated; ranks and kills change no bit."""

import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

DATA, TRAIN, EVAL, MPIRUN = sys.argv[1:5]

CONFIG = """
[data]
split = "{folder}/split.toml"
known_train = "{folder}/train.h5"
known_test = "{folder}/test.h5"
background_train = ["{folder}/background.h5"]
unknown_test = ["{folder}/unknown.h5"]
known = {{ batch = 16 }}
background = {{ batch = 8 }}
text = {{ words = 60, length = 12 }}

[model]
name = "gru"
vocabulary = 62
embedding = 6
units = 8
head = {{ name = "distance" }}

[loss]
name = "class_inclusion"
lambda = 1.0

[train]
epochs = 3
optimizer = "adam"
lr = 0.02
lr_min = 0.0
lr_changes = "every-epoch"
warmup_epochs = 0
weight_decay = 0.0
eval_batch = 16
eval_every = 0
save_every = 2
"""

TOPICS = {"boats": "keel mast sail rope wind wave harbour anchor".split(),
          "cooking": "salt oven bread knife onion butter flour soup".split()}
COMMON = "the and with from that this very into".split()
OTHERS = "asphalt brick tunnel girder crane cement".split()


def command(*words, code=0):
    run = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == code, (words, run.returncode, run.stderr)
    return run


def sentence(draw, words, count):
    return " ".join(draw.choice(words if draw.random() < 0.6 else COMMON) for _ in range(count))


class Text(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="bcr-text-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        draw = random.Random(7)
        for part, count in (("train", 60), ("test", 30)):
            for topic, words in TOPICS.items():
                (cls.folder / part / topic).mkdir(parents=True)
                for i in range(count):
                    text = sentence(draw, words, draw.randint(3, 20))
                    (cls.folder / part / topic / f"{i}.txt").write_text(text, encoding="utf-8")
            command(DATA, "import", "text-folder", cls.folder / part, "--name", f"topics {part}", "-o",
                    cls.folder / f"{part}.h5")
        for name, words in (("background", OTHERS + COMMON), ("unknown", OTHERS)):
            lines = [sentence(draw, words, draw.randint(2, 9)) for _ in range(50)]
            (cls.folder / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
            command(DATA, "import", "text-lines", cls.folder / f"{name}.txt", "--name", name, "-o",
                    cls.folder / f"{name}.h5")
        command(DATA, "split", "whole", "--data", cls.folder / "train.h5", "--background", cls.folder / "background.h5",
                "--unknown", cls.folder / "unknown.h5", "-o", cls.folder / "split.toml")
        cls.config = cls.folder / "run.toml"
        cls.config.write_text(CONFIG.format(folder=cls.folder), encoding="utf-8")
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
