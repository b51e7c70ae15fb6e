#!/usr/bin/env python3
"""Would scripts/audit_amdgcn.py notice? Compiles a kernel of one line, with one forbidden thing put in on purpose, by hipcc.

usage: test_audit_hip.py CASE      (test_audit_hip.py --list names them)

BCR_LLVM_DIS names the disassembler. Ends with 77, which CTest calls "skipped", where there is no hipcc."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STRICT = ["-ffp-contract=off"]

# case: (line of the kernel, flags of hipcc, the kind of fault that must be named; None: nothing must be found)
CASES = {
    "clean": ("c[i] = fma(a[i], b[i], c[i]) + a[i] / b[i] + sqrt(b[i]); g[i] = g[i] + f[i] / g[i] + sqrtf(g[i]);", STRICT, None),
    "integer_division": ("const long n = long(a[i]) / long(b[i]); g[i] = f[n] + f[int(f[i]) % int(g[i])];", STRICT, None),
    "contraction": ("c[i] = a[i] * b[i] + c[i];", [], "contraction"),
    "fast_flags": ("c[i] = a[i] / b[i] + c[i];", ["-ffast-math"], "fast"),
    "exp_of_double": ("c[i] = std::exp(a[i]) + b[i];", STRICT, "vendor maths"),
    "lgamma_of_double": ("c[i] = std::lgamma(a[i]) + b[i];", STRICT, "vendor maths"),
    "exp_of_float": ("g[i] = std::exp(f[i]) + 1.0f;", STRICT, "approximate"),
    "fast_exp": ("g[i] = __expf(f[i]) + 1.0f;", STRICT, "approximate"),
    "reciprocal": ("g[i] = __builtin_amdgcn_rcpf(f[i]) + 1.0f;", STRICT, "approximate"),
    "approximate_root": ("g[i] = sqrtf(f[i]) + 1.0f;", STRICT + ["-fno-hip-fp32-correctly-rounded-divide-sqrt"], "approximate"),
    "flush_to_zero": ("g[i] = f[i] + g[i];", STRICT + ["-fgpu-flush-denormals-to-zero"], "flush"),
    "other_rounding": ("__builtin_amdgcn_s_setreg(6145, 15); c[i] = a[i] + b[i];", STRICT, "rounding"),  # 6145: rounding modes
    "float_atomic": ("atomicAdd(g, f[i]);", STRICT, "atomic"),
    "double_atomic": ("atomicAdd(c, a[i]);", STRICT, "atomic"),
}


def compile_device(source, flags):
    """Assembly and LLVM code beside the source."""
    for target, switches in ((".s", []), (".ll", ["-emit-llvm"])):
        subprocess.run(["hipcc", "-x", "hip", "--offload-arch=gfx90a", "--offload-device-only", "-include", "hip/hip_runtime.h",
                        "-O3", "-S", *switches, *flags, str(source), "-o", str(source.with_suffix(target))], check=True)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(CASES))
        return 0
    body, flags, wanted = CASES[sys.argv[1]]
    if shutil.which("hipcc") is None:
        print("skipped: hipcc is not on PATH")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "scalar_kernel.cu")
        source.write_text((HERE / "device_code/scalar_kernel.cu.in").read_text().replace("@BODY@", body))
        compile_device(source, flags)
        vendor = pathlib.Path(folder, "vendor_maths.cu")
        shutil.copy(HERE / "device_code/vendor_maths.cu", vendor)
        compile_device(vendor, STRICT)
        found = subprocess.run(
            [sys.executable, str(ROOT / "scripts/audit_amdgcn.py"), "--llvm-dis", os.environ.get("BCR_LLVM_DIS", "llvm-dis"),
             "--sources", str(ROOT / "kernels"), "--vendor-maths", str(vendor.with_suffix(".ll")),
             str(source.with_suffix(".s"))], capture_output=True, text=True)
        print(found.stdout + found.stderr)
    if wanted is None:
        return 0 if found.returncode == 0 else 1
    return 0 if found.returncode == 1 and f": {wanted}: " in found.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
