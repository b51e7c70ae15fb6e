#!/usr/bin/env python3
"""Assembles PTX for a device and tells what each kernel takes: registers, spills, stack, shared memory.

usage: kernel_resources.py [--arch sm_80]... [--csv FILE] [--most N] [--jobs N] FILE.ptx...

Prints a summary per architecture and the N kernels that take most (spills first, then registers); the CSV has all:
arch,kernel,registers,spill_store_bytes,spill_load_bytes,stack_bytes,shared_bytes,file. Needs ptxas and c++filt on PATH.
Ends with 1 if ptxas refuses a file."""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")
COLUMNS = ["arch", "kernel", "registers", "spill_store_bytes", "spill_load_bytes", "stack_bytes", "shared_bytes", "file"]


def assemble(path, arch):
    """One row per kernel of a file, as ptxas -v tells it."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
        done = subprocess.run(["ptxas", "-v", f"-arch={arch}", str(path), "-o", cubin.name], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"kernel_resources: ptxas refuses {path} for {arch}:\n{done.stderr}")
    rows = []
    for line in done.stderr.splitlines():
        if match := ENTRY.search(line):
            rows.append(dict.fromkeys(COLUMNS, 0) | {"arch": arch, "kernel": match[1], "file": path.name})
        elif rows and (match := FRAME.search(line)):
            # A function that is not inlined reports its own frame before the line of registers of its kernel.
            for column, value in zip(("stack_bytes", "spill_store_bytes", "spill_load_bytes"), match.groups()):
                rows[-1][column] = max(rows[-1][column], int(value))
        elif rows and (match := USED.search(line)):
            rows[-1]["registers"] = int(match[1])
            shared = SHARED.search(line)
            rows[-1]["shared_bytes"] = int(shared[1]) if shared else 0
    return rows


def readable(rows):
    """Kernel names as a person would say them: the functor, without what Kokkos wraps around it."""
    names = subprocess.run(["c++filt"], input="\n".join(row["kernel"] for row in rows), capture_output=True, text=True,
                           check=True).stdout.splitlines()
    for row, name in zip(rows, names):
        functor = re.search(r"bcr::.*", name)
        text = functor[0] if functor else name
        depth, end = 0, len(text)
        for i, letter in enumerate(text):
            depth += {"<": 1, ">": -1, "(": 1, ")": -1}.get(letter, 0)
            if depth < 0 or (depth == 0 and letter == ","):
                end = i
                break
        text = text[:end].replace("(anonymous namespace)::", "").replace("Kokkos::", "")
        row["kernel"] = re.sub(r"\(lambda.*|bcr::", "", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", action="append")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("BCR_JOBS") or os.cpu_count()))
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    archs = options.arch or ["sm_80"]
    pairs = [(path, arch) for arch in archs for path in options.files]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for found in pool.map(lambda pair: assemble(*pair), pairs) for row in found]
    readable(rows)
    if options.csv:
        with options.csv.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    for arch in archs:
        own = [row for row in rows if row["arch"] == arch]
        spilling = [row for row in own if row["spill_store_bytes"] or row["spill_load_bytes"]]
        print(f"{arch}: {len(own)} kernels from {len(options.files)} files, at most "
              f"{max((row['registers'] for row in own), default=0)} registers, {len(spilling)} kernels spill")
    print(f"{'arch':6} {'registers':>9} {'spills':>7} {'stack':>6} {'shared':>7}  kernel")
    rows.sort(key=lambda row: (row["spill_store_bytes"] + row["spill_load_bytes"], row["registers"]), reverse=True)
    for row in rows[: options.most]:
        print(f"{row['arch']:6} {row['registers']:9} {row['spill_store_bytes'] + row['spill_load_bytes']:7} "
              f"{row['stack_bytes']:6} {row['shared_bytes']:7}  {row['kernel'][:110]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
