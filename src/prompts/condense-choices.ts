/**
 * What tools tell of a turn: choices that the user made inside them, and what the agent did. Typed words hide in
 * answers to questions, in plans approved or refused, and in refused calls. Pure.
 */
import { commitSubject } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { cleanLine, cleanText } from "./clean.ts";

/** One recorded tool use. */
export interface CondenseTool {
  readonly tool: string;
  readonly target: string | null;
  readonly outcome: "ok" | "error";
  /** What is kept of its output. */
  readonly text: string | null;
}

export interface Choice {
  /** As the record shows it. */
  readonly line: string;
  /** The user's own words in it; empty where they only pressed a button. */
  readonly words: string;
}

const wordsCharsMax = 500;
const questionCharsMax = 260;

/** Words of the client around what the user said when a call was refused. */
const refusal =
  /(?:user (?:doesn't want to (?:proceed|take this action)|rejected|refused this call)|rejected by the user|tool use was rejected)[\s\S]*?(?:the user said|following reason[^:]*|proceed, the user said)\s*:\s*([\s\S]+?)(?:\n\nNote: The user's next|$)/i;
const refused =
  /user (?:doesn't want to (?:proceed|take this action)|rejected|refused this call)|tool use was rejected/i;

/** Questions answered, plans approved or refused, calls refused with words; in order. */
export function choicesOf(tools: readonly CondenseTool[]): readonly Choice[] {
  return tools.flatMap((use) => {
    const said = refusal.exec(use.text ?? "")?.[1];
    if (said !== undefined && !use.tool.startsWith("mcp__")) {
      const words = cleanLine(said, wordsCharsMax);
      return [{ line: `user refused ${use.tool}${shownTarget(use)}, saying: ${words}`, words }];
    }
    if (use.tool === "AskUserQuestion") return answersOf(use.text ?? "");
    if (use.tool === "ExitPlanMode") return [planOf(use)];
    // The output of a server of tools is its own word.
    if (refused.test(use.text ?? "") && use.outcome === "error" && !use.tool.startsWith("mcp__"))
      return [{ line: `user refused ${use.tool}${shownTarget(use)}`, words: "" }];
    return [];
  });
}

const shownTarget = ({ target }: CondenseTool): string =>
  target === null ? "" : `: ${cleanLine(target, 160)}`;

/** A plan with the user's comment on it, when there is one. */
function planOf(use: CondenseTool): Choice {
  const isRefused = use.outcome === "error" || refused.test(use.text ?? "");
  const [comment] = isRefused ? [] : answersOf(use.text ?? "");
  const line = `plan ${isRefused ? "refused" : "approved"} by the user${shownTarget(use)}`;
  return comment === undefined
    ? { line, words: "" }
    : { line: `${line}, saying: ${comment.words}`, words: comment.words };
}

/** `"Q"="A"`, as the client writes answers down; `Q → A` lines, as the recorder does. */
function answersOf(text: string): readonly Choice[] {
  const pairs = [...cleanText(text).matchAll(/"([^"\n]{1,1000})"\s*=\s*"([^"\n]{1,1000})"/g)].map(
    ([, question = "", answer = ""]) => [question, answer] as const,
  );
  const lines = cleanText(text)
    .split("\n")
    .flatMap((line) => {
      const at = line.lastIndexOf(" → ");
      return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 3)] as const];
    });
  return (pairs.length > 0 ? pairs : lines).map(([question, answer]) => {
    const words = cleanLine(answer, wordsCharsMax);
    return {
      line: `agent asked: ${cleanLine(question, questionCharsMax)} — user chose: ${words}`,
      words,
    };
  });
}

/** Looks, listings and what changes nothing: not asked about later. */
const trivial =
  /^\s*(?:cd|ls|cat|head|tail|grep|rg|find|sed|awk|wc|echo|pwd|which|tree|nl|sleep|jq|mkdir|true|test|file|stat|ps|kill|git (?:status|diff|log|show|branch|add|fetch|rev-parse|stash list|remote|ls-files|blame)|gh (?:pr|run|issue) (?:view|list|diff|checks|status)|gh api)\b/;
const shells: ReadonlySet<string> = new Set(["bash", "shell", "run_in_terminal"]);
const failure = /error|fail|panic|denied|not found|cannot|fatal/i;

/** Commits first, then commands with their outcome; the same beginning once. */
export function deedsOf(tools: readonly CondenseTool[]): readonly string[] {
  const seen = new Set<string>();
  const deeds = tools.flatMap((use) => {
    const deed = deedOf(use);
    const key = deed?.split(" ").slice(0, 4).join(" ") ?? "";
    if (deed === null || seen.has(`${use.outcome} ${key}`)) return [];
    seen.add(`${use.outcome} ${key}`);
    return [deed];
  });
  return [
    ...deeds.filter((deed) => !deed.startsWith("$")),
    ...deeds.filter((d) => d.startsWith("$")),
  ];
}

function deedOf({ tool, target, outcome, text }: CondenseTool): string | null {
  if (!shells.has(tool.toLowerCase()) || target === null) return null;
  const command = oneLine(cleanText(target));
  const failed = outcome === "error" ? " → FAILED" : "";
  if (/\bgit commit\b/.test(command))
    return `commit: ${cutAtWord(commitSubject(command, text ?? ""), 110)}${failed}`;
  const hub = hubDeed(command);
  if (hub !== null) return `${hub}${failed}`;
  const steps = command.split(/(?:&&|;) /);
  const first = steps.findIndex((step) => !trivial.test(step));
  if (first === -1) return null;
  const before = steps.slice(0, first).join("&& ").length;
  const shown = cutAtWord(command.slice(before).replace(/^(?:&&|;)? /, ""), 110);
  return outcome === "ok" ? `$ ${shown} → ok` : `$ ${shown} → FAILED${whyOf(text ?? "")}`;
}

/** Pull requests, issues and releases that were made or closed. */
function hubDeed(command: string): string | null {
  const hub = /\bgh (pr|issue|release) (create|merge|close)\b/.exec(command);
  if (hub === null) return null;
  const title = /(?:--title|-t)[ =]["']([^"']+)/.exec(command)?.[1] ?? "";
  return `gh ${hub[1]} ${hub[2]} ${cutAtWord(title, 90)}`.trimEnd();
}

/** The line that says what failed. */
function whyOf(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const why = lines.find((line) => failure.test(line)) ?? lines[0] ?? "";
  return why === "" ? "" : `: ${cleanLine(why, 120)}`;
}
