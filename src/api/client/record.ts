/**
 * Records of a session under the addresses that lists and search print: prompts, checkpoints. They are
 * no memories.
 */
import type { InferResponseType } from "hono/client";
import type { Origin } from "#domain";
import type { Client } from "./client.ts";

type Session = InferResponseType<Client["sessions"][":sessionId"]["$get"], 200>;

/** What a record says, and when. */
export interface SessionRecord {
  readonly uri: string;
  readonly kind: "turn" | "checkpoint";
  readonly session_id: string;
  readonly project: string | null;
  readonly origin: Exclude<Origin, "import">;
  readonly turn: number | null;
  readonly at: number;
  readonly l0: string;
  readonly l1: string | null;
  readonly l2: string | null;
  readonly files: readonly string[];
}

/** `summary` is the checkpoint of a session that counts now. */
const recordUri = /^(?:mem:\/\/)?sessions\/([\w.-]+)\/(?:(turns|checkpoints)\/(\d{1,9})|summary)$/i;

/** Is this an address of a record? */
export const isRecordUri = (uri: string): boolean => recordUri.test(uri.trim());

/** The record at an address; null when its session has none there. */
export async function recordAt(api: Client, uri: string): Promise<SessionRecord | null> {
  const [, sessionId = "", kind = "summary", number = ""] = recordUri.exec(uri.trim()) ?? [];
  const answer = await api.sessions[":sessionId"].$get({ param: { sessionId }, query: {} });
  const session = await answer.json();
  const found = recordIn(session, kind.toLowerCase(), Number(number));
  if (found === null) return null;
  const { session_id, project } = session;
  return { ...found, uri: `mem://sessions/${session_id}/${found.place}`, session_id, project };
}

type Found = Omit<SessionRecord, "uri" | "session_id" | "project"> & { readonly place: string };

function recordIn(session: Session, kind: string, n: number): Found | null {
  switch (kind) {
    case "turns":
      return turnRecord(session.turns.find((turn) => turn.n === n));
    case "checkpoints":
      return checkpointRecord(session.checkpoints.find((one) => one.n === n));
    default:
      return checkpointRecord(session.checkpoints.find(({ current }) => current));
  }
}

function turnRecord(turn: Session["turns"][number] | undefined): Found | null {
  if (turn === undefined || turn.prompt === null) return null;
  return {
    place: `turns/${turn.n}`,
    kind: "turn",
    origin: turn.prompt_by,
    at: turn.started_at,
    turn: turn.n,
    l0: turn.prompt,
    l1: null,
    l2: turn.prompt,
    files: [...new Set([...turn.files_edited, ...turn.files_read])],
  };
}

function checkpointRecord(one: Session["checkpoints"][number] | undefined): Found | null {
  if (one === undefined) return null;
  const told = [
    ["Request", one.request],
    ["Investigated", one.investigated],
    ["Learned", one.learned],
    ["Completed", one.completed],
    ["Next", one.next_steps],
    ["Notes", one.notes],
  ].flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  return {
    place: `checkpoints/${one.n}`,
    kind: "checkpoint",
    origin: "agent",
    at: one.at,
    turn: null,
    l0: one.l0,
    l1: null,
    l2: told.join("\n"),
    files: one.files_edited,
  };
}
