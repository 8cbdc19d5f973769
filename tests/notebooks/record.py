"""Records what Jupyter shows for the notebooks next to this file, into the notebooks themselves.

Run by hand, with the Python of the recorded PyTorch, where nbclient and ipykernel are installed:

    python tests/notebooks/record.py [NAME...]
"""

import os
import pathlib
import sys
import tempfile

import nbclient
import nbformat

here = pathlib.Path(__file__).resolve().parent
names = sys.argv[1:] or sorted(path.stem for path in here.glob("*.ipynb"))
for name in names:
    path = here / f"{name}.ipynb"
    notebook = nbformat.read(path, 4)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", store_widget_state=False)
        try:
            client.execute()
        except nbclient.exceptions.CellExecutionError as error:
            print(f"{name}: ends in {error.ename}")
        os.chdir(here)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            # Pictures are only counted: this keeps one pixel of each.
            if "image/png" in data:
                data["image/png"] = "iVBORw0KGgo="
            if output.output_type == "error":
                output.traceback = []
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}
    nbformat.write(notebook, path)
    print(name)
