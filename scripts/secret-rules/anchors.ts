/**
 * The literals a pattern must begin with, so that the matcher can look for those with `indexOf` and try the
 * pattern only there. Reads the JavaScript patterns that translate.ts writes, not every regular expression.
 */

interface Prefix {
  readonly literal: string;
  /** False when what follows is not known, so that nothing may be appended. */
  readonly open: boolean;
}

const unknown: readonly Prefix[] = [{ literal: "", open: false }];
const nothing: readonly Prefix[] = [{ literal: "", open: true }];
const prefixesMax = 64;
const literalCharsMax = 24;

/** Lower-case literals one of which every match begins with; null when some match begins with anything. */
export function anchorsOf(source: string, charsMin: number): readonly string[] | null {
  const reader = { source, at: 0 };
  const literals = [...new Set(readAlternatives(reader).map((prefix) => prefix.literal))];
  if (literals.some((literal) => literal.length < charsMin)) return null;
  return literals.filter((one) => !literals.some((two) => two !== one && one.startsWith(two)));
}

interface Reader {
  readonly source: string;
  at: number;
}

function readAlternatives(reader: Reader): readonly Prefix[] {
  const all = [...readSequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    all.push(...readSequence(reader));
  }
  return all.length > prefixesMax ? unknown : all;
}

function readSequence(reader: Reader): readonly Prefix[] {
  let prefixes = nothing;
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at] ?? "")) {
    prefixes = append(prefixes, readAtom(reader));
  }
  return prefixes;
}

function append(heads: readonly Prefix[], tails: readonly Prefix[]): readonly Prefix[] {
  const joined = heads.flatMap((head) =>
    head.open && head.literal.length < literalCharsMax
      ? tails.map((tail) => ({ literal: head.literal + tail.literal, open: tail.open }))
      : [{ literal: head.literal, open: false }],
  );
  return joined.length > prefixesMax
    ? heads.map(({ literal }) => ({ literal, open: false }))
    : joined;
}

function readAtom(reader: Reader): readonly Prefix[] {
  const { source } = reader;
  const char = source[reader.at] ?? "";
  if (char === "(") return quantified(reader, readGroup(reader));
  if (char === "[") return quantified(reader, readClass(reader));
  reader.at += 1;
  if (char === "^" || char === "$") return nothing;
  if (char === ".") return quantified(reader, unknown);
  if (char !== "\\") return quantified(reader, [{ literal: char.toLowerCase(), open: true }]);
  const escaped = source[reader.at] ?? "";
  reader.at += 1;
  if (escaped === "b" || escaped === "B") return nothing;
  const literal = /[a-z0-9]/i.test(escaped) ? null : escaped;
  return quantified(reader, literal === null ? unknown : [{ literal, open: true }]);
}

function readGroup(reader: Reader): readonly Prefix[] {
  const head =
    /^\((?:\?(?:<?[=!]|<\w+>|[a-z-]*:))?/.exec(reader.source.slice(reader.at))?.[0] ?? "(";
  reader.at += head.length;
  const inside = readAlternatives(reader);
  reader.at += 1; // `)`
  return /[=!]$/.test(head) ? nothing : inside;
}

function readClass(reader: Reader): readonly Prefix[] {
  const { source } = reader;
  let end = reader.at + 1;
  while (source[end] !== "]" || end === reader.at + 1) end += source[end] === "\\" ? 2 : 1;
  const body = source.slice(reader.at + 1, end);
  reader.at = end + 1;
  const simple = !/[\\^]|.-./.test(body);
  const members = [...new Set(body.toLowerCase())];
  if (!simple || members.length > 4) return unknown;
  return members.map((literal) => ({ literal, open: true }));
}

function quantified(reader: Reader, atom: readonly Prefix[]): readonly Prefix[] {
  const found = /^(?:\*|\+|\?|\{(\d+)(,?)(\d*)\})\??/.exec(reader.source.slice(reader.at));
  if (found === null) return atom;
  reader.at += found[0].length;
  const [whole = "", least] = found;
  if (whole.startsWith("?")) return [...nothing, ...atom];
  const timesMin = whole.startsWith("+") ? 1 : Number(least ?? 0);
  if (timesMin === 0) return unknown;
  const exact = least !== undefined && found[2] === "";
  let prefixes = nothing;
  for (let time = 0; time < Math.min(timesMin, literalCharsMax); time += 1)
    prefixes = append(prefixes, atom);
  return exact ? prefixes : prefixes.map(({ literal }) => ({ literal, open: false }));
}
