"""bcr-scale seen from outside: a point, a tiny study over threads, its files, resuming, comparing, bad input."""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

SCALE = sys.argv[1]
# Threads that wait for each other asleep get on even where other jobs have the cores.
os.environ["OMP_WAIT_POLICY"] = "passive"

TINY = """
[study]
title = "A <tiny> study"
machine = "Test machine"
modes = ["strict", "fast"]
[base]
image = 8
batch = 8
warmup = 1
[strong]
threads = [1, 2]
[weak]
threads = [1, 2]
[size]
batch = [4, 8]
classes = [2, 100]
"""
REGIONS = {"data", "forward", "head", "backward", "update"}


class BcrScale(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.config = self.folder / "tiny.toml"
        self.config.write_text(TINY, encoding="utf-8")

    def scale(self, *words, code=0):
        run = subprocess.run([SCALE, *map(str, words)], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def study(self, *words, code=0):
        return self.scale("study", "--config", self.config, "--out", self.folder / "out", *words, code=code)

    def table(self, *rows, name="table.csv"):
        path = self.folder / name
        path.write_text("\n".join(["date,fom,application,problem,platform", *rows, ""]), encoding="utf-8")
        return path

    def test_run_prints_one_json_object(self):
        run = self.scale("run", "--image", 8, "--batch", 6, "--classes", 3, "--mode", "fast", "--warmup", 1,
                         "--kokkos-num-threads=2")

        point = json.loads(run.stdout)
        self.assertEqual(point["format"], "bcr scale point")
        self.assertEqual(point["resources"], {"ranks": 1, "threads": 2})
        self.assertEqual(point["point"]["mode"], "fast")
        self.assertEqual(len(point["step"]["samples"]), 10)
        seconds = point["step"]["seconds"]
        self.assertTrue(0 < seconds["low"] <= seconds["median"] <= seconds["high"])
        self.assertGreaterEqual(seconds["coverage"], 0.95)
        self.assertAlmostEqual(point["step"]["images_per_second"], 6 / seconds["median"], places=6)
        self.assertLessEqual(REGIONS, set(point["regions"]))
        for name, region in point["regions"].items():
            self.assertEqual(len(region["samples"]), 10, name)
        for share in ("share_of_peak", "share_of_bandwidth"):
            self.assertGreater(point["step"][share], 0)
        self.assertGreater(point["memory"]["resident_bytes"], point["memory"]["model_bytes"])

    def test_study_writes_tables_report_and_plots(self):
        run = self.study()
        out = self.folder / "out"

        self.assertIn("strong, threads (strict)", run.stdout)
        with (out / "study.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["date", "fom", "application", "problem", "platform"])
        # base, 2 threads strong, 2 threads weak, batch 4, classes 2 and 100; in two modes
        self.assertEqual(len(rows), 2 * 6)
        self.assertEqual({row["application"] for row in rows}, {"bcr strict", "bcr fast"})
        self.assertEqual({row["platform"] for row in rows}, {"Test machine [1x1]", "Test machine [1x2]"})
        self.assertTrue(all(float(row["fom"]) > 0 for row in rows))

        study = json.loads((out / "study.json").read_text(encoding="utf-8"))
        self.assertEqual(len(study["points"]), 12)
        self.assertEqual(study["failed"], [])
        for sweep in study["sweeps"]:
            first = sweep["points"][0]
            self.assertEqual(first["speed_up"]["value"], 1)
            for point in sweep["points"]:
                measured = study["points"][point["point"]]["step"]["seconds"]
                self.assertEqual(point["seconds"]["value"], measured["median"])
                self.assertTrue(point["speed_up"]["low"] <= point["speed_up"]["value"] <= point["speed_up"]["high"])
        self.assertIn("predicted, not measured", study["prediction"]["note"])
        for mode in study["prediction"]["modes"]:
            self.assertEqual([p["ranks"] for p in mode["weak"]], [2 ** k for k in range(11)])
            self.assertEqual(mode["weak"][0]["efficiency"], 1)

        page = (out / "report.html").read_text(encoding="utf-8")
        self.assertIn("A &lt;tiny&gt; study", page)
        self.assertIn("PREDICTION", page)
        for remote in ("http://", "https://", "src=", "url("):
            self.assertNotIn(remote, page)
        plots = {path.name for path in (out / "plots").iterdir()}
        self.assertLessEqual({"speed-up-threads.svg", "efficiency-threads.svg", "cost-batch.svg", "cost-classes.svg",
                              "regions.svg", "roofline-strict.svg", "roofline-fast.svg", "prediction-weak.svg"}, plots)
        for name in plots:
            xml.parse(out / "plots" / name)

    def test_study_keeps_what_was_measured(self):
        self.study("--size.classes=[]", "--weak.threads=[]", "--study.modes=[\"strict\"]")
        points = self.folder / "out" / "points"
        stamps = {path.name: path.stat().st_mtime_ns for path in points.iterdir()}
        names = sorted(stamps)
        (points / names[0]).unlink()
        (points / names[1]).write_text("{\"format\": \"bcr sc", encoding="utf-8")

        run = self.study("--size.classes=[]", "--weak.threads=[]", "--study.modes=[\"strict\"]")

        after = {path.name: path.stat().st_mtime_ns for path in points.iterdir()}
        self.assertEqual(set(after), set(stamps))
        self.assertIn("measured again", run.stderr)
        self.assertEqual([name for name in names if after[name] == stamps[name]], names[2:])

    def test_study_that_is_stopped_goes_on(self):
        words = [SCALE, "study", "--config", str(self.config), "--out", str(self.folder / "out")]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        points = self.folder / "out" / "points"
        end = time.time() + 60
        while time.time() < end and not (points.is_dir() and any(points.glob("*.json"))):
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, talk = process.communicate(timeout=60)

        self.assertEqual(process.returncode, 1, talk)
        self.assertIn("stopped", talk)
        self.assertFalse((self.folder / "out" / "study.csv").exists())
        self.assertIn("kept", self.study().stderr)
        self.assertTrue((self.folder / "out" / "study.csv").exists())

    def test_point_that_fails_is_told_and_the_others_are_kept(self):
        run = self.study("--launch.time_limit_s=1", "--base.repetitions=100000", "--size.batch=[]", "--size.classes=[]",
                         "--weak.threads=[]", "--study.modes=[\"strict\"]", code=1)

        self.assertIn("failed", run.stderr)
        study = json.loads((self.folder / "out" / "study.json").read_text(encoding="utf-8"))
        self.assertEqual(len(study["failed"]), 2)
        self.assertIn("within 1 s", study["failed"][0]["reason"])

    def test_dry_run_and_sbatch_measure_nothing(self):
        run = self.study("--dry-run", "--strong.ranks=[1, 2]", "--launch.arguments=[\"--oversubscribe\"]")

        lines = run.stdout.splitlines()
        self.assertTrue(any(" mpirun -n 2 --oversubscribe " in line for line in lines), lines)
        self.assertFalse((self.folder / "out").exists())

        script = self.folder / "job.sh"
        self.study("--sbatch", script, "--strong.ranks=[1, 4]", "--slurm.account=abc")
        text = script.read_text(encoding="utf-8")
        self.assertIn("#SBATCH --ntasks=4\n", text)
        self.assertIn("#SBATCH --account=abc\n", text)
        subprocess.run(["bash", "-n", str(script)], check=True)
        job = text.splitlines()[-1].split()
        job = job[job.index("--config") + 1]
        self.assertIn('launcher = "srun"', Path(job).read_text(encoding="utf-8"))
        self.assertFalse((self.folder / "out" / "points").exists())

    def test_platforms_of_other_files_make_a_cascade(self):
        problem = "train wrn-10-1 8x8x3 batch 8 classes 10"
        other = self.table(f"d,2,bcr strict,{problem},Other [4x1]", f"d,1,bcr fast,{problem},Other [4x1]",
                           f"d,9,bcr fast,{problem},Other [1x1]")
        self.study(f"--study.platforms=[\"{other}\"]", "--size.classes=[]", "--size.batch=[]", "--weak.threads=[]")

        study = json.loads((self.folder / "out" / "study.json").read_text(encoding="utf-8"))
        table = next(entry for entry in study["portability"] if entry["problem"] == problem)
        strict = next(entry for entry in table["applications"] if entry["application"] == "bcr strict")
        steps = {step["platform"]: step["efficiency"] for step in strict["cascade"]}
        self.assertEqual(steps["Other"], 0.5)
        self.assertAlmostEqual(strict["portability"], 2 / (1 / steps["Other"] + 1 / steps["Test machine"]), places=12)
        self.assertTrue(any(path.name.startswith("cascade-") for path in (self.folder / "out" / "plots").iterdir()))

    def test_compare_says_what_got_slower(self):
        before = self.table("d,1.0,a,p,m", "d,1.0,a,q,m", name="before.csv")
        same = self.table("e,1.05,a,p,m", "e,0.5,a,q,m", name="same.csv")
        worse = self.table("e,1.2,a,p,m", "e,0.5,a,q,m", name="worse.csv")

        self.assertIn("0 slower, 1 faster, 1 the same", self.scale("compare", before, same).stdout)
        self.assertIn("SLOWER", self.scale("compare", before, worse, code=1).stdout)
        self.scale("compare", before, worse, "--flag", "0.25")

    def test_bad_input_is_refused(self):
        good = self.table("d,1.0,a,p,m")
        cases = [
            (["run", "--depth", "11"], 2, "6 N + 4"),
            (["run", "--batch", "7"], 2, "batch"),
            (["run", "--batch", "many"], 2, "batch"),
            (["run", "--classes", "21842"], 2, "classes"),
            (["run", "--repetitions", "9"], 2, "repetitions"),
            (["run", "--mode", "exact"], 2, "strict"),
            (["run", "--frobnicate"], 2, "--frobnicate"),
            (["run", "--train.lr=1"], 2, "train.lr"),
            (["run", "--backbone", "vgg", "--image", "12"], 2, "8 divides"),
            ([], 2, "subcommand"),
            (["study"], 2, "--out"),
            (["study", "--out", self.folder / "o"], 2, "strong"),
            (["study", "--out", self.folder / "o", "--strong.threads=[2, 1]"], 2, "ascending"),
            (["study", "--out", self.folder / "o", "--strong.thread=[1]"], 2, "strong.threads"),
            (["study", "--out", self.folder / "o", "--config", self.folder / "absent.toml"], 2, "absent.toml"),
            (["study", "--out", self.config / "o", "--strong.threads=[1]"], 3, "tiny.toml"),
            (["study", "--out", self.folder / "o", "--strong.threads=[1]", "--study.platforms=[\"absent.csv\"]"], 3,
             "absent.csv"),
            (["compare", good], 2, "AFTER"),
            (["compare", good, self.folder / "absent.csv"], 3, "absent.csv"),
            (["compare", good, self.config], 3, "tiny.toml"),
            (["compare", good, self.table("d,0,a,p,m", name="zero.csv")], 3, "zero.csv:2"),
            (["compare", good, self.table("d,1,b,p,m", name="other.csv")], 3, "common"),
            (["compare", good, good, "--flag", "-1"], 2, "flag"),
        ]
        for words, code, message in cases:
            with self.subTest(words=words):
                self.assertIn(message, self.scale(*words, code=code).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[2:]
    unittest.main()
