"""bcr-train seen from outside: what it writes, and that stops, kills, threads and full disks change no bit of it."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2]}
KILLS = int(os.environ.get("BCR_KILLS", "4"))
LONG = ("--train.epochs=12", "--train.save_every=3", "--train.eval_every=4")


# In a mount namespace of its own: a small disk that holds the run, fills up, and is cleared again.
# arguments: the run to begin with, where to mount, where the results go, the command
FULL_DISK = """
set -e
before=$1 disk=$2 results=$3; shift 3
mount -t tmpfs -o size=4m none "$disk" || exit 77
cp -a "$before" "$disk/run"
cat /dev/zero > "$disk/filler" 2>/dev/null || true
truncate -s -64K "$disk/filler"
code=0; "$@" --out "$disk/run" 2> "$results/stderr" || code=$?
echo $code > "$results/code"
cp "$disk/run/checkpoint-latest.h5" "$results/checkpoint-latest.h5"
ls -A "$disk/run" > "$results/files"
rm "$disk/filler"
"$@" --out "$disk/run"
cp -a "$disk/run" "$results/run"
"""


class BcrTrain(TinyRun):
    def whole_run(self):
        """The undisturbed run that the disturbed ones are compared with; trained once."""
        out = self.shared / "whole"
        if not out.exists():
            started = time.monotonic()
            self.train(out, *LONG)
            type(self).seconds = time.monotonic() - started
        return out

    def assert_same_run(self, out):
        whole = self.whole_run()
        self.assertEqual(self.hashes(out), self.hashes(whole))
        for kind in ("epoch", "eval", "step"):
            ours, theirs = self.lines(out, kind), self.lines(whole, kind)
            self.assertEqual(ours.keys(), theirs.keys())
            for step, record in theirs.items():
                for key in ("loss", "accuracy", "auroc", "lr", "lambda", "anchors"):
                    self.assertEqual(ours[step].get(key), record.get(key), (kind, step, key))
        self.assertFalse([path for path in out.iterdir() if path.name.endswith(".tmp")])

    def test_writes_the_run_directory(self):
        out = self.folder / "run"
        self.train(out, "--train.checkpoint_every=2")

        self.assertEqual(sorted(path.name for path in out.iterdir()),
                         ["checkpoint-0002.h5", "checkpoint-latest.h5", "checkpoint-previous.h5",
                          "config.resolved.toml", "manifest.json", "train.jsonl"])
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        self.assertEqual(manifest["seed"], 1)
        self.assertEqual(manifest["mode"], "strict")
        self.assertEqual(set(manifest["sha256"]), {"initial_weights", "final_weights", "test_logits"})
        self.assertNotEqual(manifest["sha256"]["initial_weights"], manifest["sha256"]["final_weights"])
        epochs = self.lines(out, "epoch")
        self.assertEqual([record["epoch"] for record in epochs.values()], [1, 2, 3])
        self.assertLess(epochs[24]["loss"]["total"], epochs[8]["loss"]["total"])
        self.assertEqual(set(self.lines(out, "step")), {4, 8, 12, 16, 20, 24})
        self.assertEqual(self.lines(out, "end")[24]["reason"], "done")
        step = self.lines(out, "step")[12]
        self.assertEqual(set(step["seconds"]), {"data", "forward", "head", "backward", "communication", "update"})
        self.assertGreater(step["anchors"]["separation"], 0)

    def test_the_best_epoch_is_chosen_on_images_that_are_kept_out_of_training(self):
        out = self.folder / "run"
        self.train(out, "--data.validation=0.25")

        sides = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["data"]
        self.assertAlmostEqual(sides["validation"]["images"] / 3, sides["known_train"]["images"] / 9, delta=2)
        accuracies = [record["accuracy"] for record in self.lines(out, "validation").values()]
        self.assertEqual(len(accuracies), 3)
        best = list(self.lines(out, "validation"))[accuracies.index(max(accuracies))]
        more = self.train(self.folder / "more", "--data.validation=0.25", "--resume", out / "checkpoint-best.h5")
        self.assertIn(f"continues at step {best} ", more.stderr)
        again = self.folder / "again"
        self.train(again, "--data.validation=0.25", threads=2)
        self.assertEqual(self.hashes(out), self.hashes(again))
        self.assertEqual(self.lines(out, "validation"), self.lines(again, "validation"))

    def test_patience_ends_a_training_and_resumes_to_the_same_end(self):
        words = ("--data.validation=0.25", "--train.patience=2", "--train.epochs=40", "--train.eval_batch=32")
        out, other = self.folder / "run", self.folder / "other"
        self.train(out, *words)

        accuracies = [record["accuracy"] for record in self.lines(out, "validation").values()]
        best = accuracies.index(max(accuracies))
        self.assertLess(len(accuracies), 40)
        self.assertEqual(len(accuracies) - 1 - best, 2)
        self.assertIn("test_logits", self.hashes(out))
        self.assertEqual([record["reason"] for record in self.lines(out, "end").values()], ["done"])
        process = self.start(other, *words)
        while process.poll() is None and not (other / "checkpoint-previous.h5").exists():
            time.sleep(0.005)
        process.kill()
        process.wait(60)
        self.train(other, *words, "--resume", "auto")
        self.assertEqual(self.hashes(other), self.hashes(out))
        self.train(other, *words, "--resume", "auto")  # it has ended
        self.assertEqual(self.hashes(other), self.hashes(out))
        self.assertIn("data.validation", self.train(self.folder / "new", "--train.patience=2", code=2).stderr)

    def test_tells_the_share_of_the_peak_in_the_log_alone(self):
        out = self.folder / "run"
        run = self.train(out)

        epochs = list(self.lines(out, "epoch").values())
        peaks = [record["gflop_per_second"] / record["share_of_peak"] for record in epochs]
        for peak in peaks:
            self.assertAlmostEqual(peak / peaks[0], 1, places=12)  # measured once
        for record in [*epochs, *self.lines(out, "step").values()]:
            self.assertTrue(0 < record["share_of_peak"] < 2, record)
            self.assertAlmostEqual(record["share_of_peak"] / record["images_per_second"],
                                   epochs[0]["share_of_peak"] / epochs[0]["images_per_second"], places=12)
        told = float(run.stderr.split("fma peak of the threads of all ranks: ")[1].split(" GFLOP/s")[0])
        self.assertAlmostEqual(told, peaks[0], delta=0.06)
        self.assertIn("% of peak)", run.stderr)
        for name in ("manifest.json", "config.resolved.toml"):
            self.assertNotIn("peak", (out / name).read_text(encoding="utf-8"))

    def test_resolved_configuration_gives_the_same_run_again(self):
        first, second = self.folder / "first", self.folder / "second"
        self.train(first, "--train.lr=0.03", "--seed", 5)
        self.config, original = first / "config.resolved.toml", self.config
        self.train(second)
        self.config = original

        self.assertEqual(self.hashes(first), self.hashes(second))
        self.assertEqual((first / "config.resolved.toml").read_text(), (second / "config.resolved.toml").read_text())

    def test_seed_changes_the_weights(self):
        one, two = self.folder / "one", self.folder / "two"
        self.train(one, "--train.epochs=2")
        self.train(two, "--train.epochs=2", "--seed", 2)

        self.assertNotEqual(self.hashes(one)["initial_weights"], self.hashes(two)["initial_weights"])
        self.assertNotEqual(self.hashes(one)["final_weights"], self.hashes(two)["final_weights"])

    def test_threads_change_no_bit(self):
        hashes = []
        for threads in (1, 2, 4):
            out = self.folder / f"threads{threads}"
            self.train(out, threads=threads)
            hashes.append(self.hashes(out))

        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(hashes[0], hashes[2])

    def test_term_in_mid_epoch_saves_and_resume_ends_in_the_same_bits(self):
        self.whole_run()
        out = self.folder / "run"
        for _ in range(20):
            process = self.start(out, *LONG, "--resume", "auto")
            time.sleep(random.uniform(0.3, 0.6) * self.seconds)
            process.terminate()
            code = process.wait(60)
            if code == 0:
                break
            self.assertEqual(code, 5)
            self.assertIn("--resume auto", process.stderr.read())
        self.train(out, *LONG, "--resume", "auto")

        self.assert_same_run(out)

    def test_kill_at_any_moment_and_resume_ends_in_the_same_bits(self):
        self.whole_run()
        out = self.folder / "run"
        for _ in range(KILLS):
            process = self.start(out, *LONG, "--resume", "auto")
            time.sleep(random.uniform(0.05, 1.0) * self.seconds)
            process.kill()
            process.wait(60)
        self.train(out, *LONG, "--resume", "auto")

        self.assert_same_run(out)

    def test_resume_from_a_numbered_checkpoint_in_mid_epoch_ends_in_the_same_bits(self):
        out = self.folder / "run"
        process = self.start(out, *LONG)
        while process.poll() is None and not (out / "checkpoint-previous.h5").exists():
            time.sleep(0.005)
        process.kill()
        process.wait(60)
        self.train(out, *LONG, "--resume", out / "checkpoint-previous.h5")

        self.assert_same_run(out)

    def killed_after_the_first_checkpoint(self):
        out = self.folder / "run"
        process = self.start(out, *LONG)
        while process.poll() is None and not (out / "checkpoint-latest.h5").exists():
            time.sleep(0.005)
        process.kill()
        process.wait(60)
        return out, (out / "checkpoint-latest.h5").read_bytes()

    def test_full_disk_keeps_the_old_checkpoint_and_says_so(self):
        out, before = self.killed_after_the_first_checkpoint()
        disk, results = self.folder / "disk", self.folder / "results"
        disk.mkdir()
        results.mkdir()
        command = self.words("unused", *LONG, "--resume", "auto")
        place = command.index("--out")
        del command[place:place + 2]
        run = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", FULL_DISK, "sh", out, disk, results,
                              *command], capture_output=True, text=True, check=False, timeout=300)
        if run.returncode == 77 or "unshare failed" in run.stderr:
            self.skipTest("no right to mount a small disk")
        self.assertEqual(run.returncode, 0, run.stderr)

        said = (results / "stderr").read_text(encoding="utf-8")
        self.assertEqual((results / "code").read_text().strip(), "3", said)
        self.assertIn("checkpoint-latest.h5", said)
        self.assertRegex(said, "No space left")
        self.assertEqual((results / "checkpoint-latest.h5").read_bytes(), before)
        self.assertNotIn(".tmp", (results / "files").read_text())
        self.assert_same_run(results / "run")

    def test_file_that_may_not_grow_keeps_the_old_checkpoint_and_says_so(self):
        out, before = self.killed_after_the_first_checkpoint()

        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        run = self.train(out, *LONG, "--resume", "auto", code=3, preexec_fn=small_disk, restore_signals=False)

        self.assertIn("checkpoint-latest.h5", run.stderr)
        self.assertEqual((out / "checkpoint-latest.h5").read_bytes(), before)
        self.train(out, *LONG, "--resume", "auto")
        self.assert_same_run(out)

    def test_damaged_checkpoint_that_is_asked_for_is_refused_by_name_and_another_one_offered(self):
        out = self.folder / "run"
        shutil.copytree(self.whole_run(), out)
        latest = out / "checkpoint-latest.h5"
        content = bytearray(latest.read_bytes())
        content[len(content) // 2] ^= 0x55
        latest.unlink()  # the previous one may be the same file
        latest.write_bytes(content)

        run = self.train(out, *LONG, "--resume", latest, code=3)

        self.assertIn(str(latest), run.stderr)
        self.assertIn("--resume " + str(out / "checkpoint-"), run.stderr)

    def test_divergence_has_exit_code_4_and_names_step_and_place(self):
        out = self.folder / "run"
        run = self.train(out, "--train.lr=1e30", "--train.warmup_epochs=0", "--train.epochs=2", code=4)

        self.assertRegex(run.stderr, r"steps \d+ to \d+")
        self.assertIn("seen in", run.stderr)
        self.assertEqual([record["reason"] for record in self.lines(out, "end").values()], ["not finite"])

    def test_dry_run_trains_nothing(self):
        out = self.folder / "run"
        run = self.train(out, "--dry-run")

        for word in ("parameters", "MMAC", "MiB", "24 in 3 epochs of 8", "wrn-10-1 on 8x8x3"):
            self.assertIn(word, run.stdout)
        self.assertFalse(out.exists())

    def test_every_loss_trains(self):
        losses = {"none": "distance", "class_inclusion": "distance", "hsc": "distance", "triplet": "distance",
                  "uniformity": "linear", "entropic": "linear", "objectosphere": "linear", "energy": "linear",
                  "background_class": "linear"}
        for loss, head in losses.items():
            with self.subTest(loss=loss):
                out = self.folder / loss
                self.train(out, f"--loss.name={loss}", f"--model.head.name={head}", "--train.epochs=2")
                self.assertEqual(len(self.lines(out, "eval")), 2)

    def test_trials_differ_and_continue_where_they_were(self):
        out = self.folder / "trials"
        self.train(out, "--trials", 2, "--train.epochs=2")
        self.train(out, "--trials", 3, "--train.epochs=2", "--resume", "auto")

        finals = [self.hashes(out / f"trial-{i}")["final_weights"] for i in (1, 2, 3)]
        self.assertEqual(len(set(finals)), 3)
        alone = self.folder / "alone"
        self.train(alone, "--train.epochs=2", "--seed", 2)
        self.assertEqual(self.hashes(alone), self.hashes(out / "trial-2"))


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
