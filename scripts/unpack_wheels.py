#!/usr/bin/env python3
"""Unpacks the data files of wheels (headers, libraries, CMake packages) into one directory, without installing them."""

import argparse
import fnmatch
import os
import shutil
import zipfile


def unpack(wheel, root, without):
    written = {}  # a wheel cannot hold links: equal files (libx.so, libx.so.3, libx.so.3.2) become one file again
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            _, data, path = member.filename.partition(".data/data/")
            if not data or member.is_dir() or any(fnmatch.fnmatch(path, pattern) for pattern in without):
                continue
            if path.startswith("/") or ".." in path.split("/"):
                raise ValueError(f"{wheel}: unsafe path {member.filename}")
            target = os.path.join(root, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            twin = written.setdefault((member.CRC, member.file_size), target)
            if twin != target:
                os.link(twin, target)
                continue
            with archive.open(member) as source, open(target, "wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", required=True, metavar="DIR")
    parser.add_argument("--without", default="", metavar="PATTERNS", help="files to leave out, separated by spaces")
    parser.add_argument("wheels", nargs="+")
    arguments = parser.parse_args()
    for wheel in arguments.wheels:
        unpack(wheel, arguments.into, arguments.without.split())


if __name__ == "__main__":
    main()
