"""Every hyper-parameter reaches the step it is for: what train.jsonl says against formulas written here.

usage: test_hyper_parameters.py BCR_DATA BCR_TRAIN
"""

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2]}
STEPS = 8  # of an epoch: about 240 known images in batches of 32


def rate(step, lr, lr_min, warmup, length):
    """Of step number `step`, counted from 1: linear up to lr in `warmup` steps, then half a cosine to lr_min."""
    if step <= warmup:
        return lr * step / warmup
    return lr_min + (lr - lr_min) * (1 + math.cos(math.pi * (step - warmup) / (length - warmup))) / 2


class HyperParameters(TinyRun):
    def steps(self, *more):
        out = self.folder / "run"
        self.train(out, "--train.log_every=1", "--train.eval_every=0", *more)
        lines = self.lines(out, "step")
        self.assertEqual(len(lines) % STEPS, 0)
        return lines

    def test_the_rate_warms_up_and_follows_the_cosine(self):
        lines = self.steps("--train.epochs=4", "--train.lr=0.08", "--train.lr_min=0.003", "--train.warmup_epochs=1")
        self.assertEqual(sorted(lines), list(range(1, 4 * STEPS + 1)))
        for step, line in lines.items():
            self.assertAlmostEqual(line["lr"], rate(step, 0.08, 0.003, STEPS, 4 * STEPS), delta=1e-14)
        self.assertAlmostEqual(lines[STEPS]["lr"], 0.08)
        self.assertAlmostEqual(lines[4 * STEPS]["lr"], 0.003)

    def test_schedule_epochs_stretches_the_cosine_beyond_the_run(self):
        lines = self.steps("--train.epochs=3", "--train.schedule_epochs=9", "--train.warmup_epochs=2")
        for step, line in lines.items():
            self.assertAlmostEqual(line["lr"], rate(step, 0.05, 1e-6, 2 * STEPS, 9 * STEPS), delta=1e-14)
        self.assertGreater(lines[3 * STEPS]["lr"], 0.045)

    def test_lambda_grows_to_what_was_given(self):
        lines = self.steps("--train.epochs=3", "--loss.lambda=0.6", "--loss.lambda_ramp=1.5")
        for step, line in lines.items():
            self.assertAlmostEqual(line["lambda"], 0.6 * min(1, (step - 1) / STEPS / 1.5), delta=1e-15)
            background = line["loss"]["background_known"] + line["loss"]["background_unknown"]
            self.assertAlmostEqual(line["loss"]["total"], line["loss"]["classification"] + line["lambda"] * background,
                                   delta=1e-12 * line["loss"]["total"])

    def test_the_published_lambda_holds_where_none_is_given(self):
        config = self.config.read_text(encoding="utf-8")
        changed = self.folder / "published.toml"
        changed.write_text(config.replace("lambda = 1.0", ""), encoding="utf-8")
        self.config = changed
        for line in self.steps("--train.epochs=2").values():
            self.assertEqual(line["lambda"], 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
