#!/usr/bin/env python3
"""Times PyTorch on the batches of bench/bench_batches.cpp.

128 known and 128 background images of 32 x 32 x 3, pad-4 random crop, horizontal flip, normalisation, from uint8 images
in memory to float tensors. Prints CSV: peer,pairs_per_s,images_per_s. Two peers:
  torchvision DataLoader  the usual pipeline: ToPILImage, RandomCrop, RandomHorizontalFlip, ToTensor, Normalize in two
                          loaders, by --threads processes altogether
  torch batched           the stronger one: whole batches by tensor indexing, no Python per image, by --threads threads
"""

import argparse
import time

import numpy as np
import torch
from torchvision import transforms

IMAGES, BATCH, SIDE, PAD = 50_000, 128, 32, 4
MEAN = (0.4914, 0.4822, 0.4465)
STD = (0.2471, 0.2431, 0.2610)


def make_images(seed):
    return np.random.default_rng(seed).integers(0, 256, (IMAGES, SIDE, SIDE, 3), dtype=np.uint8)


def pairs_per_second(draw, seconds, steps):
    """The best rate over windows of so many steps, after a first pair that starts everything up."""
    draw()
    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(steps):
            draw()
        best = max(best, steps / (time.perf_counter() - start))
    return best


class Transformed(torch.utils.data.Dataset):
    def __init__(self, images):
        self.images = images
        self.transform = transforms.Compose(
            [
                transforms.ToPILImage(),
                transforms.RandomCrop(SIDE, padding=PAD),
                transforms.RandomHorizontalFlip(),
                transforms.ToTensor(),
                transforms.Normalize(MEAN, STD),
            ]
        )

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.transform(self.images[index]), index % 10


def loader_peer(seconds, workers):
    def endless(images, processes):
        loader = torch.utils.data.DataLoader(
            Transformed(images), BATCH, shuffle=True, num_workers=processes, persistent_workers=processes > 0
        )
        while True:
            yield from loader

    known = endless(make_images(1), (workers + 1) // 2)
    background = endless(make_images(2), workers // 2)

    def draw():
        next(known)
        next(background)

    # Long windows: what the workers fetched ahead is not free.
    return pairs_per_second(draw, seconds, steps=20)


class Batched:
    """Crops by one gather of rows and columns from padded uint8 images, NHWC as ours."""

    def __init__(self, images):
        images = torch.from_numpy(images)
        self.padded = torch.nn.functional.pad(images, (0, 0, PAD, PAD, PAD, PAD))
        self.scale = 1 / (255 * torch.tensor(STD))
        self.shift = -torch.tensor(MEAN) / torch.tensor(STD)
        self.line = torch.arange(SIDE)
        self.order, self.at = torch.randperm(IMAGES), 0

    def draw(self):
        if self.at + BATCH > IMAGES:
            self.order, self.at = torch.randperm(IMAGES), 0
        rows = self.order[self.at : self.at + BATCH]
        self.at += BATCH
        down = torch.randint(0, 2 * PAD + 1, (BATCH, 1))
        right = torch.randint(0, 2 * PAD + 1, (BATCH, 1))
        mirrored = torch.rand(BATCH, 1) < 0.5
        x = torch.where(mirrored, self.line.flip(0), self.line) + right
        y = self.line + down
        crops = self.padded[rows[:, None, None], y[:, :, None], x[:, None, :]]
        return torch.addcmul(self.shift, crops.float(), self.scale), rows % 10


def batched_peer(seconds):
    known, background = Batched(make_images(1)), Batched(make_images(2))

    def draw():
        known.draw()
        background.draw()

    return pairs_per_second(draw, seconds, steps=4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each peer")
    parser.add_argument("--threads", type=int, default=2, help="worker processes of the loaders, threads of the other")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print("peer,pairs_per_s,images_per_s")
    for peer, measure in (
        ("torch batched", lambda: batched_peer(options.seconds)),
        ("torchvision DataLoader", lambda: loader_peer(options.seconds, options.threads)),
    ):
        rate = measure()
        print(f"{peer},{rate:.1f},{2 * BATCH * rate:.0f}", flush=True)


if __name__ == "__main__":
    main()
