"""bcr-predict on several ranks, seen from outside: rank 0 answers, with the same bytes as a single process."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun, png  # noqa: E402

if sys.argv[4] == "none":
    print("SKIPPED: this build has no MPI")
    sys.exit(77)
TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "predict": os.environ["BCR_PREDICT"]}
MPIRUN = sys.argv[4]


class PredictRanks(TinyRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_directory = cls.shared / "run"
        subprocess.run([cls.PROGRAMS["train"], "--config", str(cls.config), "--out", str(cls.run_directory),
                        "--data.validation=0.3", "--train.epochs=2"], check=True, capture_output=True, timeout=120)

    def predict(self, *words, ranks=None, code=0):
        launcher = [] if ranks is None else [MPIRUN, "-n", str(ranks)]
        run = subprocess.run([*launcher, self.PROGRAMS["predict"], *map(str, words)], capture_output=True, text=True,
                             check=False, timeout=120)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout

    def test_ranks_change_no_bit(self):
        images = self.shared / "test.h5"
        (self.folder / "picture.png").write_bytes(png(11, 9, lambda x, y: (20 * x, 25 * y, 7 * x * y % 256)))
        words = [self.run_directory, images, self.folder / "picture.png"]
        expected = self.predict(*words)

        self.assertEqual(len(expected.splitlines()), 152)
        for ranks in (1, 2, 3):
            self.assertEqual(self.predict(*words, ranks=ranks), expected)
        self.assertEqual(self.predict(*words, "--batch", 7, "--workers", 3, ranks=2), expected)

    def test_an_error_is_the_exit_code_of_all(self):
        self.predict(self.run_directory, self.folder / "absent.png", ranks=2, code=3)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[5:]
    unittest.main()
