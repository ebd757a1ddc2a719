/**
 * Translates one regular expression from Go's RE2 dialect to JavaScript, and loosens what was made for files
 * rather than for talk: a key in a sentence may be followed by a comma, and sits behind `\n` in escaped JSON.
 */

/** gitleaks' "the secret ends here": a quote, blank, semicolon, escaped newline or the end. */
const terminators = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[^\w-]|\z)`,
];

/** The optional head of gitleaks' "name, separator, value" rules; it takes no part in what is redacted. */
const idleHead = String.raw`[\w.-]{0,50}?`;

const replacements: readonly (readonly [string, string])[] = [
  ...terminators.map((terminator) => [terminator, "(?!\\w)"] as const),
  [String.raw`(?:[^a-zA-Z0-9+/]|\z)`, "(?![a-zA-Z0-9+/])"],
  [String.raw`[\s'"]{0,3}`, String.raw`[\s'"\\]{0,4}`],
  [String.raw`[\x60'"\s=]{0,5}`, String.raw`[\x60'"\s=\\]{0,6}`],
  ["[[:alnum:]]", "[0-9A-Za-z]"],
  ["(?s:.)", String.raw`[\s\S]`],
  [String.raw`\z`, "$"],
  // Greedy to the end of the line and back again for every match: bounded by the quote instead.
  [String.raw`\"(.{8,})\"`, String.raw`"([^"\r\n]{8,200})"`],
];

/** Start of a word, where an escape sequence (`\n`, `%3D`) does not count as part of the word. */
const wordStart = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]|%[0-9A-Fa-f]{2}))`;

export interface Translated {
  readonly source: string;
  readonly flags: "" | "i";
  /** A rule of the form `name … separator … (value)`. */
  readonly named: boolean;
}

/** Throws (SyntaxError) when JavaScript cannot express the pattern. */
export function translate(go: string): Translated {
  let source = go.replaceAll(/\(\?P<\w+>/g, "(?:");
  const named = source.includes(idleHead);
  source = source.replaceAll(idleHead, "");
  for (const [from, to] of replacements) source = source.replaceAll(from, to);
  const insensitive = source.startsWith("(?i)");
  if (insensitive) source = source.slice(4);
  source = scopeFlags(source);
  if (source.startsWith(String.raw`\b`)) source = wordStart + source.slice(2);
  const flags = insensitive ? "i" : "";
  return { source: new RegExp(source, flags).source, flags, named };
}

/** `(?i)` in the middle holds to the end of its group in Go; JavaScript has only `(?i:…)`. */
function scopeFlags(source: string): string {
  let out = "";
  let inClass = false;
  const open: number[] = [0]; // For each group: how many `(?i:` it has to close.
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] ?? "";
    const top = open.length - 1;
    if (char === "\\") {
      out += char + (source[at + 1] ?? "");
      at += 1;
    } else if (inClass) {
      inClass = char !== "]";
      out += char;
    } else if (source.startsWith("(?i)", at)) {
      out += "(?i:";
      open[top] = (open[top] ?? 0) + 1;
      at += 3;
    } else if (char === "|" && (open[top] ?? 0) > 0) {
      out += `${")".repeat(open[top] ?? 0)}|${"(?i:".repeat(open[top] ?? 0)}`;
    } else {
      inClass = char === "[";
      if (char === "(") open.push(0);
      if (char === ")") out += ")".repeat(open.pop() ?? 0);
      out += char;
    }
  }
  return out + ")".repeat(open[0] ?? 0);
}
