# SPDX-License-Identifier: Apache-2.0
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *

# The recipe lies in the repository that it builds.
CHECKOUT = pathlib.Path(__file__).resolve().parents[5]


class Bcr(CMakePackage, CudaPackage, ROCmPackage):
    """Open-set recognition by background-class regularization: trains and evaluates classifiers
    with class anchors and probabilities of inclusion, with the same bits on every backend."""

    git = CHECKOUT.as_uri()

    license("Apache-2.0", checked_by="bcr")

    version("main", branch="main")

    variant("openmp", default=True, description="Use the host's cores through OpenMP")
    variant("sycl", default=False, description="Use Intel GPUs through SYCL")
    variant("mpi", default=False, description="Train on several ranks")
    variant("dnn", default=True, description="Let oneDNN compute convolutions in fast mode")
    variant("tests", default=False, description="Build the tests")
    variant("bench", default=False, description="Build the benchmarks")
    variant("mkl", default=False, description="Let oneMKL compute matrix products in fast mode")
    variant("shared", default=True, description="Build shared libraries")

    # Kokkos compiles for one architecture, so these take one value and not several.
    variant(
        "cuda_arch",
        default="none",
        values=("none",) + CudaPackage.cuda_arch_values,
        multi=False,
        sticky=True,
        description="CUDA architecture",
        when="+cuda",
    )
    variant(
        "amdgpu_target",
        default="none",
        values=("none",) + ROCmPackage.amdgpu_targets,
        multi=False,
        sticky=True,
        description="AMD GPU architecture",
        when="+rocm",
    )

    # --- what cannot be, and why -----------------------------------------------------------------
    for one, other in (("cuda", "rocm"), ("cuda", "sycl"), ("rocm", "sycl")):
        conflicts(
            f"+{one}",
            when=f"+{other}",
            msg=f"one kind of GPU per build: choose +{one} or +{other}",
        )
    conflicts(
        "cuda_arch=none",
        when="+cuda",
        msg="+cuda wants the architecture of the GPU, such as cuda_arch=80 or cuda_arch=90",
    )
    conflicts(
        "amdgpu_target=none",
        when="+rocm",
        msg="+rocm wants the architecture of the GPU, such as amdgpu_target=gfx90a",
    )
    for device in ("cuda", "rocm"):
        conflicts(
            "+dnn",
            when=f"+{device}",
            msg=f"oneDNN does not serve this device: write +{device}~dnn",
        )
    requires(
        "%cxx=oneapi@2025:",
        when="+sycl",
        msg="+sycl wants icpx: write %c,cxx=oneapi@2025: and tell Spack where the compilers are",
    )

    for compiler, oldest in (("gcc", "11"), ("llvm", "14"), ("oneapi", "2023")):
        conflicts(
            f"%cxx={compiler}@:{int(oldest) - 1}",
            msg=f"C++20 as it is used here wants {compiler}@{oldest}: or newer",
        )

    # --- what it needs ---------------------------------------------------------------------------
    depends_on("c", type="build")  # for FindHDF5
    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.11:", type="test")
    depends_on("python@3.11:", type="build", when="+tests")

    depends_on("kokkos@4.7: +serial")
    depends_on("kokkos+openmp", when="+openmp")
    depends_on("kokkos~openmp~threads", when="~openmp")
    depends_on("kokkos+pic", when="+shared")
    requires("^kokkos cxxstd=20", when="^kokkos@:4")
    requires("^kokkos+cuda_lambda", when="+cuda ^kokkos@:4")
    depends_on("kokkos+cuda+wrapper", when="+cuda %cxx=gcc")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos+cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos+rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    depends_on("kokkos@5:+sycl", when="+sycl")

    depends_on("boost@1.74:")  # headers alone
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("spdlog@1.10:")
    depends_on("tomlplusplus@3.3:")
    depends_on("hdf5@1.10: ~mpi", when="~mpi")
    depends_on("hdf5@1.10: +mpi", when="+mpi")
    depends_on("jpeg")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"nccl cuda_arch={arch}", when=f"+mpi+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"rccl amdgpu_target={target}", when=f"+mpi+rocm amdgpu_target={target}")

    # What computes in fast mode on the device; cuBLAS comes with the toolkit.
    depends_on("cudnn", when="+cuda")
    depends_on("miopen-hip", when="+rocm")
    depends_on("rocblas", when="+rocm")

    # One OpenMP runtime in the process: the one that Kokkos has.
    depends_on("onednn@3.0: cpu_runtime=omp", when="+dnn~sycl")
    depends_on("intel-oneapi-dnn@2024:", when="+dnn+sycl")

    depends_on("googletest@1.12: +gmock", type="test")
    depends_on("googletest@1.12: +gmock", type=("build", "link"), when="+tests")
    depends_on("benchmark@1.7: ~performance_counters", when="+bench")
    depends_on("intel-oneapi-mkl", when="+mkl")  # with the OpenMP runtime of Kokkos

    generator("ninja")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("BCR_ENABLE_ONEDNN", "dnn"),
            self.define_from_variant("BCR_ENABLE_MPI", "mpi"),
            self.define(
                "BCR_ENABLE_NCCL", spec.satisfies("+mpi+cuda") or spec.satisfies("+mpi+rocm")
            ),
            self.define("BCR_ENABLE_CUBLAS", spec.satisfies("+cuda")),
            self.define("BCR_ENABLE_CUDNN", spec.satisfies("+cuda")),
            self.define("BCR_ENABLE_ROCBLAS", spec.satisfies("+rocm")),
            self.define("BCR_ENABLE_MIOPEN", spec.satisfies("+rocm")),
            self.define_from_variant("BCR_ENABLE_BENCH", "bench"),
            self.define("BCR_ENABLE_WEBP", False),
            self.define("BCR_ENABLE_TESTS", self.run_tests or spec.satisfies("+tests")),
            self.define_from_variant("BCR_ENABLE_MKL", "mkl"),
        ]
        if spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        elif spec.satisfies("+rocm") and not spec.satisfies("%cxx=llvm-amdgpu"):
            args.append(self.define("CMAKE_CXX_COMPILER", spec["hip"].hipcc))
        elif spec.satisfies("+sycl"):
            args.append(self.define("CMAKE_CXX_FLAGS", "-fp-model=precise"))
        return args

    # --- spack test run bcr: what is installed, alone --------------------------------------------

    def run_installed(self, program, *arguments, **options):
        """Standard output of one of our programs, with two threads."""
        run = which(join_path(self.prefix.bin, program), required=True)
        return run(*arguments, "--kokkos-num-threads=2", output=str.split, **options)

    def test_identity(self):
        """the bits of every kernel are those of the golden file, on each execution space"""
        golden = join_path(self.prefix.share, "bcr", "golden.txt")
        self.run_installed("bcr-identity", "--golden", golden)

    def test_training_step(self):
        """a training step in either mode, by the libraries that the package was built with"""
        for mode in ("strict", "fast"):
            with test_part(self, f"test_training_step_{mode}", purpose=f"one step, {mode}"):
                words = ("--image", "8", "--batch", "8", "--warmup", "1", "--mode", mode)
                point = self.run_installed("bcr-scale", "run", *words)
                assert '"format": "bcr scale point"' in point, point

    def test_prediction(self):
        """imports a set, trains an epoch, and labels its images"""
        config = join_path(self.prefix.share, "bcr", "configs", "method-class-inclusion.toml")
        make = ("import", "synthetic", "--count", "200", "--size", "8", "-o", "set.h5")
        self.run_installed("bcr-data", *make)
        split = ("--known", "3", "--background-classes", "1", "--data", "set.h5")
        self.run_installed("bcr-data", "split", "random", *split, "-o", "split.toml")
        files = ("--data.split=split.toml", "--data.known_train=set.h5")
        more = ('--data.background_train=["set.h5"]', '--data.unknown_test=["set.h5"]')
        model = ("--model.depth=10", "--model.width=1", "--data.known.batch=16")
        length = ("--data.background.batch=16", "--train.epochs=1", "--train.warmup_epochs=0")
        words = ("--config", config, "--out", "run", *files, *more, *model, *length)
        self.run_installed("bcr-train", "--data.known_test=set.h5", *words)
        model = join_path("run", "checkpoint-latest.h5")
        rows = self.run_installed("bcr-predict", model, "set.h5")
        assert len(rows.splitlines()) == 201, rows

    def check(self):
        """Under --test: what needs neither the network nor hours; `ninja test` would run all."""
        with working_dir(self.build_directory):
            ctest(
                *("-L", "^(unit|gradients|identity)$", "-LE", "slow", "-j", str(make_jobs)),
                *("--no-tests=error", "--output-on-failure"),
                extra_env={"OMP_PROC_BIND": "false"},  # tests side by side must not share one core
            )
