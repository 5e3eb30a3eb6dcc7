// Writes vectors.json and doubles.json of this folder: `node conformance/canon/generate.mjs` from the root.
//
// The expected texts come from a JavaScript engine, which RFC 8785 names as the measure: JSON.stringify for strings and
// numbers, the engine's own order of strings (UTF-16 code units) for the members. Nothing here comes from the code that
// the vectors test. The cases of `refused` and `rfc` are written by hand; those of `rfc` stand in RFC 8785 itself.

import { writeFileSync } from "node:fs";
import { createHash } from "node:crypto";

const here = new URL(".", import.meta.url);

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

// --- cases: JSON texts and their canonical form

const rfc = [
  {
    name: "RFC 8785, section 3.2.2 to 3.2.4",
    text: '{\n  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n  "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",\n  "literals": [null, true, false]\n}',
    canonical: '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  },
  {
    name: "RFC 8785, section 3.2.3: order of names",
    text: '{"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control", "\\u00f6": "Latin Small Letter O With Diaeresis"}',
    canonical: '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  },
];

const texts = {
  "null at the root": "null",
  "true at the root": " true ",
  "false at the root": "false",
  "empty array": "[ ]",
  "empty object": "{ }",
  "empty string": '""',
  "empty name": '{"a":1,"":2}',
  "blanks of every kind": "[\t1 ,\r\n {\n}\t]",
  "nested, members sorted at each level": '{"b":{"z":1,"a":[{"y":1,"x":2}]},"a":0}',
  "arrays keep their order": "[3,1,2]",
  "names by code unit, not by number": '{"10":1,"9":2,"1":3}',
  "names by code unit, not by letter": '{"a":1,"B":2,"_":3,"A":4,"b":5}',
  "a name before the names it begins": '{"ab":1,"a":2,"abc":3}',
  "a supplementary character before U+E000": '{"\\ue000":1,"\\ud800\\udc00":2,"\\uffff":3,"\\ud7ff":4,"\\udbff\\udfff":5}',
  "supplementary characters among themselves": '{"\\ud83d\\ude01":1,"\\ud83d\\ude00":2,"\\ud83c\\udfff":3}',
  "escaped and plain names mix": '{"\\u0062":1,"a":2,"\\u0041":3}',
  "no normal form is made: composed and decomposed": '{"e\\u0301":1,"\\u00e9":2,"s":"e\\u0301"}',
  "NUL in a name": '{"a\\u0000b":1,"a":2}',
  "every control character": `"${Array.from({ length: 32 }, (_, c) => `\\u${c.toString(16).padStart(4, "0")}`).join("")}"`,
  "DEL and C1 are not escaped": '"\\u007f\\u0080\\u009f"',
  "line and paragraph separator are not escaped": '"\\u2028\\u2029"',
  "noncharacters and private use are not escaped": '"\\ufffe\\uffff\\ue000\\udbff\\udfff"',
  "bidi and zero width are not escaped": '"\\u202e\\u200b\\ufeff"',
  "quote, backslash, slash": '"\\"\\\\\\/"',
  "markup is not escaped": '"\\u003cscript\\u003e&"',
  "pairs become characters": '"\\ud83d\\ude00\\uD834\\uDD1E"',
  "minus zero": "[-0,-0.0,0e5,-0E-7]",
  "the same number in many spellings": "[1,1.0,10e-1,0.1e1,1E0,100.00e-2]",
  "integers at the edge": "[9007199254740991,-9007199254740991]",
  "an integer that a double holds": "[9007199254740992,100000000000000000000]",
  "where the exponent begins": "[1e20,1e21,1e-6,1e-7,123456789012345680000,1234567890123456800000.0,1152921504606846976,1152921504606847000,295147905179352830000]",
  "largest and smallest": "[1.7976931348623157e308,5e-324,2.2250738585072014e-308]",
  "shortest digits": "[0.1,0.30000000000000004,1.1,333333333.33333329,5e-1]",
  "a literal longer than a double": "[0.1000000000000000055511151231257827,2.22507385850720113605740979670913197593481954635164564e-308]",
  "underflow to zero": "[1e-400,-1e-400]",
  "depth at the bound": `${"[".repeat(32)}${"]".repeat(32)}`,
  "objects at the bound": `${'{"a":'.repeat(31)}{}${"}".repeat(31)}`,
  "the schema of the calculator": JSON.stringify({
    type: "object",
    required: ["expression"],
    properties: {
      expression: {
        type: "string",
        minLength: 1,
        maxLength: 1024,
        description: "One arithmetic expression: numbers, + - * / ^, parentheses, abs ceil floor round sqrt.",
      },
    },
    additionalProperties: false,
  }),
  "arguments of the calculator": '{ "expression" : "2^10" }',
};

// names and values out of a linear congruential generator
let state = 1n;
const below = (n) => {
  state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
  return Number((state >> 33n) % BigInt(n));
};
const alphabet = ["a", "B", "é", "\u0000", "\n", '"', "\\", "/", "€", "\u{1f600}", "\u{10000}", "\ue000", "\uffff", "\ud7ff", "\u2028", "\u007f", "1", "0"];
const word = () => Array.from({ length: below(5) }, () => alphabet[below(alphabet.length)]).join("");
const number = () => [below(10), -below(1000) / 8, below(1e6) * 10 ** (below(60) - 30), (below(2 ** 30) + 0.5) / (1 + below(2 ** 20))][below(4)];
function random(depth) {
  const kind = below(depth > 0 ? 7 : 4);
  if (kind === 0) return [null, true, false][below(3)];
  if (kind === 1) return number();
  if (kind < 4) return word();
  if (kind === 4) return Array.from({ length: below(5) }, () => random(depth - 1));
  return Object.fromEntries(Array.from({ length: below(6) }, () => [word(), random(depth - 1)]));
}
for (let i = 0; i < 60; i++) texts[`random ${i}`] = JSON.stringify([random(3), random(3)], null, [0, 1, "\t"][i % 3]);

const refused = [
  { name: "an integer that a double would change", text: "[9007199254740993]", code: "JSON_NUMBER_PRECISION", pointer: "/0" },
  { name: "next to an integer that canonical JSON writes", text: "[1152921504606847001]", code: "JSON_NUMBER_PRECISION", pointer: "/0" },
  { name: "a long integer whose form has an exponent", text: "[1234567890123456800000]", code: "JSON_NUMBER_PRECISION", pointer: "/0" },
  { name: "a number beyond the doubles", text: '{"a":1e400}', code: "JSON_NUMBER_RANGE", pointer: "/a" },
  { name: "a name twice", text: '{"a":1,"a":1}', code: "JSON_DUPLICATE_KEY", pointer: "" },
  { name: "a name twice, in two spellings", text: '[{"a":1,"\\u0061":1}]', code: "JSON_DUPLICATE_KEY", pointer: "/0" },
  { name: "not a number", text: "[NaN]", code: "JSON_SYNTAX" },
  { name: "half of a pair in a string", text: '["\\ud800"]', code: "JSON_SURROGATE" },
  { name: "half of a pair in a name", text: '{"\\udc00":1}', code: "JSON_SURROGATE" },
  { name: "a pair the wrong way round", text: '["\\ude00\\ud83d"]', code: "JSON_SURROGATE" },
  { name: "depth above the bound", text: `${"[".repeat(33)}${"]".repeat(33)}`, code: "CANON_DEPTH", pointer: "/0".repeat(32) },
  { name: "objects above the bound", text: `${'{"a":'.repeat(32)}{}${"}".repeat(32)}`, code: "CANON_DEPTH", pointer: "/a".repeat(32) },
];

const cases = [
  ...rfc,
  ...Object.entries(texts).map(([name, text]) => ({ name, text, canonical: canonical(JSON.parse(text)) })),
];
for (const one of cases) one.sha256 = createHash("sha256").update(one.canonical, "utf8").digest("hex");

// --- doubles: bits and their text

// RFC 8785, appendix B; null stands for what has no text
const appendix = [
  ["0000000000000000", "0"], ["8000000000000000", "0"], ["0000000000000001", "5e-324"], ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"], ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"], ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"], ["7fffffffffffffff", null], ["7ff0000000000000", null],
  ["44b52d02c7e14af5", "9.999999999999997e+22"], ["44b52d02c7e14af6", "1e+23"], ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"], ["444b1ae4d6e2ef4f", "999999999999999900000"], ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"], ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"], ["41b3de4355555554", "333333333.33333325"], ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"], ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"], ["43143ff3c1cb0959", "1424953923781206.2"],
];

