"""Executes notebooks, and checks that they print what they did when they were written.

usage: notebooks.py [--update] NOTEBOOK...

Decimal numbers in the text of a notebook must be among those that it prints. With --update what is printed is
written into the notebook; figures are not kept.
"""

import re
import sys
import tempfile

import nbformat
from nbclient import NotebookClient


def printed(cell):
    """What a cell prints."""
    outputs = [o for o in cell.get("outputs", []) if o.output_type == "stream" and o.name == "stdout"]
    return "".join(o.text for o in outputs)


update = sys.argv[1:2] == ["--update"]
for path in sys.argv[1 + update :]:
    notebook = nbformat.read(path, as_version=4)
    before = [printed(cell) for cell in notebook.cells]
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    after = [printed(cell) for cell in notebook.cells]
    for cell, text in zip(notebook.cells, after):
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)] if text else []
    if update:
        notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(notebook, path)
    else:
        assert before == after, f"{path} prints\n{''.join(after)}\nand printed\n{''.join(before)}"
    stated = [n for c in notebook.cells if c.cell_type == "markdown" for n in re.findall(r"\b\d+\.\d+\b", c.source)]
    missing = [n for n in stated if n not in "".join(after)]
    assert stated and not missing, f"{path} says {missing}, which it does not print"
    print(f"{path}: {len(''.join(after).splitlines())} lines as they were, {len(stated)} numbers in its text")
