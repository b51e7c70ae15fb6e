"""bcr-predict of texts seen from outside: files, folders, lines and data files give the same answers, those of bcr-eval."""

import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_text import command, make_text_problem  # noqa: E402

DATA, TRAIN, EVAL, PREDICT = sys.argv[1:5]


class BcrPredictTexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="bcr-predict-texts-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.config = make_text_problem(cls.folder, DATA)
        cls.run_directory = cls.folder / "run"
        command(TRAIN, "--config", cls.config, "--out", cls.run_directory)
        cls.checkpoint = cls.folder / "alone.h5"  # nothing else of the run beside it
        shutil.copy(cls.run_directory / "checkpoint-latest.h5", cls.checkpoint)
        cls.files = sorted((cls.folder / "test").rglob("*.txt"), key=str)

    def predict(self, *words, code=0, given=None):
        run = subprocess.run([PREDICT, str(self.checkpoint), *map(str, words)], capture_output=True, text=True,
                             check=False, timeout=120, input=given)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout

    def rows(self, *words, **options):
        return list(csv.DictReader(io.StringIO(self.predict(*words, **options))))

    @staticmethod
    def said(rows):
        """All but the names of the texts."""
        return [{key: value for key, value in row.items() if key != "path"} for row in rows]

    def test_answers_are_those_of_the_evaluation(self):
        command(EVAL, self.run_directory)
        metrics = json.loads((self.run_directory / "metrics.json").read_text(encoding="utf-8"))
        rows = self.rows(self.folder / "test")

        self.assertEqual([row["path"] for row in rows], [str(file) for file in self.files])
        right = sum(row["guess"] == Path(row["path"]).parent.name for row in rows)
        self.assertEqual(right / len(rows), metrics["accuracy"])
        self.assertGreater(right / len(rows), 0.8)
        for row in rows:
            self.assertEqual(row["label"] == "unknown", float(row["p_inclusion"]) < 0.5)
            self.assertEqual(row["error"], "")

    def test_files_folders_lines_and_data_files_agree(self):
        folder = self.rows(self.folder / "test")
        lines = "".join(file.read_text(encoding="utf-8") + "\n" for file in self.files)
        (self.folder / "lines.txt").write_text(lines, encoding="utf-8")

        self.assertEqual(self.rows(*self.files), folder)
        data = self.rows(self.folder / "test.h5")
        self.assertEqual(self.said(self.rows("-", given=lines)), self.said(folder))
        self.assertEqual(self.said(self.rows(self.folder / "lines.txt", "--lines")), self.said(folder))
        self.assertCountEqual(map(str, self.said(data)), map(str, self.said(folder)))
        self.assertEqual([row["path"] for row in self.rows("-", given="mast sail\nsalt oven\n")], ["-#1", "-#2"])
        self.assertEqual(data[3]["path"], f"{self.folder / 'test.h5'}#3")
        (whole,) = self.rows(self.folder / "lines.txt")
        self.assertEqual(whole["path"], str(self.folder / "lines.txt"))

    def test_batches_change_no_bit_and_long_texts_are_cut(self):
        expected = self.predict(self.folder / "test")

        self.assertEqual(self.predict(self.folder / "test", "--batch", 1), expected)
        self.assertEqual(self.predict(self.folder / "test", "--batch", 7, "--kokkos-num-threads=2"), expected)
        words = "keel mast the sail rope wind and wave harbour with anchor sail"
        cut, long = self.rows("-", given=f"{words}\n{words} oven bread knife onion\n")
        self.assertEqual(self.said([cut]), self.said([long]))  # 12 words are read

    def test_answers_a_line_of_a_pipe_before_the_next_one_comes(self):
        words = [PREDICT, str(self.checkpoint), "-"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as program:
            self.assertTrue(program.stdout.readline().startswith("path,"))
            for i in range(3):
                program.stdin.write("mast sail\n")
                program.stdin.flush()
                self.assertTrue(program.stdout.readline().startswith(f"-#{i + 1},"))
            program.stdin.close()
            self.assertEqual(program.wait(timeout=60), 0)

    def test_what_cannot_be_read_is_a_line_and_an_exit_code(self):
        bad = self.folder / "bad"
        (bad / "void").mkdir(parents=True)
        (bad / "empty.txt").write_bytes(b" \n")
        (bad / "latin.txt").write_bytes("na\xefve mast".encode("latin-1"))
        (bad / "good.txt").write_text("mast sail", encoding="utf-8")
        (bad / "no.h5").write_bytes(b"no data")
        paths = [bad / name for name in ("empty.txt", "latin.txt", "no.h5", "absent.txt", "void", "good.txt")]

        rows = self.rows(*paths, code=3)

        self.assertEqual([row["path"] for row in rows], [str(path) for path in paths])
        for row in rows[:-1]:
            self.assertTrue(row["error"] and not row["label"], row)
        self.assertTrue(rows[-1]["label"] and not rows[-1]["error"])
        self.assertIn("UTF-8", rows[1]["error"])
        (letters,) = self.rows(bad / "latin.txt", "--words", "letters")
        self.assertEqual(letters["error"], "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
