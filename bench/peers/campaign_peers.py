#!/usr/bin/env python3
"""Times PyTorch on the problems of a campaign of bcr-scale, on the same platforms, and prints rows for bcr-scale merge.

usage: campaign_peers.py TABLE... [--precisions fp32,bf16,tf32] [--ways eager,channels_last,compile] [--device auto|cpu|cuda]
                         [--repetitions N] [--problems PATTERN]

TABLEs are study.csv files of this machine: every problem and platform in them that PyTorch can solve is measured with as many
threads as the platform says; platforms of several ranks are left out. A step is what bcr-scale times, but for the loading of
images: they lie on the device, normalised and cropped already. fp32: plain, without TF32; bf16: autocast; tf32: only where
CUDA is. The fom is the median of the repetitions, as bcr-scale's, of the best way.
"""

import argparse
import csv
import datetime
import re
import statistics
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from network_peers import TextModel, class_inclusion, resnet18, wide_resnet
from torch import nn

COLUMNS = ["date", "fom", "application", "problem", "platform", "program", "space", "kind", "library", "coverage_key",
           "multiply_accumulates", "bytes", "fma_per_second", "bytes_per_second", "device_bytes"]
PROBLEM = re.compile(r"(?P<work>train|infer|head|loss) (?P<network>\S+) (?:(?P<image>\d+)x\d+x(?P<channels>\d+)|(?P<tokens>\d+) tokens)"
                     r" batch (?P<batch>\d+) classes (?P<classes>\d+)$")
PLATFORM = re.compile(r"(?P<machine>.*) \[1x(?P<threads>\d+)\]$")
WIDE_RESNET = re.compile(r"wrn-(\d+)-(\d+)$")
USUAL_TEXT = "gru-10002-50-128-2"
WARM_UP = 3


def say(text):
    print(f"campaign_peers: {text}", file=sys.stderr, flush=True)


def backbone(network, channels):
    """A network and its features, or None if PyTorch's rows have no such."""
    wide = WIDE_RESNET.match(network)
    if wide:
        return wide_resnet(int(wide[1]), int(wide[2]), 0.3, channels)
    if network == "resnet18" and channels == 3:
        return resnet18()
    return (TextModel(), 128) if network == USUAL_TEXT else None


