"""bcr-train and bcr-eval on several ranks, seen from outside: their number, deaths and hangs change no bit of a run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_run import TinyRun  # noqa: E402

if sys.argv[4] == "none":
    print("SKIPPED: this build has no MPI")
    sys.exit(77)
TinyRun.PROGRAMS = {"data": sys.argv[1], "train": sys.argv[2], "eval": sys.argv[3]}
MPIRUN = sys.argv[4]
KILLS = int(os.environ.get("BCR_KILLS", "2"))
ALL = "BCR_ALL_COMBINATIONS" in os.environ
SHARDS = "--train.shards=8"
LONG = (SHARDS, "--train.epochs=12", "--train.save_every=3", "--train.eval_every=4")
SOON = 20  # seconds: machines that test may be busy


def rank_processes(launcher, count):
    """Process ids of all ranks that a launcher started, by rank; waits until they are there."""
    deadline = time.monotonic() + 30
    found = {}
    while len(found) < count and time.monotonic() < deadline and launcher.poll() is None:
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                variables = dict(item.split(b"=", 1) for item in (folder / "environ").read_bytes().split(b"\0")
                                 if b"=" in item)
            except OSError:
                continue
            mark = variables.get(b"BCR_TEST_JOB")
            rank = variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK"))
            if mark == launcher.mark and rank is not None and words[0] == TinyRun.PROGRAMS["train"].encode():
                found[int(rank)] = int(folder.name)
        time.sleep(0.02)
    return found


def all_end(processes, seconds):
    """Whether none of them is left after a while: a launcher may be gone before the last rank is."""
    deadline = time.monotonic() + seconds
    while any(Path(f"/proc/{pid}").exists() for pid in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Ranks(TinyRun):
    def ranked_words(self, count, words):
        return [MPIRUN, "-n", str(count), *words]

    def train_on(self, count, out, *more, threads=1, code=0):
        run = subprocess.run(self.ranked_words(count, self.words(out, *more, threads=threads)), capture_output=True,
                             text=True, check=False, timeout=600)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def start_on(self, count, out, *more):
        mark = os.urandom(8).hex()
        process = subprocess.Popen(self.ranked_words(count, self.words(out, *more)), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "BCR_TEST_JOB": mark})
        process.mark = mark.encode()
        self.addCleanup(self.end, process)
        return process

    def ends_soon(self, process):
        """The launcher's exit code and what it said."""
        try:
            _, said = process.communicate(timeout=SOON)
        except subprocess.TimeoutExpired:
            self.fail("the job goes on")
        return process.returncode, said

    def whole_run(self):
        """The undisturbed run on one rank; trained once."""
        out = self.shared / "whole"
        if not out.exists():
            started = time.monotonic()
            self.train(out, *LONG)
            type(self).seconds = time.monotonic() - started
        return out

    def assert_same_run(self, out, whole):
        self.assertEqual(self.hashes(out), self.hashes(whole))
        for kind in ("epoch", "eval", "step"):
            ours, theirs = self.lines(out, kind), self.lines(whole, kind)
            self.assertEqual(ours.keys(), theirs.keys())
            for step, record in theirs.items():
                for key in ("loss", "accuracy", "auroc", "lr", "lambda", "anchors"):
                    self.assertEqual(ours[step].get(key), record.get(key), (kind, step, key))

    def test_the_number_of_ranks_and_threads_changes_no_bit(self):
        several = [(2, 1), (4, 2), (8, 1)] if not ALL else [(n, t) for n in (1, 2, 4, 8) for t in (1, 2)]
        for scope in ("shard", "global"):
            alone = self.folder / f"alone-{scope}"
            self.train(alone, SHARDS, f"--train.batch_norm={scope}")
            for ranks, threads in several:
                out = self.folder / f"{scope}-{ranks}-{threads}"
                self.train_on(ranks, out, SHARDS, f"--train.batch_norm={scope}", threads=threads)
                self.assert_same_run(out, alone)
                manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
                self.assertEqual(manifest["ranks"], ranks)
        self.assertNotEqual(self.hashes(self.folder / "alone-shard"), self.hashes(self.folder / "alone-global"))

    def test_one_shard_is_the_textbook_algorithm(self):
        self.train(self.folder / "plain")
        self.train(self.folder / "global", "--train.batch_norm=global")
        self.assertEqual(self.hashes(self.folder / "plain"), self.hashes(self.folder / "global"))

    def test_an_impossible_number_of_ranks_is_told_once_with_the_possible_ones(self):
        run = self.train_on(3, self.folder / "run", SHARDS, code=2)
        self.assertEqual(run.stderr.count("1, 2, 4, 8 ranks"), 1, run.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_a_rank_that_dies_ends_the_job_and_any_number_of_ranks_resumes_to_the_same_bits(self):
        whole = self.whole_run()
        chance = random.Random(7)
        for kill in range(KILLS):
            out = self.folder / f"killed-{kill}"
            before, after = chance.choice([(4, 1), (2, 4), (4, 2), (2, 1)])
            process = self.start_on(before, out, *LONG)
            ranks = rank_processes(process, before)
            self.assertEqual(len(ranks), before)
            time.sleep(chance.random() * self.seconds)
            if process.poll() is None:
                os.kill(ranks[chance.randrange(before)], signal.SIGKILL)
                code, said = self.ends_soon(process)
                self.assertNotEqual(code, 0, said)
                self.assertTrue(all_end(ranks.values(), seconds=10), "processes that outlive their job")
            self.train_on(after, out, *LONG, "--resume", "auto")
            self.assert_same_run(out, whole)

    def test_a_rank_that_hangs_ends_the_job_by_name(self):
        out = self.folder / "hung"
        process = self.start_on(4, out, *LONG, "--train.epochs=200", "--train.time_limit=2")
        ranks = rank_processes(process, 4)
        while not (out / "checkpoint-latest.h5").exists():
            time.sleep(0.05)
        os.kill(ranks[2], signal.SIGSTOP)
        code, said = self.ends_soon(process)
        self.assertNotEqual(code, 0)
        # Rank 2, and whom it kept waiting, if it was stopped after it had answered some of the others.
        self.assertRegex(said, r"ranks? (\d, )*2(, \d)* of 4 ha(s|ve) not answered for 2 s")
        self.assertEqual(said.count("not answered"), 1, said)

    def test_a_loss_that_is_not_finite_ends_the_job_with_one_message_that_names_the_rank(self):
        run = self.train_on(2, self.folder / "nan", SHARDS, "--train.lr=1e30", "--train.warmup_epochs=0", code=4)
        self.assertEqual(run.stderr.count("NaN or infinity"), 1, run.stderr)
        self.assertRegex(run.stderr, r"NaN or infinity, seen on rank \d of 2, in ")

    def test_a_rank_that_fails_alone_ends_the_job_by_name(self):
        out = self.folder / "run"
        out.mkdir()
        (out / "train.jsonl").mkdir()  # rank 0 alone opens it
        run = self.train_on(2, out, SHARDS, "--resume", "auto", code=3)
        self.assertEqual(run.stderr.count("rank 0 of 2"), 1, run.stderr)

    def test_one_rank_that_is_asked_to_stop_stops_all_and_the_run_resumes(self):
        whole = self.whole_run()
        out = self.folder / "stopped"
        process = self.start_on(2, out, *LONG)
        ranks = rank_processes(process, 2)
        while not (out / "checkpoint-latest.h5").exists():
            time.sleep(0.02)
        os.kill(ranks[1], signal.SIGTERM)
        code, said = self.ends_soon(process)
        self.assertEqual(code, 5)
        self.assertIn("--resume auto continues", said)
        self.assertEqual([record["reason"] for record in self.lines(out, "end").values()], ["stopped"])
        self.train_on(4, out, *LONG, "--resume", "auto")
        self.assert_same_run(out, whole)

    def train_apart(self, first, second, code):
        """Two ranks, each with a command line of its own; what they say."""
        run = subprocess.run([MPIRUN, "-n", "1", *first, ":", "-n", "1", *second], capture_output=True, text=True,
                             check=False, timeout=SOON + 40)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stderr

    def test_ranks_that_would_begin_from_different_states_are_refused_by_name(self):
        first, second = self.folder / "first", self.folder / "second"  # as on disks of two nodes
        self.train_on(2, first, SHARDS)
        before = (first / "checkpoint-latest.h5").read_bytes()
        more = (SHARDS, "--train.epochs=4", "--resume", "auto")
        said = self.train_apart(self.words(first, *more), self.words(second, *more), code=3)
        self.assertIn("'step 24' as on rank 0", said)
        self.assertIn("'step 0' on rank 1", said)
        self.assertEqual((first / "checkpoint-latest.h5").read_bytes(), before)
        self.assertEqual(self.lines(first, "resume"), {})

    def test_ranks_with_different_settings_or_data_are_refused_by_name(self):
        self.make_set("other.h5", count=400, seed=7)
        words = self.words(self.folder / "run", SHARDS)
        said = self.train_apart(words, [*words, "--train.lr=0.01"], code=3)
        self.assertIn("'train.lr = 0.01' on rank 1", said)
        said = self.train_apart(words, [*words, f"--data.known_train={self.shared}/other.h5"], code=3)
        self.assertRegex(said, "'known_train [0-9a-f]{64}' on rank 1")
        self.assertFalse((self.folder / "run").exists())

    def test_processes_that_mpi_does_not_join_are_refused(self):
        launched = {**os.environ, "SLURM_STEP_NUM_TASKS": "4", "SLURM_LAUNCH_NODE_IPADDR": "127.0.0.1"}
        run = self.train(self.folder / "run", SHARDS, code=2, env=launched)
        self.assertIn("4 ranks, as the launcher has started", run.stderr)
        self.assertIn("srun --mpi=pmix", run.stderr)
        self.train(self.folder / "run", "--dry-run", env={**launched, "BCR_MPI": "off"})

    def test_a_rank_that_cannot_start_ends_the_job_by_name(self):
        words = self.words(self.folder / "run", SHARDS)
        said = self.train_apart(words, ["env", "KOKKOS_NUM_THREADS=many", *words], code=2)
        self.assertIn("rank 1 of 2", said)
        self.assertIn("KOKKOS_NUM_THREADS", said)

    def test_a_rank_that_hangs_in_an_evaluation_ends_the_job_by_name(self):
        out = self.folder / "run"
        self.train(out)
        os.mkfifo(self.folder / "silent.toml")  # who opens it waits for a writer
        words = [self.PROGRAMS["eval"], str(out), "--overwrite", "--kokkos-num-threads=1", "--train.time_limit=2"]
        said = self.train_apart(words, [*words, "--config", str(self.folder / "silent.toml")], code=1)
        self.assertEqual(said.count("rank 1 of 2 has not answered for 2 s"), 1, said)

    def slow_disk(self, words):
        """A rank whose disk takes two seconds for every file."""
        return ["env", f"LD_PRELOAD={os.environ['BCR_TEST_SLOW_DISK']}", "BCR_TEST_SYNC_SECONDS=2", *words]

    @unittest.skipUnless("BCR_TEST_SLOW_DISK" in os.environ, "needs the library that makes a disk slow")
    def test_a_slow_disk_of_rank_0_is_no_rank_that_hangs(self):
        short = (SHARDS, "--train.epochs=1", "--train.warmup_epochs=0", "--train.time_limit=1.5")
        words = self.words(self.folder / "run", *short)
        self.train_apart(self.slow_disk(words), words, code=0)
        out = self.folder / "trials"
        self.train(out, *short, "--trials", 2)
        words = [self.PROGRAMS["eval"], str(out), "--overwrite", "--kokkos-num-threads=1"]
        self.train_apart(self.slow_disk(words), words, code=0)

    def test_an_evaluation_is_shared_by_the_ranks(self):
        out = self.folder / "run"
        self.train(out)
        metrics = []
        for words in ([], [MPIRUN, "-n", "3"]):
            run = subprocess.run([*words, self.PROGRAMS["eval"], str(out), "--overwrite", "--kokkos-num-threads=1"],
                                 capture_output=True, text=True, check=True, timeout=300)
            found = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
            self.assertLessEqual({"network", "min_distance"}, set(found["seconds"]))
            metrics.append((run.stdout, {key: found[key] for key in found if key not in ("seconds", "checksum")}))
        self.assertEqual(metrics[0], metrics[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:], verbosity=2)
