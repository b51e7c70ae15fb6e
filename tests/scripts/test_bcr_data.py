"""bcr-data seen from outside: what a user or a job script sees, also when it is killed."""

import gzip
import hashlib
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import png  # noqa: E402

PROGRAM = sys.argv.pop(1)
PUBLISHED = Path(__file__).resolve().parents[2] / "io/splits/published.toml"


def bcr_data(*arguments):
    words = [PROGRAM, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)


class BcrData(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.out = self.folder / "set.h5"

    def idx(self, count=3, side=2):
        """A pair of gzipped IDX files; pixels count up, labels run over the ten classes."""
        images = struct.pack(">IIII", 0x803, count, side, side) + bytes(i % 256 for i in range(count * side * side))
        labels = struct.pack(">II", 0x801, count) + bytes(i % 10 for i in range(count))
        paths = [self.folder / "images.gz", self.folder / "labels.gz"]
        for path, content in zip(paths, (images, labels)):
            path.write_bytes(gzip.compress(content))
        return paths

    def fails(self, code, *arguments):
        run = bcr_data(*arguments)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        return run.stderr

    def test_imports_prints_the_hash_and_says_what_is_in_the_file(self):
        run = bcr_data("import", "idx", *self.idx(), "--out", self.out, "--name", "tiny", "--licence", "CC0")
        self.assertEqual(run.returncode, 0, run.stderr)
        sha256, path = run.stdout.split()
        self.assertEqual(path, str(self.out))

        info = json.loads(bcr_data("info", self.out, "--json").stdout)
        self.assertEqual(info["sha256"], sha256)
        self.assertEqual(info["shape"], [3, 2, 2, 1])
        self.assertEqual(info["name"], "tiny")
        self.assertEqual(info["licence"], "CC0")
        self.assertEqual([c["images"] for c in info["classes"]], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])

        self.assertEqual(bcr_data("verify", self.out).stdout, f"ok   {sha256}  {self.out}\n")

    def test_preview_is_a_png_file(self):
        bcr_data("import", "synthetic", "--count", 10, "--size", 8, "--out", self.out)
        sheet = self.folder / "sheet.png"
        run = bcr_data("info", self.out, "--preview", sheet)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sheet.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_wrong_usage_has_exit_code_2(self):
        self.assertIn("cifar10", self.fails(2, "import", "nonsense", self.folder, "--out", self.out))
        self.assertIn("--part", self.fails(2, "import", "cifar10", self.folder, "--out", self.out))
        self.assertIn("--size", self.fails(2, "import", "synthetic", "--size", 5000, "--out", self.out))
        self.fails(2, "import", "idx")
        self.fails(2, "frobnicate")
        self.assertFalse(self.out.exists())

    def test_bad_data_have_exit_code_3_and_leave_no_file(self):
        images, labels = self.idx()
        images.write_bytes(images.read_bytes()[:-1])
        self.assertIn("images.gz", self.fails(3, "import", "idx", images, labels, "--out", self.out))
        self.fails(3, "import", "idx", self.folder / "absent", labels, "--out", self.out)
        self.fails(3, "info", images)
        self.assertFalse(self.out.exists())
        self.assertIn("absent", self.fails(3, "import", "synthetic", "--count", 1, "--out", self.folder / "absent/x.h5"))

    def texts(self, *rows, **options):
        """A table of texts, and the run of its import."""
        table = self.folder / "set.csv"
        table.write_bytes(b"\n".join([b"text,label", *rows]))
        return bcr_data("import", "text-csv", table, "--out", self.out, "--name", "tiny", *options.get("more", ()))

    def test_texts_are_imported_described_and_verified(self):
        run = self.texts(b"a wren sings,birds", b"\"A jet, a jet\",aircraft")
        self.assertEqual(run.returncode, 0, run.stderr)
        sha256 = run.stdout.split()[0]

        info = json.loads(bcr_data("info", self.out, "--json", "--vocabulary-size", 2).stdout)
        self.assertEqual(info["sha256"], sha256)
        self.assertEqual((info["documents"], info["tokens"], info["words"]), (2, 7, 5))
        self.assertEqual([(c["name"], c["documents"]) for c in info["classes"]], [("aircraft", 1), ("birds", 1)])
        self.assertEqual((info["lengths"]["shortest"], info["lengths"]["longest"]), (3, 4))
        self.assertAlmostEqual(info["unknown"]["share"], 3 / 7)  # "a" and one of the words that occur once are known
        self.assertEqual([s["text"] for s in info["samples"]], ["a <unk> a jet", "a <unk> <unk>"])
        self.assertIn("unknown  0.00 %", bcr_data("info", self.out).stdout)
        self.assertEqual(bcr_data("verify", self.out).stdout, f"ok   {sha256}  {self.out}\n")

        split = self.folder / "s.toml"
        run = bcr_data("split", "random", "--known", 1, "--data", self.out, "-o", split)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("tiny", split.read_text())

    def test_bad_texts_have_exit_code_3_and_say_where(self):
        for rows, more, place in [((b"caf\xe9,a",), (), "set.csv, line 2"), ((b",a",), (), "set.csv, line 2"),
                                  ((b"x,a",), ("--classes", "a,b"), "class b")]:
            run = self.texts(*rows, more=more)
            self.assertEqual(run.returncode, 3, run.stderr)
            self.assertIn(place, run.stderr)
            self.assertEqual(len(run.stderr.strip().splitlines()), 1)
            self.assertFalse(self.out.exists())
        self.fails(3, "info", self.folder / "set.csv")

    def photos(self):
        """Two classes with 10 and 5 pictures, of which one is damaged, and a file that is none."""
        folder = self.folder / "photos"
        for label, count in (("cat", 10), ("dog", 5)):
            (folder / label).mkdir(parents=True)
            for i in range(count):
                (folder / label / f"{i}.png").write_bytes(png(4 + i, 9, lambda x, y, i=i: (20 * x, 25 * y, 10 * i)))
        (folder / "cat" / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n, and no more")
        (folder / "dog" / "phone.heic").write_bytes(b"ftypheic")
        return folder

    def test_pictures_that_cannot_be_read_are_left_out_and_told_of(self):
        words = ("import", "folder", self.photos(), "--size", 8, "--out", self.out)
        report = self.folder / "skipped.csv"

        self.assertIn("--skip-at-most", self.fails(3, *words, "--skip-at-most", 0.05, "--skipped", report))
        self.assertFalse(self.out.exists())
        run = bcr_data(*words, "--skip-at-most", 0.1)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("14 images", run.stderr)
        lines = report.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "file,reason")
        self.assertIn("phone.heic,no picture by its name", lines[1])
        self.assertIn("3.png", lines[2])
        self.assertIn("phone.heic", run.stderr)

    def test_held_out_pictures_are_in_a_file_of_their_own(self):
        folder = self.photos()
        words = ("import", "folder", folder, "--size", 8, "--skip-at-most", 0.1, "--hold-out", 0.2, "--out", self.out)
        self.assertEqual(bcr_data(*words).returncode, 0)
        infos = [json.loads(bcr_data("info", "--json", self.folder / f"set-{part}.h5").stdout)
                 for part in ("train", "test")]

        self.assertEqual([[c["images"] for c in info["classes"]] for info in infos], [[7, 4], [2, 1]])
        self.assertEqual({info["fit"] for info in infos}, {"area-crop"})
        self.fails(2, *words[:-2], "--hold-out", 1.5, "--out", self.out)

    def test_pictures_become_what_was_asked_for(self):
        shas = set()
        for fit in ("area-crop", "centre-crop", "letterbox", "stretch"):
            words = ("import", "folder", self.photos() if not shas else self.folder / "photos", "--size", 8, "--fit", fit,
                     "--skip-at-most", 0.1, "--colours", "grey", "--out", self.out)
            run = bcr_data(*words)
            self.assertEqual(run.returncode, 0, run.stderr)
            shas.add(run.stdout.split()[0])
            info = json.loads(bcr_data("info", "--json", self.out).stdout)
            self.assertEqual((info["fit"], info["shape"]), (fit, [14, 8, 8, 1]))
        self.assertEqual(len(shas), 4)
        self.assertIn("letterbox", self.fails(2, "import", "folder", self.folder, "--fit", "crop", "--out", self.out))

    def test_help_and_refusal_name_the_words_an_option_takes(self):
        self.assertIn("--part train|test|all", bcr_data("import", "--help").stdout)
        self.assertIn("--labels fine|coarse", bcr_data("import", "--help").stdout)
        wrong = self.fails(2, "import", "cifar100", self.folder, "--labels", "medium", "--out", self.out)
        self.assertIn("--labels: expected fine|coarse, received 'medium'", wrong)

    def digits(self, name="digits.h5"):
        """A data file of 20 images in the ten classes 0 to 9, and its path."""
        path = self.folder / name
        run = bcr_data("import", "idx", *self.idx(count=20), "--out", path, "--name", "mnist")
        self.assertEqual(run.returncode, 0, run.stderr)
        return path

    def split(self, *arguments):
        """The split that bcr-data wrote, as read by Python, after looking at its hash in every way."""
        path = self.folder / "split.toml"
        run = bcr_data("split", *arguments, "--out", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = path.read_text()
        first, rest = text.split("\n", 1)
        digest = hashlib.sha256(rest.encode()).hexdigest()
        self.assertEqual(first, f'hash = "{digest}"')
        self.assertEqual(run.stdout, f"{digest}  {path}\n")
        return tomllib.loads(text)

    def test_split_list_names_every_published_split(self):
        run = bcr_data("split", "--list")
        self.assertEqual(run.returncode, 0, run.stderr)
        published = tomllib.loads(PUBLISHED.read_text())["splits"]
        for name in (*published, "random", "whole"):
            self.assertRegex(run.stdout, rf"(?m)^{re.escape(name)} ")

    def test_published_split_has_the_classes_of_its_list(self):
        published = tomllib.loads(PUBLISHED.read_text())["splits"]["mnist"]
        split = self.split("mnist", "--trial", 2, "--data", self.digits())
        self.assertEqual((split["name"], split["trial"]), ("mnist", 2))
        known = split["known"]["classes"]
        self.assertEqual(known, [str(digit) for digit in published["known"][2]])
        self.assertEqual(sorted(known + split["unknown"][0]["classes"]), [str(digit) for digit in range(10)])
        self.assertNotIn("background", split)

    def test_random_split_is_a_function_of_seed_and_trial(self):
        data = self.digits()

        def draw(seed, trial):
            return self.split("random", "--known", 4, "--background-classes", 3, "--seed", seed, "--trial", trial,
                              "--data", data)

        split = draw(1, 0)
        sides = [split["known"]["classes"], split["background"][0]["classes"], split["unknown"][0]["classes"]]
        self.assertEqual([len(side) for side in sides], [4, 3, 3])
        self.assertEqual(sorted(sum(sides, [])), [str(digit) for digit in range(10)])
        self.assertEqual(draw(1, 0), split)
        self.assertNotEqual(draw(1, 1)["known"], split["known"])
        self.assertNotEqual(draw(2, 0)["known"], split["known"])

    def test_background_that_shares_a_class_is_refused_and_no_file_is_written(self):
        data, path = self.digits(), self.folder / "split.toml"
        wrong = self.fails(2, "split", "mnist", "--data", data, "--background", data, "--out", path)
        self.assertIn("'0'", wrong)
        self.assertFalse(path.exists())

    def test_split_that_is_not_there_is_refused_with_the_names_of_those_that_are(self):
        path = self.folder / "split.toml"
        wrong = self.fails(2, "split", "mnits", "--data", self.digits(), "--out", path)
        self.assertIn("mnist", wrong)
        self.fails(2, "split", "mnist", "--trial", 99, "--data", self.digits(), "--out", path)
        self.fails(2, "split", "mnist", "--out", path)
        self.fails(3, "split", "mnist", "--data", self.folder / "absent.h5", "--out", path)
        self.assertFalse(path.exists())

    def test_verify_looks_at_every_file(self):
        bcr_data("import", "idx", *self.idx(), "--out", self.out)
        bad = self.folder / "bad.h5"
        bad.write_bytes(self.out.read_bytes()[:-8])
        run = bcr_data("verify", bad, self.out)
        self.assertEqual(run.returncode, 3)
        self.assertIn(f"BAD  {bad}\nok   ", run.stdout)

    def test_a_killed_import_leaves_no_half_file(self):
        self.out.write_bytes(b"the old file")
        seen = set()
        for attempt in range(12):
            arguments = ["import", "synthetic", "--count", "4000", "--size", "16", "--out", str(self.out)]
            program = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Half of the attempts are killed while the temporary file stands beside the target.
            while attempt % 2 and program.poll() is None and not list(self.folder.glob(".set.h5.*")):
                time.sleep(0.0005)
            if attempt % 2 == 0:
                time.sleep(random.Random(attempt).uniform(0, 0.3))
            os.kill(program.pid, signal.SIGKILL)
            seen.add(program.wait())
            if self.out.read_bytes() != b"the old file":
                self.assertEqual(bcr_data("verify", self.out).returncode, 0)
                self.out.write_bytes(b"the old file")
        self.assertIn(-signal.SIGKILL, seen)


if __name__ == "__main__":
    unittest.main()
