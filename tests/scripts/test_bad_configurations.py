"""Configurations that cannot work: bcr-train names the fault, says what it wants instead, and writes nothing."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2]}
CONFIGS = Path(__file__).resolve().parents[2] / "configs"

# (arguments, exit code, words that the message must have)
CASES = [
    # Wrong keys, types and ranges.
    (["--train.epoch=3"], 2, ["train.epoch", "train.epochs"]),
    (["--trian.epochs=3"], 2, ["trian"]),
    (["--loss.inclusion.term=both"], 2, ["loss.inclusion.terms"]),
    (["--train.epochs=many"], 2, ["train.epochs", "integer"]),
    (["--train.epochs=0"], 2, ["train.epochs", "1"]),
    (["--train.epochs=1.5"], 2, ["train.epochs", "integer"]),
    (["--train.lr=-0.1"], 2, ["train.lr", "> 0"]),
    (["--train.lr=fast"], 2, ["train.lr", "number"]),
    (["--train.lr=nan"], 2, ["train.lr"]),
    (["--train.momentum=1.0"], 2, ["train.momentum", "[0, 1)"]),
    (["--train.weight_decay=-1"], 2, ["train.weight_decay"]),
    (["--train.optimizer=rmsprop"], 2, ["train.optimizer", "adam"]),
    (["--train.log_every=0"], 2, ["train.log_every"]),
    (["--model.name=lenet"], 2, ["model.name", "resnet18"]),
    (["--model.dropout=1.5"], 2, ["model.dropout"]),
    (["--model.head.name=cosine"], 2, ["model.head.name", "distance", "linear"]),
    (["--loss.name=focal"], 2, ["loss.name", "class_inclusion"]),
    (["--loss.lambda=-1"], 2, ["loss.lambda"]),
    (["--data.known.batch=0"], 2, ["data.known.batch"]),
    (["--data.known.flip=often"], 2, ["data.known.flip", "half"]),
    (["--data.std=[0.0, 1.0, 1.0]"], 2, ["data.std"]),
    (["--eval.openmax.tail_size=1"], 2, ["eval.openmax.tail_size", "2"]),
    (["--eval.openmax.distance=cosine"], 2, ["eval.openmax.distance", "eucos"]),
    (["--seed", "minus one"], 2, ["--seed"]),
    (["--mode", "exact"], 2, ["--mode", "strict"]),
    (["--fast.precision=half"], 2, ["fast.precision", "bf16"]),
    (["--mode", "strict", "--fast.precision=bf16"], 2, ["fast.precision = bf16", "mode = fast", "strict"]),
    (["--trials", "0"], 2, ["--trials"]),
    (["--frobnicate"], 2, ["--frobnicate"]),
    # Combinations.
    (["--train.warmup_epochs=3"], 2, ["train.warmup_epochs", "shorten"]),
    (["--train.shards=0"], 2, ["train.shards"]),
    (["--train.shards=17"], 2, ["train.shards", "at most", "16"]),
    (["--train.batch_norm=rank"], 2, ["train.batch_norm", "shard", "global"]),
    (["--train.shards=2", "--loss.name=triplet"], 2, ["triplet", "data.last_batch = drop", "32 and 16"]),
    (["--train.lr_min=0.5"], 2, ["train.lr_min", "train.lr"]),
    (["--train.schedule_epochs=2"], 2, ["train.schedule_epochs"]),
    (["--model.depth=11"], 2, ["model.depth", "10, 16, 22"]),
    (["--loss.name=energy"], 2, ["loss.name = energy", "model.head.name = linear"]),
    (["--model.head.name=linear"], 2, ["class_inclusion", "model.head.name = distance"]),
    (["--loss.name=energy", "--model.head.name=linear", "--loss.energy.m_in=-3"], 2, ["loss.energy.m_in", "m_out"]),
    (["--data.last_batch=drop", "--data.known.batch=1000"], 2, ["1000 known images"]),
    (["--data.mean=[0.5]"], 2, ["data.mean", "3 numbers"]),
    (["--data.background_train=[]"], 2, ["data.background_train", "1 data files"]),
    (["--data.unknown_test=[]"], 2, ["data.unknown_test"]),
    (["--resume", "auto", "--data.split="], 2, ["data.split"]),
    (["--trials", "2", "--resume", "x.h5"], 2, ["--resume", "auto"]),
    # Files.
    (["--config", "{folder}/absent.toml"], 2, ["absent.toml"]),
    (["--config", "{folder}/broken.toml"], 2, ["broken.toml"]),
    (["--data.split={folder}/absent.toml"], 2, ["absent.toml"]),
    (["--data.split={folder}/edited.toml"], 3, ["edited.toml", "hash"]),
    (["--data.split={folder}/overlap.toml"], 2, ["known"]),
    (["--data.split={folder}/empty.toml"], 2, ["empty.toml", "at least one class"]),
    (["--data.split={folder}/stranger.toml"], 3, ["no such class", "{shared}/train.h5"]),
    (["--data.split={folder}"], 2, ["{folder}"]),
    (["--data.known_train={folder}/absent.h5"], 3, ["absent.h5"]),
    (["--data.known_train={folder}/short.h5"], 3, ["short.h5"]),
    (["--data.background_train=[\"{folder}/larger.h5\"]"], 3, ["larger.h5", "8"]),
    (["--data.known_train={config}"], 3, ["tiny.toml"]),
    (["--resume", "{folder}/absent.h5"], 3, ["absent.h5"]),
    (["--resume", "{shared}/train.h5"], 3, ["train.h5", "bcr checkpoint"]),
]


class BadConfigurations(TinyRun):
    def setUp(self):
        super().setUp()
        (self.folder / "broken.toml").write_text("[train\nepochs = 3\n", encoding="utf-8")
        split = (self.shared / "split.toml").read_text(encoding="utf-8")
        (self.folder / "edited.toml").write_text(split.replace("trial = 0", "trial = 1"), encoding="utf-8")
        known = split.split("[known]")[1].split("[[")[0]
        classes = known.split("classes")[1]
        changed = split[:split.index("[[unknown]]")] + "[[unknown]]\nset = \"synthetic\"\nclasses" + classes
        (self.folder / "overlap.toml").write_text("\n".join(changed.splitlines()[1:]), encoding="utf-8")
        without_hash = split[split.index("\n") + 1:]
        (self.folder / "empty.toml").write_text(without_hash.replace(classes, " = []\n", 1), encoding="utf-8")
        stranger = without_hash.replace(classes, " = [\"no such class\"]\n", 1)
        (self.folder / "stranger.toml").write_text(stranger, encoding="utf-8")
        content = (self.shared / "train.h5").read_bytes()
        (self.folder / "short.h5").write_bytes(content[:len(content) // 2])
        self.data("import", "synthetic", "--count", 50, "--size", 12, "-o", self.folder / "larger.h5")

    def test_each_is_refused_with_a_helpful_sentence(self):
        self.assertGreaterEqual(len(CASES), 30)
        for number, (arguments, code, words) in enumerate(CASES):
            with self.subTest(arguments=arguments):
                names = {"folder": self.folder, "shared": self.shared, "config": self.config}
                filled = [word.format(**names) if "{" in word else word for word in arguments]
                out = self.folder / f"run{number}"
                run = self.train(out, *filled, code=code)
                for word in words:
                    self.assertIn(word.format(**names) if "{" in word else word, run.stderr)
                self.assertFalse((out / "checkpoint-latest.h5").exists())

    def test_loss_with_background_term_needs_background(self):
        split = self.folder / "alone.toml"
        self.data("split", "random", "--known", 3, "--background-classes", 0, "--data", self.shared / "train.h5", "-o",
                  split)
        run = self.train(self.folder / "run", f"--data.split={split}", "--data.background_train=[]", code=2)
        self.assertIn("loss.name = none", run.stderr)

    def test_directory_of_another_run_is_refused(self):
        out = self.folder / "run"
        self.train(out, "--train.epochs=2")
        run = self.train(out, "--train.epochs=2", code=2)
        self.assertIn("--resume auto", run.stderr)

    def test_checkpoint_of_another_run_is_refused(self):
        out = self.folder / "run"
        self.train(out, "--train.epochs=2")
        fewer_classes = self.folder / "two.toml"  # anchors of another number
        self.data("split", "random", "--known", 2, "--background-classes", 1, "--data", self.shared / "train.h5", "-o",
                  fewer_classes)
        cases = [(["--model.width=2"], "model"), ([f"--data.split={fewer_classes}"], "model"),
                 (["--seed", "9"], "seed"), (["--mode", "fast"], "mode"),
                 (["--model.head.name=linear", "--loss.name=none"], "model"), (["--train.optimizer=adam"], "optimizer")]
        for arguments, word in cases:
            with self.subTest(arguments=arguments):
                run = self.train(out, "--train.epochs=3", "--resume", "auto", *arguments, code=2)
                self.assertIn(word, run.stderr)
                self.assertIn("checkpoint-latest.h5", run.stderr)

    def test_out_below_a_file_is_refused(self):
        self.assertIn("tiny.toml", self.train(self.config / "run", code=3).stderr)

    def test_missing_out_is_told(self):
        self.assertIn("--out", self.train("", code=2).stderr)


class PublishedConfigurations(TinyRun):
    def test_all_are_understood_and_consistent(self):
        files = sorted(CONFIGS.glob("*.toml"))
        methods = [path for path in files if path.name.startswith("method-")]
        experiments = [path for path in files if path not in methods]
        self.assertGreater(len(experiments), 15)
        for experiment in experiments:
            with self.subTest(experiment=experiment.name):
                self.config = experiment
                self.train("", "--print-config")
        for method in methods:
            with self.subTest(method=method.name):
                self.config = CONFIGS / "setting1-cifar10.toml"
                self.train("", "--config", method, "--print-config")


class Templates(TinyRun):
    def test_are_configurations_with_comments(self):
        run = self.train_words("--template", "own-images")
        self.config = self.folder / "own-images.toml"
        self.config.write_text(run.stdout, encoding="utf-8")
        self.assertGreater(run.stdout.count("#"), 10)
        self.assertIn("class_inclusion", self.train_words("--config", self.config, "--print-config").stdout)
        self.assertIn("own-images", self.train_words("--template", "own", code=2).stderr)

    def train_words(self, *words, code=0):
        run = subprocess.run([self.PROGRAMS["train"], *map(str, words)], capture_output=True, text=True, check=False,
                             timeout=60)
        self.assertEqual(run.returncode, code, run.stderr)
        return run


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
