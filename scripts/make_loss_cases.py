#!/usr/bin/env python3
"""Writes tests/data/loss_cases.json: losses and their gradients by PyTorch's autograd in double, on random batches.

usage: make_loss_cases.py [OUTPUT]          needs PyTorch; scripts/compare-peers makes an environment that has it

Every loss is written here as its authors publish it, on features and the parameters of a head, and differentiated by
autograd: outlier exposure (mean of logits against logsumexp), energy margins (squared relu of energies), entropic and
objectosphere (squared hinges of feature norms), torch's own triplet loss, and the class-inclusion loss by
torch.special.gammaincc and gammainc. Inputs are multiples of 1/1024, exact in float; results have 17 digits.
"""

import json
import platform
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def grid(*shape, scale=1.0):
    return torch.round(torch.randn(*shape) * scale * 1024) / 1024


def squared_distances(f, head):
    return ((f[:, None] - head["anchors"][None]) ** 2).sum(-1)


def logits(f, head):
    return f @ head["weights"].T + head["bias"]


def zero():
    return torch.zeros(())


def classification(z, labels):
    return F.cross_entropy(z[: len(labels)], labels) if len(labels) else zero()


def mean(values):
    return values.mean() if values.numel() else zero()


def class_inclusion(case, f, out, labels, _):
    a = torch.tensor(f.shape[1] / 2)
    known, background = out[: len(labels)], out[len(labels) :]
    nearest, index = known.min(1) if len(labels) else (known.sum(1), labels)
    pull = torch.where(index == labels, -torch.log(torch.special.gammaincc(a, nearest / 2)), 0.0)
    push = -torch.log(torch.special.gammainc(a, background.min(1).values / 2)) if len(background) else background.sum(1)
    terms = case["options"].get("inclusion", {}).get("terms", "both")
    return mean(pull) if terms != "unknown" else zero(), mean(push) if terms != "known" else zero()


def hsc(case, f, out, labels, _):
    known = out[: len(labels)].gather(1, labels[:, None])[:, 0]
    background = out[len(labels) :].min(1).values
    pseudo_huber = lambda u: torch.sqrt(u + 1) - 1
    return mean(pseudo_huber(known)), mean(-torch.log(-torch.expm1(-pseudo_huber(background))))


def triplet(case, f, out, labels, head):
    options = case["options"].get("triplet", {})
    pairs = min(len(labels), len(f) - len(labels))
    positive, negative = f[:pairs], f[len(labels) : len(labels) + pairs]
    anchors = head["anchors"][labels[:pairs]]
    margin = options.get("margin", 1.0)
    if options.get("distance") == "squared":
        d = lambda x: ((x - anchors) ** 2).sum(1)
        return mean(F.relu(d(positive) - d(negative) + margin)), zero()
    return F.triplet_margin_loss(anchors, positive, negative, margin=margin, eps=0.0), zero()


def uniformity(case, f, out, labels, _):
    background = out[len(labels) :]
    return zero(), mean(-(background.mean(1) - torch.logsumexp(background, dim=1)))


def objectosphere(case, f, out, labels, _):
    options = case["options"]["objectosphere"]
    norm = f.norm(dim=1)
    ring_known = mean(F.relu(options["xi"] - norm[: len(labels)]) ** 2)
    ring_unknown = mean(norm[len(labels) :] ** 2)
    entropic = mean(-F.log_softmax(out[len(labels) :], dim=1).mean(1))
    return options["ring_weight"] * ring_known, entropic + options["ring_weight"] * ring_unknown


def energy(case, f, out, labels, _):
    options = case["options"]["energy"]
    e = -torch.logsumexp(out, dim=1)
    known = mean(torch.pow(F.relu(e[: len(labels)] - options["m_in"]), 2))
    return known, mean(torch.pow(F.relu(options["m_out"] - e[len(labels) :]), 2))


def background_class(case, f, out, labels, _):
    background = out[len(labels) :]
    target = torch.full((len(background),), out.shape[1] - 1)
    return zero(), F.cross_entropy(background, target)


def none(case, f, out, labels, _):
    return zero(), zero()


TERMS = {"none": none, "class_inclusion": class_inclusion, "hsc": hsc, "triplet": triplet, "uniformity": uniformity,
         "entropic": uniformity, "objectosphere": objectosphere, "energy": energy,
         "background_class": background_class}


def rows(tensor):
    return [[float(x) for x in row] for row in tensor]


