"""Reads an ONNX file: the wire format of Protocol Buffers and the fields of onnx.proto that bcr-export writes. Knows
nothing of how our programs write them; a field that is not expected is an error."""

import struct
from dataclasses import dataclass, field

FLOAT, UINT8, INT64, BOOL, DOUBLE = 1, 2, 7, 9, 11
LETTERS = {FLOAT: "f", UINT8: "B", INT64: "q", DOUBLE: "d"}


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def fields(data):
    """(number, value) of every field of a message: integers, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
            yield number, signed(value)
        elif wire == 2:
            size, at = varint(data, at)
            if at + size > len(data):
                raise ValueError(f"field {number} ends behind its message")
            yield number, data[at:at + size]
            at += size
        elif wire == 5:
            yield number, struct.unpack_from("<f", data, at)[0]
            at += 4
        else:
            raise ValueError(f"field {number} has wire type {wire}")


@dataclass
class Tensor:
    shape: tuple
    values: list
    kind: int = FLOAT


@dataclass
class Node:
    op: str = ""
    name: str = ""
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    attributes: dict = field(default_factory=dict)


@dataclass
class Model:
    ir_version: int = 0
    opset: int = 0
    producer: str = ""
    metadata: dict = field(default_factory=dict)
    nodes: list = field(default_factory=list)
    constants: dict = field(default_factory=dict)
    inputs: dict = field(default_factory=dict)  # name: (element type, extents)
    outputs: dict = field(default_factory=dict)


def read_tensor(data):
    shape, kind, name, raw = [], 0, "", b""
    for number, value in fields(data):
        if number == 1:
            shape.append(value)
        elif number == 2:
            kind = value
        elif number == 8:
            name = value.decode()
        elif number == 9:
            raw = value
        else:
            raise ValueError(f"TensorProto has field {number}")
    values = [v for (v,) in struct.iter_unpack("<" + LETTERS[kind], raw)]
    count = 1
    for extent in shape:
        count *= extent
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} values for {shape}")
    return name, Tensor(tuple(shape), values, kind)


def read_attribute(data):
    name, kind, value, values = "", 0, None, []
    for number, got in fields(data):
        if number == 1:
            name = got.decode()
        elif number == 3:
            value = got
        elif number == 8:
            values.append(got)
        elif number == 20:
            kind = got
        else:
            raise ValueError(f"AttributeProto has field {number}")
    return name, {2: value, 7: values}[kind]


def read_node(data):
    node = Node()
    for number, value in fields(data):
        if number == 1:
            node.inputs.append(value.decode())
        elif number == 2:
            node.outputs.append(value.decode())
        elif number == 3:
            node.name = value.decode()
        elif number == 4:
            node.op = value.decode()
        elif number == 5:
            name, attribute = read_attribute(value)
            node.attributes[name] = attribute
        else:
            raise ValueError(f"NodeProto has field {number}")
    return node


def read_value_info(data):
    info = dict(fields(data))
    (tensor,) = [value for number, value in fields(info[2]) if number == 1]
    described = dict(fields(tensor))
    extents = []
    for number, dim in fields(described[2]):
        assert number == 1
        ((kind, extent),) = fields(dim)
        extents.append(extent if kind == 1 else extent.decode())
    return info[1].decode(), (described[1], extents)


def read_model(data):
    model = Model()
    for number, value in fields(data):
        if number == 1:
            model.ir_version = value
        elif number in (2, 3):
            model.producer += value.decode() + (" " if number == 2 else "")
        elif number == 7:
            graph = value
        elif number == 8:
            model.opset = dict(fields(value))[2]
        elif number == 14:
            entry = dict(fields(value))
            model.metadata[entry[1].decode()] = entry[2].decode()
        else:
            raise ValueError(f"ModelProto has field {number}")
    for number, value in fields(graph):
        if number == 1:
            model.nodes.append(read_node(value))
        elif number == 5:
            name, tensor = read_tensor(value)
            if name in model.constants:
                raise ValueError(f"two constants {name}")
            model.constants[name] = tensor
        elif number in (11, 12):
            name, described = read_value_info(value)
            (model.inputs if number == 11 else model.outputs)[name] = described
        elif number != 2:
            raise ValueError(f"GraphProto has field {number}")
    return model
