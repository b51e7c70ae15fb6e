#!/usr/bin/env python3
"""Would scripts/audit_ptx.py notice? Compiles a kernel of one line, with one forbidden thing put in on purpose, by nvcc.

usage: test_audit.py CASE      (test_audit.py --list names them)

Ends with 77, which CTest calls "skipped", where there is no nvcc."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STRICT = ["--fmad=false"]

# case: (line of the kernel, flags of nvcc, the kind of fault that must be named; None: nothing must be found)
CASES = {
    "clean": ("c[i] = fma(a[i], b[i], c[i]) + a[i] / b[i] + sqrt(b[i]); g[i] = g[i] + f[i];", STRICT, None),
    "contraction": ("c[i] = a[i] * b[i] + c[i]; g[i] = g[i] + f[i];", [], "contraction"),
    "contraction_without_witness": ("c[i] = a[i] * b[i] + c[i];", [], "contraction"),
    "exp_of_double": ("c[i] = std::exp(a[i]) + b[i];", STRICT, "vendor maths"),
    "lgamma_of_double": ("c[i] = std::lgamma(a[i]) + b[i];", STRICT, "vendor maths"),
    "exp_of_float": ("g[i] = std::exp(f[i]) + 1.0f;", STRICT, "flush"),
    "fast_exp": ("g[i] = __expf(f[i]) + 1.0f;", STRICT, "approximate"),
    "fast_division": ("g[i] = __fdividef(f[i], g[i]) + 1.0f;", STRICT, "approximate"),
    "approximate_root": ("g[i] = sqrtf(f[i]) + 1.0f;", STRICT + ["--prec-sqrt=false"], "approximate"),
    "flush_to_zero": ("g[i] = f[i] + g[i];", STRICT + ["--ftz=true"], "flush"),
    "other_rounding": ("c[i] = __dadd_rz(a[i], b[i]);", STRICT, "saturate"),
    "float_atomic": ("atomicAdd(g, f[i]);", STRICT, "atomic"),
    "double_atomic": ("atomicAdd(c, a[i]);", STRICT, "atomic"),
}


def compile_ptx(source, target, flags):
    subprocess.run(["nvcc", "--ptx", "-arch=sm_80", *flags, str(source), "-o", str(target)], check=True)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(CASES))
        return 0
    body, flags, wanted = CASES[sys.argv[1]]
    if shutil.which("nvcc") is None:
        print("skipped: nvcc is not on PATH")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "scalar_kernel.cu")
        source.write_text((HERE / "device_code/scalar_kernel.cu.in").read_text().replace("@BODY@", body))
        compile_ptx(source, source.with_suffix(".ptx"), flags)
        vendor = pathlib.Path(folder, "vendor_maths.ptx")
        compile_ptx(HERE / "device_code/vendor_maths.cu", vendor, STRICT)
        found = subprocess.run(
            [sys.executable, str(ROOT / "scripts/audit_ptx.py"), "--sources", str(ROOT / "kernels"), "--vendor-maths",
             str(vendor), str(source.with_suffix(".ptx"))], capture_output=True, text=True)
        print(found.stdout + found.stderr)
    if wanted is None:
        return 0 if found.returncode == 0 else 1
    return 0 if found.returncode == 1 and f": {wanted}: " in found.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
