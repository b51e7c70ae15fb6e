#!/usr/bin/env python3
"""Writes tests/data/optimiser_case.json: trajectories of PyTorch's SGD and Adam in double, two parameter groups.

Each parameter minimises a curve of its own; gradients are recorded too, so that the test replays them and does not
depend on how they arose.  usage: make_optimiser_case.py [output]
"""

import json
import pathlib
import sys

import torch

STEPS = 25
GROUPS = [{"rate_multiplier": 1.0, "weight_decay": 5e-4}, {"rate_multiplier": 0.1, "weight_decay": 0.0}]
SIZES = [5, 3]


def loss_of(parameters):
    first, second = parameters
    return (first**2 * torch.arange(1, 6, dtype=torch.float64)).sum() + torch.cos(3 * second).sum() + (first[0] * second).sum()


def rate_at(step):
    return 0.1 / (1 + 0.25 * step)


def run(name, make):
    torch.manual_seed(7)
    parameters = [torch.randn(n, dtype=torch.float64, requires_grad=True) for n in SIZES]
    groups = [{"params": [p], "weight_decay": g["weight_decay"]} for p, g in zip(parameters, GROUPS)]
    optimiser = make(groups)
    trace = {"name": name, "start": torch.cat([p.detach() for p in parameters]).tolist(), "steps": []}
    for step in range(STEPS):
        optimiser.zero_grad()
        loss_of(parameters).backward()
        for group, settings in zip(optimiser.param_groups, GROUPS):
            group["lr"] = rate_at(step) * settings["rate_multiplier"]
        gradient = torch.cat([p.grad for p in parameters]).tolist()
        optimiser.step()
        after = torch.cat([p.detach() for p in parameters]).tolist()
        trace["steps"].append({"rate": rate_at(step), "gradient": gradient, "parameters": after})
    return trace


def main():
    default = pathlib.Path(__file__).resolve().parent.parent / "tests/data/optimiser_case.json"
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    traces = [
        run("sgd", lambda g: torch.optim.SGD(g, lr=0.1, momentum=0.9, nesterov=True)),
        run("sgd-classical", lambda g: torch.optim.SGD(g, lr=0.1, momentum=0.9)),
        run("adam", lambda g: torch.optim.Adam(g, lr=0.1, betas=(0.9, 0.999), eps=1e-8)),
    ]
    document = {"generator": f"torch {torch.__version__}", "sizes": SIZES, "groups": GROUPS, "traces": traces}
    output.write_text(json.dumps(document) + "\n")
    print(f"{output}: {len(traces)} traces, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
