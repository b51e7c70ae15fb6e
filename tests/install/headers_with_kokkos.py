#!/usr/bin/env python3
"""Prints the headers of the rooms that include Kokkos_Core.hpp, themselves or through others.

usage: headers_with_kokkos.py ROOT
"""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "scripts"))
import check_layers  # noqa: E402  # pylint: disable=wrong-import-position

CORE = re.compile(r"^Kokkos_Core\.hpp$")

for room in check_layers.NEIGHBOURS:
    for file in sorted((ROOT / room).rglob("*.hpp")):
        name = file.relative_to(ROOT).as_posix()
        if check_layers.room_of(name) == room and check_layers.way_to(ROOT, name, CORE):
            print(name)
