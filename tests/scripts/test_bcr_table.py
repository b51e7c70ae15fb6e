"""bcr-table seen from outside: Table 1 on a few made-up images in the form of the published files of CIFAR."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from forgery import sealed  # noqa: E402

TABLE = Path(sys.argv[1]).resolve()


def write_records(path, classes, per_class, head):
    """Images of one colour and noise; `head` gives the label bytes of a class."""
    noise = random.Random(path.name)
    content = bytearray()
    for place in range(classes * per_class):
        label = place % classes
        content += bytes(head(label))
        for channel in range(3):
            level = 40 + 17 * ((label * (channel + 3)) % 11)
            content += bytes(level + noise.randrange(30) for _ in range(1024))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


class BcrTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.data = Path(holder.name)
        for batch in range(1, 6):
            write_records(cls.data / "cifar-10-batches-bin" / f"data_batch_{batch}.bin", 10, 5, lambda label: [label])
        write_records(cls.data / "cifar-10-batches-bin" / "test_batch.bin", 10, 6, lambda label: [label])
        write_records(cls.data / "cifar-100-binary" / "train.bin", 100, 1, lambda label: [label // 5, label])

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def words(self, out, *more, epochs=2):
        return [TABLE, "1", "--only", "cifar10", "--methods", "energy,class_inclusion", "--trials", "2", "--epochs",
                str(epochs), "--mode", "strict", "--threads", "1", "--data", self.data, "--out", self.folder / out, *more]

    def run_table(self, words, code=0, **options):
        run = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, timeout=500, **options)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def hashes(self, out):
        return {path.parent.relative_to(self.folder / out): json.loads(path.read_text(encoding="utf-8"))["sha256"]
                for path in (self.folder / out / "runs").rglob("manifest.json")}

    def test_makes_a_table_goes_on_after_a_stop_and_does_nothing_twice(self):
        whole = self.run_table(self.words("whole", epochs=6))

        self.assertRegex(whole.stdout, r"Energy.* 0\.\d{3} ± 0\.\d{3} \(0\.956 .\)")
        page = (self.folder / "whole" / "table-1.html").read_text(encoding="utf-8")
        self.assertIn("CIFAR-10", page)
        self.assertIn("paper 0.973", page)
        self.assertIn("cifar100-train without bus, pickup_truck", page)
        self.assertIn("\\toprule", (self.folder / "whole" / "table-1.tex").read_text(encoding="utf-8"))
        with open(self.folder / "whole" / "table-1.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["metric"] for row in rows}, {"accuracy", "auroc", "ccr_fpr_1e-1"})
        for row in rows:
            self.check_row(row)
        self.assertEqual(len(self.hashes("whole")), 4)

        self.stop_in_the_middle(self.words("halved", epochs=6), self.folder / "halved")
        self.assertLess(len(list((self.folder / "halved" / "runs").rglob("metrics.json"))), 4)
        again = self.run_table(self.words("halved", epochs=6))
        self.assertEqual(self.hashes("halved"), self.hashes("whole"))
        self.assertIn(whole.stdout.splitlines()[1], again.stdout)

        before = {path: path.stat().st_mtime_ns for path in (self.folder / "halved" / "runs").rglob("*.h5")}
        self.run_table(self.words("halved", epochs=6))
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in (self.folder / "halved" / "runs").rglob("*.h5")})

        other = self.run_table(self.words("halved", epochs=7), code=2)
        self.assertIn("train.epochs", other.stderr)

    def check_row(self, row):
        """Mean and deviation of the trials, from what bcr-eval wrote."""
        method = next((self.folder / "whole" / "runs" / "cifar10").glob(row["method"].replace("_", "-") + "*"))
        values = []
        for trial in (1, 2):
            metrics = json.loads((method / f"trial-{trial}" / "metrics.json").read_text(encoding="utf-8"))
            values.append(metrics["accuracy"] if row["metric"] == "accuracy" else
                          metrics["average"][metrics["default_score"]][row["metric"]])
        mean = sum(values) / 2
        self.assertAlmostEqual(float(row["mean"]), mean, places=5)
        self.assertAlmostEqual(float(row["deviation"]), sum((v - mean) ** 2 for v in values) ** 0.5, places=5)

    def wait_for_an_epoch(self, process, out):
        """The log that has it."""
        until = time.monotonic() + 300
        while True:
            for path in (out / "runs").rglob("train.jsonl"):
                if '"kind":"epoch"' in path.read_text(encoding="utf-8"):
                    return path
            self.assertLess(time.monotonic(), until, "no epoch within five minutes")
            self.assertIsNone(process.poll(), "ended before it was stopped")
            time.sleep(0.02)

    def stop_in_the_middle(self, words, out):
        process = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            self.wait_for_an_epoch(process, out)
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 5, said)
            self.assertIn("the same command goes on", said)
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()

    def test_a_training_ends_with_its_table_even_if_that_is_killed(self):
        process = subprocess.Popen(list(map(str, self.words("killed", epochs=1000))), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        log = self.wait_for_an_epoch(process, self.folder / "killed")
        process.kill()
        process.wait(60)
        until = time.monotonic() + 60
        while '"reason":"stopped"' not in log.read_text(encoding="utf-8"):
            self.assertLess(time.monotonic(), until, "the training goes on without its table")
            time.sleep(0.02)

    def test_an_evaluation_of_other_unknown_sets_is_made_again(self):
        words = [TABLE, "1", "--only", "cifar10", "--methods", "energy", "--trials", "1", "--epochs", "1", "--threads", "1",
                 "--data", self.data, "--out", self.folder / "sets"]
        self.run_table(words)
        metrics = next((self.folder / "sets" / "runs").rglob("metrics.json"))
        before = metrics.read_text(encoding="utf-8")
        digest = json.loads(before)["from"]["data_sha256"]
        unknown = next(digest[side][0] for side in digest if side.startswith("unknown_"))
        metrics.write_text(sealed(before.replace(unknown, "1" * 64)), encoding="utf-8")
        self.run_table(words)

        def numbers(text):  # all but the seconds that scores took, and the digest of the whole
            return {key: value for key, value in json.loads(text).items() if key not in ("seconds", "checksum")}

        self.assertEqual(numbers(metrics.read_text(encoding="utf-8")), numbers(before))

    def test_says_what_is_missing_and_where_it_is_published(self):
        empty = self.folder / "empty"
        empty.mkdir()

        run = self.run_table([TABLE, "1", "--only", "cifar10", "--data", empty, "--out", self.folder / "out"], code=3)
        self.assertIn("cifar-10-binary.tar.gz (170,052,171 bytes, MD5 c32a1d4ab5d03f1284b67883e8d87530)", run.stderr)
        self.assertIn("University of Toronto", run.stderr)
        self.assertFalse((self.folder / "out").exists())

        run = self.run_table([TABLE, "1", "--only", "cifar10", "--available", "--data", empty], code=3)
        self.assertIn("data for one setting", run.stderr)
        self.assertIn("missing: CIFAR-10", run.stderr)

    def test_dry_run_tells_cost_and_what_is_missing(self):
        run = self.run_table([TABLE, "1", "--dry-run", "--only", "cifar10,svhn", "--threads", "1", "--data", self.data,
                              "--out", self.folder / "out"])

        self.assertRegex(run.stdout, r"16 trainings, 16 evaluations with 1 thread: about .* to do \(steps timed")
        self.assertIn("missing: SVHN", run.stdout)
        self.assertNotIn("missing: CIFAR-10", run.stdout)
        self.assertFalse((self.folder / "out").exists())

    def test_writes_an_array_job_whose_tasks_do_the_runs(self):
        job = self.folder / "job.sh"
        self.run_table(self.words("jobs", "--slurm", job, "--slurm.partition=gpu"))

        script = job.read_text(encoding="utf-8")
        self.assertIn("#SBATCH --array=0-3\n", script)
        self.assertIn("#SBATCH --partition=gpu\n", script)
        for task in range(4):
            subprocess.run(["bash", job], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, check=True,
                           capture_output=True, timeout=300)
        self.assertEqual(len(list((self.folder / "jobs" / "runs").rglob("metrics.json"))), 4)
        self.assertNotIn(" of 4: ", self.run_table(self.words("jobs")).stderr)  # nothing is left to do

    def test_chooses_lambda_on_images_that_were_kept_out(self):
        words = [TABLE, "1", "--only", "cifar10", "--methods", "class_inclusion", "--lambda", "0.5,5", "--trials", "1",
                 "--epochs", "1", "--threads", "1", "--data", self.data, "--out", self.folder / "out"]

        self.assertRegex(self.run_table(words).stdout, r"λ = (0\.5|5), of 0\.5 \(.*\), 5 \(.*\); chosen by the accuracy")

    def test_draws_figure_2(self):
        run = self.run_table([TABLE, "figure-2", "--n", "128,512", "--out", self.folder / "out"])

        values = {row.split(",")[0]: row.split(",")[1:] for row in run.stdout.splitlines()[1:]}
        self.assertAlmostEqual(float(values["10"][1]), 0.968157, places=6)
        self.assertAlmostEqual(float(values["4"][0]), 0.0440, places=3)
        self.assertTrue((self.folder / "out" / "figure-2.html").is_file())

    def test_refuses_what_it_does_not_know(self):
        self.assertIn("ablations", self.run_table([TABLE, "7"], code=2).stderr)
        self.assertIn("svhn, cifar10", self.run_table([TABLE, "1", "--only", "mnist", "--data", self.data], code=2).stderr)
        self.assertIn("objectosphere", self.run_table([TABLE, "1", "--methods", "magic", "--data", self.data], code=2).stderr)
        self.assertIn("--data", self.run_table([TABLE, "1", "--data", self.folder / "absent"], code=3).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[2:]
    unittest.main()
