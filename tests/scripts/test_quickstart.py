"""scripts/quickstart seen from outside: the chain import, split, train, evaluate, report, at a size of seconds; or,
with BCR_QUICKSTART_IMAGES, one epoch of the real Fashion-MNIST."""

import gzip
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
import unittest
from pathlib import Path

SCRIPT, BIN = Path(sys.argv[1]), Path(sys.argv[2])
REAL = os.environ.get("BCR_QUICKSTART_IMAGES")
METHODS = ("softmax", "vanilla-distance", "class-inclusion")
SIDE = 12
EPOCHS = "1" if REAL else "10"


def write_idx(path, shape, content):
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape) + bytes(content))


def write_images(folder, part, per_class, seed):
    """Noisy stripes of five widths, lying or standing: ten classes that survive shifts and mirrors."""
    noise = random.Random(seed)
    labels = [place % 10 for place in range(10 * per_class)]
    pixels = bytearray()
    for label in labels:
        width, standing = 1 + label % 5, label >= 5
        for row in range(SIDE):
            places = range(SIDE) if standing else [row] * SIDE
            pixels += bytes(noise.randrange(60) + 190 * (place // width % 2) for place in places)
    write_idx(folder / f"{part}-images-idx3-ubyte.gz", (len(labels), SIDE, SIDE), pixels)
    write_idx(folder / f"{part}-labels-idx1-ubyte.gz", (len(labels),), labels)


@unittest.skipIf(REAL and not Path(REAL).is_dir(), f"there is no {REAL}")
class Quickstart(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.images = Path(REAL) if REAL else self.folder / "images"
        if not REAL:
            self.images.mkdir()
            write_images(self.images, "train", per_class=100, seed=1)
            write_images(self.images, "t10k", per_class=10, seed=2)
        self.out = self.folder / "out"

    def words(self, *more):
        return [SCRIPT, "--bin", BIN, "--images", self.images, "--out", self.out, "--threads", "1", *more]

    def quickstart(self, *more, code=0):
        run = subprocess.run([*map(str, self.words(*more))], capture_output=True, text=True, check=False, timeout=1500)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def weights(self):
        manifests = [self.out / "runs" / method / "manifest.json" for method in METHODS]
        return [json.loads(path.read_text(encoding="utf-8"))["sha256"]["final_weights"] for path in manifests]

    def test_ends_with_the_table_and_the_page(self):
        run = self.quickstart("--epochs", EPOCHS)

        lines = run.stdout.strip().splitlines()
        page = Path(lines[-1]) if lines[-1].startswith("/") else self.out / lines[-1]
        self.assertEqual(page.resolve(), (self.out / "report.html").resolve())
        html = page.read_text(encoding="utf-8")
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', html), [])
        for column in ("accuracy", "AUROC", "OSCR area"):
            self.assertIn(column, lines[0])
        for method in METHODS:
            self.assertTrue(any(line.startswith(method) for line in lines), (method, run.stdout))
            metrics = json.loads((self.out / "runs" / method / "metrics.json").read_text(encoding="utf-8"))
            self.assertGreater(metrics["accuracy"], 0.5)
            self.assertIn(method, html)
        plots = list((self.out / "report").glob("*.svg"))
        self.assertGreater(len(plots), 10)
        for headline in ("training 1 of 3", "training 3 of 3", "report"):
            self.assertIn(headline, run.stderr)

    @unittest.skipIf(REAL, "at the small size only")
    def test_goes_on_after_an_interruption_and_ends_in_the_same_bits(self):
        self.quickstart("--epochs", EPOCHS)
        undisturbed = self.weights()
        self.out = self.folder / "disturbed"
        process = subprocess.Popen([*map(str, self.words("--epochs", EPOCHS))], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        second_training = self.out / "runs" / METHODS[1] / "train.jsonl"
        while process.poll() is None and not second_training.exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGTERM)
        self.assertNotEqual(process.wait(60), 0)
        self.assertFalse((self.out / "report.html").exists())
        self.quickstart("--epochs", EPOCHS)

        self.assertEqual(self.weights(), undisturbed)

    @unittest.skipIf(REAL, "at the small size only")
    def test_says_what_is_wrong(self):
        for arguments, code, word in (
                (("--epochs", "none"), 2, "--epochs"), (("--frobnicate",), 2, "--help"), (("--out",), 2, "value"),
                (("--bin", str(self.folder)), 3, "bcr-data"), (("--images", "/absent"), 3, "--images")):
            with self.subTest(arguments=arguments):
                self.assertIn(word, self.quickstart(*arguments, code=code).stderr)
        self.quickstart("--epochs", "1")
        self.assertIn("--epochs 1", self.quickstart("--epochs", "2", code=2).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
