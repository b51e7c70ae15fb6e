#!/usr/bin/env python3
"""Writes ten training steps with the class-inclusion loss, by PyTorch in double: of WRN-10-1 with SGD, or of a small
text model (two layers of gated recurrent units) with Adam.

usage: make_training_trace.py images|text [OUTPUT]          needs PyTorch and h5py

Weights, samples and labels are integer hashes of (name, position), so that both sides make them and the file holds only
results: the losses of all steps, samples of the gradients of the first step and of the weights after the last one,
running statistics, and features in inference mode. Default output: training_trace.h5 or text_training_trace.h5 of
tests/data, which tests/integration/test_training_trace.cpp and test_text_trace.cpp read.
"""

import platform
import sys
from pathlib import Path

import h5py
import numpy as np
import torch
import torch.nn.functional as F

STEPS, KNOWN, BACKGROUND, CLASSES, SIZE, CHANNELS = 10, 8, 8, 4, 12, 3
VOCABULARY, WORD, UNITS, LENGTH, SHORT, PADDING = 40, 6, 20, 12, 7, 1
RATE, MOMENTUM, DECAY, LAMBDA = 0.001, 0.9, 5e-4, 1.0
TEXT_RATE = 0.01
SAMPLE_EVERY = 37

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def name_hash(name):
    value = 2166136261
    for letter in name.encode():
        value = (value ^ letter) * 16777619 % 2**32
    return value


def uniform(name, count):
    """Numbers in [-1, 1), multiples of 2^-23: exact in float."""
    x = (np.arange(count, dtype=np.uint64) * 747796405 + name_hash(name)) % 2**32
    x ^= x >> 16
    x = x * 0x7FEB352D % 2**32
    x ^= x >> 15
    x = x * 0x846CA68B % 2**32
    x ^= x >> 16
    return (x >> 8).astype(np.float64) * 2.0**-23 - 1


def convolution(name, taps, inputs, outputs):
    """[taps, taps, inputs, outputs] with a power of two as bound, turned to PyTorch's order."""
    bound = 2.0 ** np.round(0.5 * np.log2(6 / (taps * taps * outputs)))
    values = bound * uniform(name, taps * taps * inputs * outputs).reshape(taps, taps, inputs, outputs)
    return torch.tensor(values.transpose(3, 2, 0, 1).copy(), requires_grad=True)


def anchors(features, bound):
    values = bound * uniform("head.anchors", CLASSES * features).reshape(CLASSES, features)
    return torch.tensor(values, requires_grad=True)


class WideResNet:
    """WRN-10-1 without dropout: one block in each of three groups."""

    def __init__(self):
        self.parameters, self.running = {}, {}
        self.add_convolution("conv1", 3, CHANNELS, 16)
        inputs = 16
        for group, outputs in enumerate((16, 32, 64), 1):
            block = f"group{group}.block1"
            self.add_norm(f"{block}.norm1", inputs)
            if inputs != outputs:
                self.add_convolution(f"{block}.shortcut", 1, inputs, outputs)
            self.add_convolution(f"{block}.conv1", 3, inputs, outputs)
            self.add_norm(f"{block}.norm2", outputs)
            self.add_convolution(f"{block}.conv2", 3, outputs, outputs)
            inputs = outputs
        self.add_norm("norm", inputs)
        self.parameters["head.anchors"] = anchors(inputs, 2)

    def add_convolution(self, name, taps, inputs, outputs):
        self.parameters[f"{name}.weights"] = convolution(f"{name}.weights", taps, inputs, outputs)

    def add_norm(self, name, channels):
        self.parameters[f"{name}.gamma"] = torch.ones(channels, requires_grad=True)
        self.parameters[f"{name}.beta"] = torch.zeros(channels, requires_grad=True)
        self.running[f"{name}.running_mean"] = torch.zeros(channels)
        self.running[f"{name}.running_variance"] = torch.ones(channels)

    def norm(self, name, x, training):
        return F.relu(F.batch_norm(x, self.running[f"{name}.running_mean"], self.running[f"{name}.running_variance"],
                                   self.parameters[f"{name}.gamma"], self.parameters[f"{name}.beta"], training, 0.1, 1e-5))

    def optimizer(self):
        return torch.optim.SGD(list(self.parameters.values()), lr=RATE, momentum=MOMENTUM, weight_decay=DECAY, nesterov=True)

    def features(self, step, training):
        images = images_of(step)
        conv = lambda name, x, **kw: F.conv2d(x, self.parameters[f"{name}.weights"], **kw)
        x = conv("conv1", images, padding=1)
        for group in (1, 2, 3):
            block, stride = f"group{group}.block1", 1 if group == 1 else 2
            y = self.norm(f"{block}.norm1", x, training)
            shortcut = conv(f"{block}.shortcut", y, stride=stride) if group > 1 else x
            z = self.norm(f"{block}.norm2", conv(f"{block}.conv1", y, stride=stride, padding=1), training)
            x = conv(f"{block}.conv2", z, padding=1) + shortcut
        return self.norm("norm", x, training).mean((2, 3))


