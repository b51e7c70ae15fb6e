"""first-gpu-hour on a tree whose programs say what they are told to: every step is heard, and a failure is one."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "first-gpu-hour"
EQUAL = "Cuda,1,math.exp,0a1b,yes\nSerial,1,math.exp,0a1b,yes\n"
TIMES = "kernel,launches,milliseconds\nstep,1,4.5\nbcr::kernels::winograd_forward,3,1.5\n"
TABLE = "label,launches,A100 seconds\nbcr::kernels::winograd_forward,2,0.0005\nbcr::kernels::winograd_forward,1,0.001\n"


class FirstGpuHour(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.says("build/bin/bcr-identity", EQUAL)
        self.says("build/bin/bench_step", TIMES)
        self.says("build/bin/bench_math", '{"benchmarks": [{"name": "exp", "real_time": 2.0}]}')

    def says(self, name, text, code=0):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable}\nprint({text!r})\nraise SystemExit({code})\n")
        path.chmod(0o755)

    def run_hour(self, *options, path=None):
        out = self.root / "out.json"
        environment = {"PATH": f"{path or self.root / 'tools'}"}
        done = subprocess.run([sys.executable, str(SCRIPT), "--build", str(self.root / "build"), "--out", str(out), *options],
                              capture_output=True, text=True, env=environment, check=False)
        return done.returncode, json.loads(out.read_text()) if out.exists() else None, done.stderr

    def test_a_rehearsal_runs_through_without_a_gpu(self):
        self.says("tools/ctest", "100% tests passed, 0 tests failed out of 7")
        code, seen, _ = self.run_hour("--rehearse")
        self.assertEqual(code, 0)
        self.assertTrue(seen["rehearsal"])
        self.assertEqual(seen["identity"]["compared"], 2)
        self.assertEqual(seen["tests"]["run"], 7)
        self.assertIsNone(seen["races"]["passed"])
        self.assertEqual(seen["benchmarks"]["programs"]["bench_math"][0]["name"], "exp")
        self.assertEqual(seen["kernels"]["steps"]["wrn-10-1"]["kernels"][0], {"kernel": "step", "launches": 1, "milliseconds": 4.5})

    def test_another_bit_is_a_failure(self):
        self.says("build/bin/bcr-identity", EQUAL.replace("Cuda,1,math.exp,0a1b,yes", "Cuda,1,math.exp,0a1b,no"))
        code, seen, _ = self.run_hour("--rehearse", "--only", "identity")
        self.assertEqual(code, 1)
        self.assertEqual(seen["identity"]["unequal"], ["Cuda: math.exp"])

    def test_a_race_is_a_failure_and_the_rest_still_runs(self):
        self.says("tools/compute-sanitizer", "RACECHECK SUMMARY: 1 hazard", 9)
        code, seen, _ = self.run_hour("--rehearse", "--only", "races", "--only", "kernels")
        self.assertEqual(code, 1)
        self.assertFalse(seen["races"]["passed"])
        self.assertTrue(seen["kernels"]["passed"])

    def test_without_a_gpu_only_a_rehearsal_passes(self):
        self.assertEqual(self.run_hour("--only", "machine")[0], 1)
        self.says("tools/nvidia-smi", "NVIDIA A100-SXM4-40GB, 550.1, 40960 MiB, 1410 MHz")
        self.assertEqual(self.run_hour("--only", "machine")[0], 0)

    def test_measured_times_stand_beside_the_modelled_ones(self):
        self.says("tools/nvidia-smi", "NVIDIA A100-SXM4-40GB, 550.1, 40960 MiB, 1410 MHz")
        table = self.root / "build/cost/wrn-40-2.csv"
        table.parent.mkdir(parents=True)
        table.write_text(TABLE)
        code, seen, _ = self.run_hour("--only", "machine", "--only", "kernels")
        self.assertEqual(code, 0)
        step, winograd = seen["kernels"]["steps"]["wrn-40-2"]["kernels"]
        self.assertEqual((step["modelled"], winograd["modelled"], winograd["milliseconds"]), (2.0, 2.0, 1.5))
        self.assertNotIn("modelled", seen["kernels"]["steps"]["resnet18"]["kernels"][0])

    def test_no_build_is_said(self):
        code, seen, said = self.run_hour("--build", str(self.root / "elsewhere"))
        self.assertEqual(code, 2)
        self.assertIsNone(seen)
        self.assertIn("expected a built tree", said)


if __name__ == "__main__":
    unittest.main()