def make_case(loss, head_kind, known, background, n, classes, weight, spread, **options):
    """`spread` is the standard deviation of features and anchors: it decides how far they are from each other."""
    case = {"loss": loss, "head": head_kind, "known": known, "background": background, "features": n,
            "classes": classes, "lambda": weight, "options": options}
    f = grid(known + background, n, scale=spread).requires_grad_()
    labels = torch.randint(classes, (known,))
    columns = classes + (loss == "background_class")
    if head_kind == "distance":
        head = {"anchors": grid(classes, n, scale=spread)}
        with torch.no_grad():  # most known samples near their own anchor, so that the indicator is often 1
            near = torch.arange(known) % 4 != 3
            f[:known][near] = torch.round((f[:known] + head["anchors"][labels])[near] * 1024) / 1024
    else:
        head = {"weights": grid(columns, n), "bias": grid(columns)}
    for parameter in head.values():
        parameter.requires_grad_()
    out = squared_distances(f, head) if head_kind == "distance" else logits(f, head)
    z = -options.get("logit_scale", 1.0) * out if head_kind == "distance" else out
    entropy = classification(z, labels)
    bg_known, bg_unknown = TERMS[loss](case, f, out, labels, head)
    total = entropy + weight * (bg_known + bg_unknown)
    total.backward()
    case["input"] = {"features": rows(f.detach()), "labels": labels.tolist(),
                     **{name: rows(p.detach().reshape(columns, -1)) for name, p in head.items()}}
    case["expected"] = {
        "total": total.item(), "classification": entropy.item(), "background_known": bg_known.item(),
        "background_unknown": bg_unknown.item(), "outputs": rows(out.detach()),
        "diff_features": rows(f.grad if f.grad is not None else torch.zeros_like(f)),
        **{f"diff_{name}": rows(p.grad.reshape(columns, -1)) for name, p in head.items()}}
    assert all(torch.isfinite(torch.tensor(case["expected"][k])).all() for k in ("total", "diff_features"))
    return case


def main():
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "tests" / "data" / "loss_cases.json"
    torch.manual_seed(2022)
    d, l = "distance", "linear"
    cases = [
        make_case("none", d, 6, 0, 7, 4, 0.0, 0.7),
        make_case("none", d, 5, 3, 7, 4, 0.0, 0.7, logit_scale=0.5),
        make_case("none", l, 6, 3, 7, 4, 0.0, 1.0),
        make_case("class_inclusion", d, 8, 5, 6, 4, 5.0, 0.9),
        make_case("class_inclusion", d, 7, 6, 9, 5, 1.0, 0.8, logit_scale=0.5),
        make_case("class_inclusion", d, 6, 4, 6, 3, 0.5, 0.9, inclusion={"terms": "known"}),
        make_case("class_inclusion", d, 6, 4, 6, 3, 0.5, 0.9, inclusion={"terms": "unknown"}),
        make_case("class_inclusion", d, 3, 3, 128, 3, 5.0, 0.75),
        make_case("hsc", d, 8, 5, 6, 4, 1.0, 0.9),
        make_case("triplet", d, 6, 6, 6, 4, 5.0, 0.9),
        make_case("triplet", d, 6, 6, 6, 4, 2.0, 0.9, triplet={"margin": 3.0}),
        make_case("triplet", d, 7, 4, 6, 4, 1.0, 0.9, triplet={"distance": "squared"}),
        make_case("uniformity", l, 6, 5, 7, 4, 0.5, 1.0),
        make_case("entropic", l, 6, 5, 7, 4, 1.0, 1.0),
        make_case("objectosphere", l, 6, 5, 7, 4, 1.0, 1.0, objectosphere={"xi": 50.0, "ring_weight": 1e-4}),
        make_case("objectosphere", l, 6, 5, 7, 4, 1.0, 1.0, objectosphere={"xi": 2.5, "ring_weight": 0.25}),
        make_case("energy", l, 6, 5, 7, 4, 0.1, 1.0, energy={"m_in": -23.0, "m_out": -5.0}),
        make_case("energy", l, 6, 5, 7, 4, 0.1, 1.0, energy={"m_in": -3.0, "m_out": -2.0}),
        make_case("background_class", l, 6, 5, 7, 4, 1.0, 1.0),
        make_case("uniformity", l, 33, 17, 5, 3, 0.5, 1.0),
        make_case("class_inclusion", d, 35, 21, 4, 3, 5.0, 0.9),
    ]
    text = json.dumps({"versions": {"torch": torch.__version__, "python": platform.python_version()}, "cases": cases})
    output.write_text(text.replace('}, {"loss"', '},\n{"loss"') + "\n", encoding="utf-8")
    print(f"{output}: {len(cases)} cases, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
