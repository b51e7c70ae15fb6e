#!/usr/bin/env python3
"""Writes training steps with the class-inclusion loss, by PyTorch in double: ten of WRN-10-1, two of ResNet-18 and VGG with
SGD, or ten of a small text model (two layers of gated recurrent units) with Adam.

usage: make_training_trace.py images|resnet18|vgg|text [OUTPUT]          needs PyTorch, mpmath and h5py

Weights, samples and labels are integer hashes of (name, position), so that both sides make them and the file holds only
results: the losses of all steps, samples of the gradients of the first step and of the weights after the last one,
running statistics, and features in inference mode. Default output: training_trace.h5, resnet18_trace.h5, vgg_trace.h5 or
text_training_trace.h5 of tests/data, which tests/integration/test_training_trace.cpp and test_text_trace.cpp read.
"""

import platform
import sys
from pathlib import Path

import h5py
import mpmath
import numpy as np
import torch
import torch.nn.functional as F

KNOWN, BACKGROUND, CLASSES, CHANNELS = 8, 8, 4, 3
VOCABULARY, WORD, UNITS, LENGTH, SHORT, PADDING = 40, 6, 20, 12, 7, 1
RATE, MOMENTUM, DECAY, LAMBDA = 0.001, 0.9, 5e-4, 1.0
TEXT_RATE = 0.01

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


class ConvolutionNet:
    """Named weights, and the layers that read them. A subclass adds its layers and says how features come from images."""

    steps, size, rate, anchor_bound, sample_every, statistics_every = 10, 12, RATE, 2, 37, 1

    def __init__(self):
        self.parameters, self.running = {}, {}
        self.parameters["head.anchors"] = anchors(self.add_layers(), self.anchor_bound)

    def add_convolution(self, name, taps, inputs, outputs, bias=False):
        self.parameters[f"{name}.weights"] = convolution(f"{name}.weights", taps, inputs, outputs)
        if bias:
            self.add_bias(name, outputs)

    def add_linear(self, name, inputs, outputs):
        bound = 2.0 ** np.round(0.5 * np.log2(6 / inputs))
        values = bound * uniform(f"{name}.weights", inputs * outputs).reshape(outputs, inputs)
        self.parameters[f"{name}.weights"] = torch.tensor(values, requires_grad=True)
        self.add_bias(name, outputs)

    def add_bias(self, name, outputs):
        self.parameters[f"{name}.bias"] = torch.tensor(0.125 * uniform(f"{name}.bias", outputs), requires_grad=True)

    def add_norm(self, name, channels):
        self.parameters[f"{name}.gamma"] = torch.ones(channels, requires_grad=True)
        self.parameters[f"{name}.beta"] = torch.zeros(channels, requires_grad=True)
        self.running[f"{name}.running_mean"] = torch.zeros(channels)
        self.running[f"{name}.running_variance"] = torch.ones(channels)

    def convolve(self, name, x, **how):
        return F.conv2d(x, self.parameters[f"{name}.weights"], self.parameters.get(f"{name}.bias"), **how)

    def linear(self, name, x):
        return F.linear(x, self.parameters[f"{name}.weights"], self.parameters[f"{name}.bias"])

    def norm(self, name, x, training):
        return F.batch_norm(x, self.running[f"{name}.running_mean"], self.running[f"{name}.running_variance"],
                            self.parameters[f"{name}.gamma"], self.parameters[f"{name}.beta"], training, 0.1, 1e-5)

    def optimizer(self):
        return torch.optim.SGD(list(self.parameters.values()), lr=self.rate, momentum=MOMENTUM, weight_decay=DECAY, nesterov=True)

    def features(self, step, training):
        return self.features_of(images_of(step, self.size), training)


