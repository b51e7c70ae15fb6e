#!/usr/bin/env python3
"""Times PyTorch on the training steps and inference passes of bench/bench_network.cpp.

usage: network_peers.py CASE... [--threads T] [--seconds S] [--ways eager,channels_last,compile,eager+bf16,...] [--first-step]

A case is training/wrn-40-2/256 or inference/wrn-40-2/100; more than 1,000 images of inference are shown in batches of
100. A training step is a forward pass of known and background
images in one batch, squared distances to trainable anchors, softmax cross-entropy, the class-inclusion loss, backward,
and SGD with Nesterov's momentum. training/gru/128 is a step on text: 64 documents of 100 tokens and 64 sentences of 55 in
two passes, Adam. A way that ends in +bf16 runs the network under torch.autocast, as PyTorch recommends: convolutions and
products in bf16, weights, losses and the optimiser in float. Prints CSV: case,way,best_ms,peak_MiB. --first-step makes one
step and ends.
"""

import argparse
import resource
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

CLASSES = 10


class Block(nn.Module):
    """Pre-activation block of a wide ResNet."""

    def __init__(self, inputs, outputs, stride, dropout):
        super().__init__()
        self.norm1, self.norm2 = nn.BatchNorm2d(inputs), nn.BatchNorm2d(outputs)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, stride, bias=False) if inputs != outputs else None
        self.dropout = dropout

    def forward(self, x):
        y = F.relu(self.norm1(x), inplace=True)
        z = F.relu(self.norm2(self.conv1(y)), inplace=True)
        z = self.conv2(F.dropout(z, self.dropout, self.training))
        return z + (x if self.shortcut is None else self.shortcut(y))


class BasicBlock(nn.Module):
    """Block of ResNet-18."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs)
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)), inplace=True)
        return F.relu(self.norm2(self.conv2(y)) + self.shortcut(x), inplace=True)


def wide_resnet(depth, width, dropout, channels):
    blocks, layers, inputs = (depth - 4) // 6, [nn.Conv2d(channels, 16, 3, 1, 1, bias=False)], 16
    for group in range(3):
        for block in range(blocks):
            outputs = (16 << group) * width
            layers.append(Block(inputs, outputs, 2 if group and not block else 1, dropout))
            inputs = outputs
    return nn.Sequential(*layers, nn.BatchNorm2d(inputs), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten()), inputs


def resnet18():
    layers, inputs = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)], 64
    for stage in range(4):
        for block in range(2):
            layers.append(BasicBlock(inputs, 64 << stage, 2 if stage and not block else 1))
            inputs = 64 << stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten()), inputs


def vgg(size=32):
    layers, inputs = [], 3
    for convolutions, outputs in ((2, 64), (2, 128), (4, 256)):
        for _ in range(convolutions):
            layers += [nn.Conv2d(inputs, outputs, 3, 1, 1), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]
            inputs = outputs
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(inputs * (size // 8) ** 2, 1024), nn.ReLU(inplace=True),
                         nn.Linear(1024, 1024), nn.ReLU(inplace=True)), 1024


class DenseLayer(nn.Module):
    """Layer of DenseNet-BC: its results stand beside what it read."""

    def __init__(self, inputs, growth):
        super().__init__()
        self.norm1, self.norm2 = nn.BatchNorm2d(inputs), nn.BatchNorm2d(4 * growth)
        self.conv1 = nn.Conv2d(inputs, 4 * growth, 1, bias=False)
        self.conv2 = nn.Conv2d(4 * growth, growth, 3, 1, 1, bias=False)

    def forward(self, x):
        y = self.conv1(F.relu(self.norm1(x), inplace=True))
        return torch.cat([x, self.conv2(F.relu(self.norm2(y), inplace=True))], 1)


def densenet(depth, growth):
    layers, inputs = [nn.Conv2d(3, 2 * growth, 3, 1, 1, bias=False)], 2 * growth
    for block in range(3):
        for _ in range((depth - 4) // 6):
            layers.append(DenseLayer(inputs, growth))
            inputs += growth
        if block < 2:
            layers += [nn.BatchNorm2d(inputs), nn.ReLU(inplace=True), nn.Conv2d(inputs, inputs // 2, 1, bias=False),
                       nn.AvgPool2d(2)]
            inputs //= 2
    return nn.Sequential(*layers, nn.BatchNorm2d(inputs), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten()), inputs


NETWORKS = {
    "wrn-40-2": lambda: (*wide_resnet(40, 2, 0.3, 3), 3, 32),
    "wrn-16-4": lambda: (*wide_resnet(16, 4, 0.4, 3), 3, 32),
    "wrn-10-1": lambda: (*wide_resnet(10, 1, 0.3, 3), 3, 32),
    "wrn-10-1@28": lambda: (*wide_resnet(10, 1, 0.3, 1), 1, 28),
    "wrn-10-1@64": lambda: (*wide_resnet(10, 1, 0.3, 3), 3, 64),
    "wrn-40-2@64": lambda: (*wide_resnet(40, 2, 0.3, 3), 3, 64),
    "wrn-28-10": lambda: (*wide_resnet(28, 10, 0.3, 3), 3, 32),
    "resnet18": lambda: (*resnet18(), 3, 32),
    "vgg": lambda: (*vgg(), 3, 32),
    "densenet-100-12": lambda: (*densenet(100, 12), 3, 32),
}


class TextModel(nn.Module):
    """Vectors of words, two layers of gated recurrent units, their last state."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10002, 50, padding_idx=1)
        self.gru = nn.GRU(50, 128, num_layers=2, batch_first=True)

    def forward(self, tokens):
        return self.gru(self.embedding(tokens))[1][1]


