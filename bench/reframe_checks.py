"""The benchmarks as ReFrame sees them: bcr-scale's points and every program of bench/, with their figures of merit.

usage: reframe -C SITE.py -c bench/reframe_checks.py -r [-S programs=/path/to/bin] [-t training] [-n 'Kernels.*']

The programs are those of an installation with +bench, or of build/PRESET/bin. Sanity: bcr-scale's loss is finite (it fails
otherwise), Google Benchmark reports no error. Performance: medians of bcr-scale, best times of the kernels. References belong
into the file of a site.
"""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, performance_function, run_after, run_before, sanity_function, variable


class Measured(rfm.RunOnlyRegressionTest):
    """One process with all cores, or the device, of a node."""

    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    programs = variable(str, value="")
    threads = variable(int, value=0)
    num_tasks = 1

    @run_before("run")
    def set_threads(self):
        cores = self.threads or (self.current_partition.processor.num_cores or os.cpu_count())
        self.num_cpus_per_task = cores
        self.env_vars = {"OMP_NUM_THREADS": cores, "OMP_PROC_BIND": "spread", "OMP_PLACES": "cores"}
        if self.programs:
            self.executable = os.path.join(self.programs, self.executable)

    @sn.deferrable
    def said(self):
        with open(os.path.join(self.stagedir, self.stdout.evaluate()), encoding="utf-8") as file:
            return json.load(file)


@rfm.simple_test
class Points(Measured):
    """bcr-scale run."""

    work = parameter(["training", "inference", "head", "loss"])
    mode = parameter(["strict", "fast"])
    network = parameter([("wrn", 10, 1, 128), ("wrn", 40, 2, 256), ("gru", 10, 1, 128)], fmt=lambda one: one[0] + str(one[1]))
    executable = "bcr-scale"

    @run_after("init")
    def set_problem(self):
        backbone, depth, width, batch = self.network
        self.tags = {self.work, self.mode}
        self.executable_opts = ["run", "--log", "warning", "--work", self.work, "--mode", self.mode, "--backbone", backbone,
                                "--depth", str(depth), "--width", str(width), "--batch", str(batch)]

    @sanity_function
    def is_a_point(self):
        return sn.assert_eq(self.said()["format"], "bcr scale point")

    @performance_function("s")
    def step(self):
        return self.said()["step"]["seconds"]["median"]

    @performance_function("1/s")
    def samples_per_second(self):
        return self.said()["step"]["images_per_second"]

    @performance_function("share")
    def share_of_peak(self):
        return self.said()["step"]["share_of_peak"]

    @performance_function("B")
    def device_memory(self):
        return self.said()["memory"]["device_bytes"]


@rfm.simple_test
class Kernels(Measured):
    """The programs of bench/: all cases of one family."""

    family = parameter(["math", "distance", "reduce", "gamma", "convolution", "gru", "head", "metrics", "norm", "optim",
                        "batches", "network"])

    @run_after("init")
    def set_program(self):
        self.tags = {"kernels", self.family}
        self.executable = "bench_" + self.family
        self.executable_opts = ["--benchmark_format=json", "--benchmark_min_time=0.3"]

    @sanity_function
    def has_no_error(self):
        cases = self.said()["benchmarks"]
        return sn.and_(sn.assert_gt(sn.count(cases), 0), sn.assert_false(sn.any(c.get("error_occurred") for c in cases)))

    @run_before("performance")
    def set_figures(self):
        cases = self.said().evaluate()["benchmarks"]
        self.perf_variables = {case["name"]: sn.make_performance_function(sn.defer(case["real_time"]), case["time_unit"])
                               for case in cases}
