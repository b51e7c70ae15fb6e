#!/usr/bin/env python3
"""Times a whole head in PyTorch: outputs, loss, backward to features and parameters; on shapes of bench_head.

Prints CSV: peer,case,best_us. Distances are taken before squaring (torch.cdist without its matrix-product form, or the
broadcast form: the quicker one counts, as either may be eager or compiled). The inclusion term is the naive formula, the
only one PyTorch can write: -log(gammaincc), -log(1 - gammaincc + 1e-9); it is less work than ours and gives no push
deep inside a class. Half of the rows are known.
Usage: head_peers.py [--threads T] [--seconds S] [--no-compile]
"""

import argparse
import sys
import time

import torch
import torch.nn.functional as F

SHAPES = [(256, 128, 10), (256, 128, 100), (256, 640, 1000)]


def cdist(x, m):
    return torch.cdist(x, m, compute_mode="donot_use_mm_for_euclid_dist") ** 2


def broadcast(x, m):
    return ((x[:, None] - m[None]) ** 2).sum(-1)


def class_inclusion(out, y):
    known = y.shape[0]
    a = torch.full((), A[0], dtype=out.dtype)
    nearest, index = out.min(1)
    inclusion = torch.special.gammaincc(a, 0.5 * nearest)
    pull = torch.where(index[:known] == y, -torch.log(inclusion[:known]), 0.0).mean()
    push = -torch.log(1 - inclusion[known:] + 1e-9).mean()
    return F.cross_entropy(-out[:known], y) + 5.0 * (pull + push)


def uniformity(out, y):
    background = out[y.shape[0] :]
    return F.cross_entropy(out[: y.shape[0]], y) - 0.5 * (background.mean(1) - torch.logsumexp(background, 1)).mean()


def energy(out, y):
    e = -torch.logsumexp(out, 1)
    known = y.shape[0]
    terms = F.relu(e[:known] + 23.0).pow(2).mean() + F.relu(-5.0 - e[known:]).pow(2).mean()
    return F.cross_entropy(out[:known], y) + 0.1 * terms


A = [64.0]  # n / 2 of the shape under test


def best_us(work, seconds):
    work()
    best, start, repetitions = float("inf"), time.perf_counter(), 0
    while time.perf_counter() - start < seconds or repetitions < 3:
        begin = time.perf_counter_ns()
        work()
        best = min(best, time.perf_counter_ns() - begin)
        repetitions += 1
    return best * 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--no-compile", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print("peer,case,best_us")
    for rows, n, classes in SHAPES:
        A[0] = n / 2
        torch.manual_seed(7)
        x = torch.rand(rows, n).requires_grad_()
        m = torch.randn(classes, n).requires_grad_()
        b = torch.zeros(classes).requires_grad_()
        y = torch.randint(classes, (rows // 2,))
        heads = [("distance/class_inclusion", "cdist", lambda x, m, b, y: class_inclusion(cdist(x, m), y)),
                 ("linear/uniformity", "linear", lambda x, m, b, y: uniformity(F.linear(x, m, b), y)),
                 ("linear/energy", "linear", lambda x, m, b, y: energy(F.linear(x, m, b), y))]
        if rows * n * classes < 1e8:
            heads.insert(1, ("distance/class_inclusion", "broadcast",
                             lambda x, m, b, y: class_inclusion(broadcast(x, m), y)))
        for case, form, function in heads:
            for mode in ["eager"] + ([] if options.no_compile else ["compile"]):

                def work(function=function if mode == "eager" else torch.compile(function)):
                    x.grad = m.grad = b.grad = None
                    function(x, m, b, y).backward()

                try:
                    found = best_us(work, options.seconds)
                except Exception as error:  # a compiler that is missing is no fault of ours
                    print(f"head_peers: torch.compile: {type(error).__name__}", file=sys.stderr)
                    continue
                print(f"torch.{mode} {form},head/{case}/float/N{rows}_n{n}_C{classes},{found:.1f}", flush=True)


if __name__ == "__main__":
    main()
