"""scripts/results-cifar10 seen from outside, on a few made-up images in the form of the published files."""

import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT, BIN = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()


def write_records(path, classes, per_class, head):
    """Images of one colour and noise; `head` gives the label bytes of a class."""
    noise = random.Random(str(path.name))
    content = bytearray()
    for place in range(classes * per_class):
        label = place % classes
        content += bytes(head(label))
        for channel in range(3):
            level = 40 + 17 * ((label * (channel + 3)) % 11)
            content += bytes(level + noise.randrange(30) for _ in range(1024))
    path.write_bytes(content)


class ResultsCifar10(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        small, large = self.folder / "cifar-10-batches-bin", self.folder / "cifar-100-binary"
        small.mkdir()
        large.mkdir()
        write_records(small / "data_batch_1.bin", 10, 12, lambda label: [label])
        write_records(small / "test_batch.bin", 10, 6, lambda label: [label])
        write_records(large / "train.bin", 100, 1, lambda label: [label // 5, label])

    def results(self, *words, code=0):
        run = subprocess.run([SCRIPT, "--out", self.folder / "out", "--bin", BIN, *words], capture_output=True, text=True,
                             check=False, timeout=300)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_ends_with_a_row_of_mean_and_deviation_for_each_method(self):
        words = ("--data", self.folder, "--trials", "2", "--epochs", "2", "--only", "triplet", "--only", "energy")
        first = self.results(*words)
        again = self.results(*words)

        for method in ("triplet", "energy"):
            self.assertRegex(first.stdout, rf"(?m)^{method} .*0\.\d{{4}} ± 0\.\d{{4}}")
        self.assertNotIn("hsc", first.stdout)
        self.assertEqual(first.stdout, again.stdout)
        self.assertIn("trial 2 of 2", first.stderr)
        self.assertNotIn("trial", again.stderr)  # nothing was trained or evaluated again
        for option, value, key in (("--epochs", "3", "epochs = 2, not 3"), ("--depth", "16", "depth = 10, not 16"),
                                   ("--mode", "fast", "mode = strict, not fast")):
            self.assertIn(key, self.results(*words, option, value, code=2).stderr)
        split = (self.folder / "out" / "data" / "split-0.toml").read_text(encoding="utf-8")
        self.assertIn('"pickup_truck"', re.split(r"without", split)[1])

    def test_says_what_is_missing(self):
        self.assertIn("--data", self.results(code=2).stderr)
        self.assertIn("cifar-10-batches-bin", self.results("--data", self.folder / "absent", code=3).stderr)
        self.assertIn("data_batch_2.bin", self.results("--data", self.folder, "--batches", "2", code=3).stderr)
        self.assertIn("--list", self.results("--data", self.folder, "--only", "magic", code=2).stderr)
        self.assertIn("--help", self.results("--frobnicate", code=2).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
