"""No result is silently about something else than it says: forged data, changed splits, exchanged files are refused."""

import json
import os
import random
import shutil
import struct
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from forgery import forge_chunk, forge_json  # noqa: E402
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "eval": sys.argv[3], "verify": sys.argv[4]}
OLD_DATA = Path(__file__).resolve().parents[1] / "data" / "images_v1.h5"


class Trust(TinyRun):
    """Digits of 8 x 8 noise, whose pixels the tests know."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pixels = cls.make_digits("train.h5", count=200, seed=1)
        cls.make_digits("test.h5", count=100, seed=2)
        cls.split("split.toml", trial=0)
        cls.original = (cls.shared / "train.h5").read_bytes()

    @classmethod
    def make_digits(cls, name, count, seed):
        chance = random.Random(seed)
        pixels = chance.randbytes(count * 64)
        images, labels = cls.shared / "images", cls.shared / "labels"
        images.write_bytes(struct.pack(">IIII", 0x803, count, 8, 8) + pixels)
        labels.write_bytes(struct.pack(">II", 0x801, count) + bytes(i % 5 for i in range(count)))
        cls.data("import", "idx", images, labels, "--classes", 5, "--name", "digits", "-o", cls.shared / name)
        return pixels

    @classmethod
    def split(cls, name, trial):
        cls.data("split", "random", "--known", 3, "--background-classes", 1, "--trial", trial, "--data",
                 cls.shared / "train.h5", "-o", cls.shared / name)

    def setUp(self):
        super().setUp()
        (self.shared / "train.h5").write_bytes(self.original)
        self.split("split.toml", trial=0)

    def trained(self):
        out = self.shared / "trained"
        if not out.exists():
            self.train(out, "--train.epochs=2")
        copy = self.folder / "run"
        shutil.copytree(out, copy)
        return copy

    def evaluate(self, *words, code=0):
        run = subprocess.run([self.PROGRAMS["eval"], "--overwrite", *map(str, words)], capture_output=True, text=True,
                             check=False, timeout=120)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stderr

    def refused_everywhere(self, run, file):
        """By training, resuming, evaluating and verifying, with one sentence that names the file."""
        commands = {"train": self.words(self.folder / "new"), "resume": self.words(run, "--resume", "auto"),
                    "eval": [self.PROGRAMS["eval"], str(run), "--overwrite"], "verify": [self.PROGRAMS["data"], "verify", str(file)]}
        for name, command in commands.items():
            with self.subTest(command=name):
                done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
                self.assertEqual(done.returncode, 3, done.stderr)
                said = [line for line in done.stderr.splitlines() if "the content that was written" in line]
                self.assertEqual(len(said), 1, done.stderr)
                self.assertIn(str(file), said[0])
        self.assertFalse((self.folder / "new" / "checkpoint-latest.h5").exists())

    def test_inverted_pixels_are_refused(self):
        run, file = self.trained(), self.shared / "train.h5"
        forge_chunk(file, self.pixels, bytes(255 - pixel for pixel in self.pixels))
        self.refused_everywhere(run, file)

    def test_reversed_class_names_are_refused(self):
        run, file = self.trained(), self.shared / "train.h5"
        forge_chunk(file, b"01234", b"43210")
        self.refused_everywhere(run, file)

    def test_a_changed_split_is_refused_by_an_evaluation(self):
        run = self.trained()
        self.split("split.toml", trial=1)
        self.assertIn("known classes", self.evaluate(run, code=2))
        self.split("other.toml", trial=1)
        self.split("split.toml", trial=0)
        self.evaluate(run)
        self.assertIn("known classes", self.evaluate(run, f"--data.split={self.shared}/other.toml", code=2))

    def test_other_background_or_unknown_classes_are_refused_unless_asked_for(self):
        run = self.trained()
        lines = (self.shared / "split.toml").read_text(encoding="utf-8").splitlines()[1:]
        text = "\n".join(lines) + "\n"
        background = text[text.index("[[background]]"):text.index("[[unknown]]")]
        unknown = text[text.index("[[unknown]]"):]
        (self.shared / "split.toml").write_text(text.replace(unknown, ""), encoding="utf-8")
        self.assertIn("unknown classes", self.evaluate(run, "--data.unknown_test=[]", code=2))
        self.evaluate(run, "--data.unknown_test=[]", f"--data.split={self.shared}/split.toml")
        (self.shared / "split.toml").write_text(text.replace(background, ""), encoding="utf-8")
        said = self.evaluate(run, "--data.background_train=[]", f"--data.split={self.shared}/split.toml", code=2)
        self.assertIn("background classes", said)

    def test_an_evaluation_wants_the_data_and_normalisation_of_the_training(self):
        run = self.trained()
        self.make_digits("other.h5", count=120, seed=9)
        other = self.shared / "other.h5"
        self.assertIn("SHA-256 of data.known_train", self.evaluate(run, f"--data.known_train={other}", code=2))
        self.assertIn("SHA-256 of data.background",
                      self.evaluate(run, f'--data.background_train=["{other}"]', code=2))
        self.assertIn("normalisation", self.evaluate(run, "--data.mean=[0.25]", code=2))
        self.assertIn("loss.name", self.evaluate(run, "--loss.name=none", code=2))
        self.assertIn("SHA-256 of data.known_test has changed", self.evaluate(run, f"--data.known_test={other}"))
        self.evaluate(run, f'--data.unknown_test=["{other}"]')
        test = self.shared / "test.h5"
        before = test.read_bytes()
        shutil.copy(other, test)  # nobody asked for it
        self.addCleanup(test.write_bytes, before)
        self.assertIn("SHA-256 of data.known_test", self.evaluate(run, code=2))

    def test_a_setting_that_is_left_out_is_told(self):
        out = self.folder / "run"
        self.train(out, "--train.epochs=2", "--train.anchor_weight_decay=0.001")
        told = self.train(out, "--train.epochs=3", "--resume", "auto").stderr
        self.assertIn("train.anchor_weight_decay has changed: was 0.001, is nothing", told)

    def test_old_data_files_are_verified_with_a_warning(self):
        file = self.folder / "old.h5"
        shutil.copy(OLD_DATA, file)
        self.data("split", "random", "--known", 2, "--background-classes", 1, "--data", file, "-o",
                  self.folder / "split.toml")
        words = [f"--data.{key}={file}" for key in ("known_train", "known_test")]
        words += [f'--data.{key}=["{file}"]' for key in ("background_train", "unknown_test")]
        words += [f"--data.split={self.folder}/split.toml", "--data.known.batch=2", "--data.background.batch=1"]
        said = self.train(self.folder / "run", *words, "--dry-run").stderr
        self.assertEqual(said.count("old.h5 is of version 1"), 1, said)
        content = bytearray(file.read_bytes())
        place = content.index(b"\xff\xff\xff\xff") if b"\xff\xff\xff\xff" in content[1000:2000] else 1200
        content[place] ^= 1
        file.write_bytes(content)
        self.train(self.folder / "run", *words, "--dry-run", code=3)

    def test_the_newest_whole_checkpoint_is_taken_and_the_damaged_one_named(self):
        run = self.trained()
        latest = run / "checkpoint-latest.h5"
        content = bytearray(latest.read_bytes())
        content[len(content) // 2] ^= 0x55
        latest.unlink()
        latest.write_bytes(content)
        said = self.train(run, "--train.epochs=2", "--resume", "auto").stderr
        self.assertIn(f"{latest} is passed over", said)
        self.assertRegex(said, "continues at step 4 from .*checkpoint-previous.h5")
        self.assertEqual(self.hashes(run), self.hashes(self.shared / "trained"))

    def test_all_checkpoints_that_are_passed_over_are_named(self):
        run = self.folder / "run"
        self.train(run, "--train.epochs=3", "--train.checkpoint_every=1")
        steps = sorted(path.name for path in run.glob("checkpoint-0*.h5"))
        damaged = ["checkpoint-latest.h5", "checkpoint-previous.h5", steps[-1]]
        for name in damaged:
            content = bytearray((run / name).read_bytes())
            content[len(content) // 2] ^= 0x55
            (run / name).unlink()
            (run / name).write_bytes(content)
        said = self.train(run, "--train.epochs=3", "--resume", "auto").stderr
        for name in damaged:
            self.assertIn(f"{run / name} is passed over", said)
        self.assertRegex(said, f"continues at step .* from .*{steps[-2]}")

    def test_a_latest_checkpoint_that_is_gone_does_not_begin_the_run_anew(self):
        run = self.trained()
        (run / "checkpoint-latest.h5").unlink()
        said = self.train(run, "--train.epochs=2", "--resume", "auto").stderr
        self.assertIn("checkpoint-latest.h5 is not there", said)
        self.assertRegex(said, "continues at step 4 from .*checkpoint-previous.h5")
        self.assertEqual(self.hashes(run), self.hashes(self.shared / "trained"))

    @unittest.skipUnless("BCR_TEST_SLOW_DISK" in os.environ, "needs the library that makes a disk lie")
    def test_a_checkpoint_that_the_disk_changed_takes_no_place(self):
        """Each checkpoint is synced before it is read back, and once more before it gets its name: the third sync of this
        name is of the second checkpoint, whose reading back must find it."""
        expected = self.hashes(self.trained())
        run = self.folder / "damaged"
        disk = {"LD_PRELOAD": os.environ["BCR_TEST_SLOW_DISK"], "BCR_TEST_DAMAGE_NAME": "checkpoint-latest",
                "BCR_TEST_DAMAGE_AT": "3", "ASAN_OPTIONS": "verify_asan_link_order=0"}
        done = self.train(run, "--train.epochs=2", code=3, env={**os.environ, **disk})
        self.assertIn("checkpoint-latest", done.stderr)
        self.verify(run)
        said = self.train(run, "--train.epochs=2", "--resume", "auto").stderr
        self.assertNotIn("passed over", said)
        self.assertRegex(said, "continues at step [0-9]+ from .*checkpoint-latest.h5")
        self.assertEqual(self.hashes(run), expected)

    def verify(self, run, code=0):
        done = subprocess.run([self.PROGRAMS["verify"], str(run)], capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return [line for line in done.stdout.splitlines() if not line.startswith("ok")]

    def test_a_run_agrees_with_itself_and_forgeries_are_found(self):
        run = self.trained()
        self.evaluate(run)
        self.assertEqual(self.verify(run), [])

        def forged(name, change):
            """What is said of a run with one file changed, which is then put back."""
            path = run / name if isinstance(name, str) else name
            before = path.read_bytes()
            path.unlink()  # the previous checkpoint may be the same file
            path.write_bytes(change(before))
            said = "\n".join(self.verify(run, code=3))
            path.write_bytes(before)
            return said

        other = self.folder / "other"
        self.train(other, "--train.epochs=2", "--seed", 2)
        self.evaluate(other)

        def exchanged(name):
            return forged(name, lambda _: (other / name).read_bytes())

        self.assertIn("names the weights of checkpoint-latest.h5", exchanged("checkpoint-latest.h5"))
        self.assertIn("is of the same run: seed", exchanged("checkpoint-previous.h5"))
        self.assertIn("names the seed", exchanged("manifest.json"))
        self.assertIn("were made from the weights", exchanged("metrics.json"))
        self.assertIn("scores.h5  were made from", exchanged("scores.h5"))
        self.assertIn("is the configuration", exchanged("config.resolved.toml"))
        self.assertIn("train.jsonl:2] expected the line that was written", forged("train.jsonl", lambda text: text.replace(b'"loss"', b'"lass"', 1)))
        self.assertIn("metrics.json", forged("metrics.json", lambda text: text.replace(b'"accuracy": 0.', b'"accuracy": 1.', 1)))
        self.make_digits("other.h5", count=200, seed=77)
        self.assertIn("is what the run was made with",
                      forged(self.shared / "train.h5", lambda _: (self.shared / "other.h5").read_bytes()))
        self.assertEqual(self.verify(run), [])

    def test_metrics_that_do_not_follow_from_the_scores_are_found(self):
        run = self.trained()
        self.evaluate(run)
        score = json.loads((run / "metrics.json").read_text(encoding="utf-8"))["default_score"]

        def better(tree):
            next(iter(tree["sets"].values()))[score]["auroc"] += 0.05

        def as_average(tree):
            tree["average"][score]["auroc"] += 0.05

        def lenient(tree):
            tree["decisions"][score]["recall"]["threshold"] -= 1e9

        def invented(tree):
            tree["average"]["best_score"] = tree["average"][score]

        def other_logits(tree):
            tree["sha256_test_logits"] = "1" * 64

        before = (run / "metrics.json").read_bytes()
        for change, words in ((better, "does not follow from scores.h5: sets."), (as_average, f"average.{score}.auroc"),
                              (lenient, f"decision {score}.recall is not"), (invented, "average.best_score"),
                              (other_logits, "names the digest of the outputs")):
            with self.subTest(change=change.__name__):
                forge_json(run / "metrics.json", change)
                self.assertIn(words, "\n".join(self.verify(run, code=3)))
                (run / "metrics.json").write_bytes(before)
        self.assertEqual(self.verify(run), [])

    def test_scores_and_splits_of_another_evaluation_are_found(self):
        run = self.trained()
        self.evaluate(run)
        split = json.loads((run / "metrics.json").read_text(encoding="utf-8"))["from"]["split_hash"]
        self.make_digits("other.h5", count=120, seed=9)
        other = self.folder / "other"
        self.evaluate(run, "--out", other, f'--data.unknown_test=["{self.shared}/other.h5"]')
        shutil.copy(other / "scores.h5", run / "scores.h5")  # of the same checkpoint, on other unknown samples
        self.assertIn("does not follow from scores.h5: sets.", "\n".join(self.verify(run, code=3)))

        # Unknown classes that are easier to tell, under the hash of the split of the training.
        self.data("import", "idx", self.shared / "images", self.shared / "labels", "--classes", 5, "--name", "letters",
                  "-o", self.folder / "letters.h5")
        text = "\n".join((self.shared / "split.toml").read_text(encoding="utf-8").splitlines()[1:]) + "\n"
        place = text.index("[[unknown]]")
        (self.folder / "mine.toml").write_text(text[:place] + text[place:].replace("digits", "letters"), encoding="utf-8")
        self.evaluate(run, f"--data.split={self.folder}/mine.toml", f'--data.unknown_test=["{self.folder}/letters.h5"]')
        self.assertIn("other unknown classes were asked for", "\n".join(self.verify(run)))
        forge_json(run / "metrics.json", lambda tree: tree["from"].update(split_hash=split))
        self.assertIn("letters: expected an unknown set of the split, digits", "\n".join(self.verify(run, code=3)))

    def test_a_split_that_has_changed_since_is_found(self):
        run = self.trained()
        self.split("split.toml", trial=1)
        self.assertIn("split.toml  (split) is what the run was made with: expected", "\n".join(self.verify(run, code=3)))


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[5:]
    unittest.main()