const view = new DataView(new ArrayBuffer(8));
const double = (bits) => (view.setBigUint64(0, BigInt(`0x${bits}`)), view.getFloat64(0));
const bits = (x) => (view.setFloat64(0, x), view.getBigUint64(0).toString(16).padStart(16, "0"));

const chosen = [];
for (let k = -323; k <= 308; k += 9) chosen.push(Number(`1e${k}`), -Number(`7.25e${k}`) || 1);
for (let k = 0; k < 64; k += 3) chosen.push(2 ** k, 2 ** k - 1, 2 ** -k, -(10 ** (k % 23)) / 3);
const doubles = chosen.map((x) => [bits(x), JSON.stringify(x)]);

function many(count) {
  const hash = createHash("sha256");
  let state = 1n;
  let lines = [];
  for (let i = 0; i < count; ) {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    view.setBigUint64(0, state);
    const x = view.getFloat64(0);
    if (!Number.isFinite(x)) continue;
    lines.push(JSON.stringify(x));
    i++;
    if (lines.length === 4096 || i === count) {
      hash.update(`${lines.join("\n")}\n`);
      lines = [];
    }
  }
  return { count, sha256: hash.digest("hex") };
}

// --- the files, one case a line

const ascii = (value) =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const rows = (list) => `[\n${list.map((row) => `  ${ascii(row)}`).join(",\n")}\n ]`;

writeFileSync(
  new URL("vectors.json", here),
  `{\n "format": "checkrail/canon/1",\n "cases": ${rows(cases)},\n "refused": ${rows(refused)}\n}\n`,
);
writeFileSync(
  new URL("doubles.json", here),
  `{\n "format": "checkrail/canon-doubles/1",\n "appendix_b": ${rows(appendix)},\n "doubles": ${rows(doubles)},\n "many": ${rows([many(10_000), many(1_000_000)])}\n}\n`,
);
