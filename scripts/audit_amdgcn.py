#!/usr/bin/env python3
"""Reads the AMDGCN code of strict kernels and names everything whose result could differ from the host's.

usage: audit_amdgcn.py [--llvm-dis PROGRAM] [--sources DIR]... [--vendor-maths FILE.ll|FILE.bc] FILE.s...

Beside each assembly file lies the LLVM code it was made from, FILE.bc or FILE.ll (hipcc -save-temps=obj leaves both).
The LLVM code shows what was asked for, the assembly what came out. Forbidden, each with its line:
  contraction   the flag `contract` on an operation, and llvm.fmuladd: the code generator may fuse such a product and
                sum. Written fmas are llvm.fma, so that no other fused operation can come out.
  fast          the flags reassoc, arcp, afn, fast
  approximate   !fpmath on a quotient or root, any function of floating point that is not exact or correctly rounded
                (llvm.exp, llvm.amdgcn.rcp, __ocml_*, inline assembly); v_exp, v_log, v_sin, v_cos, v_rsq_f32, and v_rcp,
                v_sqrt, v_rsq in greater number than the expansions of IEEE quotients and roots and of integer division
                need
  flush         a kernel that starts with subnormal numbers off, v_mad and v_mac (which ignore them) outside of integer
                division, the modifiers clamp, mul:2, mul:4, div:2
  rounding      a kernel that starts with another rounding than to nearest; s_setreg, s_round_mode, s_denorm_mode
  atomic        atomicrmw or an atomic instruction on floating point: the order of arrival would decide the rounding
  matrix        v_mfma, v_dot: sums in an order of their own
  vendor maths  a constant of double precision that the vendor's exp, log, ... use (collected from --vendor-maths) and
                that stands nowhere in our sources (--sources)

Ends with 0 if nothing was found, 1 if something was, 2 if there was nothing to read."""
import argparse
import pathlib
import re
import subprocess
import sys
from collections import Counter

from vendor_constants import telling_constants, vendors_own

DOUBLE_CONSTANT = re.compile(r"\bdouble (?:noundef )?0x([0-9A-F]{16})\b|, 0x([0-9A-F]{16})\b")
OPERATION = re.compile(r"= (?:tail |musttail |notail )?(fadd|fsub|fmul|fdiv|frem|fneg|call)\b((?: [a-z]+)*)")
FLAGS = {"contract": "contraction", "reassoc": "fast", "arcp": "fast", "afn": "fast", "fast": "fast"}
CALLED = re.compile(r"\bcall\b[^@]*?\b(float|double|half|<\d+ x (?:float|double|half)>|\{ (?:float|double), i32 \}) "
                    r"@\"?([\w.$]+)")
EXACT = re.compile(r"llvm\.(fma|sqrt|fabs|copysign|minnum|maxnum|minimum|maximum|floor|ceil|trunc|rint|nearbyint|round|"
                   r"roundeven|ldexp|frexp|canonicalize|vector\.reduce\.f(max|min)|"
                   r"amdgcn\.(readfirstlane|readlane|update\.dpp|mov\.dpp|ds\.bpermute|permlane\w*|fmed3))\b")
INSTRUCTION = re.compile(r"^\s+([a-z]\w*)\s*(.*)$")
FLOAT = re.compile(r"_f(16|32|64)\b|_f(16|32|64)_")
APPROXIMATE = re.compile(r"v_(exp|log|sin|cos)_|v_rsq_f(32|16)|v_sqrt_f(64|16)|v_(rcp|rsq)_(clamp|legacy)")
ATOMIC = re.compile(r"(global|flat|buffer)_atomic_(pk_)?(f?(add|min|max|cmpswap))_(b?f16|f32|f64|x2_f\w+)\b|"
                    r"(global|flat|buffer)_atomic_f(add|min|max|cmpswap)|ds_(pk_)?(add|min|max|cmpst)(_rtn)?_b?f")
INTEGER_DIVISION = re.compile(r"0x4f800000|0xcf800000")
MODE = re.compile(r"\.amdhsa_float_(round|denorm)_mode_(32|16_64)\s+(\d+)")


def read_llvm(path, llvm_dis):
    """The LLVM code beside an assembly file, as text."""
    text = path.with_suffix(".ll")
    if text.exists():
        return text.read_text(encoding="utf-8")
    command = [llvm_dis, "-o", "-", str(path.with_suffix(".bc"))]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def constants_of(text):
    return telling_constants(one or two for one, two in DOUBLE_CONSTANT.findall(text))


def faults_of_llvm_line(line, vendor):
    """The kinds of fault of one line of LLVM code."""
    operation = OPERATION.search(line)
    if operation:
        for flag in operation.group(2).split():
            if flag in FLAGS:
                yield FLAGS[flag]
    called = CALLED.search(line)
    if called and "llvm.fmuladd" in called.group(2):
        yield "contraction"
    elif called and not EXACT.match(called.group(2)) and called.group(2).startswith(("llvm.", "__oc", "__hip")):
        yield "approximate"
    if re.search(r"\bcall\b.*\b(float|double|half)\b.*\basm\b", line):
        yield "approximate"
    if "!fpmath" in line:
        yield "approximate"
    if re.search(r"= atomicrmw (volatile )?f\w+", line):
        yield "atomic"
    if "double" in line and constants_of(line) & vendor:
        yield "vendor maths"


