"""bcr-verify --replay: parts of a run computed again by somebody else. Honest runs are confirmed, forgeries are found."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from forgery import forge_log, sealed  # noqa: E402
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "verify": os.environ["BCR_VERIFY"]}
MPIRUN = sys.argv[4]
ALL = 1000  # more intervals than any run here has
SETTINGS = ("--train.epochs=4", "--train.hash_every=3", "--train.checkpoint_every=1", "--train.eval_every=0",
            "--train.shards=2")


class Replay(TinyRun):
    def trained(self):
        out = self.shared / "trained"
        if not out.exists():
            self.train(out, *SETTINGS)
        copy = self.folder / "run"
        shutil.copytree(out, copy)
        return copy

    def verify(self, *words, code=0, ranks=1, threads=1):
        launcher = [MPIRUN, "-n", str(ranks)] if ranks > 1 else []
        done = subprocess.run([*launcher, self.PROGRAMS["verify"], *map(str, words), f"--kokkos-num-threads={threads}"],
                              capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def replay(self, run, *words, count=ALL, **how):
        return self.verify(run, "--replay", count, *words, **how)

    def receipt(self, run):
        return json.loads((run / "receipt.json").read_text(encoding="utf-8"))

    def refuted(self, run, expected):
        """A replay of everything finds it, and its receipt says so."""
        said = self.replay(run, code=3).stdout
        bad = [line for line in said.splitlines() if line.startswith("BAD")]
        self.assertTrue(any(expected in line for line in bad), said)
        self.assertEqual(self.receipt(run)["verdict"], "refuted")
        self.assertIn("it refutes it", self.verify("--receipt", run / "receipt.json", code=3).stdout)

    def test_an_honest_run_is_confirmed_whatever_threads_and_ranks(self):
        run = self.trained()
        places = [(1, 1), (1, 3)] + ([(2, 1)] if MPIRUN != "none" else [])
        receipts = []
        for ranks, threads in places:
            said = self.replay(run, ranks=ranks, threads=threads).stdout
            self.assertNotIn("BAD", said)
            receipts.append(self.receipt(run))
            self.assertEqual(receipts[-1]["verdict"], "confirmed")
            self.assertEqual((receipts[-1]["replay"]["ranks"], receipts[-1]["replay"]["threads"]), (ranks, threads))
        for receipt in receipts[1:]:
            self.assertEqual(receipt["replay"]["intervals"], receipts[0]["replay"]["intervals"])
        last = receipts[0]["replay"]["intervals"][-1]
        self.assertEqual(last["weights_sha256"], self.hashes(run)["final_weights"])
        self.assertEqual({entry["replayed_from"] for entry in receipts[0]["replay"]["intervals"]} - {
            "initial weights"}, {f"checkpoint-{epoch:04}.h5" for epoch in (1, 2)} | {last["replayed_from"]})
        for key in ("version", "machine", "kokkos", "libraries"):
            self.assertIn(key, receipts[0])

    def test_intervals_are_drawn_by_the_hash_of_the_run(self):
        run = self.trained()

        def drawn(*words):
            self.replay(run, *words, count=2)
            return [(entry["after_step"], entry["until_step"]) for entry in self.receipt(run)["replay"]["intervals"]
                    if entry["drawn"]]

        once = drawn()
        self.assertEqual(len(once), 2)
        self.assertEqual(once, drawn())
        self.assertTrue(any(drawn("--challenge", word) != once for word in ("a", "b", "c", "d")))
        forge_log(run / "train.jsonl", lambda record: record.update(note="") if record["kind"] == "end" else None)
        self.assertNotEqual(drawn("--challenge", "x"), [])  # any change of a file is another draw, not a failure

    def test_a_receipt_is_verified_in_turn(self):
        run = self.trained()
        self.replay(run, count=2)
        file = run / "receipt.json"
        self.assertIn("confirms the run", self.verify("--receipt", file).stdout)
        self.assertIn("draws", self.verify("--receipt", file, run).stdout)
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace('"seconds"', '"secunds"'), encoding="utf-8")
        self.assertIn("by its SHA-256", self.verify("--receipt", file, code=3).stderr)
        receipt = json.loads(text)
        chosen = next(entry for entry in receipt["replay"]["intervals"] if entry["drawn"])
        chosen["after_step"], chosen["until_step"] = 0, 1
        file.write_text(sealed(json.dumps(receipt, indent=2) + "\n"), encoding="utf-8")
        self.assertIn("they are others", self.verify("--receipt", file, run, code=3).stdout)
        receipt = json.loads(text)
        receipt["replay"]["intervals"][0]["differences"] = ["one"]
        file.write_text(sealed(json.dumps(receipt, indent=2) + "\n"), encoding="utf-8")
        self.assertIn("the verdict of its intervals", self.verify("--receipt", file, code=3).stderr)
        file.write_text(text, encoding="utf-8")
        other = self.folder / "other"
        self.train(other, *SETTINGS, "--seed", 2)
        self.assertIn("is another", self.verify("--receipt", file, other, code=3).stdout)

    def test_a_forged_digest_in_the_log_is_found(self):
        run = self.trained()

        def other_digest(record):
            if record["kind"] == "weights" and record["step"] == 6:
                record["sha256"] = "0" * 64

        forge_log(run / "train.jsonl", other_digest)
        self.verify(run)  # its files agree with each other
        self.refuted(run, "state after step 6 in train.jsonl")

    def test_an_embellished_loss_is_found(self):
        run = self.trained()

        def smaller_loss(record):
            if record["kind"] == "step" and record["step"] == 8:
                record["loss"]["total"] *= 0.9

        forge_log(run / "train.jsonl", smaller_loss)
        self.verify(run)
        self.refuted(run, "loss.total in step 8")

    def test_an_exchanged_checkpoint_is_found(self):
        run = self.trained()
        other = self.folder / "other"
        self.train(other, *SETTINGS, "--train.lr=0.06")  # the same model, data and seed
        shutil.copy(other / "checkpoint-0002.h5", run / "checkpoint-0002.h5")
        self.refuted(run, "in checkpoint-0002.h5")

    def test_a_rate_changed_in_one_step_is_found(self):
        run = self.folder / "run"
        one_step = ("--data.known.batch=240", "--data.last_batch=drop", "--train.schedule_epochs=4",
                    "--train.warmup_epochs=0", "--train.hash_every=1", "--train.log_every=1", "--train.eval_every=0")
        self.train(run, *one_step, "--train.epochs=2")
        self.train(run, *one_step, "--train.epochs=3", "--train.lr=0.051", "--resume", "auto")
        self.train(run, *one_step, "--train.epochs=4", "--resume", "auto")
        self.assertEqual(len(self.lines(run, "weights")), 4)
        honest = self.folder / "honest"
        self.train(honest, *one_step, "--train.epochs=4")

        def hidden(record):
            if record["kind"] == "step":
                record["lr"] = self.lines(honest, "step")[record["step"]]["lr"]

        forge_log(run / "train.jsonl", hidden)
        self.verify(run)
        said = self.replay(run, code=3).stdout
        bad = {line.split("  ")[1] for line in said.splitlines() if line.startswith("BAD")}
        self.assertEqual(bad, {"steps 3 to 3"}, said)

    def test_other_data_are_found(self):
        run = self.trained()
        other = self.folder / "other.h5"
        self.make_set(other, count=400, seed=3)
        words = (f"--data.known_train={other}", f'--data.background_train=["{other}"]')
        self.assertIn("SHA-256 of data.", self.replay(run, *words, code=3).stdout)
        moved = self.folder / "moved.h5"
        shutil.copy(self.shared / "train.h5", moved)
        self.replay(run, f"--data.known_train={moved}", f'--data.background_train=["{moved}"]', count=1)

    def test_what_cannot_be_replayed_is_said_in_a_sentence(self):
        run = self.trained()
        self.assertIn("places of its data", self.replay(run, "--train.lr=0.1", code=2).stderr)
        for name in ("checkpoint-0001.h5", "checkpoint-0002.h5", "checkpoint-0003.h5", "checkpoint-previous.h5"):
            (run / name).unlink()
        said = self.replay(run, count=1, code=0).stderr
        self.assertIn("steps 1 to", said)
        fast = self.folder / "fast"
        self.train(fast, "--train.epochs=2", "--mode", "fast")
        self.assertIn("mode strict", self.replay(fast, code=2).stderr)
        self.assertIn("neither", self.verify(code=2).stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[5:]
    unittest.main()
