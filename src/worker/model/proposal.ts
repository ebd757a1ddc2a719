/** A memory of a session's reply as a candidate: with what only we know of session, project, time and place. */
import type { KnownSlot, ProposedMemory } from "#prompts";
import { untilMergedTag, type Candidate, type Category, type Session, type Turn } from "#domain";
import { msPerDay, parseNow } from "#kit";
import { aliasesOf, slotOf, slugOf } from "#memory";
import { endOfTurn } from "../turn-context.ts";
import type { ModelDeps } from "./deps.ts";

export interface Proposal {
  readonly candidate: Candidate;
  readonly slot: string;
  readonly value: string;
  /** Known memories that the reply says are ended by this one. */
  readonly replaces: readonly KnownSlot[];
}

const aliasesMax = 16;
const filesMax = 8;

const importanceOf = { rule: 4, decision: 4, cause: 3, fact: 3, place: 3 } as const;

interface Told {
  readonly session: Session;
  readonly turns: readonly Turn[];
}

/** One for each project of its scope. */
export const proposalsOf = (
  deps: ModelDeps,
  told: Told,
  memory: ProposedMemory,
): readonly Proposal[] =>
  memory.scope
    .split(/\s*,\s*/u)
    .filter((scope) => scope !== "")
    .flatMap((scope) => proposalOf(deps, told, { ...memory, scope }) ?? []);

/** Null when its subject and attribute say nothing, or its turn is gone. */
function proposalOf(
  deps: ModelDeps,
  { session, turns }: Told,
  memory: ProposedMemory,
): Proposal | null {
  const slot = slotOf(memory.subject, memory.attribute);
  const turn = turns.find(({ n }) => n === memory.turn);
  if (slot === null || turn === undefined) return null;
  const { kind, line, origin, quote, value, valid, replaces } = memory;
  const isEverywhere = memory.scope === "everywhere";
  const candidate: Candidate = {
    category: categoryOf(kind, isEverywhere),
    uriHint: slugOf(`${memory.subject} ${memory.attribute}`),
    l0: line,
    l1: null,
    l2: null,
    importance: importanceOf[kind],
    tags: valid.type === "merged" ? [kind, untilMergedTag] : [kind],
    files: turn.filesEdited.filter((path) => line.includes(baseName(path))).slice(0, filesMax),
    // A model's words for likely searches, and the technical words for what the line says.
    aliases: [...new Set([...memory.aliases, ...aliasesOf(line)])].slice(0, aliasesMax),
    project: isEverywhere ? null : projectOf(deps, session, memory.scope),
    origin,
    maker: "extract",
    evidence: { sessionId: session.sessionId, turn: turn.n, line: turn.line, quote },
    branch: valid.type === "merged" && valid.branch !== "" ? valid.branch : session.branch,
    atMs: origin === "user" ? turn.startedAt : endOfTurn(turn),
    slot,
    expiresAt: expiryOf(memory, turn),
  };
  return { candidate, slot, value, replaces };
}

const categoryOf = (kind: ProposedMemory["kind"], isEverywhere: boolean): Category => {
  switch (kind) {
    case "rule":
      return isEverywhere ? "preferences" : "patterns";
    case "decision":
      return "events";
    case "fact":
      return "entities";
    case "cause":
      return "cases";
    case "place":
      return "patterns";
    default:
      return kind satisfies never;
  }
};

/** To the end of the day that was named. What holds until a branch is merged ends with that (../anchors.ts). */
const expiryOf = ({ valid }: ProposedMemory, { startedAt }: Turn): number | null =>
  valid.type === "until" ? (parseNow(valid.date) ?? startedAt) + msPerDay : null;

/** The project of that name; an unknown name leaves it where it was said. */
function projectOf({ store }: ModelDeps, session: Session, scope: string): string | null {
  const name = scope.toLowerCase();
  if (name === "project" || name === session.projectName?.toLowerCase()) return session.project;
  const named = store.admin
    .projectNames()
    .filter((project) => project.name.toLowerCase() === name || project.key === scope);
  return named.length === 1 ? (named[0]?.key ?? session.project) : session.project;
}

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
