#!/usr/bin/env python3
"""Checks who includes whom: every quoted include against the drawing in docs/architecture.md, and that sources which a
CMakeLists.txt names for the host alone (HOST_SOURCES, HOST) see nothing of Kokkos.

usage: check_layers.py ROOT
Prints one line per wrong include (file:line: what and why) and exits 1 if there is any.
"""

import re
import sys
from pathlib import Path

# Each room may include itself and whatever its neighbours below may include, never the reverse.
NEIGHBOURS = {
    "src/core": [],
    "kernels": ["src/core"],
    "src/nn": ["kernels"],
    "models": ["src/nn"],
    "losses": ["src/nn"],
    "io": ["src/core"],
    "src/comm": ["src/core"],
    "src/optim": ["kernels"],
    "src/metrics": ["kernels"],
    "src/scores": ["kernels"],
    "src/identity": ["models", "losses", "src/scores"],
    "src/run": ["io", "src/metrics"],
    "src/train": ["models", "losses", "src/run", "src/optim", "src/scores", "src/comm"],
    "src/report/plot": ["src/core"],
    "src/report": ["src/report/plot", "src/run", "losses", "models", "src/scores"],
    "src/scale": ["src/train", "src/report/plot"],
    "src/predict": ["src/train", "src/report/plot"],
    "src/onnx": ["src/predict"],
    "src/table": ["src/scale", "src/report"],
    "src/app": ["src/comm", "src/nn"],
    "drivers": ["src/app", "src/run", "src/train", "src/predict", "src/onnx", "src/identity", "src/report",
                "src/scale", "src/table"],
}
OUTSIDE = ["bench", "tests"]  # look at every room except the drivers; nobody looks at them

# Libraries that one folder alone may see.
KEPT_BEHIND = {
    "src/nn": re.compile(r"dnnl(\.hpp|/)|oneapi/dnnl|mkl(_\w+)?\.h|^cudnn|^cublas|^(miopen|rocblas)/"),
    "io/hdf5": re.compile(r"^hdf5\.h$|^H5"),
    "src/comm": re.compile(r"^mpi(-ext)?\.h$|^(rccl/)?[nr]ccl\.h$"),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
SOURCES = {".hpp", ".cpp"}
HOST_LIST = re.compile(r"\bHOST(?:_SOURCES)?\s+([^)]*?)(?=\)|\b(?:SOURCES|HEADERS)\b)")
# Generated from the Kokkos that was found, so they cannot be read here.
SEES_KOKKOS = re.compile(r"^Kokkos_|^(src/core/instances|tests/support/exec_spaces)\.hpp$")


def reachable(room):
    """The room itself and everything below it."""
    seen, stack = set(), [room]
    while stack:
        here = stack.pop()
        if here not in seen:
            seen.add(here)
            stack.extend(NEIGHBOURS[here])
    return seen


ALLOWED = {room: reachable(room) for room in NEIGHBOURS}
for room in OUTSIDE:
    ALLOWED[room] = set(NEIGHBOURS) - {"drivers"} | {room}


def room_of(path):
    """The room a path (relative to the root) lies in, or None."""
    matches = [room for room in ALLOWED if path == room or path.startswith(room + "/")]
    return max(matches, key=len, default=None)


def wrong_includes(root):
    for room in ALLOWED:
        for file in sorted((root / room).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            name = file.relative_to(root).as_posix()
            if room_of(name) != room:  # a room inside this one
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found = INCLUDE.match(line)
                if found:
                    yield from judge(name, number, room, found.group(1), found.group(2))


def judge(name, number, room, bracket, target):
    if room not in OUTSIDE:
        for home, pattern in KEPT_BEHIND.items():
            if pattern.search(target) and not name.startswith(home + "/"):
                yield f"{name}:{number}: <{target}> may be seen by {home} alone"
    if bracket == "<":
        return
    other = room_of(target)
    if other is None:
        yield f'{name}:{number}: "{target}" is not spelled from the repository root'
    elif other not in ALLOWED[room]:
        yield f'{name}:{number}: {room} may not include {other} ("{target}")'


def includes_of(file):
    for line in file.read_text(encoding="utf-8").splitlines():
        found = INCLUDE.match(line)
        if found:
            yield found.group(2)


def way_to(root, name, pattern):
    """The files through which a source or header sees one whose name matches, that one included; or None."""
    ways, seen = [[name]], {name}
    while ways:
        way = ways.pop()
        for target in includes_of(root / way[-1]):
            if pattern.search(target):
                return [*way, target]
            if target not in seen and (root / target).is_file():
                seen.add(target)
                ways.append([*way, target])
    return None


def wrong_host_sources(root):
    for room in ALLOWED:
        for lists in sorted((root / room).rglob("CMakeLists.txt")):
            if room_of(lists.relative_to(root).as_posix()) != room:
                continue
            text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
            for found in HOST_LIST.finditer(text):
                for word in found.group(1).split():
                    name = (lists.parent / word).relative_to(root).as_posix()
                    if not (root / name).is_file():
                        yield f"{name}: named for the host alone, but there is no such file"
                    elif way := way_to(root, name, SEES_KOKKOS):
                        yield f"{name}: named for the host alone, but sees Kokkos: {' -> '.join(way[1:])}"


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__.strip())
    root = Path(sys.argv[1])
    complaints = [*wrong_includes(root), *wrong_host_sources(root)]
    print("\n".join(complaints) if complaints else "every include follows the drawing")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
