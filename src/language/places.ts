/**
 * Tells which lines of a prompt its user surely typed to the agent, by where they stand: first, right before a block,
 * or behind one that ends by itself. Below a short request anything may be a paste, and is in doubt. Knows forms of
 * lines and words of closed classes, not what a text is about. Pure, linear in the text.
 */
import { requestIn } from "#domain";
import { blank } from "./markup.ts";
import { orderIn } from "./orders.ts";
import { type Part, partsOf } from "./place-parts.ts";
import {
  asksForText,
  isRequest,
  isStatement,
  joins,
  ownLead,
  points,
  requestCharsMax,
} from "./place-words.ts";
import { blankedBlocks } from "./reader/blocks.ts";
import { hardSplit } from "./sentences.ts";
import { isAboutText } from "./text-requests.ts";

/**
 * `surelyTyped` gives the typed lines of a prompt whose place leaves no doubt, with a blank line for each other. Of a
 * command all that was typed.
 */
export function surelyTyped(
  prompt: string,
  { kind, typed }: { readonly kind: string; readonly typed: string },
): string {
  if (kind !== "typed") return typed;
  const lines = prompt.split("\n");
  const own = ownLines(lines, typed.split("\n"));
  const sure = surePlaces(lines, own);
  const kept = lines.map((line, n) => (own[n] === true && sure[n] === true ? line : ""));
  return kept.join("\n").trim();
}

/** Marks the lines of the prompt that were typed: the typed lines stand in it in their order. */
export function ownLines(lines: readonly string[], typed: readonly string[]): readonly boolean[] {
  const said = typed.map((line) => line.trim()).filter((line) => line !== "");
  let next = 0;
  return lines.map((line) => {
    const bare = line.trim();
    const own = said[next];
    // Tags of the client were taken out of a line.
    if (bare === "" || own === undefined || !(bare === own || bare.includes(own))) return false;
    next += 1;
    return true;
  });
}

/**
 * Tells which lines are the user's, and of which their place leaves no doubt. `read`: as the reader takes them;
 * `quoted`: lines that repeat the agent's answer.
 */
export function placesOf(
  lines: readonly string[],
  read: readonly boolean[],
  quoted: readonly string[],
): { readonly own: readonly boolean[]; readonly sure: readonly boolean[] } {
  const mayBeOwn = areShort(lines) && read.includes(true) ? lines.map(isSaid) : read;
  const sure = surePlaces(lines, mayBeOwn);
  return { own: read.map((own, n) => own || (mayBeOwn[n] === true && sure[n] === true)), sure };

  function isSaid(line: string): boolean {
    return !isBreak(line) && !quoted.includes(line.trim());
  }
}

/** A few paragraphs of one line: their look says too little to tell a paste from what was typed, their places more. */
function areShort(lines: readonly string[]): boolean {
  const paragraphs = lines.filter((line) => !isBreak(line));
  return (
    paragraphs.length <= shortParagraphsMax &&
    paragraphs.every((line) => line.length <= shortParagraphMax && /^[\p{L}¿¡]/u.test(line)) &&
    lines.every((line, n) => isBreak(line) || isBreak(lines[n + 1]))
  );
}
const shortParagraphsMax = 5;
/** Characters of an order of a sentence or two. */
const shortParagraphMax = 320;
const isBreak = (line = ""): boolean => line.trim() === "";

/** Tells of each line whether its place leaves no doubt. `own`: false for lines that the reader takes for pasted. */
function surePlaces(lines: readonly string[], own: readonly boolean[]): readonly boolean[] {
  const parts = partsOf(ofUser(lines.join("\n")).split("\n"), own);
  const isSure = judged(parts);
  const sure = lines.map(() => false);
  for (const [n, { from, lines: held }] of parts.entries())
    sure.fill(isSure[n] === true, from, from + held.length);
  return sure;
}

/** The prompt with the client's words blanked, line for line. */
function ofUser(prompt: string): string {
  const above = prompt.slice(0, prompt.length - requestIn(prompt).length);
  return blankedBlocks(blank(above) + prompt.slice(above.length)).client;
}

/** Nobody types more than this; the rest is in doubt. */
const partsMax = 200;

function judged(parts: readonly Part[]): readonly boolean[] {
  if (parts.every(({ form }) => form === "marked")) return parts.map(() => true);
  // The first part of what may be a paste with an open end.
  let open = isTextAbove(parts) ? parts[0] : undefined;
  return parts.map((part, n) => {
    if (open !== undefined) return n > 0 && n === parts.length - 1 && returnsTo(open, part);
    if (part.form === "closed" || n >= partsMax) return false;
    const above = parts[n - 1]?.form === "prose" ? parts[n - 1] : undefined;
    if (above !== undefined && ordersBelow(above, part)) return true;
    if (mayBePasted(part, above)) open = part;
    return open === undefined;
  });
}

/** Lines and characters of a part that are read for what it asks. */
const readLinesMax = 20;
const readCharsMax = 2_000;
const sentencesIn = ({ lines }: Part): readonly string[] =>
  lines.slice(-readLinesMax).flatMap((line) => hardSplit(line.slice(-readCharsMax).trim()));

/** May a paste begin here: a block, or a text that the part above asks about? */
const mayBePasted = (part: Part, above: Part | undefined): boolean =>
  !part.isOwn ||
  part.form !== "prose" ||
  (above !== undefined && asksForText(sentencesIn(above)) && !joins.test(beginningOf(part)));

const beginningOf = ({ lines }: Part): string => (lines[0] ?? "").trim();

/** Does it end with an order to keep what stands below? */
function ordersBelow(part: Part, below: Part): boolean {
  const last = sentencesIn(part).at(-1) ?? "";
  const order = orderIn(last);
  if (order === null) return false;
  return order.matter === null || (below.form === "marked" && /[:：]$/u.test(last));
}

const isOneLine = ({ form, lines }: Part): boolean => form === "prose" && lines.length === 1;
const orders = (said: string): boolean => orderIn(said) !== null;

/**
 * "…", and below it "proofread it": the text stands above, unless that asks itself. "This" does not mean an order that
 * stands alone.
 */
function isTextAbove(parts: readonly Part[]): boolean {
  const [first, ...rest] = parts;
  const last = rest.at(-1);
  if (first?.form !== "prose" || last === undefined || !standsAlone(last)) return false;
  const above = sentencesIn(first);
  const [asking = ""] = sentencesIn(last);
  if (asking.length > requestCharsMax || orders(asking) || asksItself(above)) return false;
  return (points.test(asking) && !isOneOrder(above)) || asksAboutText(asking);
}

const asksAboutText = (said: string): boolean => !isStatement(said) && isAboutText(said);

const isOneOrder = (sentences: readonly string[]): boolean =>
  sentences.length === 1 && sentences.some(orders);

/** One line that does not go on with what was said: "also fix the lint" is no request about a text above it. */
const standsAlone = (part: Part): boolean => isOneLine(part) && !joins.test(beginningOf(part));

const asksItself = (sentences: readonly string[]): boolean =>
  sentences.some((one) => isRequest(one) && !orders(one));

/** Is the last paragraph the user's again, behind what may be a paste? */
function returnsTo(open: Part, last: Part): boolean {
  if (!isOneLine(last)) return false;
  const sentences = sentencesIn(last);
  const [first = ""] = sentences;
  if (isRequest(first) && points.test(first)) return true;
  if (ownLead(beginningOf(last)) > 0) return true;
  const isOwn = sentences.some((one) => isRequest(one) && !orders(one));
  const order = sentences.find(orders) ?? "";
  return open.form !== "prose" && isOwn && (order === first || joins.test(order));
}