class Problem:
    """One problem of a table, ready to be stepped."""

    def __init__(self, text, match, device, way):
        self.text, self.device = text, device
        self.work, self.batch, self.classes = match["work"], int(match["batch"]), int(match["classes"])
        texts = match["tokens"] is not None
        self.net, self.features = backbone(match["network"], int(match["channels"] or 0))
        if texts and way == "channels_last":
            raise ValueError("texts have no channels")
        if texts:
            self.inputs = torch.randint(0, 10002, (self.batch, int(match["tokens"])), device=device)
        else:
            size = int(match["image"])
            self.inputs = torch.randn(self.batch, int(match["channels"]), size, size, device=device)
        self.net.to(device).train(self.work == "train")
        if way != "eager" and not texts:
            self.net = self.net.to(memory_format=torch.channels_last)
            self.inputs = self.inputs.contiguous(memory_format=torch.channels_last)
        self.run = torch.compile(self.net) if way == "compile" else self.net
        self.anchors = nn.Parameter(torch.randn(self.classes, self.features, device=device))
        self.labels = torch.arange(self.batch // 2, device=device) % self.classes
        parameters = [*self.net.parameters(), self.anchors]
        self.optimizer = (torch.optim.Adam(parameters, lr=1e-3) if texts else
                          torch.optim.SGD(parameters, lr=1e-3, momentum=0.9, weight_decay=5e-4, nesterov=True))
        self.fixed = torch.randn(self.batch, self.features, device=device, requires_grad=True)
        self.distances = torch.rand(self.batch, self.classes, device=device).mul_(200).requires_grad_()

    def step(self, autocast):
        if self.work == "infer":
            with torch.inference_mode(), autocast:
                outputs = ((self.run(self.inputs)[:, None].float() - self.anchors[None]) ** 2).sum(-1)
                outputs.min(1)[1].cpu()  # predictions to the host
            return
        if self.work == "head":
            class_inclusion(self.fixed, self.anchors, self.labels).backward()
        elif self.work == "loss":
            inclusion_of_distances(self.distances, self.labels, self.features).backward()
        else:
            self.optimizer.zero_grad(set_to_none=True)
            with autocast:
                features = self.run(self.inputs)
            class_inclusion(features.float(), self.anchors, self.labels).backward()
            self.optimizer.step()

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()


def inclusion_of_distances(d2, labels, features):
    known, half = len(labels), torch.tensor(features / 2, device=d2.device)
    nearest, index = d2.min(1)
    q = torch.special.gammaincc(half, nearest / 2)
    right = (index[:known] == labels).float()
    return (F.cross_entropy(-d2[:known], labels) - (right * torch.log(q[:known] + 1e-9)).mean()
            - torch.log(1 - q[known:] + 1e-9).mean())


def autocast_of(precision, device):
    return torch.autocast(device, dtype=torch.bfloat16, enabled=precision == "bf16")


def median_seconds(problem, autocast, repetitions):
    seconds = []
    for repetition in range(WARM_UP + repetitions):
        problem.wait()
        start = time.perf_counter()
        problem.step(autocast)
        problem.wait()
        if repetition >= WARM_UP:
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def best_way(text, match, precision, device, ways, repetitions):
    """Seconds, way and device memory of the quickest way, or None if none goes."""
    best = None
    for way in ways:
        try:
            torch.manual_seed(1)
            if device == "cuda":
                torch.cuda.reset_peak_memory_stats()
            seconds = median_seconds(Problem(text, match, device, way), autocast_of(precision, device), repetitions)
        except Exception as error:  # a way that this PyTorch cannot go on this machine
            say(f"{text}, {precision}, {way}: {str(error).splitlines()[0]}")
            continue
        used = torch.cuda.max_memory_allocated() if device == "cuda" else ""
        if best is None or seconds < best[0]:
            best = seconds, way, used
    return best


def cases_of(tables, pattern):
    """(problem, platform), each once, in the order of the tables."""
    seen = {}
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if re.search(pattern, row["problem"]):
                    seen[row["problem"], row["platform"]] = row.get("kind", "")
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--precisions", default="fp32,bf16,tf32")
    parser.add_argument("--ways", default="eager,channels_last")
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--problems", default="", help="a regular expression; only these")
    options = parser.parse_args()
    device = options.device if options.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for (text, platform), kind in cases_of(options.tables, options.problems).items():
        match, place = PROBLEM.match(text), PLATFORM.match(platform)
        if not match or not place or not backbone(match["network"], int(match["channels"] or 0)):
            say(f"{text} on {platform}: left out, PyTorch's rows have no such")
            continue
        if kind and kind != {"cpu": "cpu", "cuda": "gpu"}[device]:
            say(f"{text} on {platform}: left out, the platform is a {kind} and PyTorch runs on {device}")
            continue
        torch.set_num_threads(int(place["threads"]))
        for precision in options.precisions.split(","):
            if precision == "tf32" and device != "cuda":
                continue
            if precision == "bf16" and match["work"] in ("head", "loss"):
                continue  # in double or single precision in both programs
            torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
            torch.backends.cudnn.allow_tf32 = precision == "tf32"
            best = best_way(text, match, precision, device, options.ways.split(","), options.repetitions)
            if best is None:
                continue
            seconds, way, used = best
            say(f"{text} on {platform}, {precision}: {1e3 * seconds:.4g} ms, {way}")
            writer.writerow({"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "fom": repr(seconds), "application": f"PyTorch {precision}", "problem": text,
                             "platform": platform, "program": f"torch {torch.__version__}",
                             "space": f"torch {device}", "kind": "gpu" if device == "cuda" else "cpu", "library": way,
                             "device_bytes": used})
            sys.stdout.flush()


if __name__ == "__main__":
    main()