def divides_integers(operands, truncated):
    """Is this v_mad a step of integer division? It has a constant of that, or the negative of a truncated quotient."""
    quotient = re.search(r", -(v\d+),", operands)
    return bool(INTEGER_DIVISION.search(operands)) or bool(quotient and quotient[1] in truncated)


def fault_of_instruction(opcode, operands, truncated):
    """The kind of fault of one instruction, or None; v_rcp and its like are counted instead. `truncated` are the registers
    that v_trunc has written last."""
    if ATOMIC.match(opcode):
        return "atomic"
    if opcode.startswith(("v_mfma", "v_dot", "v_smfmac")):
        return "matrix"
    if opcode.startswith(("s_setreg", "s_round_mode", "s_denorm_mode")):
        return "rounding"
    if not FLOAT.search(opcode):
        return None
    if APPROXIMATE.match(opcode):
        return "approximate"
    if re.match(r"v_(mad|mac)\w*_f", opcode) and not divides_integers(operands, truncated):
        return "flush"
    if re.search(r"\b(clamp|mul:[24]|div:2)\b", operands):
        return "flush"
    return None


def unaccounted(counts):
    """Steps of quotients and roots that no expansion accounts for: each ends in one v_div_fixup or one v_cmp_class, and
    each integer division of 64 bits has one v_trunc."""
    allowed = {
        "v_rcp_f32": counts["v_div_fixup_f32"] + counts["v_trunc_f32"],
        "v_rcp_f64": counts["v_div_fixup_f64"],
        "v_sqrt_f32": counts["v_cmp_class_f32"],
        "v_rsq_f64": counts["v_cmp_class_f64"],
    }
    return [(name, counts[name], most) for name, most in allowed.items() if counts[name] > most]


def audit_assembly(assembly):
    """The faults (line, kind, text) of an assembly file, and how many of each floating-point instruction it has."""
    faults, seen, counts, function, truncated = [], Counter(), Counter(), "", set()
    for number, line in enumerate([*assembly.splitlines(), "end:"], 1):
        if match := MODE.search(line):
            kind, wanted = ("rounding", "0") if match[1] == "round" else ("flush", "3")
            if match[3] != wanted:
                faults.append((number, kind, line.strip()))
        elif re.match(r"[\w.$]+:", line) and not line.startswith(".L"):
            for name, found, most in unaccounted(counts):
                text = f"{found} {name} but {most} expansions that need one in {function}"
                faults.append((number, "approximate", text))
            counts, function, truncated = Counter(), line.split(":")[0], set()
        elif match := INSTRUCTION.match(line):
            opcode = re.sub(r"_(e32|e64|dpp|sdwa|e64_dpp)$", "", match[1])
            counts[opcode] += 1
            if FLOAT.search(opcode) and opcode.startswith("v_"):
                seen[opcode] += 1
            operands = match[2].split(";")[0]
            if kind := fault_of_instruction(opcode, operands, truncated):
                faults.append((number, kind, line.strip()))
            written = operands.split(",")[0].strip()
            truncated = truncated | {written} if opcode == "v_trunc_f32" else truncated - {written}
    return faults, seen


def audit_llvm(text, vendor):
    return [(number, kind, line.strip())
            for number, line in enumerate(text.splitlines(), 1) if line.startswith("  ")
            for kind in faults_of_llvm_line(line, vendor)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm-dis", default="llvm-dis", help="the disassembler of hipcc's LLVM")
    parser.add_argument("--sources", type=pathlib.Path, action="append", default=[], help="folder with our constants")
    parser.add_argument("--vendor-maths", type=pathlib.Path, help="LLVM code that calls the vendor's functions")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    vendor = set()
    if options.vendor_maths:
        vendor = vendors_own(constants_of(read_llvm(options.vendor_maths, options.llvm_dis)), options.sources)
        if not vendor:
            print("audit: the vendor's functions show no constant of their own; nothing could be found by them")
            return 2
    total, found = Counter(), 0
    for path in options.files:
        faults, seen = audit_assembly(path.read_text(encoding="utf-8"))
        total += seen
        asked = audit_llvm(read_llvm(path, options.llvm_dis), vendor)
        found += len(faults) + len(asked)
        for suffix, list_of_faults in ((".s", faults), (".ll", asked)):
            for number, kind, text in list_of_faults:
                print(f"{path.stem}{suffix}:{number}: {kind}: {text[:160]}")
    if not total:
        print("audit: no floating-point instruction in any file: nothing was audited")
        return 2
    names = ", ".join(f"{count} {name}" for name, count in total.most_common(8))
    print(f"audit: {len(options.files)} files, {sum(total.values())} floating-point instructions ({names}), "
          f"{found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
