// Runs tools/run_vectors.py in Pyodide, with this checkout's sources, and prints what it prints.
//
//   npm install --no-save pyodide && node tools/pyodide_vectors.mjs [SUITE ...]
//
// CHECKRAIL_PYODIDE names the folder of the npm package where it is not in a node_modules around the working folder.

import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

function findPyodide() {
  const named = process.env.CHECKRAIL_PYODIDE;
  if (named) return path.resolve(named, "pyodide.mjs");
  try {
    return createRequire(path.join(process.cwd(), "x")).resolve("pyodide/pyodide.mjs");
  } catch {
    console.error("The npm package pyodide is not here: run `npm install --no-save pyodide`");
    process.exit(2);
  }
}

const { loadPyodide } = await import(pathToFileURL(findPyodide()).href);
const python = await loadPyodide({ env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const folder of ["src", "tools", "conformance"]) {
  python.mountNodeFS(`/checkout/${folder}`, path.join(root, folder));
}
python.globals.set("names", python.toPy(process.argv.slice(2)));
const status = python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/checkout/tools")
import run_vectors
run_vectors.main(names)
`);
process.exit(status);
