"""A tiny problem of texts on disk: two topics, background and unknown lines, and a configuration that learns them."""

import random
import subprocess

CONFIG = """
[data]
split = "{folder}/split.toml"
known_train = "{folder}/train.h5"
known_test = "{folder}/test.h5"
background_train = ["{folder}/background.h5"]
unknown_test = ["{folder}/unknown.h5"]
known = {{ batch = 16 }}
background = {{ batch = 8 }}
text = {{ words = 60, length = 12 }}

[model]
name = "gru"
vocabulary = 62
embedding = 6
units = 8
head = {{ name = "distance" }}

[loss]
name = "class_inclusion"
lambda = 1.0

[train]
epochs = 3
optimizer = "adam"
lr = 0.02
lr_min = 0.0
lr_changes = "every-epoch"
warmup_epochs = 0
weight_decay = 0.0
eval_batch = 16
eval_every = 0
save_every = 2
"""

TOPICS = {"boats": "keel mast sail rope wind wave harbour anchor".split(),
          "cooking": "salt oven bread knife onion butter flour soup".split()}
COMMON = "the and with from that this very into".split()
OTHERS = "asphalt brick tunnel girder crane cement".split()


def command(*words, code=0):
    run = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == code, (words, run.returncode, run.stderr)
    return run


def sentence(draw, words, count):
    return " ".join(draw.choice(words if draw.random() < 0.6 else COMMON) for _ in range(count))


def make_text_problem(folder, data):
    """The files and the configuration, whose path is returned; data: the program."""
    draw = random.Random(7)
    for part, count in (("train", 60), ("test", 30)):
        for topic, words in TOPICS.items():
            (folder / part / topic).mkdir(parents=True)
            for i in range(count):
                text = sentence(draw, words, draw.randint(3, 20))
                (folder / part / topic / f"{i}.txt").write_text(text, encoding="utf-8")
        command(data, "import", "text-folder", folder / part, "--name", f"topics {part}", "-o",
                folder / f"{part}.h5")
    for name, words in (("background", OTHERS + COMMON), ("unknown", OTHERS)):
        lines = [sentence(draw, words, draw.randint(2, 9)) for _ in range(50)]
        (folder / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
        command(data, "import", "text-lines", folder / f"{name}.txt", "--name", name, "-o",
                folder / f"{name}.h5")
    command(data, "split", "whole", "--data", folder / "train.h5", "--background", folder / "background.h5",
            "--unknown", folder / "unknown.h5", "-o", folder / "split.toml")
    config = folder / "run.toml"
    config.write_text(CONFIG.format(folder=folder), encoding="utf-8")
    return config