TEXT_STEPS, SENTENCE_STEPS = 100, 55


def make_text_step(kind, rows, way):
    """As make_step, with rows of tokens. Layouts of images mean nothing here."""
    form, _, narrow = way.partition("+")
    if form == "channels_last":
        raise ValueError("texts have no channels")
    net = TextModel().train(kind == "training")
    run = in_precision(torch.compile(net) if form == "compile" else net, narrow)
    known = torch.randint(0, 10002, (rows // 2 if kind == "training" else rows, TEXT_STEPS))
    if kind == "inference":
        def show():
            with torch.inference_mode():
                run(known)

        return show, show
    background = torch.randint(0, 10002, (rows // 2, SENTENCE_STEPS))
    anchors = nn.Parameter(torch.randn(CLASSES, 128))
    labels = torch.arange(rows // 2) % CLASSES
    optimizer = torch.optim.Adam([*net.parameters(), anchors], lr=0.01)

    def step():
        optimizer.zero_grad(set_to_none=True)
        class_inclusion(torch.cat([run(known), run(background)]), anchors, labels).backward()
        optimizer.step()

    return step, step


def class_inclusion(features, anchors, labels):
    d2 = ((features[:, None] - anchors[None]) ** 2).sum(-1)
    known, half = len(labels), torch.tensor(features.shape[1] / 2)
    nearest, index = d2.min(1)
    q = torch.special.gammaincc(half, nearest / 2)
    right = (index[:known] == labels).float()
    return (F.cross_entropy(-d2[:known], labels) - (right * torch.log(q[:known] + 1e-9)).mean()
            - torch.log(1 - q[known:] + 1e-9).mean())


def in_precision(run, narrow):
    """The same function with autocast around it, and float behind it, if `narrow` says bf16."""
    if not narrow:
        return run

    def autocast(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return run(x).float()

    return autocast


def make_step(kind, network, images, way):
    """A function that runs the case, and one that warms it up."""
    if network == "gru":
        return make_text_step(kind, images, way)
    net, features, channels, size = NETWORKS[network]()
    x = torch.randn(images, channels, size, size)
    form, _, narrow = way.partition("+")
    if form != "eager":
        net, x = net.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    net.train(kind == "training")
    run = in_precision(torch.compile(net) if form == "compile" else net, narrow)
    if kind == "inference":
        batches = x.split(100) if images > 1000 else [x]

        def show(some):
            with torch.inference_mode():
                for batch in some:
                    run(batch)

        return lambda: show(batches), lambda: show(batches[:1])
    anchors = nn.Parameter(torch.randn(CLASSES, features))
    labels = torch.arange(images // 2) % CLASSES
    optimizer = torch.optim.SGD([*net.parameters(), anchors], lr=1e-3, momentum=0.9, weight_decay=5e-4, nesterov=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        class_inclusion(run(x), anchors, labels).backward()
        optimizer.step()

    return step, step


def best_ms(step, warm_up, seconds, least_runs):
    warm_up()
    best, end, runs = float("inf"), time.perf_counter() + seconds, 0
    while time.perf_counter() < end or runs < least_runs:
        start = time.perf_counter()
        step()
        best, runs = min(best, time.perf_counter() - start), runs + 1
    return best * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--ways", default="eager,channels_last,compile,eager+bf16,channels_last+bf16,compile+bf16")
    parser.add_argument("--first-step", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print("case,way,best_ms,peak_MiB", flush=True)
    for case in options.cases:
        kind, network, images = case.split("/")
        for way in options.ways.split(","):
            try:
                step, warm_up = make_step(kind, network, int(images), way)
                if options.first_step:
                    step()
                    milliseconds = 0.0
                else:
                    milliseconds = best_ms(step, warm_up, options.seconds, 1 if int(images) > 1000 else 2)
            except Exception as error:  # a way that this PyTorch cannot go on this machine
                print(f"network_peers: {case} {way}: {error}", file=sys.stderr)
                continue
            print(f"{case},{way},{milliseconds:.2f},{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}", flush=True)


if __name__ == "__main__":
    main()
