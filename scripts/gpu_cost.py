#!/usr/bin/env python3
"""Estimates what a training step costs on a GPU from what the PTX executor counted (docs/gpu_cost.md has the model).

usage: gpu_cost.py [--device NAME]... [--csv FILE] [--markdown] [--most N] FOLDER      FOLDER: of bcr-cost-ptx

Reads FOLDER/launches.csv, asks ptxas for the registers of its kernels, and prints per device the modelled milliseconds
of the step and its dearest kernels with the counts behind them. --csv writes every launch with its counts and times."""
import argparse
import collections
import concurrent.futures
import csv
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import kernel_resources

Device = collections.namedtuple(
    "Device", "arch sms ghz float32 float64 dram l2 threads blocks shared")
# Vendors' data sheets and the tables of the CUDA C++ programming guide. float32, float64: fused operations per clock of
# an SM; dram: GB/s; l2: bytes per clock; threads, blocks, shared: that an SM holds.
DEVICES = {
    "A100": Device("sm_80", 108, 1.410, 64, 32, 1555, 5120, 2048, 32, 164 * 1024),
    "H100": Device("sm_90", 132, 1.755, 128, 64, 3350, 5632, 2048, 32, 228 * 1024),
    "RTX 3090": Device("sm_86", 82, 1.695, 128, 2, 936, 3072, 1536, 16, 100 * 1024),
}
LAUNCH = 3e-6  # seconds between kernels of one stream
LATENCY = 500  # clocks of a load from global memory
IN_FLIGHT = 8  # loads of one warp that wait at the same time
TEXT = {"label", "kernel", "unit"}


def registers_of(folder, arch):
    """Registers by kernel, as PTX names it; kept beside the PTX."""
    kept = folder / f"registers-{arch}.json"
    files = sorted(folder.glob("unit-*.ptx"))
    if kept.exists() and all(kept.stat().st_mtime > path.stat().st_mtime for path in files):
        return json.loads(kept.read_text())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = [row for found in pool.map(lambda path: kernel_resources.assemble(path, arch), files) for row in found]
    registers = {row["kernel"]: row["registers"] for row in rows}
    kept.write_text(json.dumps(registers))
    return registers


