"""Bytecode that is the same wherever it is made: bundle.py runs this in interpreters of its own, inside the tree.

What of Python decides about its bytes is held still: the seed of hashes (the order of sets), the order of files, and
what else the interpreter has in mind. Dates and the place of the tree are in none of it.
"""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_STILL = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def compile_tree(tree: Path) -> None:
    """Compile every source of a tree beside it, whatever its date will be. What is no Python stays as it is."""
    names = sorted(path.name for path in tree.iterdir() if path.is_dir() or path.suffix == ".py")
    command = [sys.executable, "-S", "-s", "-P", str(Path(__file__).resolve())]

    def compile_in_its_own_interpreter(name: str) -> None:
        subprocess.run([*command, name], cwd=tree, env=_STILL, check=True)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for done in [pool.submit(compile_in_its_own_interpreter, name) for name in names]:
            done.result()


def _compile(name: str) -> None:
    """A file, or a directory with all below it. No pathlib: it would keep the parts of paths in mind."""
    if os.path.isfile(name):  # noqa: PTH113 - see above
        try:
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(name, dfile=name, doraise=True, optimize=0, invalidation_mode=mode)
        except py_compile.PyCompileError:
            return  # for another Python, or a template of one
    elif not name.endswith("__pycache__"):
        for entry in sorted(os.listdir(name)):  # noqa: PTH208 - see above
            path = f"{name}/{entry}"
            if os.path.isdir(path) or entry.endswith(".py"):  # noqa: PTH112 - see above
                _compile(path)


if __name__ == "__main__":
    _compile(sys.argv[1])
