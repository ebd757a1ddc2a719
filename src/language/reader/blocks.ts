/**
 * Parts of a prompt between tags. Blocks of the client are not the user's words. What stands between tags of an unknown
 * name was wrapped by some program; elements of HTML are what people write about. Linear in the text.
 */
import { clientTags } from "#domain";
import { memoised, type Tag, tagsIn } from "#kit";
import { replaceSpans, type Span } from "../markup.ts";
import { isOutright } from "../orders.ts";
import type { Line } from "./features.ts";

/** The text without the client's blocks. An opening tag without its end stays: a user may have typed it. */
export const withoutClientBlocks = (text: string): string =>
  text.includes("<")
    ? replaceSpans(text, closedSpans(tagsIn(text, clientTags), "tags"), () => "")
    : text;

/**
 * Blanks the client's blocks and the content of unknown elements: same length, same lines, so that positions agree.
 */
export function blankedBlocks(text: string): { readonly own: string; readonly client: string } {
  if (!text.includes("<")) return { own: text, client: text };
  const client = replaceSpans(text, closedSpans(tagsIn(text, clientTags), "tags"));
  const unknown = tagsIn(client, null).filter(({ name }) => !html.has(name));
  return { client, own: replaceSpans(client, closedSpans(unknown, "content")) };
}

/** Pairs of an opening and a closing tag of one name, with their tags or without; the outermost first. */
function closedSpans(tags: readonly Tag[], what: "tags" | "content"): readonly Span[] {
  const openByName = new Map<string, Tag[]>();
  const spans: Span[] = [];
  for (const tag of tags) {
    const open = openByName.get(tag.name) ?? [];
    openByName.set(tag.name, open);
    if (tag.kind === "open") open.push(tag);
    const partner = tag.kind === "close" ? open.pop() : undefined;
    if (tag.kind === "empty" && what === "tags") spans.push(tag);
    if (partner === undefined) continue;
    const [start, end] = what === "tags" ? [partner.start, tag.end] : [partner.end, tag.start];
    spans.push({ start, end });
  }
  return spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** Elements that people ask about and format with; of other names nothing is known. */
const html: ReadonlySet<string> = new Set(
  (
    "a abbr article aside audio b blockquote body br button canvas code details dialog div em fieldset figure footer " +
    "form head header hr html i iframe img input ins kbd label legend li link main mark menu meta nav ol optgroup " +
    "option p path picture progress s section select slot small source span strong sub summary sup svg table tbody " +
    "td template textarea tfoot th thead time title tr u ul video"
  ).split(" "),
);

// An order to keep something that stands between two pastes. The fitted model sees a short line within many pasted
// ones and takes it for one of them; what the lines around it are tells more. Pure; each line is read a few times.

/** So many of the nearest lines on each side are looked at. */
const nearMax = 5;
/** A paste of fewer lines is left to the model. */
const nearMin = 3;
/** Longer lines are read to here: an order stands at the beginning. */
const orderCharsMax = 400;
/** The words before an order: "please remember that". */
const courtesy =
  /^(?:please|pls|also|bitte|s['’]il (?:te|vous) pla[iî]t|por favor|пожалуйста|请|請)[ ,，]{0,2}/iu;

/** Does the line ask that something be kept, between two pastes and not within one? */
export function isAskedBetween(lines: readonly Line[], n: number): boolean {
  const line = lines[n];
  if (line === undefined || line.inFence || line.isFence || /^\s{2,}|^\t/.test(line.text))
    return false;
  const above = lines.slice(Math.max(0, n - nearMax), n);
  const below = lines.slice(n + 1, n + 1 + nearMax);
  if (!isMachineMade(above) || !isMachineMade(below) || !isBoundary(lines, n)) return false;
  const order = line.text.slice(0, orderCharsMax).trim();
  return isOutright(order) || isOutright(order.replace(courtesy, ""));
}

const isMachineMade = (lines: readonly Line[]): boolean =>
  lines.length >= nearMin &&
  lines.filter(({ text }) => !isProse(text)).length * 3 >= lines.length * 2;

/** Words and hardly anything else. */
export const isProse = memoised((text: string): boolean => {
  if (/^\s{2,}|^\t|[{}[\];\\]\s*$/.test(text)) return false;
  const bare = text.trim();
  const letters = bare.match(/[\p{L}\p{M} ]/gu)?.length ?? 0;
  return letters / Math.max(1, bare.length) > proseShare;
});

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

/** The beginnings of pastes. */
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

// Lines that repeat what the agent said. Terminals wrap and indent an answer, and markup is lost on the way, so runs
// of words are compared and nothing else. Linear in both texts.

/** Shorter lines are said by chance. */
const charsMin = 20;
/** Words in a row that are looked for. */
const runWords = 4;
/** Share of a line's runs that the answer must hold. */
const shareMin = 0.75;
/** An answer is read to here. */
const answerCharsMax = 200_000;

/** Says of a line whether it repeats `answer`. */
export function quoterOf(answer: string | null): (line: string) => boolean {
  if (answer === null || answer.length < charsMin) return () => false;
  let runs: ReadonlySet<string> | null = null;
  return (line) => {
    const words = wordsOf(line);
    if (words.join(" ").length < charsMin || words.length < runWords) return false;
    runs ??= new Set(runsOf(wordsOf(answer.slice(0, answerCharsMax))));
    const own = runsOf(words);
    // "let's do" before what is quoted makes the line the user's.
    if (!runs.has(own[0] ?? "")) return false;
    let held = 0;
    for (const run of own) if (runs.has(run)) held += 1;
    return held / own.length >= shareMin;
  };
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/\p{Lo}|[\p{L}\p{N}]+/gu) ?? [];

function runsOf(words: readonly string[]): readonly string[] {
  const runs: string[] = [];
  for (let n = 0; n + runWords <= words.length; n += 1)
    runs.push(words.slice(n, n + runWords).join(" "));
  return runs;
}