def resident_blocks(device, threads, registers, shared):
    """Blocks that an SM holds at once. Registers are given to warps in steps of 256, shared memory has 1 KB of the system."""
    warps = math.ceil(threads / 32)
    by_registers = 65536 // (math.ceil(max(registers, 1) * 32 / 256) * 256) // warps
    by_shared = device.shared // (shared + 1024)
    return max(1, min(device.blocks, device.threads // (warps * 32), by_registers, by_shared))


def estimate(device, row, registers):
    """Seconds of one launch by what bounds it. Counts are of `blocks_run` blocks; every SM has `rounds` of the grid's."""
    run = row["blocks_run"]
    rounds = math.ceil(row["blocks"] / device.sms) / run
    resident = resident_blocks(device, row["threads"], registers, row["static_shared"] + row["dynamic_shared"])
    clock = device.ghz * 1e9
    waves = row["blocks"] / (device.sms * resident)
    float64 = row["float64"] + 10 * row["root64"]
    arithmetic = max(rounds * 32 * row["float32"] / device.float32, rounds * 32 * float64 / device.float64,
                     rounds * row["instructions"] / 4, math.ceil(waves) * row["longest_warp"]) / clock
    latency = math.ceil(waves) * (row["longest_warp"] + LATENCY / IN_FLIGHT * row["longest_loads"]) / clock
    scale = row["blocks"] / run
    touched = row["block_read_sectors"] + row["block_write_sectors"]
    requested = row["global_load_sectors"] + row["global_store_sectors"] + 4 * row["local_accesses"]
    dram = 32 * (row["launch_read_sectors"] + row["launch_write_sectors"])
    memory = max(dram / (device.dram * 1e9), scale * 32 * touched / device.l2 / clock, rounds * 32 * touched / 64 / clock,
                 rounds * requested / 4 / clock, latency)
    shared = rounds * (row["shared_load_passes"] + row["shared_store_passes"] + row["shuffles"]) / clock
    bounds = {"arithmetic": arithmetic, "memory": memory, "shared": shared}
    bound = max(bounds, key=bounds.get)
    seconds = bounds[bound] + LAUNCH
    return {"seconds": seconds, "bound": bound if bounds[bound] > LAUNCH else "launch", "waves": waves, "resident": resident,
            "registers": registers, **{f"{name}_seconds": value for name, value in bounds.items()}}


def read(folder):
    rows = []
    with (folder / "launches.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            rows.append({name: value if name in TEXT else int(value) for name, value in row.items()})
    for row in rows:
        row["name"] = row["label"].removeprefix("bcr::kernels::") or row["kernel"]
    return rows


def ratio(part, whole):
    return part / whole if whole else 0.0


def ratios(row):
    fma = (row["fma32_lanes"] + row["fma64_lanes"]) / 32
    return {
        "loads_per_fma": ratio(row["global_loads"] + row["shared_loads"], fma),
        "sectors_per_load": ratio(row["global_load_sectors"], row["global_loads"]),
        "sectors_per_store": ratio(row["global_store_sectors"], row["global_stores"]),
        "conflicts": ratio(row["shared_load_passes"] + row["shared_store_passes"],
                           row["shared_load_least_passes"] + row["shared_store_least_passes"]),
    }


def by_kernel(rows, times):
    """Launches of one label together; ratios of the one that takes longest."""
    groups = collections.OrderedDict()
    for row, time in zip(rows, times):
        group = groups.setdefault(row["name"], {"launches": 0, "seconds": 0.0, "gfma": 0.0, "gbyte": 0.0, "most": 0.0})
        seconds = time["seconds"] * row["launches"]
        group["launches"] += row["launches"]
        group["seconds"] += seconds
        group["gfma"] += row["launches"] * row["fma32_lanes"] * row["blocks"] / row["blocks_run"] / 1e9
        group["gbyte"] += row["launches"] * 32e-9 * (row["launch_read_sectors"] + row["launch_write_sectors"])
        if seconds > group["most"]:
            group.update(most=seconds, row=row, time=time)
    return groups


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", action="append", choices=DEVICES)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--most", type=int, default=16)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    names = options.device or list(DEVICES)
    rows = read(options.folder)
    times = {}
    for name in names:
        registers = registers_of(options.folder, DEVICES[name].arch)
        times[name] = [estimate(DEVICES[name], row, registers.get(row["kernel"], 32)) for row in rows]
    if options.csv:
        with options.csv.open("w", newline="") as stream:
            columns = [*rows[0], *ratios(rows[0]), *(f"{name} {column}" for name in names for column in times[name][0])]
            writer = csv.DictWriter(stream, columns)
            writer.writeheader()
            for i, row in enumerate(rows):
                modelled = {f"{name} {column}": value for name in names for column, value in times[name][i].items()}
                writer.writerow(row | ratios(row) | modelled)
    for name in names:
        total = sum(row["launches"] * time["seconds"] for row, time in zip(rows, times[name]))
        launches = sum(row["launches"] for row in rows)
        print(f"{name}: {1e3 * total:.1f} ms in {launches} launches ({1e3 * launches * LAUNCH:.1f} ms of launching)")
    for name in names:
        groups = sorted(by_kernel(rows, times[name]).items(), key=lambda item: -item[1]["seconds"])
        columns = ["kernel", "launches", "ms", "bound by", "Gfma", "GB", "loads/fma", "sectors/load", "sectors/store",
                   "conflicts", "threads", "regs", "blocks/SM", "waves"]
        lines = []
        for label, group in groups[: options.most]:
            row, time, own = group["row"], group["time"], ratios(group["row"])
            lines.append([label, str(group["launches"]), f"{1e3 * group['seconds']:.2f}", time["bound"], f"{group['gfma']:.2f}",
                          f"{group['gbyte']:.2f}", f"{own['loads_per_fma']:.2f}", f"{own['sectors_per_load']:.1f}",
                          f"{own['sectors_per_store']:.1f}", f"{own['conflicts']:.1f}", str(row["threads"]),
                          str(time["registers"]), str(time["resident"]), f"{time['waves']:.1f}"])
        if options.markdown:
            print(f"\n{name}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
            print("\n".join(f"| {' | '.join(line)} |" for line in lines))
        else:
            widths = [max(len(line[i]) for line in [columns, *lines]) for i in range(len(columns))]
            print(f"\n{name}")
            for line in [columns, *lines]:
                print("  ".join(text.ljust(width) if i == 0 else text.rjust(width)
                                for i, (text, width) in enumerate(zip(line, widths))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
