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
CODE_LINES = Path(__file__).resolve().parents[2] / "scripts" / "code-lines"
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
        self.assertEqual(list(rows[0])[:6], ["date", "fom", "application", "problem", "platform", "program"])
        self.assertTrue(all(float(row["fma_per_second"]) > 0 and row["space"] and row["kind"] for row in rows))
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

    def measured(self, machine):
        """The table of a tiny study with heads, on a machine of this name."""
        out = self.folder / machine
        self.scale("study", "--out", out, "--base.work=head", "--base.image=8", "--base.warmup=1", "--size.batch=[4, 8]",
                   f"--study.machine={machine}", "--study.modes=[\"strict\", \"fast\"]")
        return out / "study.csv"

    def peers(self, tables, name="peers.csv"):
        """Twice the time of ours on every platform, by an application that is not ours."""
        rows = [row for table in tables for row in self.rows(table) if row["application"] == "bcr strict"]
        path = self.folder / name
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["date", "fom", "application", "problem", "platform", "program", "kind"])
            writer.writeheader()
            for row in rows:
                writer.writerow({**{key: row[key] for key in ("date", "problem", "platform", "kind")},
                                 "fom": 2 * float(row["fom"]), "application": "peer", "program": "peer 1"})
        return path

    @staticmethod
    def rows(table):
        with table.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def merged(self):
        tables = [self.measured("One"), self.measured("Two")]
        out = self.folder / "campaign"
        lines = self.folder / "lines.csv"
        subprocess.run([CODE_LINES, "--out", lines], check=True, stdout=subprocess.DEVNULL)
        run = self.scale("merge", *tables, self.peers(tables), "-o", out, "--lines", lines, "--title", "A <b> title")
        return run, out

    def test_merge_makes_a_page_of_several_machines(self):
        run, out = self.merged()

        self.assertIn("all platforms (One, Two)", run.stdout)
        efficiencies = self.rows(out / "efficiency.csv")
        self.assertEqual({row["platform"] for row in efficiencies}, {"One", "Two"})
        self.assertEqual({row["application"] for row in efficiencies}, {"bcr strict", "bcr fast", "peer"})
        for row in efficiencies:
            self.assertTrue(0 < float(row["app eff"]) <= 1 and 0 < float(row["arch eff"]) <= 1, row)
        campaign = json.loads((out / "campaign.json").read_text(encoding="utf-8"))
        charts = campaign["sets"][0]["navigation"]
        self.assertEqual({one["application"] for one in charts[0]["applications"]}, {"bcr strict", "bcr fast"})
        self.assertEqual({one["convergence"] for one in charts[0]["applications"]}, {1.0})
        page = (out / "campaign.html").read_text(encoding="utf-8")
        self.assertIn("A &lt;b&gt; title", page)
        for remote in ("http://", "https://", "src=", "url("):
            self.assertNotIn(remote, page)
        plots = {path.name.split("-")[0] for path in (out / "plots").iterdir()}
        self.assertEqual(plots, {"cascade", "navigation"})
        for path in (out / "plots").iterdir():
            xml.parse(path)

    def test_merge_is_read_by_pandas_and_the_p3_analysis_library(self):
        try:
            import pandas
            import p3analysis.metrics as p3
        except ImportError as error:
            self.skipTest(f"pandas and p3analysis are needed: {error}")
        _, out = self.merged()
        campaign = json.loads((out / "campaign.json").read_text(encoding="utf-8"))["sets"][0]
        efficiencies = pandas.read_csv(out / "efficiency.csv")
        for problem in campaign["application"]:
            ours = {one["application"]: one["portability"] for one in problem["applications"]}
            rows = efficiencies[efficiencies["problem"] == problem["problem"]]
            again = p3.application_efficiency(rows, foms="lower")
            for (_, mine), (_, theirs) in zip(rows.iterrows(), again.iterrows()):
                self.assertAlmostEqual(mine["app eff"], theirs["app eff"], places=12)
            for _, row in p3.pp(rows).iterrows():
                self.assertAlmostEqual(ours[row["application"]], row["app pp"], places=12)
        coverage = pandas.read_csv(self.folder / "lines.csv")
        own = efficiencies[efficiencies["coverage_key"].notna()]
        for _, row in p3.divergence(own, coverage).iterrows():
            self.assertEqual(row["divergence"], 0)

    def test_divergence_of_all_backends_is_that_of_the_p3_analysis_library(self):
        try:
            import pandas
            import p3analysis.metrics as p3
        except ImportError as error:
            self.skipTest(f"pandas and p3analysis are needed: {error}")
        lines = self.folder / "lines.csv"
        subprocess.run([CODE_LINES, "--out", lines], check=True, stdout=subprocess.DEVNULL)
        rows = ["date,fom,application,problem,platform,program,kind,coverage_key"]
        for space in ("OpenMP", "Cuda", "HIP", "SYCL"):
            rows.append(f"d,1,bcr fast,p,{space},bcr 1,{'cpu' if space == 'OpenMP' else 'gpu'},bcr fast {space}")
        table = self.folder / "spaces.csv"
        table.write_text("\n".join([*rows, ""]), encoding="utf-8")
        self.scale("merge", table, "-o", self.folder / "c", "--lines", lines)

        campaign = json.loads((self.folder / "c" / "campaign.json").read_text(encoding="utf-8"))
        ours = campaign["sets"][0]["navigation"][0]["applications"][0]["convergence"]
        theirs = p3.divergence(pandas.read_csv(table), pandas.read_csv(lines))["divergence"][0]
        self.assertAlmostEqual(1 - ours, theirs, places=12)
        self.assertTrue(0 < theirs < 0.1, theirs)
        self.assertEqual([one["name"] for one in campaign["sets"]], ["all platforms", "GPUs", "CPUs"])

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
            (["run", "--work", "head", "--shards", "2"], 2, "shards"),
            (["run", "--work", "guess"], 2, "inference"),
            (["run", "--work", "loss", "--loss", "mean"], 2, "energy"),
            (["merge", good], 2, "--out"),
            (["merge", good, "-o", self.folder / "m"], 3, "'program'"),
            (["merge", self.folder / "absent.csv", "-o", self.folder / "m"], 3, "absent.csv"),
        ]
        for words, code, message in cases:
            with self.subTest(words=words):
                self.assertIn(message, self.scale(*words, code=code).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[2:]
    unittest.main()