class WideResNet(ConvolutionNet):
    """WRN-10-1 without dropout: one block in each of three groups."""

    def add_layers(self):
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
        return inputs

    def features_of(self, images, training):
        x = self.convolve("conv1", images, padding=1)
        for group in (1, 2, 3):
            block, stride = f"group{group}.block1", 1 if group == 1 else 2
            y = F.relu(self.norm(f"{block}.norm1", x, training))
            shortcut = self.convolve(f"{block}.shortcut", y, stride=stride) if group > 1 else x
            z = F.relu(self.norm(f"{block}.norm2", self.convolve(f"{block}.conv1", y, stride=stride, padding=1), training))
            x = self.convolve(f"{block}.conv2", z, padding=1) + shortcut
        return F.relu(self.norm("norm", x, training)).mean((2, 3))


class ResNet18(ConvolutionNet):
    """ResNet-18 for small images: no pooling behind the first convolution."""

    steps, anchor_bound, sample_every, statistics_every = 2, 1.25, 40009, 31

    def blocks(self):
        """Name, channels read and made, stride."""
        inputs = 64
        for stage in range(4):
            for block in range(2):
                outputs = 64 << stage
                yield f"stage{stage + 1}.block{block + 1}", inputs, outputs, 2 if stage > 0 and block == 0 else 1
                inputs = outputs

    def add_layers(self):
        self.add_convolution("conv1", 3, CHANNELS, 64)
        self.add_norm("norm1", 64)
        for name, inputs, outputs, _ in self.blocks():
            if inputs != outputs:
                self.add_convolution(f"{name}.shortcut", 1, inputs, outputs)
                self.add_norm(f"{name}.shortcut_norm", outputs)
            self.add_convolution(f"{name}.conv1", 3, inputs, outputs)
            self.add_norm(f"{name}.norm1", outputs)
            self.add_convolution(f"{name}.conv2", 3, outputs, outputs)
            self.add_norm(f"{name}.norm2", outputs)
        return 512

    def features_of(self, images, training):
        x = F.relu(self.norm("norm1", self.convolve("conv1", images, padding=1), training))
        for name, inputs, outputs, stride in self.blocks():
            shortcut = x
            if inputs != outputs:
                shortcut = self.norm(f"{name}.shortcut_norm", self.convolve(f"{name}.shortcut", x, stride=stride), training)
            y = F.relu(self.norm(f"{name}.norm1", self.convolve(f"{name}.conv1", x, stride=stride, padding=1), training))
            x = F.relu(self.norm(f"{name}.norm2", self.convolve(f"{name}.conv2", y, padding=1), training) + shortcut)
        return x.mean((2, 3))


