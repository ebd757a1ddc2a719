/**
 * Backfill from Claude Code's own transcripts, the oldest session first, and its memory folders last. What hooks have
 * captured is passed over without being read.
 */
import type { KnownSession } from "../apply.ts";
import { left, SourceFailure, type ReaderDeps, type ReadPlan, type ReadStep } from "../source.ts";
import { createOwners } from "./copies.ts";
import {
  findTranscripts,
  folderName,
  hasGrown,
  type Found,
  type TranscriptFacts,
} from "./files.ts";
import { memoryFolderSteps } from "./memory-files.ts";
import { sessionSteps } from "./session.ts";

export interface ClaudeCodeAsk {
  /** Projects folder, a project's folder or one transcript. */
  readonly path: string;
  /** Names, keys or folders of projects; empty = all. */
  readonly projects: readonly string[];
  readonly known: (sessionIds: readonly string[]) => Promise<readonly KnownSession[]>;
}

/** Sessions asked about at a time. */
const knownMax = 500;

export function planClaudeCode(deps: ReaderDeps, ask: ClaudeCodeAsk): ReadPlan {
  const found = chosen(deps, findTranscripts(ask.path), ask.projects);
  const total = found.transcripts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { total, unit: "bytes", steps: steps(deps, ask, found), close: () => undefined };
}

/** Only sessions of the wanted projects. Throws when none is: the name is probably wrong. */
function chosen(deps: ReaderDeps, found: Found, wanted: readonly string[]): Found {
  if (wanted.length === 0) return found;
  const isWanted = (cwd: string | null, folder: string): boolean => {
    const project = cwd === null ? null : deps.projectOf(cwd);
    const names = new Set([project?.key, project?.name, project?.root, cwd, folder]);
    return wanted.some((name) => names.has(name));
  };
  const transcripts = found.transcripts.filter((one) => isWanted(one.cwd, folderName(one)));
  const memories = found.memories.filter(({ cwd, path }) =>
    isWanted(cwd, path.split(/[/\\]/).at(-2) ?? ""),
  );
  if (transcripts.length + memories.length === 0)
    throw new SourceFailure(`no transcript is of a project ${wanted.join(" or ")}`);
  return { transcripts, memories, left: [] };
}

async function* steps(deps: ReaderDeps, ask: ClaudeCodeAsk, found: Found): AsyncIterable<ReadStep> {
  for (const { outcome, reason } of found.left) yield left(outcome, reason);
  const known = new Map<string, KnownSession>();
  for (let at = 0; at < found.transcripts.length; at += knownMax) {
    const ids = found.transcripts.slice(at, at + knownMax).map(({ sessionId }) => sessionId);
    for (const [index, one] of (await ask.known(ids)).entries()) known.set(ids[index] ?? "", one);
  }
  const isKnown = ({ sessionId }: TranscriptFacts): boolean =>
    (known.get(sessionId)?.state ?? "new") !== "new";
  const copiesOf = createOwners(found.transcripts, isKnown);
  for (const facts of found.transcripts)
    yield* oneSession(deps, { facts, known: known.get(facts.sessionId), copiesOf });
  for (const folder of found.memories)
    if (folder.cwd !== null && deps.isExcluded(folder.cwd)) yield left("skipped", excluded);
    else yield* memoryFolderSteps(deps, folder);
}

const excluded = "of a project that is excluded";

interface Given {
  readonly facts: TranscriptFacts;
  readonly known: KnownSession | undefined;
  readonly copiesOf: ReturnType<typeof createOwners>;
}

async function* oneSession(
  deps: ReaderDeps,
  { facts, known, copiesOf }: Given,
): AsyncIterable<ReadStep> {
  const { state, turns, extent } = known ?? { state: "new", turns: 0, extent: 0 };
  const isDone = state === "imported" && extent > 0 && !hasGrown(facts, extent);
  const reason =
    facts.cwd !== null && deps.isExcluded(facts.cwd)
      ? excluded
      : state === "captured"
        ? "the session is there already"
        : isDone
          ? "imported before"
          : null;
  if (reason === null) {
    yield* sessionSteps(deps, {
      facts,
      turnsKnown: state === "imported" ? turns : 0,
      isNew: state === "new",
      copies: await copiesOf(facts),
    });
    return;
  }
  yield left("skipped", reason, turns + 1);
  yield { type: "progress", done: facts.bytes };
}
