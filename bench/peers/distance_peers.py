#!/usr/bin/env python3
"""Times PyTorch's exact squared distances, forward and forward + backward, on shapes of bench_distance.

Prints CSV: peer,case,best_us. Exact means that differences are taken before squaring: the broadcast form and
torch.cdist with compute_mode="donot_use_mm_for_euclid_dist"; the matrix-product form cancels and does not count.
Usage: distance_peers.py [--threads T] [--seconds S] [N n C ...]      default shapes: 256 128 10 and 1024 640 1000
"""

import argparse
import time

import torch


def broadcast(x, m):
    return ((x[:, None] - m[None]) ** 2).sum(-1)


def cdist(x, m):
    return torch.cdist(x, m, compute_mode="donot_use_mm_for_euclid_dist") ** 2


def best_us(work, seconds):
    best, start = float("inf"), time.perf_counter()
    repetitions = 0
    while time.perf_counter() - start < seconds or repetitions < 3:
        begin = time.perf_counter_ns()
        work()
        best = min(best, time.perf_counter_ns() - begin)
        repetitions += 1
    return best * 1e-3


def cases(n_rows, n_dims, n_centres, dtype):
    torch.manual_seed(7)
    x = torch.rand(n_rows, n_dims, dtype=dtype)
    m = torch.rand(n_centres, n_dims, dtype=dtype)
    g = torch.rand(n_rows, n_centres, dtype=dtype)
    for name, distance in (("broadcast", broadcast), ("cdist", cdist)):

        def forward(distance=distance):
            with torch.no_grad():
                distance(x, m)

        def forward_backward(distance=distance):
            a = x.detach().requires_grad_()
            b = m.detach().requires_grad_()
            distance(a, b).backward(g)

        yield "squared_distance", "torch." + name, forward
        yield "forward_backward", "torch." + name, forward_backward


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("sizes", nargs="*", type=int, default=[256, 128, 10, 1024, 640, 1000])
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print("peer,case,best_us")
    for k in range(0, len(options.sizes), 3):
        rows, dims, centres = options.sizes[k : k + 3]
        for direction, peer, work in cases(rows, dims, centres, torch.float32):
            case = f"{direction}/float/N{rows}_n{dims}_C{centres}"
            print(f"{peer},{case},{best_us(work, options.seconds):.1f}", flush=True)


if __name__ == "__main__":
    main()
