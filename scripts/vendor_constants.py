"""What the audits of generated code (audit_ptx.py, audit_amdgcn.py) know about constants: in double precision the vendor's
exp, log, ... become innocent fmas, but their coefficients give them away."""
import re
import struct

HEX_FLOAT = re.compile(r"0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+")
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?:[eE][+-]?\d+)?")


def double_bits(value):
    """Without the sign: a compiler moves signs about."""
    return struct.unpack("<Q", struct.pack("<d", value))[0] & ~(1 << 63)


def is_plain(bits):
    """Few bits: 0.5, 3, 2^52. Everybody uses those."""
    return bits & 0xFFFFFFFF == 0


def telling_constants(words):
    """Of hexadecimal doubles, those that say something, without their signs."""
    return {bits for bits in (int(word, 16) & ~(1 << 63) for word in words) if not is_plain(bits)}


def written_constants(folder):
    """What our own sources say, and what a compiler makes of it by turning a float into a double."""
    written = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".hpp", ".cpp"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        written |= {double_bits(float.fromhex(word)) for word in HEX_FLOAT.findall(text)}
        written |= {double_bits(float(word)) for word in DECIMAL.findall(text)}
    return written


def vendors_own(constants, folders):
    """The constants of a probe that calls the vendor's functions, less those that stand in our sources."""
    return constants - set().union(*(written_constants(folder) for folder in folders))
