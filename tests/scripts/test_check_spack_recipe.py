"""The check of the Spack recipe must fail on each kind of disagreement, and name it."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_spack_recipe.py"
RECIPE = "spack/spack_repo/bcr/packages/bcr/package.py"
# A small tree that is in step with the recipe, whatever the real one has today.
OPTIONS = ("IO", "TESTS", "BENCH", "FUZZ")
FEATURES = ("ONEDNN", "MKL", "MPI", "NCCL", "CUBLAS", "CUDNN", "ROCBLAS", "MIOPEN", "WEBP")
LABELS = ("unit", "gradients", "identity")


def check(file=None, find="", replace=""):
    """The exit code and output for a copy of the tree in which one passage was replaced."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(ROOT / "spack", root / "spack")
        shutil.copy(ROOT / "spack.yaml", root)
        (root / "cmake").mkdir()
        options = "".join(f'option(BCR_ENABLE_{name} "" ON)\n' for name in OPTIONS)
        features = "".join(f'bcr_feature({name} library found "")\n' for name in FEATURES)
        (root / "CMakeLists.txt").write_text(options + features)
        (root / "tests").mkdir()
        (root / "tests/CMakeLists.txt").write_text("".join(f"bcr_test_binary({name} bcr::app)\n" for name in LABELS))
        if file:
            text = (root / file).read_text(encoding="utf-8")
            assert find in text, f"{file} has no {find!r}"
            (root / file).write_text(text.replace(find, replace), encoding="utf-8")
        run = subprocess.run([sys.executable, str(SCRIPT), folder], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout


class CheckSpackRecipe(unittest.TestCase):
    def refuses(self, file, find, replace, sentence):
        code, text = check(file, find, replace)
        self.assertEqual(code, 1)
        self.assertIn(sentence, text)

    def test_accepts_a_recipe_in_step(self):
        code, text = check()
        self.assertEqual((code, text), (0, "the recipe and the CMake files are in step\n"))

    def test_refuses_an_option_that_cmake_lost(self):
        self.refuses("CMakeLists.txt", "bcr_feature(ONEDNN", "bcr_feature(DNNL", "defines BCR_ENABLE_ONEDNN")

    def test_refuses_an_option_that_the_recipe_does_not_know(self):
        self.refuses("CMakeLists.txt", "option(BCR_ENABLE_IO", 'option(BCR_ENABLE_NEW "" ON)\noption(BCR_ENABLE_IO',
                     "does not define the option BCR_ENABLE_NEW")

    def test_takes_an_option_in_a_comment_for_none(self):
        self.refuses("CMakeLists.txt", "bcr_feature(MPI", "# bcr_feature(MPI", "defines BCR_ENABLE_MPI")

    def test_refuses_a_definition_that_follows_no_variant(self):
        self.refuses(RECIPE, '"BCR_ENABLE_ONEDNN", "dnn"', '"BCR_ENABLE_ONEDNN", "onednn"', "the variant onednn")

    def test_refuses_an_environment_with_an_unknown_variant(self):
        self.refuses("spack.yaml", "+dnn", "+onednn", "names the variant onednn")

    def test_refuses_an_environment_that_leaves_a_variant_open(self):
        self.refuses("spack/envs/rocm/spack.yaml", " +shared", "", "leaves shared to Spack")

    def test_refuses_an_architecture_without_its_device(self):
        self.refuses("spack/envs/cuda/spack.yaml", "+cuda cuda_arch=80", "~cuda cuda_arch=80", "cuda_arch belongs to +cuda")

    def test_refuses_tests_that_do_not_exist(self):
        self.refuses("tests/CMakeLists.txt", "gradients", "derivatives", "runs the tests labelled gradients")

    def test_refuses_to_run_every_test(self):
        self.refuses(RECIPE, '"-L"', '"-j"', "check() should run ctest -L once")

    def test_refuses_lines_that_spack_does_not_allow(self):
        self.refuses(RECIPE, "    def check(self):", f"    def check(self):  # {'.' * 99}", "characters, Spack allows 99")


if __name__ == "__main__":
    unittest.main()
