/**
 * An order to keep something that stands between two pastes. The fitted model sees a short line within many pasted ones
 * and takes it for one of them; what the lines around it are tells more. Pure; each line is read a few times.
 */
import { isOutright } from "#language";
import type { Line } from "./features.ts";

/** So many of the nearest lines on each side are looked at. */
const nearMax = 5;
/** A paste of fewer lines is left to the model. */
const nearMin = 3;
/** What stands before the order: "please remember that". */
const courtesy =
  /^(?:please|pls|also|bitte|s['’]il (?:te|vous) pla[iî]t|por favor|пожалуйста|请|請)[ ,，]{0,2}/iu;

/** Does the line ask that something be kept, between two pastes and not within one? */
export function isAskedBetween(lines: readonly Line[], n: number): boolean {
  const line = lines[n];
  if (line === undefined || line.inFence || line.isFence || /^\s{2,}|^\t/.test(line.text))
    return false;
  const order = line.text.trim();
  if (!isOutright(order) && !isOutright(order.replace(courtesy, ""))) return false;
  const above = lines.slice(Math.max(0, n - nearMax), n);
  const below = lines.slice(n + 1, n + 1 + nearMax);
  if (!isMachineMade(above) || !isMachineMade(below)) return false;
  return isBoundary(lines, n);
}

const isMachineMade = (lines: readonly Line[]): boolean =>
  lines.length >= nearMin &&
  lines.filter(({ text }) => !isProse(text)).length * 3 >= lines.length * 2;

/** Words and hardly anything else. */
function isProse(text: string): boolean {
  if (/^\s{2,}|^\t|[{}[\];\\]\s*$/.test(text)) return false;
  const bare = text.trim();
  const letters = bare.match(/[\p{L}\p{M} ]/gu)?.length ?? 0;
  return letters / Math.max(1, bare.length) > proseShare;
}

const proseShare = 0.8;

/** One paste ends above and another begins below: nothing is left open, and the lines do not go on as they did. */
function isBoundary(lines: readonly Line[], n: number): boolean {
  const above = lines.slice(Math.max(0, n - openMax), n);
  const next = textOf(lines[n + 1]);
  const first = textOf(above.find(({ text }) => !isProse(text)));
  const before = stampOf(above.slice(-nearMax).toReversed());
  const after = stampOf(lines.slice(n + 1, n + 1 + nearMax));
  if (before !== "" && after !== "" && formOf(before) === formOf(after)) return after < before;
  if (indentOf(next) > indentOf(first) || isLeftOpen(above)) return false;
  if (opens.test(next) || next === first) return true;
  return !isProse(next) && (before !== after || isParted(lines, n));
}

const textOf = (line: Line | undefined): string => line?.text ?? "";

/** Blank lines above and below. */
const isParted = (lines: readonly Line[], n: number): boolean =>
  lines.slice(n, n + 2).every(({ blankBefore }) => blankBefore);

/** So many lines above are searched for what was left open. */
const openMax = 200;

/** The time or the number that the first of the lines which has one begins with. */
const stampOf = (lines: readonly Line[]): string =>
  lines.map(({ text }) => stamp.exec(text)?.[1] ?? "").find((one) => one !== "") ?? "";
const stamp = /^\W{0,3}(\d[\d:.,TZ+/ -]{4,40})/;
const formOf = (written: string): string => written.replaceAll(/\d/g, "0");
const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

/** What a paste begins with. */
const opens =
  /^(?:Traceback|[{[<]|#!|import |from |package |[$%] |diff --git|--- |\w*(?:Error|Exception)\b|panic:|fatal:)/;

/** A bracket, a comment or a text of several lines that was opened above and not closed: the order is a part of it. */
function isLeftOpen(above: readonly Line[]): boolean {
  const text = above.map((line) => line.text).join("\n");
  const count = (mark: string): number => text.split(mark).length - 1;
  return (
    count("{") > count("}") ||
    count("[") > count("]") ||
    count("/*") > count("*/") ||
    count("<!--") > count("-->") ||
    ['"""', "'''", "`"].some((mark) => count(mark) % 2 === 1)
  );
}
