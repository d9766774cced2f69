"""Runs notebooks with this Python and stores their outputs in them: notebooks.py NOTEBOOK...

Needs nbclient and ipykernel (Debian: jupyter-nbconvert, python3-ipykernel).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat


def execute(notebook: Any) -> None:
    """Runs all cells in a new kernel of this Python."""
    from jupyter_client.manager import KernelManager
    from nbclient import NotebookClient

    # pictures go into the notebook, whatever the caller draws on; the debugger, which is not used, does not warn
    settings = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    manager = KernelManager(kernel_name="python3")
    manager.kernel_spec.argv[0] = sys.executable  # the Python that has the package
    with tempfile.TemporaryDirectory() as folder:  # where no source of the package hides the installed one
        client = NotebookClient(notebook, km=manager, timeout=300, resources={"metadata": {"path": folder}})
        client.execute(env={**os.environ, **settings})
    manager.shutdown_kernel(now=True)


def tidy(notebook: Any) -> None:
    """Leaves what readers see: texts and pictures, no times, no versions."""
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            output.pop("metadata", None) if output.output_type == "stream" else output.update(metadata={})
            if "image/png" in output.get("data", {}):
                output.data.pop("text/plain", None)


def main(*files: str) -> int:
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        execute(notebook)
        tidy(notebook)
        nbformat.write(notebook, file)
        print(f"{file}: {Path(file).stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
