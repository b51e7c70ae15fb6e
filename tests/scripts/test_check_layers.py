"""The layer check must fail on each kind of wrong include, and name file, line and reason."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, str(SCRIPT), folder], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout


class CheckLayers(unittest.TestCase):
    def test_accepts_what_the_drawing_allows(self):
        code, _ = check({"losses/a.cpp": '#include "kernels/b.hpp"\n#include "src/core/c.hpp"\n#include <vector>\n'})
        self.assertEqual(code, 0)

    def test_refuses_a_lower_room_that_looks_up(self):
        code, text = check({"kernels/a.hpp": '#include <cmath>\n#include "losses/b.hpp"\n'})
        self.assertEqual(code, 1)
        self.assertIn("kernels/a.hpp:2: kernels may not include losses", text)

    def test_refuses_neighbours_that_must_not_meet(self):
        code, text = check({"models/a.hpp": '#include "losses/b.hpp"\n'})
        self.assertEqual(code, 1)
        self.assertIn("models may not include losses", text)

    def test_refuses_the_room_around_a_room_that_is_allowed(self):
        self.assertEqual(check({"src/scale/a.cpp": '#include "src/report/plot/b.hpp"\n'})[0], 0)
        code, text = check({"src/scale/a.cpp": '#include "src/report/b.hpp"\n'})
        self.assertEqual(code, 1)
        self.assertIn("src/scale may not include src/report", text)
        code, text = check({"src/report/plot/a.cpp": '#include "src/report/b.hpp"\n'})
        self.assertEqual(code, 1)
        self.assertEqual(text.count("\n"), 1)

    def test_refuses_a_test_that_includes_a_driver_and_a_room_that_includes_a_test(self):
        self.assertEqual(check({"tests/a.cpp": '#include "drivers/b.hpp"\n'})[0], 1)
        self.assertEqual(check({"io/a.cpp": '#include "tests/support/b.hpp"\n'})[0], 1)

    def test_refuses_a_path_that_does_not_start_at_the_root(self):
        code, text = check({"src/core/a.cpp": '#include "error.hpp"\n'})
        self.assertEqual(code, 1)
        self.assertIn("not spelled from the repository root", text)

    def test_keeps_libraries_behind_their_room(self):
        self.assertEqual(check({"io/hdf5/a.cpp": "#include <hdf5.h>\n"})[0], 0)
        self.assertEqual(check({"io/datasets/a.cpp": "#include <hdf5.h>\n"})[0], 1)
        self.assertEqual(check({"src/train/a.cpp": "#include <mpi.h>\n"})[0], 1)
        self.assertEqual(check({"losses/a.cpp": "#include <oneapi/dnnl/dnnl.hpp>\n"})[0], 1)

    def test_refuses_a_host_source_that_sees_kokkos(self):
        lists = {"src/core/CMakeLists.txt": "bcr_sources(core\n  HOST_SOURCES a.cpp\n  HEADERS b.hpp)\n"}
        source = {"src/core/a.cpp": '#include "src/core/b.hpp"\n'}
        self.assertEqual(check({**lists, **source, "src/core/b.hpp": "#include <vector>\n"})[0], 0)
        code, text = check({**lists, **source, "src/core/b.hpp": "#include <Kokkos_Core.hpp>\n"})
        self.assertEqual(code, 1)
        self.assertIn("src/core/a.cpp: named for the host alone, but sees Kokkos: src/core/b.hpp -> Kokkos_Core.hpp", text)
        code, text = check(lists)
        self.assertEqual(code, 1)
        self.assertIn("src/core/a.cpp: named for the host alone, but there is no such file", text)
        test = {"tests/CMakeLists.txt": "bcr_tests(unit HOST t.cpp)\n"}
        self.assertEqual(check({**test, "tests/t.cpp": '#include "tests/support/exec_spaces.hpp"\n'})[0], 1)


if __name__ == "__main__":
    unittest.main()
