#!/usr/bin/env python3
"""Exported models in ONNX Runtime beside bcr-predict.

usage: export_peers.py make FOLDER              writes train.npz and test.npz: made-up images of ten classes
       export_peers.py check RUN TEST.npz PROGRAMS [RULE...]
check exports RUN, lets ONNX Runtime and bcr-predict answer for the images, and prints CSV:
images,labels,decisions,unknown,score,p_inclusion,p_value: how many agree, how many are unknown, the largest differences (of a
score relative to 1 or to the score), how many p-values differ. RULE: options that both bcr-export and bcr-predict take.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

CLASSES, SIDE = 10, 32


def made_up(count, seed):
    """Gratings whose direction, wavelength and colour belong to the class, anywhere, under noise."""
    draw = np.random.default_rng(seed)
    labels = np.arange(count) % CLASSES
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    images = np.empty((count, SIDE, SIDE, 3), np.uint8)
    for i, label in enumerate(labels):
        angle, wave = np.pi * label / CLASSES, 4 + label % 4
        grating = np.sin(2 * np.pi * (x * np.cos(angle) + y * np.sin(angle)) / wave + draw.uniform(0, 6))
        colour = 60 * np.cos(np.array([0, 2, 4]) + label)
        pixels = 128 + grating[:, :, None] * colour + draw.normal(0, 40, (SIDE, SIDE, 3))
        images[i] = np.clip(pixels, 0, 255).astype(np.uint8)
    return {"images": images, "labels": labels.astype(np.uint8)}


def make(folder):
    np.savez(folder / "train.npz", **made_up(800, 1))
    np.savez(folder / "test.npz", **made_up(1000, 2))


def check(run, test, programs, rule):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        images = scratch / "images.h5"
        subprocess.run([programs / "bcr-data", "import", "npy", test, "-o", images], check=True, capture_output=True)
        text = subprocess.run([programs / "bcr-predict", run, images, *rule], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        rows = list(csv.DictReader(text.splitlines()))
        subprocess.run([programs / "bcr-export", run, "-o", scratch / "model.onnx", *rule], check=True)
        model = onnx.load(scratch / "model.onnx")
        onnx.checker.check_model(model, full_check=True)
        session = onnxruntime.InferenceSession(scratch / "model.onnx", providers=["CPUExecutionProvider"])
    pixels = np.load(test)["images"]
    names = [output.name for output in session.get_outputs()]
    parts = [session.run(names, {"images": pixels[i:i + 125]}) for i in range(0, len(pixels), 125)]
    found = {name: np.concatenate([part[i] for part in parts]) for i, name in enumerate(names)}

    class_names = json.loads({entry.key: entry.value for entry in model.metadata_props}["bcr.class_names"])
    answered = {"images": len(rows), "labels": 0, "decisions": 0, "unknown": 0, "score": 0.0, "p_inclusion": 0.0,
                "p_value": 0}
    for i, row in enumerate(rows):
        score = float(row["score"])
        answered["labels"] += class_names[found["guess"][i]] == row["guess"]
        label = "unknown" if found["label"][i] < 0 else class_names[found["label"][i]]
        answered["decisions"] += label == row["label"]
        answered["unknown"] += row["label"] == "unknown"
        answered["score"] = max(answered["score"], abs(found["score"][i] - score) / max(1, abs(score)))
        answered["p_value"] += abs(found["p_value"][i] - float(row["p_value"])) > 1e-12
        if "p_inclusion" in found:
            answered["p_inclusion"] = max(answered["p_inclusion"],
                                          abs(found["p_inclusion"][i] - float(row["p_inclusion"])))
    writer = csv.DictWriter(sys.stdout, answered)
    writer.writeheader()
    writer.writerow(answered)


def main():
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        check(sys.argv[2], sys.argv[3], Path(sys.argv[4]), sys.argv[5:])


if __name__ == "__main__":
    main()
