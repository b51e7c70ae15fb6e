#!/usr/bin/env python3
"""Does with PyTorch and Pillow what bcr-predict does: says of picture files which known class they are of, or "unknown".

usage: predict_peers.py FOLDER [--way eager|compile] [--workers W] [--threads T] [--batch B]

A DataLoader whose worker processes open, scale and crop the pictures (Pillow), a wide ResNet 10-1 with batch norm in
inference mode, squared distances to ten anchors, P_I = Q(n/2, D^2/2); a CSV line for each picture on standard output.
The weights are random: they change no time. Prints on standard error the images per second from the making of the loader
to the last line, without the start of Python, its modules and the compilation of the model.
"""

import argparse
import sys
import time
from pathlib import Path

import torch
from network_peers import wide_resnet
from PIL import Image
from torchvision import transforms

SIDE, CLASSES = 32, 10
MEAN, STD = (0.4914, 0.4822, 0.4465), (0.2471, 0.2431, 0.2610)


class Pictures(torch.utils.data.Dataset):
    def __init__(self, folder):
        self.paths = sorted(str(path) for path in folder.iterdir())
        self.transform = transforms.Compose([transforms.Resize(SIDE, transforms.InterpolationMode.BOX),
                                             transforms.CenterCrop(SIDE), transforms.ToTensor(),
                                             transforms.Normalize(MEAN, STD)])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        with Image.open(self.paths[index]) as picture:
            return self.transform(picture.convert("RGB")), index


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.features = wide_resnet(10, 1, 0.0, 3)
        self.anchors = torch.nn.Parameter(torch.randn(CLASSES, self.features))

    def forward(self, images):
        features = self.backbone(images)
        distances = (features[:, None] - self.anchors).square().sum(2)
        nearest, classes = distances.topk(2, dim=1, largest=False)
        half = torch.full_like(nearest[:, 0], self.features / 2)
        return classes, nearest[:, 0].sqrt(), torch.special.gammaincc(half, nearest[:, 0] / 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--way", choices=["eager", "compile"], default="eager")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    model = Classifier().eval()
    with torch.inference_mode():
        run = torch.compile(model) if options.way == "compile" else model
        run(torch.zeros(options.batch, 3, SIDE, SIDE))
        pictures = Pictures(options.folder)
        start = time.perf_counter()
        loader = torch.utils.data.DataLoader(pictures, options.batch, num_workers=options.workers)
        print("path,label,guess,second,distance,p_inclusion")
        for images, indices in loader:
            if len(indices) < options.batch:  # of another size, it would be compiled anew
                images = torch.cat([images, torch.zeros(options.batch - len(indices), *images.shape[1:])])
            rows = zip(indices.tolist(), *(values.tolist() for values in run(images)))
            for index, (guess, second), distance, inclusion in rows:
                label = guess if inclusion >= 0.5 else "unknown"
                print(f"{pictures.paths[index]},{label},{guess},{second},{distance},{inclusion}")
    print(len(pictures) / (time.perf_counter() - start), file=sys.stderr)


if __name__ == "__main__":
    main()
