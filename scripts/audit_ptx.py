#!/usr/bin/env python3
"""Reads the PTX of strict kernels and names every instruction whose result could differ from the host's.

usage: audit_ptx.py [--sources DIR] [--vendor-maths FILE.ptx] FILE.ptx...

Forbidden, each with its line:
  approximate   .approx, div.full, and functions that only exist so (ex2, lg2, sin, cos, tanh, rsqrt)
  flush         .ftz: subnormal numbers become zero
  saturate      .sat, and every rounding of a sum, product, fma, quotient or root other than to nearest
  contraction   an add, sub or mul without .rn: nvcc writes them so when it may fuse a product and a sum, and ptxas then
                fuses what nvcc has left. The mode is one for the whole file, so a file with an fma must also show a sum
                or product with .rn, or name a command with --fmad=false in its first line (device_ptx.py writes it
                there): without such a witness its fmas might be nobody's.
  atomic        atom or red on floating point: the order of arrival would decide the rounding
  vendor maths  a constant of double precision that the vendor's exp, log, ... use (collected from --vendor-maths) and
                that stands nowhere in our sources (--sources): std::exp in a device function compiles to innocent fmas

Ends with 0 if nothing was found, 1 if something was, 2 if there was nothing to read."""
import argparse
import pathlib
import re
import sys
from collections import Counter

from vendor_constants import telling_constants, vendors_own

INSTRUCTION = re.compile(r"^\s*(?:\{\s*)?(?:@!?%\w+\s+)?([a-z][a-z0-9_]*(?:\.[a-zA-Z0-9_:]+)*)[\s;]")
FLOAT = re.compile(r"\.(f16|f16x2|bf16|bf16x2|f32|f32x2|f64)\b")
DOUBLE_CONSTANT = re.compile(r"\b0[dD]([0-9A-Fa-f]{16})\b")
APPROXIMATE = {"ex2", "lg2", "sin", "cos", "tanh", "rsqrt"}
ROUNDED = {"add", "sub", "mul", "fma", "mad", "div", "sqrt", "rcp"}


def constants_of(text):
    return telling_constants(DOUBLE_CONSTANT.findall(text))


def fault_of(opcode):
    """The kind of fault of one instruction, or None."""
    root, *modifiers = opcode.split(".")
    if not FLOAT.search(opcode):
        return None
    if root in {"atom", "red"}:
        return "atomic"
    if "ftz" in modifiers:
        return "flush"
    if root in APPROXIMATE or "approx" in modifiers or "full" in modifiers:
        return "approximate"
    if root in ROUNDED and ({"sat", "rz", "rm", "rp"} & set(modifiers)):
        return "saturate"
    if root in {"add", "sub", "mul", "mad"} and "rn" not in modifiers:
        return "contraction"
    return None


def audit(path, vendor):
    """The faults of a file: (line, kind, text); and how many floating-point instructions were seen."""
    faults, seen = [], Counter()
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INSTRUCTION.match(line)
        if match is None:
            continue
        opcode = match.group(1)
        if FLOAT.search(opcode):
            seen[opcode.split(".")[0]] += 1
        kind = fault_of(opcode)
        if kind is None and constants_of(line) & vendor:
            kind = "vendor maths"
        if kind is not None:
            faults.append((number, kind, line.strip()))
    modes = re.findall(r"--fmad=(\w+)", text.split("\n", 1)[0])
    witness = seen["add"] or seen["sub"] or seen["mul"] or (modes and modes[-1] == "false")
    if seen["fma"] and not witness:
        faults.append((0, "contraction", "every sum and product is an fma: no witness that none was made of two"))
    return faults, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=pathlib.Path, action="append", default=[], help="folder with our constants")
    parser.add_argument("--vendor-maths", type=pathlib.Path, help="PTX that calls the vendor's functions")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    vendor = set()
    if options.vendor_maths:
        vendor = vendors_own(constants_of(options.vendor_maths.read_text(encoding="utf-8")), options.sources)
        if not vendor:
            print("audit: the vendor's functions show no constant of their own; nothing could be found by them")
            return 2
    total, found = Counter(), 0
    for path in options.files:
        faults, seen = audit(path, vendor)
        total += seen
        found += len(faults)
        for number, kind, text in faults:
            print(f"{path.name}:{number}: {kind}: {text}")
    if not total:
        print("audit: no floating-point instruction in any file: nothing was audited")
        return 2
    names = ", ".join(f"{count} {name}" for name, count in total.most_common(8))
    print(f"audit: {len(options.files)} files, {sum(total.values())} floating-point instructions ({names}), {found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
