"""bcr-predict seen from outside: answers from a checkpoint alone, the same bits whatever the batch, errors as lines."""

import csv
import io
import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun, png  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "predict": sys.argv[3]}


class BcrPredict(TinyRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_directory = cls.shared / "run"
        cls.plain = cls.shared / "plain"
        for out, more in ((cls.run_directory, ["--data.validation=0.3"]), (cls.plain, ["--train.epochs=2"])):
            words = [cls.PROGRAMS["train"], "--config", str(cls.config), "--out", str(out), *more]
            subprocess.run(words, check=True, capture_output=True, timeout=120)
        cls.checkpoint = cls.shared / "alone.h5"  # nothing else of the run beside it
        shutil.copy(cls.run_directory / "checkpoint-latest.h5", cls.checkpoint)
        cls.pictures = cls.shared / "pictures"
        (cls.pictures / "below").mkdir(parents=True)
        for i in range(5):
            name = cls.pictures / ("below" if i == 4 else "") / f"{i}.png"
            name.write_bytes(png(8 + i, 8 + 2 * i, lambda x, y, i=i: ((37 * x + i) % 256, (53 * y) % 256, 40 * i)))

    def predict(self, *words, code=0, threads=1, given=None):
        run = subprocess.run([self.PROGRAMS["predict"], *map(str, words), f"--kokkos-num-threads={threads}"],
                             capture_output=True, text=True, check=False, timeout=120, input=given)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def rows(self, *words, **options):
        return list(csv.DictReader(io.StringIO(self.predict(*words, **options).stdout)))

    def test_answers_for_files_folders_lists_and_data_files_from_the_checkpoint_alone(self):
        rows = self.rows(self.checkpoint, self.pictures)
        listed = self.rows(self.checkpoint, "-", given="\n".join(row["path"] for row in rows))
        images = self.rows(self.checkpoint, self.shared / "test.h5")

        self.assertEqual([Path(row["path"]).name for row in rows], ["0.png", "1.png", "2.png", "3.png", "4.png"])
        self.assertEqual(listed, rows)
        self.assertEqual(len(images), 150)
        self.assertTrue(images[7]["path"].endswith("test.h5#7"))
        for row in rows + images:
            self.assertIn(row["label"], (row["guess"], "unknown"))
            self.assertNotEqual(row["second"], row["guess"])
            self.assertTrue(0 <= float(row["p_inclusion"]) <= 1 and 0 < float(row["p_value"]) <= 1)
            self.assertAlmostEqual(float(row["distance"]) ** 2, -float(row["score"]), delta=1e-5 * -float(row["score"]))
            self.assertEqual(row["error"], "")

    def test_rejects_by_its_rule(self):
        images = self.shared / "test.h5"
        for alpha in (0.05, 0.5):
            for row in self.rows(self.checkpoint, images, "--alpha", alpha):
                self.assertEqual(row["label"] == "unknown", float(row["p_value"]) <= alpha)
        for row in self.rows(self.checkpoint, images, "--rule", "inclusion"):
            self.assertEqual(row["label"] == "unknown", float(row["p_inclusion"]) < 0.5)
        for row in self.rows(self.checkpoint, images, "--threshold=-60"):
            self.assertEqual(row["label"] == "unknown", float(row["score"]) < -60)
        by_class = self.rows(self.checkpoint, images, "--rule", "class-conformal", "--alpha", 0.2)
        for row in by_class:
            self.assertEqual(row["label"] == "unknown", float(row["p_value"]) <= 0.2)
        self.assertGreater(len({row["p_value"] for row in by_class}), 1)
        self.assertNotIn("unknown", {row["label"] for row in self.rows(self.checkpoint, images, "--rule", "never")})
        for rule in ("recall", "conformal"):
            self.assertIn("95 %" if rule == "recall" else "5 %",
                          self.predict(self.checkpoint, "--rule", rule).stderr)

    def info(self, checkpoint):
        words = [self.PROGRAMS["data"], "info", str(checkpoint), "--json"]
        return json.loads(subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout)

    def test_thresholds_are_in_the_checkpoint(self):
        info = self.info(self.checkpoint)
        thresholds = {threshold["rule"]: threshold for threshold in info["thresholds"]}
        images = self.shared / "test.h5"

        self.assertEqual(len(info["classes"]), 3)
        self.assertLessEqual({"conformal", "inclusion", "recall"}, set(thresholds))
        for rule, threshold in thresholds.items():
            self.assertEqual(threshold["score"], "min_distance")
            self.assertEqual(threshold.get("alpha"), None if rule == "inclusion" else 0.05)
            self.assertEqual(len(threshold["values"]), 3 if rule == "class-conformal" else 1)
        for rule in ("conformal", "inclusion", "recall"):
            (value,) = thresholds[rule]["values"]
            for row in self.rows(self.checkpoint, images, "--rule", rule):
                self.assertEqual(row["label"] == "unknown", float(row["score"]) < value)
            self.assertIn(thresholds[rule]["found"], self.predict(self.checkpoint, "--rule", rule).stderr)
        self.assertIn(f"{info['validation_samples']} validation images", thresholds["conformal"]["found"])
        self.assertEqual([t["rule"] for t in self.info(self.plain / "checkpoint-latest.h5")["thresholds"]], ["inclusion"])
        lines = subprocess.run([self.PROGRAMS["data"], "info", str(self.checkpoint)], check=True, capture_output=True,
                               text=True, timeout=60).stdout
        self.assertIn("threshold   conformal: min_distance < ", lines)

    def test_a_run_without_validation_has_inclusion_alone(self):
        rows = self.rows(self.plain, self.pictures)

        self.assertEqual({row["p_value"] for row in rows}, {""})
        for row in rows:
            self.assertEqual(row["label"] == "unknown", float(row["p_inclusion"]) < 0.5)
        self.assertIn("data.validation", self.predict(self.plain, self.pictures, "--rule", "recall", code=2).stderr)

    def test_batches_order_and_threads_change_no_bit(self):
        images = self.shared / "test.h5"
        expected = self.predict(self.checkpoint, images, self.pictures).stdout

        self.assertEqual(self.predict(self.checkpoint, images, self.pictures, "--batch", 1).stdout, expected)
        self.assertEqual(self.predict(self.checkpoint, images, self.pictures, "--batch", 7, threads=2).stdout, expected)
        for workers in (1, 5):
            self.assertEqual(self.predict(self.checkpoint, images, self.pictures, "--workers", workers, "--batch", 3).stdout,
                             expected)
        other = self.predict(self.checkpoint, self.pictures, images, "--batch", 200, threads=3).stdout
        self.assertEqual(sorted(other.splitlines()), sorted(expected.splitlines()))

    def test_fast_mode_answers_the_same_within_its_rounding(self):
        images = self.shared / "test.h5"
        strict = self.rows(self.checkpoint, images, "--mode", "strict")
        fast = self.rows(self.checkpoint, images, "--mode", "fast")

        self.assertEqual(strict, self.rows(self.checkpoint, images))
        for one, other in zip(strict, fast):
            self.assertEqual(one["guess"], other["guess"])
            self.assertAlmostEqual(float(one["score"]), float(other["score"]), delta=1e-4 * abs(float(one["score"])))
        self.assertNotEqual([row["score"] for row in strict], [row["score"] for row in fast])
        self.predict(self.checkpoint, images, "--mode", "slow", code=2)

    def test_what_cannot_be_read_is_a_line_and_an_exit_code(self):
        whole = png(8, 8, lambda x, y: (x, y, 0))
        names = {"cut,off.png": whole[:-30], "text.jpg": b"no picture", "empty.png": b"", "no.h5": b"no data"}
        for name, content in names.items():
            (self.folder / name).write_bytes(content)
        (self.folder / "void").mkdir()
        (self.folder / "whole.png").write_bytes(whole)
        paths = [self.folder / name for name in [*names, "void", "absent.png", "whole.png"]]

        rows = self.rows(self.checkpoint, *paths, code=3)
        lines = [json.loads(line) for line in
                 self.predict(self.checkpoint, *paths, "--format", "jsonl", code=3).stdout.splitlines()]

        self.assertEqual([row["path"] for row in rows], [str(path) for path in paths])
        for row in rows[:-1]:
            self.assertTrue(row["error"] and not row["label"], row)
        self.assertTrue(rows[-1]["label"] and not rows[-1]["error"])
        self.assertEqual([line.get("error", "") for line in lines], [row["error"] for row in rows])
        self.assertEqual(repr(lines[-1]["score"]), repr(float(rows[-1]["score"])))
        self.assertEqual(self.rows(self.checkpoint, self.pictures / "1.png", "--fit", "exact", code=3)[0]["label"], "")

    def test_a_page_shows_every_picture(self):
        (self.folder / "text.jpg").write_bytes(b"no picture")
        paths = [self.pictures, self.shared / "test.h5", self.folder / "text.jpg"]
        rows = self.rows(self.checkpoint, *paths, code=3)
        page = self.predict(self.checkpoint, *paths, "--format", "page", code=3).stdout

        cards = page.split("<figure class=\"answer ")[1:]
        self.assertEqual(len(cards), len(rows))
        for card, row in zip(cards, rows):
            kind = "unreadable" if row["error"] else "unknown" if row["label"] == "unknown" else "known"
            self.assertTrue(card.startswith(kind), card)
            self.assertIn(row["path"], card)
            self.assertEqual("<img src=\"data:image/png;base64," in card, not row["error"])
            if row["label"]:
                self.assertIn(f"<b>{row['label']}</b>", card)
        self.assertIn(f"<b>{len(rows)}</b> pictures", page)
        self.assertTrue(page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n"))
        self.assertEqual([found for found in ("http:", "https:", "<script") if found in page], [])

    def test_pictures_become_what_they_became_at_import(self):
        photos = self.folder / "photos"
        for label in ("a", "b", "c", "d"):
            (photos / label).mkdir(parents=True)
            for i in range(6):
                (photos / label / f"{i}.png").write_bytes(
                    png(6 + 3 * i, 12, lambda x, y, i=i, c=ord(label): (c * x % 256, 31 * y % 256, 40 * i)))
        words = ["--config", self.config, "--train.epochs=2", "--data.validation=0.3", f"--data.split={self.folder}/s.toml",
                 f"--data.known_train={self.folder}/train.h5", f"--data.known_test={self.folder}/test.h5",
                 f"--data.background_train=['{self.folder}/train.h5']",
                 f"--data.unknown_test=['{self.folder}/test.h5']", "--out", self.folder / "run"]
        for part in ("train", "test"):
            self.data("import", "folder", photos, "--size", 8, "--fit", "letterbox", "--name", "photos", "-o",
                      self.folder / f"{part}.h5")
        self.data("split", "random", "--known", 2, "--background-classes", 1, "--data", self.folder / "train.h5", "-o", self.folder / "s.toml")
        subprocess.run([self.PROGRAMS["train"], *map(str, words)], check=True, capture_output=True, timeout=120)

        from_data = self.rows(self.folder / "run", self.folder / "train.h5")
        from_files = self.rows(self.folder / "run", photos)

        self.assertEqual([row["score"] for row in from_files], [row["score"] for row in from_data])
        self.assertIn("letterbox", self.predict(self.folder / "run").stderr)
        self.assertNotEqual([row["score"] for row in self.rows(self.folder / "run", photos, "--fit", "stretch")],
                            [row["score"] for row in from_data])

    def test_answers_what_a_pipe_has_before_it_ends(self):
        words = [self.PROGRAMS["predict"], str(self.checkpoint), "-", "--kokkos-num-threads=1"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as program:
            self.assertTrue(program.stdout.readline().startswith("path,"))
            for i in range(3):
                program.stdin.write(f"{self.pictures / str(i)}.png\n")
                program.stdin.flush()
                self.assertTrue(program.stdout.readline().startswith(str(self.pictures / str(i))))
            program.stdin.close()
            self.assertEqual(program.wait(timeout=60), 0)

    def test_refuses_what_is_no_checkpoint(self):
        damaged = bytearray(self.checkpoint.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        (self.folder / "damaged.h5").write_bytes(damaged)
        for path in (self.folder / "damaged.h5", self.folder, self.shared / "test.h5", self.folder / "absent.h5"):
            run = self.predict(path, self.pictures, code=3)
            self.assertEqual(run.stdout, "")
            self.assertIn(str(path), run.stderr)
        self.predict(self.checkpoint, self.pictures, "--alpha", 2, code=2)
        self.predict(self.checkpoint, self.pictures, "--rule", "recall", "--threshold", 1, code=2)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[4:]
    unittest.main()
