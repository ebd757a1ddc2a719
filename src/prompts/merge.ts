/** Two versions of a mergeable memory as one. */
import { cutToTokens, err, ok, oneLine } from "#kit";
import { cleanText, headAndTail } from "./clean.ts";
import { fenced } from "./fence.ts";
import { deniesAlike, isRule } from "./force.ts";
import { holds, vocabularyOf } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { lineOf, linesOf, recordOf, textOf } from "./reply.ts";
import { object, text, texts } from "./schema.ts";
import file from "./templates/merge.md" with { type: "text" };
import { indented } from "./window.ts";
import { isHard, wordsOf } from "./words.ts";

export interface MergeVersion {
  readonly l0: string;
  readonly l1: string | null;
  readonly l2: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export interface MergeInput {
  readonly older: MergeVersion;
  readonly newer: MergeVersion;
}

export interface MergedMemory {
  readonly l0: string;
  readonly l1: string | null;
  /** Both originals, the newer first: nothing said is lost, and none of it is the model's. */
  readonly l2: string | null;
  readonly aliases: readonly string[];
}

const template = templateOf(file);

/** An error when the merged text says what neither version says; the caller then keeps the newer statement. */
export const mergePrompt: PromptOf<MergeInput, MergedMemory> = {
  purpose: "merge",
  replyTokensMax: 700,
  timeoutMs: 60_000,
  schema: object({ l0: text, l1: text, aliases: texts }),
  render: ({ older, newer }) => ({
    system: template.system,
    prompt: template.prompt({
      data: fenced(`${versionText("Older", older)}\n${versionText("Newer", newer)}`),
    }),
  }),
  parse: (reply, input) => {
    const record = recordOf(reply);
    if (record === null) return err("the reply must be an object with l0, l1 and aliases");
    const l0 = cutToTokens(lineOf(record, "l0", limits.l0TokensMax * 4), limits.l0TokensMax);
    if (l0 === "") return err('"l0" must be a line of text');
    const invented = inventedIn(l0, input);
    if (invented !== null) return err(invented);
    const l1 = cutToTokens(textOf(record, "l1", limits.l1TokensMax * 4), limits.l1TokensMax);
    return ok({
      l0,
      l1: l1 === "" || inventedIn(l1, input) !== null ? null : l1,
      l2: bothOriginals(input),
      aliases: linesOf(record, "aliases", {
        itemsMax: limits.aliasesMax,
        charsMax: limits.aliasCharsMax,
      }).filter((alias) => !isRule(alias)),
    });
  },
};

function versionText(label: string, { l0, l1, date }: MergeVersion): string {
  const overview = headAndTail(cleanText(l1 ?? "").trim(), limits.mergeTokensMax / 2);
  const abstract = headAndTail(oneLine(cleanText(l0)), limits.l0TokensMax);
  const lines = [
    `${label} (${oneLine(date)}): ${abstract}`,
    ...(overview === "" ? [] : [overview]),
  ];
  return indented(lines.join("\n"));
}

/** What is in a merged text and in neither version; null when there is nothing. */
function inventedIn(text: string, { older, newer }: MergeInput): string | null {
  const texts = [older, newer].flatMap(({ l0, l1, date }) => [l0, l1 ?? "", date]);
  const known = vocabularyOf(texts);
  const words = wordsOf(text);
  if (words.some((word) => isHard(word) && !holds(known, word)))
    return "the merged text has a number, name or address that neither version has";
  if (isRule(text) && !texts.some(isRule)) return "the merged text lays down a rule of its own";
  const said = { clause: newer.l0, message: texts.join(" ") };
  if (!deniesAlike(text, said)) return "the merged text loses or adds a denial";
  const held = words.filter((word) => holds(known, word));
  return held.length * 2 < words.length ? "the merged text says other things than the two" : null;
}

function bothOriginals({ older, newer }: MergeInput): string | null {
  const originals = [newer, older].flatMap(({ l2, date }) => (l2 === null ? [] : [{ l2, date }]));
  if (originals.length === 0) return null;
  const share = Math.floor(limits.l2CharsMax / originals.length) - 20;
  return originals.map(({ l2, date }) => `(${date})\n${l2.slice(0, share)}`).join("\n\n");
}