class TextModel:
    """Vectors of words and two layers of gated recurrent units; known documents are long, background ones short."""

    NAMES = {"weight_ih": "input_weights", "weight_hh": "recurrent_weights", "bias_ih": "input_bias",
             "bias_hh": "recurrent_bias"}

    def __init__(self):
        self.running = {}
        table = uniform("embedding.table", VOCABULARY * WORD).reshape(VOCABULARY, WORD)
        table[PADDING] = 0
        self.parameters = {"embedding.table": torch.tensor(table, requires_grad=True)}
        self.gru = torch.nn.GRU(WORD, UNITS, num_layers=2, batch_first=True)
        for name, tensor in self.gru.named_parameters():
            kind, layer = name.split("_l")
            ours = f"gru{int(layer) + 1}.{self.NAMES[kind]}"
            with torch.no_grad():
                tensor.copy_(torch.tensor(0.25 * uniform(ours, tensor.numel()).reshape(tensor.shape)))
            self.parameters[ours] = tensor
        self.parameters["head.anchors"] = anchors(UNITS, 0.5)

    def optimizer(self):
        return torch.optim.Adam(list(self.parameters.values()), lr=TEXT_RATE)

    def last_state(self, tokens):
        embedded = F.embedding(tokens, self.parameters["embedding.table"], padding_idx=PADDING)
        return self.gru(embedded)[1][-1]

    def features(self, step, training):
        """Two passes: a row of the background has no steps before its own."""
        return torch.cat([self.last_state(tokens_of(step, "known", KNOWN, LENGTH)),
                          self.last_state(tokens_of(step, "background", BACKGROUND, SHORT))])


def tokens_of(step, side, rows, length):
    """Row i has i % 4 words less than the longest, padded on the left."""
    words = np.floor((uniform(f"tokens/{side}/{step}", rows * length) + 1) * VOCABULARY / 2).astype(np.int64)
    tokens = words.reshape(rows, length)
    tokens[tokens == PADDING] = 0
    for i in range(rows):
        tokens[i, :i % 4] = PADDING
    return torch.tensor(tokens)


def images_of(step):
    count = (KNOWN + BACKGROUND) * SIZE * SIZE * CHANNELS
    nhwc = 2 * uniform(f"images/{step}", count).reshape(-1, SIZE, SIZE, CHANNELS)
    return torch.tensor(nhwc.transpose(0, 3, 1, 2).copy())


def labels_of(step):
    return torch.tensor(np.floor((uniform(f"labels/{step}", KNOWN) + 1) * CLASSES / 2).astype(np.int64))


def losses(net, step):
    """Total, classification, background_known, background_unknown."""
    f = net.features(step, True)
    d2 = ((f[:, None] - net.parameters["head.anchors"][None]) ** 2).sum(-1)
    half = torch.tensor(f.shape[1] / 2)
    labels = labels_of(step)
    classification = F.cross_entropy(-d2[:KNOWN], labels)
    nearest, index = d2.min(1)
    right = (index[:KNOWN] == labels).double()
    known = -(right * torch.log(torch.special.gammaincc(half, nearest[:KNOWN] / 2))).sum() / KNOWN
    unknown = -torch.log(torch.special.gammainc(half, nearest[KNOWN:] / 2)).mean()
    return classification + LAMBDA * (known + unknown), classification, known, unknown


def canonical(tensor):
    """The project's order: convolutions [KH, KW, IC, OC]."""
    tensor = tensor.detach()
    return (tensor.permute(2, 3, 1, 0) if tensor.dim() == 4 else tensor).reshape(-1).numpy()


def main():
    kinds = {"images": (WideResNet, "training_trace.h5"), "text": (TextModel, "text_training_trace.h5")}
    if len(sys.argv) < 2 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    model, name = kinds[sys.argv[1]]
    output = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent.parent / "tests/data" / name)
    net = model()
    optimizer = net.optimizer()
    trace = []
    with h5py.File(output, "w") as file:
        for step in range(STEPS):
            parts = losses(net, step)
            optimizer.zero_grad()
            parts[0].backward()
            if step == 0:
                for name, tensor in net.parameters.items():
                    file[f"gradients/{name}"] = canonical(tensor.grad)[::SAMPLE_EVERY]
            optimizer.step()
            trace.append([part.item() for part in parts])
        for name, tensor in net.parameters.items():
            file[f"parameters/{name}"] = canonical(tensor)[::SAMPLE_EVERY]
        for name, tensor in net.running.items():
            file[f"statistics/{name}"] = canonical(tensor)
        file["losses"] = np.array(trace)
        file["features"] = net.features(0, False).detach().numpy()
        settings = optimizer.param_groups[0]
        file.attrs.update(torch=str(torch.__version__), numpy=str(np.__version__), python=platform.python_version(),
                          steps=STEPS, rate=settings["lr"], momentum=settings.get("momentum", settings.get("betas", [0])[0]),
                          weight_decay=settings["weight_decay"], sample_every=SAMPLE_EVERY)
    print(output, output.stat().st_size, "bytes")
    print(np.array(trace))


if __name__ == "__main__":
    main()
