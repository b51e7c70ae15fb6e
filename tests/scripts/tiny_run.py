"""A tiny open-set problem on disk and the programs that train on it, for the tests of bcr-train and bcr-eval."""

import json
import signal
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

CONFIG = """
[data]
split = "{folder}/split.toml"
known_train = "{folder}/train.h5"
known_test = "{folder}/test.h5"
background_train = ["{folder}/train.h5"]
unknown_test = ["{folder}/test.h5"]
known = {{ batch = 32, pad = 1 }}
background = {{ batch = 16, pad = 1 }}

[model]
depth = 10
width = 1
dropout = 0.1

[loss]
lambda = 1.0

[train]
epochs = 3
lr = 0.05
warmup_epochs = 1
eval_batch = 64
log_every = 4
"""


def png(width, height, pixel):
    """The bytes of an RGB picture; pixel(x, y) gives three numbers."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)),
              (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


class TinyRun(unittest.TestCase):
    """PROGRAMS = {"data": path, "train": path, "eval": path}; the subclass sets it before the tests run."""

    PROGRAMS = {}

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.shared = Path(holder.name)
        cls.make_set("train.h5", count=400, seed=1)
        cls.make_set("test.h5", count=150, seed=2)
        cls.data("split", "random", "--known", 3, "--background-classes", 1, "--data", cls.shared / "train.h5", "-o",
                 cls.shared / "split.toml")
        cls.config = cls.shared / "tiny.toml"
        cls.config.write_text(CONFIG.format(folder=cls.shared), encoding="utf-8")

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    @classmethod
    def data(cls, *words):
        subprocess.run([cls.PROGRAMS["data"], *map(str, words)], check=True, capture_output=True, timeout=60)

    @classmethod
    def make_set(cls, name, count, seed):
        cls.data("import", "synthetic", "--count", count, "--size", 8, "--seed", seed, "-o", cls.shared / name)

    def words(self, out, *more, threads=1):
        return [self.PROGRAMS["train"], "--config", str(self.config), "--out", str(out),
                f"--kokkos-num-threads={threads}", *map(str, more)]

    def train(self, out, *more, threads=1, code=0, **options):
        run = subprocess.run(self.words(out, *more, threads=threads), capture_output=True, text=True, check=False,
                             timeout=300, **options)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def start(self, out, *more):
        """In the background; whoever starts it kills it or waits for it."""
        process = subprocess.Popen(self.words(out, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()

    @staticmethod
    def hashes(out):
        return json.loads((Path(out) / "manifest.json").read_text(encoding="utf-8"))["sha256"]

    @staticmethod
    def lines(out, kind):
        """Of two lines with the same step the later one counts. Chains depend on the times in all lines before."""
        records = [json.loads(line) for line in (Path(out) / "train.jsonl").read_text(encoding="utf-8").splitlines()]
        for record in records:
            record.pop("chain", None)
        return {record["step"]: record for record in records if record["kind"] == kind}
