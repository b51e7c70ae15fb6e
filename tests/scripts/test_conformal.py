"""The promise of bcr-predict, kept: over 20 draws of the validation images, each with a training of its own, the mean share of
known images that are rejected is at most alpha, but for the scatter that 20 draws have."""

import csv
import io
import json
import math
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "predict": sys.argv[3]}
DRAWS, ALPHAS = 20, (0.05, 0.2)


class Conformal(TinyRun):
    def known_images(self):
        """Whether an image of many.h5 is of a known class: image i of a synthetic set is of class i mod 5."""
        with (self.shared / "split.toml").open("rb") as file:
            known = tomllib.load(file)["known"]["classes"]
        words = [self.PROGRAMS["data"], "info", "--json", str(self.shared / "many.h5")]
        info = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        return [info["classes"][i % 5]["name"] in known for i in range(info["shape"][0])]

    def test_at_most_alpha_of_known_images_is_rejected(self):
        self.make_set("many.h5", count=2000, seed=3)
        is_known = self.known_images()
        rejected = {alpha: [] for alpha in ALPHAS}
        for draw in range(DRAWS):
            out = self.folder / f"run-{draw}"
            self.train(out, "--seed", draw + 1, "--data.validation=0.5", "--train.epochs=2", "--log", "error")
            answers = subprocess.run([self.PROGRAMS["predict"], str(out), str(self.shared / "many.h5"), "--log", "error",
                                      "--kokkos-num-threads=1"], check=True, capture_output=True, text=True, timeout=120)
            rows = csv.DictReader(io.StringIO(answers.stdout))
            values = [float(row["p_value"]) for row, known in zip(rows, is_known, strict=True) if known]
            for alpha in ALPHAS:
                rejected[alpha].append(sum(value <= alpha for value in values) / len(values))
        for alpha, shares in rejected.items():
            mean = sum(shares) / DRAWS
            deviation = math.sqrt(sum((share - mean) ** 2 for share in shares) / (DRAWS - 1))
            print(f"alpha {alpha}: rejected {mean:.4f}, deviation of a draw {deviation:.4f}, "
                  f"from {min(shares):.4f} to {max(shares):.4f}", file=sys.stderr)
            self.assertLess(mean, alpha + 3 * deviation / math.sqrt(DRAWS))
            self.assertGreater(mean, alpha / 3)  # a rule that rejects nothing keeps every promise


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[4:]
    unittest.main()
