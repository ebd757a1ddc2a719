/**
 * The privacy gate: what every text passes before it touches disk or a model.
 *
 * Control characters out, since a terminal would obey them, then private blocks, the client's and our own blocks, then
 * secrets; callers trim and cut afterwards, never
 * before (a cut tag or key would leak its tail). Synchronous and pure.
 */
import type { GatedText, PrivacyGate } from "#domain";
import { seenPartOf, stripControls } from "#kit";
import { stripBlocks } from "./blocks.ts";
import { createCustom } from "./custom.ts";
import { echoesOf } from "./echoes.ts";
import { readsSecrets } from "./secret-commands.ts";
import { isSecretPath } from "./secret-path.ts";
import { createSecretFinder } from "./secrets.ts";
import { mergeSpans, replaceSpans } from "./spans.ts";
import type { Span } from "./spans.ts";

export interface GateOptions {
  /** Extra regular expressions, replaced by `[redacted:custom]`. */
  readonly redact: readonly string[];
  /** Words that are no secrets, though a rule takes them for one. */
  readonly allow?: readonly string[];
}

/** What is left around a replaced secret may show another one; more rounds than this have never been needed. */
const roundsMax = 4;

/**
 * Nothing downstream keeps more than 100,000 characters of a text, and a pasted dump must not hold a prompt: of a text
 * longer than `wholeCharsMax` only the head is looked at. The end of that head may hold half of a secret that the rules
 * do not know by its half, so the last `marginChars` go; no secret is as long.
 */
const wholeCharsMax = 300_000;
const headCharsMax = 192_000;
const marginChars = 64_000;

/** The whole gate. Compiles a rule when a text first calls for it; never throws, whatever the text. */
export function createGate(options: GateOptions): PrivacyGate {
  const find = createSecretFinder(createCustom(options.redact), options.allow);
  return {
    clean: (text) => clean(text, find),
    cleanAgainst: (text, hidden) => {
      const { text: stripped } = stripBlocks(stripControls(text));
      return redactHead(stripped, (head) => redact(head, find, echoesOf(head, hidden))).text;
    },
    isSecretPath,
    readsSecrets,
  };
}

function clean(text: string, find: (text: string) => readonly Span[]): GatedText {
  const { text: stripped, hidden, whollyPrivate } = stripBlocks(stripControls(text));
  const {
    text: clean,
    redactions,
    secrets,
  } = redactHead(stripped, (head) => redact(head, find, []));
  return { text: clean, hidden, whollyPrivate, redactions, secrets };
}

interface Redacted {
  readonly text: string;
  readonly secrets: readonly string[];
  readonly redactions: number;
}

/** The whole text redacted, or as much of an overlong one as is safe to keep. */
function redactHead(text: string, redacted: (head: string) => Redacted): Redacted {
  if (text.length <= wholeCharsMax) return redacted(text);
  const head = redacted(text.slice(0, headCharsMax));
  return { ...head, text: head.text.slice(0, Math.max(0, head.text.length - marginChars)) };
}

/** `also`: stretches that go in the first round whatever they hold; where they meet a secret, they name it. */
function redact(
  text: string,
  find: (text: string) => readonly Span[],
  also: readonly Span[],
): Redacted {
  let current = text;
  let redactions = 0;
  const secrets: string[] = [];
  for (let round = 0; round < roundsMax; round += 1) {
    const spans = mergeSpans(current, [...(round === 0 ? also : []), ...foundIn(current, find)]);
    if (spans.length === 0) break;
    for (const { start, end } of spans) secrets.push(current.slice(start, end));
    current = replaceSpans(current, spans);
    redactions += spans.length;
  }
  return { text: current, redactions, secrets };
}

/** Secrets as a reader sees them: an invisible character in a token does not hide it. It goes with the token. */
function foundIn(text: string, find: (text: string) => readonly Span[]): readonly Span[] {
  const seen = seenPartOf(text);
  if (seen === null) return find(text);
  const placeOf = (at: number): number => seen.positions[at] ?? text.length;
  return find(seen.text).map(({ start, end, kind }) => ({
    start: placeOf(start),
    end: placeOf(end - 1) + 1,
    kind,
  }));
}
