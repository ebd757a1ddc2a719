/** Reads files, repetitions, failures and searches of a session from its tool record and the turns' own lists. Pure. */
import {
  answeredIn,
  editingTools,
  isLeftRunning,
  type Session,
  type ToolUse,
  type Turn,
} from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { limits } from "../limits.ts";

export interface SessionMaterial {
  readonly session: Session;
  /** Oldest first. */
  readonly turns: readonly Turn[];
  /** Tool uses of these turns; may lack turns whose record was dropped. */
  readonly toolUses: readonly ToolUse[];
}

/** A path as written from the working folder. */
export const shortPath = (path: string, cwd: string | null): string =>
  cwd !== null && cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;

/** Turns back in which an edited file counts as in hand. */
const turnsInHand = 3;

/** Files read, in order of first reading; the last `checkpointFilesMax`. */
export const filesReadOf = (
  material: SessionMaterial,
  before: readonly string[],
): readonly string[] =>
  bounded(material, [
    ...before,
    ...material.turns.flatMap((turn) => turn.filesRead),
    ...filesOf(material.toolUses, readTools),
  ]);

/** Files edited or written, in order of first edit; the last `checkpointFilesMax`. */
export const filesEditedOf = (
  material: SessionMaterial,
  before: readonly string[],
): readonly string[] =>
  bounded(material, [
    ...before,
    ...material.turns.flatMap((turn) => turn.filesEdited),
    ...filesOf(material.toolUses, editingTools),
  ]);

/** Files edited in the last turns that edited any, latest first. */
export function filesInHandOf(material: SessionMaterial): readonly string[] {
  const edits = [
    ...material.turns.flatMap(({ n, filesEdited }) => filesEdited.map((path) => ({ n, path }))),
    ...material.toolUses
      .filter(({ tool, outcome }) => editingTools.has(tool) && outcome === "ok")
      .flatMap(({ turn, files }) => files.map((path) => ({ n: turn, path }))),
  ].toSorted((one, other) => one.n - other.n);
  const turns = new Set([...new Set(edits.map(({ n }) => n))].slice(-turnsInHand));
  const latestFirst = edits.filter(({ n }) => turns.has(n)).toReversed();
  const short = latestFirst.map(({ path }) => shortPath(path, material.session.cwd));
  return [...new Set(short)].slice(0, limits.checkpointInHandMax);
}

/**
 * Work that goes in circles: `src/a.ts edited 7 times`, `searched for "lock" 5 times`. What an earlier checkpoint
 * noticed stays noticed; a higher count replaces its line.
 */
export function thrashOf(material: SessionMaterial, before: readonly string[]): readonly string[] {
  const edits = material.toolUses
    .filter((use) => editingTools.has(use.tool))
    .flatMap((use) =>
      use.files.map((path) => ({ subject: shortPath(path, material.session.cwd), verb: "edited" })),
    );
  const searches = material.toolUses
    .flatMap((use) => searchOf(use) ?? [])
    .map((pattern) => ({ subject: `"${pattern}"`, verb: "searched" }));
  const counts = [
    ...Map.groupBy([...edits, ...searches], ({ subject, verb }) => `${subject} ${verb}`),
  ];
  const now = counts
    .filter(([, uses]) => uses.length >= limits.thrashRepeatsMin)
    .map(([what, uses]) => ({ what, line: `${what} ${uses.length} times` }));
  const earlier = before.filter((line) => !now.some(({ what }) => line.startsWith(`${what} `)));
  return [...earlier, ...now.map(({ line }) => line)].slice(-limits.checkpointItemsMax);
}

/** `searchOf` gives the pattern that a call searched for; null when it searched for nothing. */
function searchOf(use: ToolUse): string | null {
  if (use.target === null) return null;
  if (searchTools.has(use.tool)) return oneLine(use.target);
  const isSearch =
    isCommand(use) &&
    /^\s*(?:cd \S+\s*(?:&&|;)\s*)?(?:git grep|grep|egrep|rg|ag|ack|find|fd)\b/.test(use.target);
  return isSearch ? cutAtWord(oneLine(use.target), 80) : null;
}

const filesOf = (uses: readonly ToolUse[], tools: ReadonlySet<string>): readonly string[] =>
  uses.filter((use) => tools.has(use.tool) && use.outcome === "ok").flatMap((use) => use.files);

const bounded = (material: SessionMaterial, paths: readonly string[]): readonly string[] =>
  [...new Set(paths.map((path) => shortPath(path, material.session.cwd)))].slice(
    -limits.checkpointFilesMax,
  );

// Reads a tool record for facts: what failed and was mended, what was searched, read and edited. Pure.

export const readTools: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);
const searchTools: ReadonlySet<string> = new Set(["Grep", "Glob", "WebSearch", "ToolSearch"]);

export const isCommand = (use: ToolUse): boolean =>
  use.tool === "Bash" || use.tool === "PowerShell";

/** Looking and finding nothing is no failure. */
export const looksOnly =
  /^\s*(?:cd \S+\s*(?:&&|;)\s*)?(?:git (?:grep|diff|show|log|status)|grep|egrep|rg|ag|ls|cat|head|tail|find|fd|test|which|sed -n|kill|pkill|timeout|sleep)\b/u;

/** False too for a command whose end was not seen. */
export const hasPassed = ({ outcome, text }: ToolUse): boolean =>
  outcome === "ok" && !isLeftRunning(text);

/** True when a command failed and a later run of the same program went well. */
export const isMended = (tools: readonly ToolUse[]): boolean => {
  const commands = tools.filter(isCommand);
  return commands.some(
    (use, at) =>
      use.outcome === "error" &&
      commands
        .slice(at + 1)
        .some((later) => hasPassed(later) && programOf(later) === programOf(use)),
  );
};

/** The program a command runs, so that `npm test -- --bail` counts as another try of `npm test`. */
export const programOf = (use: ToolUse): string =>
  (use.target ?? use.tool)
    .replace(/^(?:\s*(?:cd \S+\s*(?:&&|;)|\w+=\S+|sudo|time|npx|timeout \S+))+/, "")
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .join(" ");

/** Choices of the user when the agent asked, as `question → answer` lines. */
export const choicesIn = (tools: readonly ToolUse[]): readonly string[] =>
  tools.flatMap(({ tool, outcome, text }) =>
    tool === "AskUserQuestion" && outcome === "ok"
      ? answeredIn(text ?? "").map(({ question, answer }) => `${question} → ${answer}`)
      : [],
  );