class Vgg(ConvolutionNet):
    """The VGG of the AOSR experiments; pixels of the last map are joined channel innermost."""

    steps, size, rate, anchor_bound, sample_every, statistics_every = 2, 16, 0.0001, 1.25, 20011, 31

    def convolutions(self):
        inputs = CHANNELS
        for stage, (count, outputs) in enumerate(((2, 64), (2, 128), (4, 256)), 1):
            for i in range(1, count + 1):
                yield f"stage{stage}.conv{i}", inputs, outputs, i == count
                inputs = outputs

    def add_layers(self):
        for name, inputs, outputs, _ in self.convolutions():
            self.add_convolution(name, 3, inputs, outputs, bias=True)
            self.add_norm(f"{name}.norm", outputs)
        self.add_linear("fc4", 256 * (self.size // 8) ** 2, 1024)
        self.add_linear("fc5", 1024, 1024)
        return 1024

    def features_of(self, images, training):
        x = images
        for name, _, _, is_last in self.convolutions():
            x = F.relu(self.norm(f"{name}.norm", self.convolve(name, x, padding=1), training))
            x = F.max_pool2d(x, 2) if is_last else x
        x = F.relu(self.linear("fc4", x.permute(0, 2, 3, 1).flatten(1)))
        return F.relu(self.linear("fc5", x))


class TextModel:
    """Vectors of words and two layers of gated recurrent units; known documents are long, background ones short."""

    steps, sample_every, statistics_every = 10, 37, 1
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


def images_of(step, size):
    count = (KNOWN + BACKGROUND) * size * size * CHANNELS
    nhwc = 2 * uniform(f"images/{step}", count).reshape(-1, size, size, CHANNELS)
    return torch.tensor(nhwc.transpose(0, 3, 1, 2).copy())


def labels_of(step):
    return torch.tensor(np.floor((uniform(f"labels/{step}", KNOWN) + 1) * CLASSES / 2).astype(np.int64))


class LogInclusion(torch.autograd.Function):
    """log Q(a, x) and log P(a, x) with their derivatives by x in 40 digits: PyTorch's own gammaincc has 9 right where a
    is beyond 200, between its series."""

    @staticmethod
    def forward(context, a, x, is_upper):
        values, slopes = [], []
        with mpmath.workdps(40):
            for entry in map(mpmath.mpf, x.detach().tolist()):
                ends = (entry, mpmath.inf) if is_upper else (0, entry)
                share = mpmath.gammainc(a, *ends, regularized=True)
                density = mpmath.exp((a - 1) * mpmath.log(entry) - entry - mpmath.loggamma(a))
                values.append(float(mpmath.log(share)))
                slopes.append(float((-density if is_upper else density) / share))
        context.save_for_backward(torch.tensor(slopes))
        return torch.tensor(values)

    @staticmethod
    def backward(context, diff):
        return None, diff * context.saved_tensors[0], None


def losses(net, step):
    """Total, classification, background_known, background_unknown."""
    f = net.features(step, True)
    d2 = ((f[:, None] - net.parameters["head.anchors"][None]) ** 2).sum(-1)
    half = f.shape[1] / 2
    labels = labels_of(step)
    classification = F.cross_entropy(-d2[:KNOWN], labels)
    nearest, index = d2.min(1)
    right = (index[:KNOWN] == labels).double()
    known = -(right * LogInclusion.apply(half, nearest[:KNOWN] / 2, True)).sum() / KNOWN
    unknown = -LogInclusion.apply(half, nearest[KNOWN:] / 2, False).mean()
    return classification + LAMBDA * (known + unknown), classification, known, unknown


def sampled(net, tensor):
    """One of many numbers of a tensor, fewer of matrices than of vectors."""
    return canonical(tensor)[::net.statistics_every if tensor.dim() < 2 else net.sample_every]


def canonical(tensor):
    """The project's order: convolutions [KH, KW, IC, OC]."""
    tensor = tensor.detach()
    return (tensor.permute(2, 3, 1, 0) if tensor.dim() == 4 else tensor).reshape(-1).numpy()


def main():
    kinds = {"images": (WideResNet, "training_trace.h5"), "resnet18": (ResNet18, "resnet18_trace.h5"),
             "vgg": (Vgg, "vgg_trace.h5"), "text": (TextModel, "text_training_trace.h5")}
    if len(sys.argv) < 2 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    model, name = kinds[sys.argv[1]]
    output = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent.parent / "tests/data" / name)
    net = model()
    optimizer = net.optimizer()
    trace = []
    with h5py.File(output, "w") as file:
        for step in range(net.steps):
            parts = losses(net, step)
            optimizer.zero_grad()
            parts[0].backward()
            if step == 0:
                for name, tensor in net.parameters.items():
                    file[f"gradients/{name}"] = sampled(net, tensor.grad)
            optimizer.step()
            trace.append([part.item() for part in parts])
        for name, tensor in net.parameters.items():
            file[f"parameters/{name}"] = sampled(net, tensor)
        for name, tensor in net.running.items():
            file[f"statistics/{name}"] = sampled(net, tensor)
        file["losses"] = np.array(trace)
        file["features"] = canonical(net.features(0, False))[::net.statistics_every]
        settings = optimizer.param_groups[0]
        file.attrs.update(torch=str(torch.__version__), numpy=str(np.__version__), python=platform.python_version(),
                          steps=net.steps, rate=settings["lr"], weight_decay=settings["weight_decay"],
                          momentum=settings.get("momentum", settings.get("betas", [0])[0]),
                          sample_every=net.sample_every, statistics_every=net.statistics_every)
    print(output, output.stat().st_size, "bytes")
    print(np.array(trace))


if __name__ == "__main__":
    main()
