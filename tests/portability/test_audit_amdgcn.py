#!/usr/bin/env python3
"""scripts/audit_amdgcn.py on a few lines of code each, which needs no compiler (test_audit_hip.py has real ones)."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What hipcc makes of c[i] = a[i] / b[i] + sqrtf(f[i]), shortened.
ASSEMBLY = """
scalar_kernel:                          ; @scalar_kernel
	v_div_scale_f64 v[8:9], s[2:3], v[4:5], v[4:5], v[2:3]
	v_rcp_f64_e32 v[14:15], v[8:9]
	v_fma_f64 v[20:21], -v[8:9], v[14:15], 1.0
	v_div_fmas_f64 v[8:9], v[8:9], v[14:15], v[22:23]
	v_div_fixup_f64 v[2:3], v[8:9], v[4:5], v[2:3]
	v_sqrt_f32_e32 v34, v33
	v_fma_f32 v38, -v35, v34, v33
	v_cmp_class_f32_e32 vcc, v33, v28
	v_add_f64 v[2:3], v[4:5], v[2:3]
	global_atomic_add v2, v3, s[0:1]
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_denorm_mode_32 3
"""
LLVM = """
define protected amdgpu_kernel void @scalar_kernel(ptr %0) {
  %3 = fdiv double %1, %2
  %4 = tail call noundef float @llvm.sqrt.f32(float %5)
  %6 = tail call double @llvm.fma.f64(double %1, double 0x3FE62E42FEFA39EF, double %3)
  %7 = fmul double %6, 0x3FD5555555555555
  %8 = atomicrmw add ptr %0, i32 1 syncscope("agent") monotonic, align 4
}
"""
PROBE = "  %1 = tail call double @llvm.fma.f64(double %0, double 0x3FE62E42FEFA39EF, double 0x3C7ABC9E3B39803F)\n"


def audit(assembly=ASSEMBLY, llvm=LLVM, source="const double log_2 = 0x1.62e42fefa39efp-1;"):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for name, text in (("a.s", assembly), ("a.ll", llvm), ("probe.ll", PROBE), ("ours.hpp", source)):
            (place / name).write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, str(ROOT / "scripts/audit_amdgcn.py"), "--sources", folder, "--vendor-maths",
                              str(place / "probe.ll"), str(place / "a.s")], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr


class AuditAmdgcn(unittest.TestCase):
    def names(self, kind, **changed):
        code, text = audit(**changed)
        self.assertEqual(code, 1, text)
        self.assertIn(f": {kind}: ", text)

    def test_accepts_exact_code(self):
        code, text = audit()
        self.assertEqual(code, 0, text)
        self.assertIn("0 faults", text)

    def test_refuses_what_instructions_show(self):
        for kind, line in (("approximate", "v_exp_f32_e32 v2, v4"), ("approximate", "v_rsq_f32_e32 v8, v16"),
                           ("approximate", "v_rcp_f64_e32 v[1:2], v[3:4]"), ("approximate", "v_sqrt_f32_e32 v1, v2"),
                           ("atomic", "global_atomic_add_f64 v2, v[4:5], s[12:13]"), ("atomic", "ds_add_rtn_f32 v1, v2, v3"),
                           ("atomic", "global_atomic_pk_add_f16 v0, v1, s[0:1]"),
                           ("flush", "v_mac_f32_e32 v26, v28, v31"), ("flush", "v_add_f32_e64 v1, v2, v3 clamp"),
                           ("matrix", "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]"),
                           ("rounding", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 15")):
            with self.subTest(line):
                self.names(kind, assembly=f"{ASSEMBLY}\t{line}\n")

    def test_lets_integer_division_use_a_reciprocal(self):
        division = ("\tv_madmk_f32 v2, v3, 0x4f800000, v2\n\tv_rcp_f32_e32 v2, v2\n\tv_mul_f32_e32 v2, 0x5f7ffffc, v2\n"
                    "\tv_trunc_f32_e32 v3, v3\n\tv_rcp_iflag_f32_e32 v1, v1\n\tv_mad_f32 v7, -v3, v6, v7\n")
        self.assertEqual(audit(assembly=ASSEMBLY + division)[0], 0)
        self.names("flush", assembly=ASSEMBLY + division + "\tv_mul_f32 v3, v1, v2\n\tv_mad_f32 v7, -v3, v6, v7\n")

    def test_refuses_a_kernel_that_starts_in_another_mode(self):
        self.names("flush", assembly=ASSEMBLY.replace("denorm_mode_32 3", "denorm_mode_32 0"))
        self.names("rounding", assembly=ASSEMBLY.replace("round_mode_32 0", "round_mode_32 3"))

    def test_refuses_what_llvm_code_shows(self):
        for kind, line in (("contraction", "%9 = fmul contract double %1, %2"), ("fast", "%9 = fadd reassoc nsz float %1, %2"),
                           ("contraction", "%9 = call double @llvm.fmuladd.f64(double %1, double %2, double %3)"),
                           ("approximate", "%9 = tail call float @llvm.exp2.f32(float %1)"),
                           ("approximate", "%9 = tail call double @llvm.amdgcn.rcp.f64(double %1)"),
                           ("approximate", "%9 = tail call float @__ocml_tgamma_f32(float %1)"),
                           ("approximate", '%9 = call float asm "v_sin_f32 $0, $1", "=v,v"(float %1)'),
                           ("approximate", "%9 = fdiv float %1, %2, !fpmath !3"),
                           ("atomic", "%9 = atomicrmw fadd ptr %0, float %1 monotonic, align 4"),
                           ("vendor maths", "%9 = fmul double %1, 0x3C7ABC9E3B39803F")):
            with self.subTest(line):
                self.names(kind, llvm=LLVM.replace("}\n", f"  {line}\n}}\n"))

    def test_refuses_a_constant_only_where_our_sources_have_it_not(self):
        self.names("vendor maths", source="")

    def test_refuses_to_audit_nothing(self):
        self.assertEqual(audit(assembly="\n", llvm="\n")[0], 2)


if __name__ == "__main__":
    unittest.main()
