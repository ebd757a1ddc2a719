/** Gives the words that a memory was made of, and what stood around them. */
import { attributed, isPlan, type MemoryNode, type Turn } from "#domain";
import { cutAtWord, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { EvidenceItemJson, EvidenceJson } from "../forms-history.ts";
import { nodeAt } from "./memories.ts";
import type { Context } from "./context.ts";

export function evidence(context: Context, uri: string): Result<EvidenceJson, ServiceError> {
  const found = nodeAt(context, uri);
  if (!found.ok) return found;
  const items = found.value.evidence.map((one) => evidenceItem(context, one));
  return ok({ uri: found.value.uri, items });
}

const turnCharsMax = 4_000;
/** The text shown around a quote, on either side. */
const aroundChars = 600;

function evidenceItem(
  { store }: Context,
  { sessionId, turn: n, line, quote }: MemoryNode["evidence"][number],
): EvidenceItemJson {
  const turn = n === null ? null : store.sessions.turn(sessionId, n);
  const title = store.sessions.byId(sessionId)?.title ?? null;
  const said = { session_id: sessionId, turn: n, line, quote, title };
  if (turn === null) return { ...said, ...unrecorded };
  return {
    ...said,
    ...placeOf(turn, quote),
    line: line ?? turn.line,
    at: turn.startedAt,
    prompt: turn.prompt === null ? null : cut(attributed(turn.prompt)),
    answer: cut(turn.answer),
    files: [...new Set([...turn.filesEdited, ...turn.filesRead])],
  };
}

const unrecorded = {
  at: null,
  speaker: null,
  excerpt: null,
  prompt: null,
  answer: null,
  files: [],
} as const;

const cut = (text: string | null): string | null =>
  text === null ? null : cutAtWord(text, turnCharsMax);

function placeOf(turn: Turn, quote: string) {
  for (const speaker of ["user", "assistant"] as const) {
    const text = (speaker === "user" ? turn.prompt : turn.answer) ?? "";
    const at = spanOf(text, quote);
    if (at === null) continue;
    const [start, end] = at;
    return {
      speaker: speaker === "user" && isPlan(text) ? "assistant" : speaker,
      excerpt: {
        before: text.slice(Math.max(0, start - aroundChars), start),
        text: text.slice(start, end),
        after: text.slice(end, end + aroundChars),
      },
    };
  }
  return { speaker: null, excerpt: null };
}

/**
 * `spanOf` finds a quote in a text; spacing may differ, since a quote is one line. An ellipsis at
 * its end says that it was cut.
 */
function spanOf(text: string, quote: string): readonly [start: number, end: number] | null {
  const words = quote.replace(/…$/, "").split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const pattern = words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&")).join("\\s+");
  const match = new RegExp(pattern, "iu").exec(text);
  return match === null ? null : [match.index, match.index + match[0].length];
}
