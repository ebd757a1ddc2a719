/**
 * Collects what tools tell of a turn: choices that the user made inside them, and what the agent
 * did. Typed words hide in answers to questions, in plans approved or refused, and in refused
 * calls. Pure.
 */
import {
  answeredIn,
  commitSubject,
  editingTools,
  failureLineOf,
  isLeftRunning,
  neverRan,
  planIn,
  printedFailureOf,
  type Answered,
} from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { cleanLine, cleanText } from "./reply.ts";
import { planOf, shortPlan } from "./condense-plan.ts";

/** One recorded tool use. */
export interface CondenseTool {
  readonly tool: string;
  readonly target: string | null;
  readonly outcome: "ok" | "error";
  /** The part of its output that is kept. */
  readonly text: string | null;
}

export interface Choice {
  /** Shown in the record, in about so many characters: what was chosen always whole. */
  readonly shown: (charsMax: number) => string;
  /** All of it, for quotes. */
  readonly whole: string;
  /** The user's own words in it; empty where they only pressed a button. */
  readonly words: string;
  /** The plan that they accepted. */
  readonly accepted?: string;
}

const wordsCharsMax = 500;
const questionCharsMax = 260;
const optionsCharsMax = 420;

/** Words of the client around what the user said when a call was refused. */
const refusal =
  /(?:user (?:doesn't want to (?:proceed|take this action)|rejected|refused this call)|rejected by the user|tool use was rejected)[\s\S]*?(?:the user said|following reason[^:]*|proceed, the user said)\s*:\s*([\s\S]+?)(?:\n\nNote: The user's next|$)/i;
const refused =
  /user (?:doesn't want to (?:proceed|take this action)|rejected|refused this call)|tool use was rejected/i;
/** The client's words in the place of the user's. */
const clarifying = /^\s*The user wants to clarify these questions/;

/** Questions answered, plans approved or refused, calls refused with words; in order. */
export function choicesOf(tools: readonly CondenseTool[]): readonly Choice[] {
  return tools.flatMap((use) => {
    // The output of a server of tools is its own word.
    if (use.tool.startsWith("mcp__")) return [];
    if (use.tool === "ExitPlanMode") return [planChoiceOf(use)];
    const text = use.text ?? "";
    if (isRefused(use)) {
      const words = refusalIn(text);
      const saying = words === "" ? "" : `, saying: ${words}`;
      return [choiceOf(`user refused ${use.tool}${shownTarget(use)}${saying}`, words)];
    }
    return use.tool === "AskUserQuestion" ? answersOf(text) : [];
  });
}

const isRefused = ({ outcome, text }: CondenseTool): boolean =>
  outcome === "error" && refused.test(text ?? "");

const isDenied = ({ outcome, text }: CondenseTool): boolean =>
  outcome === "error" && neverRan(text);

const choiceOf = (line: string, words: string): Choice => ({
  shown: (charsMax) => cutAtWord(line, Math.max(charsMax, words.length + 120)),
  whole: line,
  words,
});

function refusalIn(text: string): string {
  const said = refusal.exec(text)?.[1] ?? "";
  return clarifying.test(said) ? "" : cleanLine(said, wordsCharsMax);
}

const shownTarget = ({ target, tool }: CondenseTool): string =>
  target === null
    ? ""
    : `: ${cleanLine(target, tool === "AskUserQuestion" ? questionCharsMax : 160)}`;

/** Room of a plan, where a prompt has so much: an accepted plan decides more than any one prompt. */
export const planRoom = (charsMax: number): number => Math.min(planShare * charsMax, planCharsMax);
const planShare = 3;
const planCharsMax = 2_000;

/** A plan with the user's comment on it, when there is one. */
function planChoiceOf(use: CondenseTool): Choice {
  const { said, plan } = planIn(use.text ?? "");
  const isDown = use.outcome === "error" || refused.test(said);
  const words = isDown ? refusalIn(said) : (answersOf(said)[0]?.words ?? "");
  const head = `agent's plan, ${answerToPlan(isDown, words)}`;
  const told = planOf(cleanText(plan ?? use.target ?? ""));
  return told.plain === ""
    ? choiceOf(head, words)
    : {
        shown: (charsMax) => `${head}: ${shortPlan(told, planRoom(charsMax))}`,
        whole: `${head}: ${told.plain}`,
        words,
        ...(isDown ? {} : { accepted: told.plain }),
      };
}

/** "Clear the context and go on" ends a plan as a refusal without words does. */
function answerToPlan(isDown: boolean, words: string): string {
  if (isDown && words === "") return "refused by the user, or kept for a new session";
  return `${isDown ? "refused" : "accepted"} by the user${words === "" ? "" : `, saying: ${words}`}`;
}

/** `"Q"="A"`, as the client writes answers down; lines with options, as the recorder does. */
function answersOf(text: string): readonly Choice[] {
  const cleaned = cleanText(text);
  const pairs = [...cleaned.matchAll(/"([^"\n]{1,1000})"\s*=\s*"([^"\n]{1,1000})"/g)].map(
    ([, question = "", answer = ""]) => ({ question, answer, options: [] }),
  );
  return (pairs.length > 0 ? pairs : answeredIn(cleaned)).map(questionOf);
}

function questionOf({ question, options, answer }: Answered): Choice {
  const words = cleanLine(answer, wordsCharsMax);
  const line = (charsMax: number): string => {
    const asked = cleanLine(question, Math.min(questionCharsMax, Math.floor(charsMax / 2)));
    const each = Math.floor(Math.min(optionsCharsMax, charsMax / 2) / Math.max(1, options.length));
    const offered = options.map((option) => cleanLine(option, Math.max(24, each))).join(" | ");
    return `agent asked: ${asked}${offered === "" ? "" : ` [${offered}]`} → user chose: ${words}`;
  };
  return { shown: line, whole: line(4_000), words };
}

/** Looks and listings, which are not asked about later; a failed one is a slip. */
const look = new RegExp(
  String.raw`^\s*(?:cd|ls|cat|head|tail|grep|rg|find|sed|awk|wc|echo|pwd|which|tree|nl|sleep|jq|mkdir|true|test|file` +
    String.raw`|stat|ps|kill)\b`,
);
/** Changes nothing, but may fail for a reason that is asked about. */
const harmless = new RegExp(
  String.raw`^\s*(?:git (?:status|diff|log|show|branch|add|fetch|rev-parse|stash list|remote|ls-files|blame)` +
    String.raw`|gh (?:pr|run|issue) (?:view|list|diff|checks|status)|gh api)\b`,
);
/** Less of the output, which is not told anyway. */
const lessOutput = / 2>&1|(?: *\| *(?:head|tail)(?: +-n? ?\d+)?)+ *$/g;
/** The folder of a git command says less than its deed. */
const elsewhere = /\bgit -C (?:"[^"]*"|'[^']*'|\S+) /g;
const shells: ReadonlySet<string> = new Set(["bash", "shell", "run_in_terminal"]);

/** Commits first, then commands with their outcome; of several with the same beginning the last one. */
export function deedsOf(tools: readonly CondenseTool[]): readonly string[] {
  const seen = new Set<string>();
  const ran = tools.filter((use) => !isRefused(use) && !isDenied(use));
  const cures = curesIn(ran);
  const failing = new Set(ran.filter(({ outcome }) => outcome === "error").map(programOf));
  const newestFirst = ran.toReversed().flatMap((use) => {
    const deed = deedOf(use, { isCure: cures.has(use), wasFailing: failing.has(programOf(use)) });
    const key = deed?.split(" ").slice(0, 4).join(" ") ?? "";
    if (deed === null || seen.has(`${use.outcome} ${key}`)) return [];
    seen.add(`${use.outcome} ${key}`);
    return [deed];
  });
  const deeds = newestFirst.toReversed();
  return [
    ...deeds.filter((deed) => !deed.startsWith("$")),
    ...deeds.filter((d) => d.startsWith("$")),
  ];
}

/** Commands that ended well after one of the same program had failed, looks too: what made it run is worth knowing. */
function curesIn(tools: readonly CondenseTool[]): ReadonlySet<CondenseTool> {
  const failed = new Set<string>();
  return new Set(
    tools.filter((use) => {
      const program = programOf(use);
      if (program === null) return false;
      if (use.outcome === "ok") return !isLeftRunning(use.text) && failed.delete(program);
      failed.add(program);
      return false;
    }),
  );
}

/** The first two words of a command that is more than a look: `gh pr`, `make tide`. */
function programOf({ target, tool }: CondenseTool): string | null {
  if (target === null || !shells.has(tool.toLowerCase())) return null;
  const words = fromTelling(oneLine(target), true)?.split(" ") ?? [];
  const program = words.filter((word) => !/^\w+=/.test(word)).slice(0, 2);
  return program.length === 0 ? null : program.join(" ");
}

/** A filter of deeds, in their order: a command that ended well and ends so again is told once. */
export function newDeeds(): (deed: string) => boolean {
  const ends = new Map<string, string>();
  return (deed) => {
    const at = deed.lastIndexOf(" → ");
    const [command, end] = [deed.slice(0, at), deed.slice(at)];
    const isAgain = end === " → ok" && ends.get(command) === end;
    ends.set(command, end);
    return !isAgain;
  };
}

/** Commits stand first; how a series of commands ended matters more than how it went. */
export const firstAndLast = (deeds: readonly string[], most: number): readonly string[] =>
  deeds.length <= most
    ? deeds
    : [...deeds.slice(0, Math.floor(most / 2)), ...deeds.slice(deeds.length - Math.ceil(most / 2))];

/** Their failures are slips of the agent. */
const isFileTool = (tool: string): boolean => tool === "Read" || editingTools.has(tool);

interface Attempt {
  readonly isCure: boolean;
  /** A command of its program failed: the folder may have made the difference. */
  readonly wasFailing: boolean;
}

function deedOf(use: CondenseTool, attempt: Attempt): string | null {
  if (shells.has(use.tool.toLowerCase())) return commandOf(use, attempt);
  const why = use.outcome === "error" && !isFileTool(use.tool) ? whyOf(use.text ?? "") : "";
  return why === "" ? null : `${cleanLine(use.tool, 60)} → FAILED${why}`;
}

const commandCharsMax = 120;
/** A step that only prints a title between others, and what joined the last of them to the rest. */
const titleStep = new RegExp(
  String.raw`(?<=^|&&|[;\n])[ \t]*echo(?: +(?:-\w+|"[^"\n]*"|'[^'\n]*'))*[ \t]*(?:&&|[;\n]|$)`,
  "gu",
);
const looseEnd = /(?:\s*(?:&&|;))+\s*$/u;

function commandOf(
  { target, outcome, text }: CondenseTool,
  { isCure, wasFailing }: Attempt,
): string | null {
  if (target === null) return null;
  const command = oneLine(cleanText(target).replace(titleStep, " ")).replace(elsewhere, "git ");
  const named = namedDeed(command, outcome, text ?? "");
  if (named !== null) return named;
  const told = fromTelling(command, isCure || outcome === "error");
  if (told === null) return null;
  const shown = cutAtWord(told.replace(looseEnd, "").replace(lessOutput, ""), commandCharsMax);
  const folder = wasFailing ? folderOf(command.slice(0, command.length - told.length)) : "";
  const end = outcome === "ok" ? endOf(text ?? "") : `FAILED${whyOf(text ?? "")}`;
  return `$ ${shown}${folder} → ${end}`;
}

const folderCharsMax = 40;

/** The folder that the steps before a command changed to last, as ` (in …)`; of a long path its end. */
function folderOf(steps: string): string {
  const last = [...steps.matchAll(/(?<=^|&&|;)\s*cd ("[^"]*"|'[^']*'|[^\s;&|]+)/gu)].at(-1);
  const path = (last?.[1] ?? "").replace(/["']/g, "");
  if (path === "") return "";
  const end = path.split("/").slice(-2).join("/").slice(-folderCharsMax);
  return ` (in ${path.length <= folderCharsMax ? path : `…/${end}`})`;
}

/** Commits, what was made or closed on a hub, and deleted files, by their names. */
function namedDeed(command: string, outcome: CondenseTool["outcome"], text: string): string | null {
  const failed = outcome === "error" ? " → FAILED" : "";
  if (/\bgit commit\b/.test(command))
    return `commit: ${cutAtWord(commitSubject(command, text), 110)}${failed}`;
  const hub = hubDeed(command);
  if (hub !== null) return `${hub}${failed}`;
  const deleted = outcome === "ok" ? deletedBy(command) : [];
  return deleted.length === 0
    ? null
    : `deleted ${deleted.map((path) => path.slice(-60)).join(", ")}`;
}

/** A command from its first step on that is more than a look; null when none is. `tells`: so are harmless steps. */
function fromTelling(command: string, tells: boolean): string | null {
  const tellsNothing = (step: string): boolean =>
    look.test(step) || (!tells && harmless.test(step));
  let rest = command;
  while (tellsNothing(rest)) {
    const next = /(?:&&|;) +/.exec(rest);
    if (next === null) return null;
    rest = rest.slice(next.index + next[0].length);
  }
  return rest;
}

const deleting = /(?<=^|&& *|; *)(?:git )?rm ((?:-\S+ )*)([^;&|<>$*]+)/gu;
/** Folders of scratch files, which nobody asks for again. */
const scratch = /^["']?(?:\/private)?\/(?:tmp|var\/folders)\//u;

/** Files that a command deletes: what is known of them falls with them. */
const deletedBy = (command: string): readonly string[] =>
  Array.from(command.matchAll(deleting)).flatMap(([, , paths = ""]) =>
    paths
      .trim()
      .split(" ")
      .map((path) => path.replace(/…$/u, ""))
      .filter((path) => /[./]/.test(path) && !path.startsWith("-") && !scratch.test(path)),
  );

/** Pull requests, issues and releases that were made or closed. */
function hubDeed(command: string): string | null {
  const hub = /\bgh (pr|issue|release) (create|merge|close)\b/.exec(command);
  if (hub === null) return null;
  const title = /(?:--title|-t)[ =]["']([^"']+)/.exec(command)?.[1] ?? "";
  return `gh ${hub[1]} ${hub[2]} ${cutAtWord(title, 90)}`.trimEnd();
}

/** A filter behind a pipe ends well whatever the command before it says. */
function endOf(text: string): string {
  if (isLeftRunning(text)) return "left running, its end was not seen";
  const failed = printedFailureOf(text);
  return failed === null ? "ok" : `printed: ${cleanLine(failed, 120)}`;
}

/** Lines that do not say why something failed: the client's, those of task runners, headings, and slips. */
const statusLine = new RegExp(
  String.raw`^(?:(?:Error: )?Exit code \d+|exit status \d+|.*\btask failed|# .*|(?:\[[\w:]+\] )?\$ .*` +
    String.raw`|Sibling tool call errored|(?:Error: )?Path does not exist\b.*)$`,
  "gm",
);

/** The line that says what failed. */
function whyOf(text: string): string {
  const told = text.replace(statusLine, "");
  const why =
    failureLineOf(told)?.text ?? printedFailureOf(told) ?? told.trim().split("\n")[0] ?? "";
  return why === "" ? "" : `: ${cleanLine(why, 120)}`;
}
