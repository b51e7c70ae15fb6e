#!/usr/bin/env python3
"""Tells from AMDGCN assembly what each kernel takes: registers, spills, scratch and local memory.

usage: amdgcn_resources.py [--csv FILE] [--most N] FILE.s...

Prints a summary per architecture and the N kernels that take most (spills first, then registers); the CSV has all:
arch,kernel,vgprs,agprs,sgprs,spilled_vgprs,spilled_sgprs,scratch_bytes,local_bytes,file. Needs c++filt on PATH."""
import argparse
import csv
import pathlib
import re
import sys

from kernel_resources import readable

TARGET = re.compile(r"amdgcn-amd-amdhsa--(gfx\w+)")
FIELD = re.compile(r"^ {4}\.(\w+):\s+(\S+)", re.MULTILINE)
COLUMNS = {"vgprs": "vgpr_count", "agprs": "agpr_count", "sgprs": "sgpr_count",
           "spilled_vgprs": "vgpr_spill_count", "spilled_sgprs": "sgpr_spill_count",
           "scratch_bytes": "private_segment_fixed_size", "local_bytes": "group_segment_fixed_size"}


def kernels_of(path):
    """One row per kernel, as the metadata at the end of the file tells it."""
    text = path.read_text(encoding="utf-8")
    arch = TARGET.search(text)[1]
    start = text.find("amdhsa.kernels:")
    for entry in re.split(r"^  - ", text[start:], flags=re.MULTILINE)[1:] if start >= 0 else []:
        fields = dict(FIELD.findall("    " + entry))
        if "vgpr_count" in fields:
            counts = {column: int(fields[field]) for column, field in COLUMNS.items()}
            yield {"arch": arch, "kernel": fields["name"], **counts, "file": path.name}


def spilled(row):
    return row["spilled_vgprs"] + row["spilled_sgprs"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    rows = [row for path in options.files for row in kernels_of(path)]
    if not rows:
        print("amdgcn_resources: no kernel in any file")
        return 2
    readable(rows)
    if options.csv:
        with options.csv.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, ["arch", "kernel", *COLUMNS, "file"])
            writer.writeheader()
            writer.writerows(rows)
    for arch in sorted({row["arch"] for row in rows}):
        own = [row for row in rows if row["arch"] == arch]
        most = {column: max(row[column] for row in own) for column in COLUMNS}
        print(f"{arch}: {len(own)} kernels, at most {most['vgprs']} vector registers and {most['local_bytes']} bytes of static "
              f"local memory; {sum(spilled(row) > 0 for row in own)} kernels spill, "
              f"{sum(row['scratch_bytes'] > 0 for row in own)} use scratch memory")
    print(f"{'arch':6} {'vgprs':>6} {'sgprs':>6} {'spills':>7} {'scratch':>8} {'local':>7}  kernel")
    rows.sort(key=lambda row: (spilled(row), row["vgprs"]), reverse=True)
    for row in rows[: options.most]:
        print(f"{row['arch']:6} {row['vgprs']:6} {row['sgprs']:6} {spilled(row):7} {row['scratch_bytes']:8} "
              f"{row['local_bytes']:7}  {row['kernel'][:110]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
