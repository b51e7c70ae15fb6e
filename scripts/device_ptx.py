#!/usr/bin/env python3
"""Makes the PTX of the sources of a CUDA build, with the very flags of the build.

usage: device_ptx.py [--jobs N] BUILD_DIR OUT_DIR PREFIX...      e.g. device_ptx.py build/cuda /tmp/ptx kernels/ losses/

PREFIX is the beginning of the path of a source, or of a room whose sources are compiled together. A file that is newer than
every source is left alone, so that a second run is quick; one whose source is gone is removed. Prints how many files were
made. Ends with 1 if nvcc refuses one (and goes on to the next)."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

SOURCES = {".hpp", ".cpp", ".in"}
ROOMS = ["kernels", "losses", "models", "src", "io", "drivers"]


def ptx_command(command, target):
    """nvcc_wrapper tells the nvcc command it would run; that one, but stopping at PTX."""
    shown = subprocess.run([*shlex.split(command), "--show"], capture_output=True, text=True, check=True).stdout
    words = shlex.split(shown.split("&&")[0])
    kept = []
    skip = False
    for word in words:
        if skip or word == "-c":
            skip = False
            continue
        if word == "-o":
            skip = True
            continue
        kept.append(word)
    return [*kept, "--ptx", "-o", str(target)]


def name_of(entry, build):
    """Which source an entry of compile_commands.json compiles for the device, or None: a path without its ending."""
    found = re.search(r" -o (\S+\.o) ", entry["command"])
    if not found or "--host-only" in entry["command"] or "bcr_headers_of_" in found[1]:
        return None
    path = (pathlib.Path(entry["directory"]) / found[1]).resolve().relative_to(build).as_posix()
    # kernels/CMakeFiles/bcr_kernels.dir/reduce/sum.cpp.o, src/nn/CMakeFiles/bcr_nn.dir/Unity/unity_0_cxx.cxx.o
    return re.sub(r"CMakeFiles/[^/]+\.dir/|\.(cpp|cxx)\.o$", "", path)


def newest_source(root):
    return max(path.stat().st_mtime for room in ROOMS for path in (root / room).rglob("*") if path.suffix in SOURCES)


def make(entry, name, target):
    """Nothing, or what nvcc says against it."""
    part = target.with_suffix(".part")  # a run that is ended leaves nothing that looks whole
    command = ptx_command(entry["command"], part)
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    if done.returncode != 0:
        return f"{name}: nvcc refuses it:\n{done.stdout}{done.stderr}"
    part.write_text(f"// {shlex.join(command)}\n{part.read_text()}")  # a witness for audit_ptx.py
    part.replace(target)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("BCR_JOBS") or os.cpu_count()))
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("prefix", nargs="+")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    options.out.mkdir(parents=True, exist_ok=True)
    age = newest_source(root)
    wanted, kept = {}, set()
    for entry in json.loads((options.build / "compile_commands.json").read_text()):
        name = name_of(entry, options.build.resolve())
        if name is None or not name.startswith(tuple(options.prefix)):
            continue
        target = options.out.resolve() / (name.replace("/", ".") + ".ptx")
        if target.exists() and target.stat().st_mtime > age:
            kept.add(target)
        else:
            wanted[name] = (entry, target)
    current = {target for _, target in wanted.values()} | kept
    for prefix in options.prefix:
        for old in set(options.out.resolve().glob(f"{prefix.replace('/', '.')}*.ptx")) - current:
            old.unlink()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(make, entry, name, target) for name, (entry, target) in wanted.items()]
        complaints = [complaint for complaint in (job.result() for job in jobs) if complaint]
    print("\n".join([*complaints, f"device_ptx: {len(wanted) - len(complaints)} made, {len(kept)} kept, "
                                  f"{len(complaints)} refused in {options.out}"]))
    return 1 if complaints or len(wanted) + len(kept) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
