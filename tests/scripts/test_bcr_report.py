"""bcr-report seen from outside: the page is complete and well formed, its numbers are those of the files."""

import html.parser
import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

SAMPLE, REPORT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
VOID = {"meta", "img", "br", "hr", "link", "input"}


class Balance(html.parser.HTMLParser):
    """Every tag that is opened is closed, in order; inside SVG, "<a/>" closes itself."""

    def __init__(self):
        super().__init__()
        self.open, self.faults = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


class BcrReport(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def sample(self, name, *words):
        subprocess.run([SAMPLE, str(self.folder / name), *map(str, words)], check=True, capture_output=True, timeout=60)
        return self.folder / name

    def report(self, *words, code=0):
        run = subprocess.run([REPORT, *map(str, words)], capture_output=True, text=True, check=False, timeout=60,
                             cwd=self.folder)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def page(self, path):
        text = Path(path).read_text(encoding="utf-8")
        balance = Balance()
        balance.feed(text)
        self.assertEqual((balance.faults, balance.open), ([], []))
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data:)[^"]*"|url\((?!#)', text), [], "needs the network")
        return text

    def test_page_of_one_run_shows_everything(self):
        run = self.sample("first")
        self.report(run)

        text = self.page(run / "report.html")
        for title in ("Loss over epochs", "Accuracy over epochs", "Distance to the nearest anchor over epochs", "ROC curve",
                      "OSCR curve", "Scores of known images and of", "P_I = ½", ">recall<", "Confusion matrix",
                      "Map of the features", "P_I and P_H against distance", "Best and worst decisions", "All numbers",
                      "Configuration", "Manifest", "depth = 40", "paper 0.948",
                      "41 % of the fma peak"):
            self.assertIn(title, text)
        self.assertEqual(text.count("data:image/png;base64,"), 40)
        auroc = json.loads((run / "metrics.json").read_text())["average"]["min_distance"]["auroc"]
        self.assertIn(f"{auroc:.4f}", text)

    def test_what_a_linear_head_does_not_have_is_left_out(self):
        run = self.sample("linear", "none", "linear")
        self.report(run)

        text = self.page(run / "report.html")
        for title in ("Distance to the nearest anchor", "P_I and P_H against distance", "P_I = ½"):
            self.assertNotIn(title, text)
        self.assertIn(">recall<", text)

    def test_plots_are_also_files_that_stand_alone(self):
        run = self.sample("first")
        self.report(run)

        files = sorted((run / "report").glob("*.svg"))
        self.assertGreater(len(files), 10)
        for file in files:
            root = xml.parse(file).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertTrue(root.get("width") and root.get("height"), file.name)
            self.assertIn("<style>", file.read_text(encoding="utf-8"))
            self.assertNotRegex(file.read_text(encoding="utf-8"), r"\b(nan|inf)\b")

    def test_several_runs_share_one_table_and_the_best_is_marked(self):
        good = self.sample("good", "class_inclusion", "distance", 1, 1.0)
        bad = self.sample("bad", "none", "distance", 2, 0.2)
        out = self.report(good, bad, "--out", self.folder / "both").stdout

        text = self.page(self.folder / "both" / "report.html")
        auroc = [json.loads((run / "metrics.json").read_text())["average"]["min_distance"]["auroc"] for run in (good, bad)]
        self.assertGreater(auroc[0], auroc[1])
        self.assertIn(f"<strong>{auroc[0]:.4f}</strong>", text)
        self.assertNotIn(f"<strong>{auroc[1]:.4f}</strong>", text)
        self.assertIn("2 runs compared", text)
        self.assertRegex(out, rf"(?m)^good .*{auroc[0]:.4f} \(paper 0.948\)")
        self.assertRegex(out, rf"(?m)^bad .*{auroc[1]:.4f}")
        self.assertEqual(Path(out.strip().splitlines()[-1]), self.folder / "both" / "report.html")

    def test_trials_have_means_and_deviations(self):
        top = self.folder / "trials"
        values = []
        for trial in (1, 2, 3):
            run = self.sample(f"trials/trial-{trial}", "class_inclusion", "distance", trial)
            values.append(json.loads((run / "metrics.json").read_text())["average"]["min_distance"]["auroc"])
        mean = sum(values) / 3
        deviation = (sum((value - mean) ** 2 for value in values) / 2) ** 0.5
        self.report(top)

        self.assertIn(f"{mean:.4f} ± {deviation:.4f}", re.sub(r"<[^>]*>", "", self.page(top / "report.html")))

    def test_trials_without_metrics_are_not_counted(self):
        for trial in (1, 2, 3):
            self.sample(f"trials/trial-{trial}", "class_inclusion", "distance", trial)
        (self.folder / "trials" / "trial-2" / "metrics.json").unlink()
        self.report(self.folder / "trials")

        text = self.page(self.folder / "trials" / "report.html")
        self.assertIn("2 of 3 trials evaluated", text)
        self.assertNotIn("· 3 trials", text)

    def test_metrics_of_other_weights_and_torn_lines_are_noted(self):
        run = self.sample("first")
        metrics, manifest = (json.loads((run / name).read_text()) for name in ("metrics.json", "manifest.json"))
        metrics["from"] = {"checkpoint": "checkpoint-0002.h5", "step": 16, "weights_sha256": "aa"}
        manifest["sha256"], manifest["steps"] = {"final_weights": "aa"}, 32
        for remark, digest in ((False, "aa"), (True, "bb")):
            manifest["sha256"]["final_weights"] = digest
            (run / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
            (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
            self.report(run)
            text = self.page(run / "report.html")
            self.assertEqual("made from checkpoint-0002.h5, step 16" in text, remark)
            self.assertNotIn("left out", text)
        with (run / "train.jsonl").open("a", encoding="utf-8") as log:
            log.write('{"kind":"st\n{"kind":"end","step":1,"reason":"done"}\n')
        self.report(run)
        self.assertIn("One line of train.jsonl is no JSON", self.page(run / "report.html"))

    def test_names_cannot_break_the_page(self):
        run = self.sample("<b>&\"'")
        self.report(run)

        text = self.page(run / "report.html")
        self.assertIn("&lt;b&gt;&amp;", text)
        self.assertIn("a &lt;processor&gt; &amp; more", text)
        self.assertNotIn("<b>&", text)

    def test_a_run_that_was_not_evaluated_is_shown_as_far_as_it_went(self):
        run = self.sample("half")
        (run / "scores.h5").unlink()
        (run / "metrics.json").unlink()
        self.report(run)

        self.assertIn("Loss over epochs", self.page(run / "report.html"))

    def test_what_cannot_be_read_is_named(self):
        run = self.sample("damaged")
        content = (run / "scores.h5").read_bytes()
        (run / "scores.h5").write_bytes(content[:len(content) // 2])
        self.assertIn("scores.h5", self.report(run, code=3).stderr)
        (run / "scores.h5").write_bytes(content)
        (run / "metrics.json").write_text("{", encoding="utf-8")
        self.assertIn("metrics.json", self.report(run, code=3).stderr)
        self.assertIn("absent", self.report(self.folder / "absent", code=3).stderr)
        other = self.sample("directory")
        (other / "train.jsonl").unlink()
        (other / "train.jsonl").mkdir()
        self.assertIn("train.jsonl", self.report(other, code=3).stderr)
        self.report(code=2)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
