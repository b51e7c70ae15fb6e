"""bcr-export seen from outside: the file is read by a reader of its own and computed by an interpreter of its own, and
must answer as bcr-predict does. Where onnx and onnxruntime can be imported, they are asked too."""

import csv
import io
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import onnx_interpreter  # noqa: E402
from onnx_file import INT64, UINT8, Tensor, read_model  # noqa: E402
from tiny_run import TinyRun, png  # noqa: E402
from tiny_text import COMMON, TOPICS, make_text_problem  # noqa: E402

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError:
    onnxruntime = None

TinyRun.PROGRAMS = dict(zip(("data", "train", "predict", "export"), sys.argv[1:5]))
PICTURES = 6
SHORT = ["--train.epochs=1", "--train.warmup_epochs=0", "--train.lr=0.005"]
# What is asked of the scores: relative to 1 or to the score.
TOLERANCE = 1e-5


def pixel(i):
    return lambda x, y: ((37 * x + 11 * i) % 256, (53 * y + 29 * i) % 256, (40 * i + 3 * x * y) % 256)


class BcrExport(TinyRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pictures = cls.shared / "pictures"
        cls.pictures.mkdir()
        pixels = []
        for i in range(PICTURES):
            (cls.pictures / f"{i}.png").write_bytes(png(8, 8, pixel(i)))
            pixels += [v for y in range(8) for x in range(8) for v in pixel(i)(x, y)]
        cls.images = Tensor((PICTURES, 8, 8, 3), pixels, UINT8)
        cls.run_directory = cls.trained(cls.shared / "run", "--data.validation=0.3")

    @classmethod
    def program(cls, name, *words, code=0, given=None):
        run = subprocess.run([cls.PROGRAMS[name], *map(str, words)], capture_output=True, text=True, check=False,
                             timeout=300, input=given)
        assert run.returncode == code, (words, run.returncode, run.stderr)
        return run

    @classmethod
    def trained(cls, out, *more):
        cls.program("train", "--config", cls.config, "--out", out, *more)
        return out

    def exported(self, run, *more):
        file = self.folder / "model.onnx"
        self.program("export", run, "-o", file, *more)
        return file

    def answers(self, *words, **options):
        return list(csv.DictReader(io.StringIO(self.program("predict", *words, **options).stdout)))

    def require_same(self, rows, model, outputs, tolerance=TOLERANCE):
        names = json.loads(model.metadata["bcr.class_names"])
        for i, row in enumerate(rows):
            label = outputs["label"].values[i]
            self.assertEqual(row["label"], "unknown" if label < 0 else names[label])
            self.assertEqual(bool(outputs["unknown"].values[i]), row["label"] == "unknown")
            self.assertEqual(row["guess"], names[outputs["guess"].values[i]])
            score = float(row["score"])
            self.assertLessEqual(abs(outputs["score"].values[i] - score), tolerance * max(1, abs(score)))
            self.assertEqual("p_value" in outputs, row["p_value"] != "")
            if "p_value" in outputs:  # a count; no score here is as near to one of the validation as the tolerance
                self.assertAlmostEqual(outputs["p_value"].values[i], float(row["p_value"]), delta=1e-12)
            even = model.outputs["features"][1][1] % 2 == 0
            self.assertEqual("p_inclusion" in outputs, row["p_inclusion"] != "" and even)
            if "p_inclusion" in outputs:
                self.assertLessEqual(abs(outputs["p_inclusion"].values[i] - float(row["p_inclusion"])), tolerance)

    def require_answers_of_predict(self, run, *rule, scores=(), folder=None, inputs=None):
        """The file, after everything that computes it has agreed with bcr-predict."""
        file = self.exported(run, *rule, *(["--scores", ",".join(scores)] if scores else []))
        model = read_model(file.read_bytes())
        rows = self.answers(run, folder or self.pictures, *rule)
        inputs = inputs or {"images": self.images}
        outputs = onnx_interpreter.run(model, inputs)
        self.require_same(rows, model, outputs)
        if onnxruntime is not None:
            onnx.checker.check_model(str(file), full_check=True)
            session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
            kinds = {UINT8: numpy.uint8, INT64: numpy.int64}
            given = {name: numpy.array(t.values, kinds[t.kind]).reshape(t.shape) for name, t in inputs.items()}
            got = dict(zip(model.outputs, session.run(list(model.outputs), given)))
            self.require_same(rows, model, {k: Tensor(v.shape, v.ravel().tolist()) for k, v in got.items()})
        return model, outputs, rows

    def test_every_backbone_answers_as_bcr_predict(self):
        for name, more in {"wrn": ["--model.depth=16"], "resnet18": [], "vgg": [], "densenet": ["--model.growth=4"],
                           "dhrnet": ["--model.units=24", "--model.width=1"]}.items():
            with self.subTest(name):
                run = self.trained(self.folder / name, f"--model.name={name}", *SHORT,
                                   "--data.validation=0.3", *more)
                self.require_answers_of_predict(run, "--rule", "recall", "--alpha", 0.5)

    def test_what_the_file_says_of_itself(self):
        model, outputs, rows = self.require_answers_of_predict(self.run_directory, "--rule", "recall", "--alpha", 0.5)
        manifest = json.loads((self.run_directory / "manifest.json").read_text(encoding="utf-8"))

        self.assertEqual((model.ir_version, model.opset), (8, 17))
        self.assertEqual(model.inputs, {"images": (UINT8, ["batch", 8, 8, 3])})
        self.assertEqual(model.metadata["bcr.weights_sha256"], manifest["sha256"]["final_weights"])
        self.assertEqual(model.metadata["bcr.score"], "min_distance")
        self.assertIn("accepts 50 %", model.metadata["bcr.thresholds.found"])
        (threshold,) = map(float, json.loads(model.metadata["bcr.thresholds"]))
        for row in rows:
            self.assertEqual(row["label"] == "unknown", float(row["score"]) < threshold)
        self.assertEqual(len(outputs["features"].values), PICTURES * outputs["features"].shape[1])
        # Batch norms that follow a convolution are in its weights: what is left follows a sum, or a convolution that is
        # also the shortcut of the first block.
        products = [node.name for node in model.nodes if node.op == "Mul" and node.name.endswith("/scaled")]
        self.assertEqual(products, ["input/scaled", "group1.block1.norm1/scaled", "group2.block1.norm1/scaled",
                                    "group3.block1.norm1/scaled", "norm/scaled"])
        self.assertEqual(self.exported(self.run_directory).read_bytes(), self.exported(self.run_directory).read_bytes())

    def test_rules(self):
        for rule in (["--rule", "conformal", "--alpha", 0.5], ["--rule", "class-conformal", "--alpha", 0.4],
                     ["--rule", "inclusion"], ["--rule", "never"], ["--threshold=-40"]):
            with self.subTest(rule):
                self.require_answers_of_predict(self.run_directory, *rule)

    def test_heads_and_scores(self):
        energy = ["--loss.name=energy", "--loss.energy.m_in=-3", "--loss.energy.m_out=-1"]
        for name, more in {"energy": energy, "none": [], "background_class": []}.items():
            with self.subTest(name):
                run = self.trained(self.folder / name, f"--loss.name={name}", *SHORT,
                                   "--model.head.name=linear", "--data.validation=0.3", *more)
                model, outputs, _ = self.require_answers_of_predict(run, scores=["max_softmax", "energy", "max_logit"])
                best = "energy" if name == "energy" else "max_softmax"
                self.assertEqual(model.metadata["bcr.score"], best)
                self.assertEqual(outputs["score"].values, outputs[best].values)
        _, outputs, rows = self.require_answers_of_predict(self.run_directory, scores=["inclusion", "max_softmax"])
        for value, row in zip(outputs["inclusion"].values, rows):
            self.assertLessEqual(abs(2.718281828459045 ** value - float(row["p_inclusion"])), TOLERANCE)
        said = self.program("export", self.run_directory, "-o", self.folder / "no", "--scores", "max_logit", code=2)
        self.assertIn("max_logit", said.stderr)
        self.program("export", self.run_directory, "-o", self.folder / "no", "--scores", "gen", code=2)
        self.program("export", self.run_directory, "-o", self.folder / "absent" / "no", code=3)

    def test_texts(self):
        texts = Path(tempfile.mkdtemp(dir=self.folder))
        config = make_text_problem(texts, self.PROGRAMS["data"])
        draw = random.Random(1)
        documents = [[draw.choice(COMMON + TOPICS["boats"] + ["never", "seen"]) for _ in range(draw.randint(1, 15))]
                     for _ in range(8)]
        (texts / "new").mkdir()
        for i, words in enumerate(documents):
            (texts / "new" / f"{i}.txt").write_text(" ".join(words), encoding="utf-8")
        for layers, units in ((2, 8), (1, 7)):
            run = texts / f"gru-{layers}"
            self.program("train", "--config", config, "--out", run, *SHORT, f"--model.units={units}",
                         f"--model.layers={layers}", "--data.validation=0.3")
            metadata = read_model(self.exported(run).read_bytes()).metadata
            tokens = {word: 2 + i for i, word in enumerate(metadata["bcr.vocabulary"].split("\n"))}
            rows = [[tokens.get(word, 0) for word in words[:12]] for words in documents]
            given = Tensor((len(rows), 12), [t for row in rows for t in [1] * (12 - len(row)) + row], INT64)
            self.require_answers_of_predict(run, "--rule", "recall", "--alpha", 0.5, folder=texts / "new",
                                            inputs={"tokens": given})
        # Seven features have no finite sum for P_I; what decides the same is D^2.
        said = self.program("export", run, "-o", self.folder / "no", "--scores", "inclusion", code=2)
        self.assertIn("7 features", said.stderr)
        model, _, _ = self.require_answers_of_predict(run, "--rule", "inclusion", folder=texts / "new",
                                                      inputs={"tokens": given})
        self.assertAlmostEqual(float(json.loads(model.metadata["bcr.thresholds"])[0]), -6.3458112, places=6)

    def test_damaged_checkpoints_end_with_a_sentence(self):
        whole = (self.run_directory / "checkpoint-latest.h5").read_bytes()
        intact = self.exported(self.run_directory).read_bytes()
        answers = self.program("predict", self.run_directory, self.pictures).stdout
        draw = random.Random(3)
        places = [draw.randrange(len(whole)) for _ in range(90)] + [draw.randrange(4096) for _ in range(30)]
        damaged, file = self.folder / "damaged.h5", self.folder / "out.onnx"
        refused = 0
        for place in places:
            content = bytearray(whole)
            content[place] ^= 1 << draw.randrange(8)
            damaged.write_bytes(content)
            for words in ([self.PROGRAMS["export"], damaged, "-o", file],
                          [self.PROGRAMS["predict"], damaged, self.pictures]):
                run = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, timeout=60)
                self.assertIn(run.returncode, (0, 3), (place, run.stderr))
                if run.returncode == 3:  # one sentence that names the file
                    refused += 1
                    self.assertEqual(run.stdout, "")
                    self.assertIn("damaged.h5", run.stderr.strip().splitlines()[-1])
                elif words[0] == self.PROGRAMS["predict"]:
                    self.assertEqual(run.stdout, answers, place)
                else:  # a byte that nobody reads
                    self.assertEqual(file.read_bytes(), intact, place)
        self.assertGreater(refused, 100)
        shutil.copy(self.shared / "test.h5", damaged)
        self.program("export", damaged, "-o", file, code=3)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[5:]
    import unittest
    unittest.main()
