"""The programs of bench/ on every execution space: what their options say, and what stands in the flat table."""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)
SPACES = sys.argv.pop(1).split(",")
THREADS = {"Serial": "1", "OpenMP": "2", "Threads": "2"}
CASE = ["--benchmark_filter=^plan_all_outputs<float>/a:64", "--benchmark_min_time=0.001"]


def run(*options):
    return subprocess.run([PROGRAM, "--kokkos-num-threads=2", *options], capture_output=True, text=True, check=False)


class BenchPrograms(unittest.TestCase):
    def table(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.csv"
            done = run(*CASE, f"--csv={path}", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            with path.open(newline="", encoding="utf-8") as file:
                return list(csv.DictReader(file))

    def test_every_space_of_the_build_is_measured(self):
        for space in SPACES:
            with self.subTest(space=space):
                rows = self.table("--space", space)
                self.assertEqual({row["space"] for row in rows}, {space})
                self.assertEqual({row["program"] for row in rows}, {"bench_gamma"})
                if space in THREADS:
                    self.assertEqual({row["concurrency"] for row in rows}, {THREADS[space]})

    def test_the_counters_fit_together(self):
        value = {row["metric"]: float(row["value"]) for row in self.table()}
        elements = value["bytes"] / (5 * 4)  # one number in, four out
        self.assertAlmostEqual(value["best_us"] * 1e3 / elements, value["ns/element"], delta=1e-6 * value["ns/element"])
        self.assertAlmostEqual(value["bytes"] / value["best_us"] * 1e-3, value["GB/s"], delta=1e-6 * value["GB/s"])
        self.assertGreater(value["share_of_triad"], 0)

    def test_a_wrong_call_is_told(self):
        done = run(*CASE, "--space", "Abacus")
        self.assertEqual(done.returncode, 2)
        self.assertIn("received Abacus", done.stderr)
        for space in SPACES:
            self.assertIn(space, done.stderr)
        self.assertEqual(run("--benchmark_filter=no_such_thing").returncode, 2)
        self.assertEqual(run("--no-such-option").returncode, 2)

    def test_a_table_that_cannot_be_written_is_told(self):
        done = run(*CASE, "--csv", "/nonexistent/folder/bench.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("/nonexistent/folder", done.stderr)


if __name__ == "__main__":
    unittest.main()
