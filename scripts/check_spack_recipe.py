#!/usr/bin/env python3
"""Checks that the Spack recipe and the CMake files are in step, without Spack.

usage: check_spack_recipe.py ROOT
Every BCR_* that the recipe defines must be an option of the tree's CMake files, and every option BCR_ENABLE_* there must be
defined by the recipe or be named below as none of its business. Every variant that an environment names must exist, and
every one it has must be spelled out there. The labels of tests that the recipe runs must exist, and its lines be no longer
than Spack's own style allows. Apptainer definitions install an environment that is there, by scripts that a shell can read.
Prints one line for each disagreement and exits 1 if there is any.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

RECIPE = "spack/spack_repo/bcr/packages/bcr/package.py"
ENVIRONMENTS = ["spack.yaml", *(f"spack/envs/{name}/spack.yaml" for name in ("cuda", "rocm", "sycl", "cray-cuda", "cray-rocm", "cray-sycl"))]
# A package always has the programs that read data, and fuzzers are for developers.
NOT_FOR_PACKAGES = {"BCR_ENABLE_IO", "BCR_ENABLE_FUZZ"}
INHERITED_VARIANTS = {"cuda", "rocm"}
LONGEST_LINE = 99  # of spack-packages
WITH_VALUE = {"cuda_arch": "cuda", "amdgpu_target": "rocm"}


def calls(tree, names):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in names:
            yield node


def first_words(tree, names):
    return {call.args[0].value for call in calls(tree, names) if call.args and isinstance(call.args[0], ast.Constant)}


def options_of_cmake(root):
    found = set()
    for file in [root / "CMakeLists.txt", *sorted((root / "cmake").glob("*.cmake"))]:
        text = re.sub(r"#.*", "", file.read_text(encoding="utf-8"))
        found |= set(re.findall(r"\boption\(\s*(BCR_\w+)\s", text))
        found |= {f"BCR_ENABLE_{name}" for name in re.findall(r"\bbcr_feature\(([A-Z]\w+)", text)}
        found |= set(re.findall(r"\bset\(\s*(BCR_\w+)[^)]*\bCACHE\b", text))
    return found


def recipe_complaints(tree, options):
    defined = {name for name in first_words(tree, {"define", "define_from_variant"}) if name.startswith("BCR_")}
    for name in sorted(defined - options):
        yield f"{RECIPE}: defines {name}, which is no option of the CMake files"
    switches = {name for name in options if name.startswith("BCR_ENABLE_")}
    for name in sorted(switches - defined - NOT_FOR_PACKAGES):
        yield f"{RECIPE}: does not define the option {name}"
    variants = first_words(tree, {"variant"}) | INHERITED_VARIANTS
    for call in calls(tree, {"define_from_variant"}):
        name = call.args[1].value if len(call.args) > 1 else call.args[0].value.lower()
        if name not in variants:
            yield f"{RECIPE}: {call.args[0].value} follows the variant {name}, which does not exist"


def environment_complaints(name, text, variants):
    specs = re.findall(r"^\s*- (bcr@main\b.*)$", text, re.MULTILINE)
    if len(specs) != 1:
        yield f"{name}: {len(specs)} specs of bcr@main, there should be one"
        return
    switches = dict((variant, sign) for sign, variant in re.findall(r"([+~])(\w+)", specs[0]))
    values = set(re.findall(r"\b(\w+)=", specs[0].split("%")[0]))
    for variant in sorted((switches.keys() | values) - variants):
        yield f"{name}: names the variant {variant}, which the recipe has not"
    for variant in sorted(variants - switches.keys() - WITH_VALUE.keys()):
        yield f"{name}: leaves {variant} to Spack, which may then change it silently"
    for value, device in WITH_VALUE.items():
        if (value in values) != (switches.get(device) == "+"):
            yield f"{name}: {value} belongs to +{device} and to nothing else"


def labels_of_tests(root):
    text = "\n".join(file.read_text(encoding="utf-8") for file in sorted((root / "tests").rglob("CMakeLists.txt")))
    return set(re.findall(r"bcr_test_binary\((\w+)", text)) | set(re.findall(r"bcr_script_test\(\S+ (\w+)", text))


def test_complaints(tree, labels):
    """`ninja test` would run everything, for hours and over the network: the recipe must choose, and choose what exists."""
    chosen = re.findall(r"'-L', '([^']*)'", " ".join(ast.unparse(call) for call in calls(tree, {"ctest"})))
    if len(chosen) != 1:
        yield f"{RECIPE}: check() should run ctest -L once, with the labels that a package's tests have"
    for label in sorted(set(re.findall(r"\w+", " ".join(chosen))) - labels):
        yield f"{RECIPE}: runs the tests labelled {label}, of which there are none"


def complaints(root):
    text = (root / RECIPE).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST_LINE:
            yield f"{RECIPE}:{number}: {len(line)} characters, Spack allows {LONGEST_LINE}"
    tree = ast.parse(text)
    yield from recipe_complaints(tree, options_of_cmake(root))
    yield from test_complaints(tree, labels_of_tests(root))
    variants = first_words(tree, {"variant"}) | INHERITED_VARIANTS
    for name in ENVIRONMENTS:
        yield from environment_complaints(name, (root / name).read_text(encoding="utf-8"), variants)
    yield from container_complaints(root)


def container_complaints(root):
    """What can be seen without Apptainer: the sections, the environment each is made from, and the syntax of its scripts."""
    for file in sorted((root / "spack/containers").glob("*.def")):
        name, text = f"spack/containers/{file.name}", file.read_text(encoding="utf-8")
        sections = dict(re.findall(r"^%(\w+)\n(.*?)(?=^%|\Z)", text, re.MULTILINE | re.DOTALL))
        for section in sorted({"files", "post", "environment", "runscript", "test"} - sections.keys()):
            yield f"{name}: has no section %{section}"
        environments = set(re.findall(r"spack -e /opt/src/bcr/(\S+)", sections.get("post", "")))
        if len(environments) != 1 or not (root / environments.pop() / "spack.yaml").is_file():
            yield f"{name}: should install one environment of this repository"
        for section in ("post", "test", "runscript"):
            check = subprocess.run(["bash", "-n"], input=sections.get(section, ""), text=True, capture_output=True, check=False)
            if check.returncode != 0:
                yield f"{name}: %{section}: {check.stderr.strip()}"


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / RECIPE).is_file():
        sys.exit(__doc__.strip())
    found = list(complaints(Path(sys.argv[1])))
    print("\n".join(found) if found else "the recipe and the CMake files are in step")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
