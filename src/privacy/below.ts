/**
 * Values on the line after their label, as consoles and mails show them: `Secret access key`, a line break, the key.
 */
import { isLabelled, labelBeginnings, promiseOfLabel } from "./labels.ts";
import type { Trust } from "./names.ts";
import { hits, type Detector, type Span } from "./spans.ts";

const beginnings: readonly string[] = [...labelBeginnings, "cred"];

const labelCharsMax = 60;
const labelWordsMax = 5;
/** A label alone on its line: words, perhaps as a heading, a list item or in bold type. */
const labelLine = new RegExp(
  String.raw`^[ \t>*#|•-]{0,8}([\p{L}\p{N}][\p{L}\p{N} \t'’._/-]{1,50}?)` +
    String.raw`[ \t]{0,2}[*_\x60]{0,3}[ \t]{0,2}[:：]?[ \t]{0,2}[*_]{0,3}[ \t\r]{0,4}$`,
  "u",
);
/** One word alone on its line. */
const valueLine = /^[ \t>]{0,8}["'\x60*]{0,3}([^\s"'\x60]{6,300})["'\x60]{0,3}[ \t\r]{0,4}$/u;

export const detectBelow: Detector = (hay) => {
  const { text } = hay;
  if (!text.includes("\n")) return [];
  const spans: Span[] = [];
  let reached = 0;
  for (const at of hits(hay, beginnings).toSorted((a, b) => a - b)) {
    if (at < reached) continue;
    const lineEnd = text.indexOf("\n", at);
    if (lineEnd === -1) break;
    if (lineEnd - at > labelCharsMax) continue;
    reached = lineEnd;
    const lineStart = text.lastIndexOf("\n", at) + 1;
    if (lineEnd - lineStart > labelCharsMax) continue;
    const span = below(text, text.slice(lineStart, lineEnd), lineEnd + 1);
    if (span !== null) spans.push(span);
  }
  return spans;
};

function below(text: string, line: string, from: number): Span | null {
  // What leads up to the label is no part of it: "note this: S3 secret access key".
  const label = labelLine.exec(line.replace(/^.*\S:[ \t]+(?=\S)/, ""))?.[1];
  if (label === undefined || label.split(/\s+/).length > labelWordsMax) return null;
  const trust = promiseOfLabel(label);
  if (trust === null) return null;
  return valueAt(text, from, trust);
}

function valueAt(text: string, from: number, trust: Trust): Span | null {
  // One empty line may stand between, and the beginning of a code block.
  const blank =
    /^(?:[ \t\r]{0,8}\n)?(?:```\w{0,10}\r?\n)?/.exec(text.slice(from, from + 30))?.[0].length ?? 0;
  const start = from + blank;
  const end = text.indexOf("\n", start);
  const valued = text.slice(start, end === -1 ? text.length : Math.min(end, start + 320));
  const value = valueLine.exec(valued)?.[1]?.replace(/\*+$/, "");
  if (value === undefined || !isLabelled(value, trust)) return null;
  const at = start + valued.indexOf(value);
  return { start: at, end: at + value.length, kind: trust === "password" ? "password" : "secret" };
}
