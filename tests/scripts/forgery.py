"""Changes of HDF5 files as another program would make them: HDF5 itself finds nothing wrong with the result."""

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
