// Writes src/checkrail/grammar/unicode_scripts.py: the Script and Script_Extensions properties of Unicode, as the ICU of
// this Node knows them. Run it with a newer Node when a newer version of Unicode is wanted:
//
//     CHECKRAIL_SCRIPT_NAMES=<folder of the npm package unicode-match-property-value-ecmascript> \
//         node tools/generate_scripts.mjs
//
// The package lists the names that ECMA-262 allows; the characters come from Node itself.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);
const folder = process.env.CHECKRAIL_SCRIPT_NAMES;
if (!folder) {
  console.error("CHECKRAIL_SCRIPT_NAMES does not name the folder of the npm package unicode-match-property-value-ecmascript");
  process.exit(2);
}
const names = require(path.resolve(folder, "data/mappings.js")).get("Script");

function merged(codes) {
  const found = [];
  for (const code of codes) {
    const last = found.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else found.push([code, code]);
  }
  return found;
}

const codePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);

function characters(property) {
  const pattern = new RegExp(`^\\p{${property}}$`, "u");
  return codePoints.filter((code) => pattern.test(String.fromCodePoint(code)));
}

function without(codes, other) {
  const known = new Set(other);
  return codes.filter((code) => !known.has(code));
}

const hex = (code) => code.toString(16).toUpperCase();
const written = (codes) => merged(codes).map(([low, high]) => (low === high ? hex(low) : `${hex(low)}-${hex(high)}`));

function folded(words) {
  const lines = [];
  let line = "   ";
  for (const word of words) {
    if (line.length + 1 + word.length > 118) {
      lines.push(line);
      line = "     ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

const rows = [];
for (const long of [...new Set(names.values())].sort()) {
  let own;
  try {
    own = characters(`Script=${long}`);
  } catch {
    continue; // a name of the standard that this Node does not know
  }
  const extended = characters(`Script_Extensions=${long}`);
  const aliases = [...names].filter(([, canonical]) => canonical === long).map(([alias]) => alias);
  const labels = [long, ...aliases.filter((alias) => alias !== long)].join("|");
  const words = [`${labels}:`, ...written(own)];
  const more = without(extended, own);
  const fewer = without(own, extended);
  if (more.length) words.push("+", ...written(more));
  if (fewer.length) words.push("-", ...written(fewer));
  rows.push(folded(words));
}

const text = `"""The scripts of Unicode ${process.versions.unicode}, made by tools/generate_scripts.mjs.

Each row has the names of a script, the characters whose Script it is, behind + those that are in its Script_Extensions
as well, and behind - those that are not. Derived from the Unicode Character Database, which is copyright Unicode, Inc.,
under the Unicode License V3 (https://www.unicode.org/license.txt), see NOTICE.
"""

__all__ = ["SCRIPTS"]

SCRIPTS = """
${rows.join("\n")}
"""
`;
fs.writeFileSync(path.join(root, "src/checkrail/grammar/unicode_scripts.py"), text);
