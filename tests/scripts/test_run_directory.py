"""What bcr-train keeps out of a run directory and refuses to continue: nothing is overwritten, mixed or lost."""

import json
import os
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2]}

try:
    import h5py
except ImportError:
    h5py = None


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class RunDirectory(TinyRun):
    def finished(self, name="run", *more):
        out = self.folder / name
        self.train(out, *more)
        return out

    def refused(self, out, *more):
        """What is said about it; the directory is as before."""
        before = contents(out)
        run = self.train(out, "--resume", "auto", *more, code=2)
        self.assertEqual(contents(out), before)
        return run.stderr

    def test_a_refused_resume_changes_no_file(self):
        out = self.finished()
        self.assertIn("seed", self.refused(out, "--seed", 9))
        self.assertIn("model", self.refused(out, "--model.width=2"))

    def test_another_algorithm_is_refused_by_its_key(self):
        out = self.finished()
        for key, value in {"data.validation": 0.1, "data.known.batch": 16, "data.background.batch": 32, "data.last_batch": "drop",
                           "train.shards": 2, "train.batch_norm": "global"}.items():
            self.assertIn(key, self.refused(out, f"--{key}={value}"))
        self.assertIn("train.epochs for the 24 steps", self.refused(out, "--train.epochs=2"))

    def test_other_training_data_are_refused_and_other_settings_told(self):
        out = self.finished()
        self.make_set("other.h5", count=400, seed=7)
        self.assertIn("SHA-256 of data.known_train", self.refused(out, f"--data.known_train={self.shared}/other.h5"))
        told = self.train(out, "--resume", "auto", "--data.known.pad=2", "--train.epochs=4").stderr
        self.assertRegex(told, "data.known.pad has changed: was 1, is 2")
        self.assertRegex(told, "train.epochs has changed: was 3, is 4")
        self.assertNotIn("data.background.pad", told)

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_a_checkpoint_that_does_not_name_its_data_is_taken_with_a_warning(self):
        out = self.finished()
        with h5py.File(out / "checkpoint-latest.h5", "r+") as file:
            del file.attrs["data"], file["checksums"]
            file.attrs["version"] = 1  # such a file knows nothing of its content
        self.assertIn("does not say which data", self.train(out, "--resume", "auto", "--train.epochs=4").stderr)

    def test_a_second_process_is_kept_out_and_told_who_is_there(self):
        out = self.folder / "run"
        process = self.start(out, "--train.epochs=100")
        while not (out / "checkpoint-latest.h5").exists():
            time.sleep(0.02)
        (out / ".something.1.0.tmp").touch()  # as a writer has it
        run = self.train(out, "--train.epochs=100", "--resume", "auto", code=3)
        self.assertIn(f"process {process.pid} on {os.uname().nodename}", run.stderr)
        self.assertIn(str(process.pid), self.train(out, code=3).stderr)
        self.assertTrue((out / ".something.1.0.tmp").exists())
        process.kill()
        process.wait(60)
        self.assertTrue((out / ".lock").exists())  # of nobody now
        done = len(self.lines(out, "epoch"))
        self.train(out, f"--train.epochs={done + 1}", "--resume", "auto")
        self.assertEqual([name for name in contents(out) if name.startswith(".")], [])

    def test_a_directory_that_is_removed_or_exchanged_is_noticed_and_nothing_is_saved_in_the_new_one(self):
        for is_replaced in (False, True):
            out, away = self.folder / f"run-{is_replaced}", self.folder / f"away-{is_replaced}"
            process = self.start(out, "--train.epochs=1000")
            while not (out / "checkpoint-latest.h5").exists():
                time.sleep(0.02)
            process.send_signal(signal.SIGSTOP)
            out.rename(away)
            if is_replaced:
                out.mkdir()
                (out / ".lock").write_text("of another training", encoding="utf-8")
            process.send_signal(signal.SIGCONT)
            _, said = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 3, said)
            self.assertRegex(said, "another file of that name, or none|another one under its name|removed or renamed|"
                                   "No such file")  # who was stopped in the middle of writing one
            self.assertEqual([path.name for path in out.iterdir()] if is_replaced else [], [".lock"] if is_replaced else [])
            self.train(away, "--train.epochs=1000", "--resume", "auto", "--dry-run")

    def test_a_log_that_is_removed_is_noticed(self):
        out = self.folder / "run"
        process = self.start(out, "--train.epochs=1000")
        while not (out / "checkpoint-latest.h5").exists():
            time.sleep(0.02)
        (out / "train.jsonl").unlink()
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3, said)
        self.assertIn("train.jsonl", said)

    def test_an_epoch_is_saved_before_it_is_evaluated(self):
        kept_out = "--data.validation=0.2"
        whole = self.finished("whole", kept_out)
        out = self.folder / "run"
        (out / "checkpoint-best.h5").mkdir(parents=True)  # the validation cannot write it
        self.train(out, kept_out, "--resume", "auto", code=3)
        self.assertTrue((out / "checkpoint-latest.h5").exists())
        (out / "checkpoint-best.h5").rmdir()
        self.train(out, kept_out, "--resume", "auto")

        self.assertEqual(len(self.lines(out, "resume")), 1)
        self.assertEqual(self.lines(out, "validation"), self.lines(whole, "validation"))
        self.assertEqual(self.hashes(out), self.hashes(whole))
        self.assertEqual(self.lines(out, "eval"), self.lines(whole, "eval"))
        self.assertTrue((out / "checkpoint-best.h5").is_file())

    def test_a_checkpoint_from_elsewhere_wants_an_unused_directory(self):
        one, two = self.finished("one"), self.finished("two", "--seed", 2)
        before = contents(two)
        run = self.train(two, "--resume", one / "checkpoint-latest.h5", code=2)
        self.assertIn("one that holds a run", run.stderr)
        self.assertEqual(contents(two), before)
        self.train(self.folder / "three", "--resume", one / "checkpoint-latest.h5")
        self.assertEqual(self.hashes(self.folder / "three"), self.hashes(one))

    def test_half_a_line_is_cut_off_and_told(self):
        out = self.finished()
        log = out / "train.jsonl"
        whole = log.read_text(encoding="utf-8")
        log.write_text(whole + '{"kind":"step","st', encoding="utf-8")
        run = self.train(out, "--resume", "auto", "--train.epochs=4")

        self.assertRegex(run.stderr, "train.jsonl: half a line at its end, 18 bytes")
        text = log.read_text(encoding="utf-8")
        self.assertTrue(text.startswith(whole))
        for line in text.splitlines():
            json.loads(line)
        self.assertEqual(self.lines(out, "end")[32]["reason"], "done")

    def test_the_manifest_keeps_the_parts_of_a_run(self):
        out = self.finished()
        self.train(out, "--resume", "auto", "--train.epochs=4", threads=2)

        parts = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["parts"]
        self.assertEqual([part["from_step"] for part in parts], [0, 24])
        for part in parts:
            self.assertEqual(set(part), {"host", "git", "ranks", "threads", "from_step", "time_utc"})
            self.assertEqual((part["host"], part["ranks"]), (os.uname().nodename, 1))

    def test_one_file_for_training_and_testing_is_warned_of(self):
        words = ("--dry-run", "--data.device_budget_mib=0")
        self.assertNotIn("same samples", self.train(self.folder / "run", *words).stderr)
        self.assertIn("same samples", self.train(self.folder / "run", *words,
                                                f"--data.known_test={self.shared}/train.h5").stderr)

    def test_no_room_for_scratch_names_the_keys(self):
        run = self.train(self.folder / "run", "--data.device_budget_mib=0", f"--data.scratch={self.folder}/nowhere",
                         code=3)
        for key in ("data.scratch", "data.device_budget_mib"):
            self.assertIn(key, run.stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
