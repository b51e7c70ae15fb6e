"""Changes of files as a forger makes them who knows their checksums: neither HDF5 nor a checksum finds them."""

import hashlib
import json
import struct


def fletcher32(content):
    """What HDF5 stores behind a chunk: sums of big-endian 16-bit words, modulo 2^16 - 1."""
    total = total_of_totals = 0
    padded = content + b"\0" * (len(content) % 2)
    for (word,) in struct.iter_unpack(">H", padded):
        total = (total + word) % 65535
        total_of_totals = (total_of_totals + total) % 65535
    return total_of_totals << 16 | total


def forge_chunk(path, before, after):
    content = path.read_bytes()
    if len(before) != len(after) or content.count(before) != 1:
        raise ValueError(f"{path}: no such chunk, or several")
    place = content.index(before) + len(before)
    checksum = struct.pack("<I", fletcher32(after))
    path.write_bytes(content[:place - len(before)] + after + checksum + content[place + 4:])


def sealed(text):
    """JSON whose checksum is right again after a change."""
    digits = json.loads(text)["checksum"]
    opened = text.replace(digits, "0" * 64)
    return text.replace(digits, hashlib.sha256(opened.encode()).hexdigest())


def chained(lines):
    """Lines of a log without their chains, in a chain that is right."""
    text, before = "", ""
    for line in lines:
        before = hashlib.sha256((before + line).encode()).hexdigest()[:16]
        text += f'{line[:-1]},"chain":"{before}"}}\n'
    return text


def forge_log(path, change):
    """Every line of a log through change(record), in a chain that is right."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        del record["chain"]
        change(record)
        lines.append(json.dumps(record, separators=(",", ":")))
    path.write_text(chained(lines), encoding="utf-8")


def forge_json(path, change):
    """A file with a checksum through change(tree), with a checksum that is right."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    change(tree)
    path.write_text(sealed(json.dumps(tree, indent=2) + "\n"), encoding="utf-8")
