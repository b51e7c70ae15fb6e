"""Command line, configuration and exit codes, seen from outside: what a user or a job script sees."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROBE = sys.argv.pop(1)


def probe(*arguments, **options):
    return subprocess.run([PROBE, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


class RunMain(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def config(self, text):
        path = Path(self.folder.name) / "run.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def fails(self, code, *arguments):
        run = probe(*arguments)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "", "data must not be printed by a run that failed")
        self.assertEqual(len(run.stderr.strip().splitlines()), 1 + ("--help" in run.stderr), run.stderr)
        return run.stderr

    def test_files_and_overrides_are_merged_and_printed_on_stdout(self):
        run = probe("--config", self.config("[train]\nlr = 0.2\nepochs = 3\n"), "--train.epochs=7")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("lr = 0.2", run.stdout)
        self.assertIn("epochs = 7", run.stdout)
        self.assertEqual(run.stderr, "")

    def test_a_misspelt_key_is_refused_and_the_nearest_named(self):
        text = self.fails(2, "--config", self.config("[train]\nepoch = 3\n"))
        self.assertIn("epoch", text)
        self.assertIn("train.epochs", text)
        self.assertIn("run.toml:2", text)

    def test_a_missing_file_is_named(self):
        self.assertIn("nowhere.toml", self.fails(2, "--config", "nowhere.toml"))

    def test_a_wrong_type_names_key_type_and_value(self):
        text = self.fails(2, "--config", self.config('[train]\nlr = "fast"\n'))
        for word in ("train.lr", "number", "fast", "run.toml:2"):
            self.assertIn(word, text)

    def test_a_value_out_of_range_is_refused(self):
        self.assertIn("train.epochs", self.fails(2, "--train.epochs=0"))

    def test_broken_toml_is_refused_with_its_line(self):
        self.assertIn("run.toml:2", self.fails(2, "--config", self.config("[train]\nlr = = 1\n")))

    def test_an_unknown_option_is_refused(self):
        self.assertIn("--frobnicate", self.fails(2, "--frobnicate"))

    def test_each_kind_of_failure_has_its_exit_code(self):
        self.assertIn("expected a file, received none", self.fails(3, "--fail=data"))
        self.fails(4, "--fail=numerics")
        self.assertIn("something else", self.fails(1, "--fail=otherwise"))

    def test_kokkos_options_pass_through(self):
        run = probe("--kokkos-num-threads=3")
        self.assertEqual(run.returncode, 0, run.stderr)
        serial_only = "# threads = 1" in run.stdout
        self.assertTrue("# threads = 3" in run.stdout or serial_only, run.stdout)

    def test_kokkos_numbers_that_are_none_are_refused(self):
        for value in ("=many", "=", "", "=0", "=2x"):
            self.assertIn("--kokkos-num-threads", self.fails(2, "--kokkos-num-threads" + value))
        self.assertIn("--kokkos-device-id", self.fails(2, "--kokkos-device-id=-1"))
        run = probe(env={**os.environ, "KOKKOS_NUM_THREADS": "many"})
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("KOKKOS_NUM_THREADS", run.stderr)

    def test_help_says_options_and_exit_codes(self):
        run = probe("--help")
        self.assertEqual(run.returncode, 0)
        for word in ("--config", "--version", "--log", "Exit codes", "--kokkos-"):
            self.assertIn(word, run.stdout)

    def test_version_says_what_a_bug_report_needs(self):
        run = probe("--version", "--json")
        self.assertEqual(run.returncode, 0)
        facts = json.loads(run.stdout)
        for key in ("version", "git", "build", "libraries", "kokkos", "machine"):
            self.assertIn(key, facts)
        text = probe("--version").stdout
        for word in ("bcr", "kokkos", "git", "compiler", "flags", "runs on", "machine"):
            self.assertIn(word, text)

    def test_a_bill_of_materials_names_what_was_linked(self):
        """CycloneDX 1.5 by its own rules: the members it requires, references that are unique and lead somewhere."""
        run = probe("--version", "--sbom")
        self.assertEqual(run.returncode, 0, run.stderr)
        bill = json.loads(run.stdout)
        self.assertEqual((bill["bomFormat"], bill["specVersion"], bill["version"]), ("CycloneDX", "1.5", 1))
        self.assertRegex(bill["serialNumber"], "^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        program = bill["metadata"]["component"]
        self.assertEqual((program["type"], program["name"]), ("application", "probe"))
        references = [component["bom-ref"] for component in bill["components"]]
        self.assertEqual(len(references), len(set(references)))
        self.assertEqual(bill["dependencies"], [{"ref": program["bom-ref"], "dependsOn": references}])
        names = {component["name"] for component in bill["components"]}
        self.assertLessEqual({"kokkos", "fmt", "spdlog", "tomlplusplus", "nlohmann_json", "cli11"}, names)
        for component in bill["components"]:
            self.assertEqual(component["type"], "library")
        self.assertEqual(json.loads(probe("--version", "--sbom").stdout), bill)
        if sys.platform.startswith("linux"):
            self.check_loaded_libraries({component["bom-ref"]: component for component in bill["components"]})

    def check_loaded_libraries(self, components):
        """Every shared library that ldd finds, with the SHA-256 of its file."""
        listed = subprocess.run(["ldd", PROBE], capture_output=True, text=True, check=True).stdout
        paths = {os.path.realpath(word) for line in listed.splitlines() for word in line.split() if word.startswith("/")}
        self.assertGreater(len(paths), 3)
        for path in paths:
            with self.subTest(path=path), open(path, "rb") as file:
                self.assertEqual(components[path]["hashes"],
                                 [{"alg": "SHA-256", "content": hashlib.sha256(file.read()).hexdigest()}])

    def test_a_full_standard_output_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([PROBE], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, 3, run.stderr)

    def test_a_signal_lets_the_loop_finish_and_the_program_end_well(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([PROBE, "--wait"], stdout=subprocess.PIPE, text=True) as run:
                self.assertEqual(run.stdout.readline(), "waiting\n")
                run.send_signal(number)
                self.assertEqual(run.stdout.read(), "stopped\n")
            self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
