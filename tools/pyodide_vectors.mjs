// Runs tools/run_vectors.py in Pyodide, with this checkout's sources, and prints what it prints.
//
// `python tools/run_vectors.py --pyodide` calls it, with the folder of the npm package in CHECKRAIL_PYODIDE.

import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const folder = process.env.CHECKRAIL_PYODIDE;
if (!folder) {
  console.error("CHECKRAIL_PYODIDE does not name the folder of the npm package pyodide");
  process.exit(2);
}

const { loadPyodide } = await import(pathToFileURL(path.resolve(folder, "pyodide.mjs")).href);
const thorough = process.env.CHECKRAIL_THOROUGH ?? "";
const python = await loadPyodide({ env: { PYTHONDONTWRITEBYTECODE: "1", CHECKRAIL_THOROUGH: thorough } });
for (const name of ["src", "tools", "conformance"]) {
  python.mountNodeFS(`/checkout/${name}`, path.join(root, name));
}
python.globals.set("names", python.toPy(process.argv.slice(2)));
const status = python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/checkout/tools", "/checkout/src"]
import run_vectors
run_vectors.main(names)
`);
process.exit(status);
