/** Records of a session under the URIs that search gives them: prompts, observations, checkpoints. They are no memories. */
import type { InferResponseType } from "hono/client";
import type { Origin } from "#domain";
import type { FetchedText } from "#memory";
import { ToolFailure, type Client } from "./client.ts";

type Session = InferResponseType<Client["sessions"][":sessionId"]["$get"], 200>;

/** What a record says, and when. */
interface RecordText {
  readonly origin: Origin;
  readonly at: number;
  readonly turn: number | null;
  readonly l0: string;
  readonly l1: string | null;
  readonly l2: string | null;
  readonly files: readonly string[];
}

const recordUri =
  /^(?:mem:\/\/)?sessions\/([\w.-]+)\/(turns|observations|checkpoints)\/(\d{1,9})$/i;

/** The record at a URI as text to show; null when the URI is not one of a record. Fails when there is none. */
export async function recordAt(api: Client, uri: string): Promise<FetchedText | null> {
  const [, sessionId = "", kind = "", number = ""] = recordUri.exec(uri.trim()) ?? [];
  if (sessionId === "") return null;
  const answer = await api.sessions[":sessionId"].$get({ param: { sessionId }, query: {} });
  const session = await answer.json();
  const found = recordIn(session, kind.toLowerCase(), Number(number));
  if (found === null) throw new ToolFailure(`There is no record at ${uri}.`);
  const { at, turn, ...text } = found;
  return {
    ...text,
    uri,
    category: kind.toLowerCase().slice(0, -1),
    project: session.project,
    status: "active",
    evidence: [{ sessionId: session.session_id, turn, line: null, quote: "" }],
    superseded_by: null,
    links: [],
    tags: [],
    updated_at: at,
  };
}

function recordIn(session: Session, kind: string, n: number): RecordText | null {
  switch (kind) {
    case "turns":
      return turnText(session.turns.find((turn) => turn.n === n));
    case "checkpoints":
      return checkpointText(session.checkpoints.find((one) => one.n === n));
    default:
      return observationText(session.observations.find(({ id }) => id === n));
  }
}

function turnText(turn: Session["turns"][number] | undefined): RecordText | null {
  if (turn === undefined || turn.prompt === null) return null;
  const files = [...new Set([...turn.files_edited, ...turn.files_read])];
  return {
    origin: "user",
    at: turn.started_at,
    turn: turn.n,
    l0: turn.prompt,
    l1: null,
    l2: turn.prompt,
    files,
  };
}

function observationText(one: Session["observations"][number] | undefined): RecordText | null {
  if (one === undefined) return null;
  return {
    origin: "tool",
    at: one.at,
    turn: one.turn,
    l0: one.subtitle === "" ? one.title : `${one.title}: ${one.subtitle}`,
    l1: one.narrative,
    l2: one.facts.join("\n"),
    files: [...new Set([...one.files_modified, ...one.files_read])],
  };
}

function checkpointText(one: Session["checkpoints"][number] | undefined): RecordText | null {
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
    origin: "agent",
    at: one.at,
    turn: null,
    l0: one.l0,
    l1: null,
    l2: told.join("\n"),
    files: one.files_edited,
  };
}
