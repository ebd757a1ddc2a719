/**
 * Questions that the agent asked inside a tool with what the user chose, and plans with what became of them, as a tool
 * use holds them. Live sessions and imported ones write the same text. Pure.
 */
import { bothEnds, cutAtWord, oneLine, sha256, recordOf, textField } from "#kit";
import type { ToolUse } from "./session.ts";

export interface Answered {
  readonly question: string;
  /** The options, each with its meaning where the agent said that in few words. */
  readonly options: readonly string[];
  readonly answer: string;
}

const optionsMax = 8;
const labelCharsMax = 60;
const meaningCharsMax = 90;

/** `label (description)` of the options in a question of the client. */
export function optionsOf(question: unknown): readonly string[] {
  const options = recordOf(question)["options"];
  if (!Array.isArray(options)) return [];
  return options.slice(0, optionsMax).flatMap((option: unknown) => {
    const label = textField(recordOf(option), "label") ?? "";
    const meaning = cutAtWord(
      plain(textField(recordOf(option), "description") ?? ""),
      meaningCharsMax,
    );
    const named = cutAtWord(plain(label), labelCharsMax);
    return named === "" ? [] : [meaning === "" ? named : `${named} (${meaning})`];
  });
}

/** Questions of a call with their options, in one line; null when it asks none. */
export function questionsIn(input: unknown): string | null {
  const questions = recordOf(input)["questions"];
  if (!Array.isArray(questions)) return null;
  const lines = questions.slice(0, optionsMax).flatMap((question: unknown) => {
    const asked = textField(recordOf(question), "question") ?? "";
    return asked === "" ? [] : [askedOf({ question: asked, options: optionsOf(question) })];
  });
  return lines.length === 0 ? null : lines.join(" ");
}

/** `question [option | option] → answer`, one line each. */
export const answeredText = (all: readonly Answered[]): string =>
  all.map((one) => `${askedOf(one)}${arrow}${unarrowed(one.answer)}`).join("\n");

/** Reads `answeredText` back; other lines are left out. */
export const answeredIn = (text: string): readonly Answered[] =>
  text.split("\n").flatMap((line) => {
    const at = line.lastIndexOf(arrow);
    if (at <= 0) return [];
    const [, question = "", options] = /^(.+?)(?: \[([^[\]]+)\])?$/.exec(line.slice(0, at)) ?? [];
    const answer = line.slice(at + arrow.length);
    return [{ question, options: options?.split(" | ") ?? [], answer }];
  });

const arrow = " → ";
const unarrowed = (text: string): string => oneLine(text).replaceAll(arrow, " -> ");
/** Without the marks that options are told apart by. */
const plain = (text: string): string =>
  unarrowed(text).replace(/[[\]|]/g, (mark) => (mark === "[" ? "(" : mark === "]" ? ")" : "/"));

const askedOf = ({ question, options }: Omit<Answered, "answer">): string =>
  options.length === 0
    ? unarrowed(question)
    : `${unarrowed(question)} [${options.map(plain).join(" | ")}]`;

const planMark = "plan:\n";
const planCharsMax = 3_500;

/** A plan of the agent below what the user said of it, or that it was refused; null = accepted as it is. */
export const planText = (plan: string, said: string | null): string =>
  `${said === null ? "" : `${said}\n`}${planMark}${bothEnds(plan.trim(), planCharsMax)}`;

/** Reads `planText` back; `plan` is null in a text that holds none. */
export function planIn(text: string): { readonly said: string; readonly plan: string | null } {
  const at = text.startsWith(planMark) ? 0 : text.indexOf(`\n${planMark}`) + 1;
  return at === 0 && !text.startsWith(planMark)
    ? { said: text, plan: null }
    : { said: text.slice(0, at).trim(), plan: text.slice(at + planMark.length) };
}

// Tool uses that hold what was said. Remarks are what the agent said in a turn before its last tool call: findings on
// the way, which its answer need not repeat; as tool uses they are hidden, forgotten, exported and dropped.

/** The name that such a use has in the place of a tool's. */
export const remarkTool = "Remark";
const remarkCharsMax = 2_000;
/** Remarks kept of one turn, or of one reading of it: the longest. */
const remarksMax = 100;

export const isRemark = ({ tool }: { readonly tool: string }): boolean => tool === remarkTool;

/** Remarks as tool uses, in order; the texts are gated. The same words are one use of a session. */
export function remarkUses(
  texts: readonly string[],
  of: { readonly sessionId: string; readonly turn: number; readonly atMs: number },
): readonly Omit<ToolUse, "id">[] {
  const said = texts.filter((text) => text.trim() !== "");
  const longest = new Set(said.toSorted((a, b) => b.length - a.length).slice(0, remarksMax));
  return said
    .filter((text) => longest.has(text))
    .slice(0, remarksMax)
    .map((text) => ({
      sessionId: of.sessionId,
      turn: of.turn,
      atMs: of.atMs,
      toolUseId: `remark:${sha256(text, 16)}`,
      tool: remarkTool,
      target: null,
      files: [],
      outcome: "ok",
      text: bothEnds(text, remarkCharsMax),
      agentId: null,
    }));
}

// A call that the user refused, as a tool use holds it: what it printed is what the user said instead.

const refused = "The user refused this call";

export const isRefusedCall = (text: string | null): boolean => text?.startsWith(refused) === true;

/** Beginning of the client's words for a call that a permission rule stopped, or that nobody allowed. */
const denied = new RegExp(
  String.raw`^\s*(?:Error: )?(?:This command requires approval|Permission (?:to use|for) .{0,400}denied` +
    String.raw`|Claude requested permissions? to )`,
  "u",
);

/** True for the output of a call that did not run: refused by the user, or denied by a permission rule. */
export const neverRan = (text: string | null): boolean =>
  isRefusedCall(text) || denied.test(text ?? "");

/** Stands for the output of a command that the client moved to the background, or stopped, before its end. */
export const leftRunning = "Command left running in background.";

/** True for the output of a call whose end was not seen; the client's own words say so too. */
export const isLeftRunning = (text: string | null): boolean =>
  /^\s*Command\b.{0,80}\bbackground\b/u.test(text ?? "");

export const refusedCall = (said: string | null): string =>
  said === null ? `${refused}.` : `${refused}, the user said: ${said}`;
