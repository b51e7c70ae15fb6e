"""Computes an ONNX graph in double precision with plain loops, from the definitions of the operators of opset 17: what
bcr-export writes can be checked where nothing but Python is. Slow: for images of a few pixels."""

import itertools
import math
import operator
import struct

from onnx_file import BOOL, DOUBLE, FLOAT, INT64, Tensor


def size_of(shape):
    return math.prod(shape)


def strides_of(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return strides[::-1]


def as_float(value):
    """Rounded to single precision."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def broadcast(function, kind=None):
    def run(_, *sources):
        rank = max(len(s.shape) for s in sources)
        shapes = [(1,) * (rank - len(s.shape)) + s.shape for s in sources]
        shape = tuple(max(extents) if min(extents) else 0 for extents in zip(*shapes))
        for extents in shapes:
            assert all(e in (1, full) for e, full in zip(extents, shape)), shapes
        steps = [[0 if e == 1 else step for e, step in zip(extents, strides_of(extents))] for extents in shapes]
        lists = []
        for source, own in zip(sources, steps):
            places = [0]
            for extent, step in zip(shape, own):
                places = [p + i * step for p in places for i in range(extent)]
            lists.append([source.values[p] for p in places])
        return Tensor(shape, list(map(function, *lists)), kind or sources[-1].kind)
    return run


def each(function, kind=None):
    return lambda _, x: Tensor(x.shape, list(map(function, x.values)), kind or x.kind)


def cast(attributes, x):
    convert = {FLOAT: as_float, DOUBLE: float, INT64: int}[attributes["to"]]
    return Tensor(x.shape, [convert(v) for v in x.values], attributes["to"])


def transpose(attributes, x):
    perm, strides = attributes["perm"], strides_of(x.shape)
    places = [0]
    for axis in perm:
        places = [p + i * strides[axis] for p in places for i in range(x.shape[axis])]
    return Tensor(tuple(x.shape[axis] for axis in perm), [x.values[p] for p in places], x.kind)


def windows(x, taps, strides, pads, outside):
    """The values of every window of every image, channel by channel, as rows; and how many windows there are."""
    batch, channels, height, width = x.shape
    down = (height + pads[0] + pads[2] - taps[0]) // strides[0] + 1
    across = (width + pads[1] + pads[3] - taps[1]) // strides[1] + 1
    rows = []
    for n, oy, ox in itertools.product(range(batch), range(down), range(across)):
        row = []
        for c in range(channels):
            base = (n * channels + c) * height * width
            for ky in range(taps[0]):
                y = oy * strides[0] - pads[0] + ky
                for kx in range(taps[1]):
                    z = ox * strides[1] - pads[1] + kx
                    inside = 0 <= y < height and 0 <= z < width
                    row.append(x.values[base + y * width + z] if inside else outside)
        rows.append(row)
    return rows, down, across


def from_windows(batch, down, across, results):
    """Lists of one number a channel, window by window, to [N, C, H, W]."""
    channels, area = len(results[0]), down * across
    values = [results[n * area + p][c] for n in range(batch) for c in range(channels) for p in range(area)]
    return Tensor((batch, channels, down, across), values)


def conv(attributes, x, weights, bias=None):
    assert list(weights.shape[2:]) == attributes["kernel_shape"]
    rows, down, across = windows(x, weights.shape[2:], attributes["strides"], attributes["pads"], 0.0)
    size = size_of(weights.shape[1:])
    kernels = [weights.values[o * size:(o + 1) * size] for o in range(weights.shape[0])]
    add = bias.values if bias else [0.0] * len(kernels)
    results = [[sum(map(operator.mul, row, kernel)) + b for kernel, b in zip(kernels, add)] for row in rows]
    return from_windows(x.shape[0], down, across, results)


def pool(reduce, outside):
    def run(attributes, x):
        taps = attributes["kernel_shape"]
        area = taps[0] * taps[1]
        rows, down, across = windows(x, taps, attributes["strides"], attributes["pads"], outside)
        results = [[reduce(row[i:i + area]) for i in range(0, len(row), area)] for row in rows]
        return from_windows(x.shape[0], down, across, results)
    return run


def average_pool(attributes, x):
    assert attributes["count_include_pad"] == 1
    return pool(lambda window: math.fsum(window) / len(window), 0.0)(attributes, x)


def global_average_pool(_, x):
    area = size_of(x.shape[2:])
    values = [math.fsum(x.values[i:i + area]) / area for i in range(0, len(x.values), area)]
    return Tensor(x.shape[:2] + (1, 1), values)


def flatten(_, x):
    return Tensor((x.shape[0], size_of(x.shape[1:])), x.values, x.kind)


def concat(attributes, *sources):
    assert attributes["axis"] == 1
    values = []
    for n in range(sources[0].shape[0]):
        for source in sources:
            size = size_of(source.shape[1:])
            values += source.values[n * size:(n + 1) * size]
    shape = sources[0].shape
    return Tensor((shape[0], sum(s.shape[1] for s in sources)) + shape[2:], values)


def gemm(attributes, x, weights, bias=None):
    assert attributes == {"transB": 1}
    size = weights.shape[1]
    rows = [weights.values[o * size:(o + 1) * size] for o in range(weights.shape[0])]
    add = bias.values if bias else [0.0] * len(rows)
    values = [sum(map(operator.mul, x.values[n * size:(n + 1) * size], row)) + b
              for n in range(x.shape[0]) for row, b in zip(rows, add)]
    return Tensor((x.shape[0], len(rows)), values)


def gather(attributes, table, places):
    assert attributes["axis"] == 0
    size = size_of(table.shape[1:])
    values = []
    for place in places.values:
        assert 0 <= place < table.shape[0], place
        values += table.values[place * size:(place + 1) * size]
    return Tensor(places.shape + table.shape[1:], values, table.kind)


def sigmoid(value):
    return 1 / (1 + math.exp(-value)) if value >= 0 else math.exp(value) / (1 + math.exp(value))


def gru(attributes, x, weights, recurrent, bias):
    """X [L, N, E], gates update, reset, hidden; the reset gate after the recurrent product."""
    units = attributes["hidden_size"]
    assert attributes == {"hidden_size": units, "linear_before_reset": 1}
    steps, batch, inputs = x.shape

    def product(matrix, vector, gate):
        size = len(vector)
        first = gate * units * size
        return [sum(map(operator.mul, vector, matrix.values[first + j * size:first + (j + 1) * size]))
                for j in range(units)]

    def part(place):
        return bias.values[place * units:(place + 1) * units]

    states = [[0.0] * units for _ in range(batch)]
    every = []
    for t in range(steps):
        for n in range(batch):
            now = x.values[(t * batch + n) * inputs:(t * batch + n + 1) * inputs]
            before = states[n]
            arguments = [zip(product(weights, now, g), product(recurrent, before, g), part(g), part(3 + g))
                         for g in range(3)]
            update = [sigmoid(w + r + wb + rb) for w, r, wb, rb in arguments[0]]
            reset = [sigmoid(w + r + wb + rb) for w, r, wb, rb in arguments[1]]
            hidden = [math.tanh(w + wb + k * (r + rb)) for k, (w, r, wb, rb) in zip(reset, arguments[2])]
            states[n] = [(1 - z) * h + z * s for z, h, s in zip(update, hidden, before)]
            every += states[n]
    last = [value for state in states for value in state]
    return Tensor((steps, 1, batch, units), every), Tensor((1, batch, units), last)


def reduce_last(function, needs_axes_input=False):
    """Over the last axis."""
    def run(attributes, x, axes=None):
        wanted = axes.values if needs_axes_input else attributes["axes"]
        assert wanted == [len(x.shape) - 1], wanted
        size = x.shape[-1]
        values = [function(x.values[i:i + size]) for i in range(0, len(x.values), size)]
        return Tensor(x.shape[:-1] + ((1,) if attributes["keepdims"] else ()), values, x.kind)
    return run


def arg_max(attributes, x):
    assert attributes == {"axis": 1, "keepdims": 0}
    size = x.shape[1]
    rows = [x.values[i:i + size] for i in range(0, len(x.values), size)]
    return Tensor(x.shape[:1], [row.index(max(row)) for row in rows], INT64)


def squeeze(_, x, axes):
    assert all(x.shape[a] == 1 for a in axes.values)
    return Tensor(tuple(e for i, e in enumerate(x.shape) if i not in axes.values), x.values, x.kind)


def unsqueeze(_, x, axes):
    shape = list(x.shape)
    for axis in sorted(axes.values):
        shape.insert(axis, 1)
    return Tensor(tuple(shape), x.values, x.kind)


def slice_columns(_, x, first, end, axis):
    assert axis.values == [1] and len(x.shape) == 2
    size = x.shape[1]
    values = [v for i in range(0, len(x.values), size) for v in x.values[i + first.values[0]:i + end.values[0]]]
    return Tensor((x.shape[0], end.values[0] - first.values[0]), values, x.kind)


OPERATORS = {
    "Add": broadcast(operator.add), "Sub": broadcast(operator.sub), "Mul": broadcast(operator.mul),
    "Div": broadcast(operator.truediv), "Equal": broadcast(operator.eq, BOOL),
    "And": broadcast(lambda a, b: a and b, BOOL),
    "Max": broadcast(max), "Min": broadcast(min), "GreaterOrEqual": broadcast(operator.ge, BOOL),
    "Where": broadcast(lambda chosen, a, b: a if chosen else b), "Not": each(operator.not_, BOOL),
    "Relu": each(lambda v: max(v, 0.0)), "Exp": each(math.exp), "Log": each(math.log), "Identity": lambda _, x: x,
    "Cast": cast, "Transpose": transpose, "Conv": conv, "MaxPool": pool(max, -math.inf), "AveragePool": average_pool,
    "GlobalAveragePool": global_average_pool, "Flatten": flatten, "Concat": concat, "Gemm": gemm, "Gather": gather,
    "GRU": gru, "ReduceMax": reduce_last(max), "ReduceSum": reduce_last(math.fsum, needs_axes_input=True),
    "ReduceSumSquare": reduce_last(lambda row: math.fsum(v * v for v in row)), "ArgMax": arg_max, "Squeeze": squeeze,
    "Unsqueeze": unsqueeze, "Slice": slice_columns,
}


def run(model, inputs):
    """{name of an output: Tensor}, each of the declared type and of extents that fit."""
    values = dict(model.constants)
    for name, (kind, extents) in model.inputs.items():
        given = inputs[name]
        assert given.kind == kind and len(given.shape) == len(extents), name
        assert all(isinstance(e, str) or e == s for e, s in zip(extents, given.shape)), name
        values[name] = given
    for node in model.nodes:
        results = OPERATORS[node.op](node.attributes, *(values[name] for name in node.inputs))
        results = results if isinstance(results, tuple) else (results,)
        for name, result in zip(node.outputs, results):
            assert name == "" or name not in values, f"{name} is made twice"
            values[name] = result
    for name, (kind, extents) in model.outputs.items():
        got = values[name]
        assert got.kind == kind and len(got.shape) == len(extents), (name, got.kind, got.shape)
        assert all(isinstance(e, str) or e == s for e, s in zip(extents, got.shape)), (name, got.shape)
    return {name: values[name] for name in model.outputs}
