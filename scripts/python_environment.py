"""Python environments of the scripts: packages by name, version and hash, kept in a cache and made on first use."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path


def environment(name, requirements, variable):
    """The folder of the environment that a file of requirements describes, named after its content; the environment variable
    of the given name overrides it. CalledProcessError where it cannot be made."""
    key = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    home = Path(os.environ.get(variable) or cache / "bcr" / f"{name}-{key}")
    if not (home / "complete").exists():
        if home.exists() and any(home.iterdir()) and not (home / "pyvenv.cfg").exists():
            sys.exit(f"{home} holds something else than a Python environment; let {variable} name another place")
        print(f"installing {requirements.name} into {home} (once)", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        subprocess.run([home / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r",
                        requirements], check=True)
        (home / "complete").touch()
    return home
