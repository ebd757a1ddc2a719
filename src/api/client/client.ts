/** The typed client over a line to the daemon: what may be asked is the route table's types and nothing else. */
import { hc, type InferResponseType } from "hono/client";
import { agentHeader, nowHeader, type Origin } from "#domain";
import type { Api } from "../routes.ts";

/** `client.nodes.$get({ query: { uri } })`, and so on for every route below `/api`. */
export type Client = ReturnType<typeof hc<Api>>["api"];

/** As the platform's `fetch`, over whatever line there is to the daemon. */
export type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Builds the client over a line. `origin` is where the line leads: it matters to a browser alone. */
export const createClient = (send: Send, origin = "http://localhost"): Client =>
  // Bun's type of fetch has one more function, which is never called.
  hc<Api>(origin, { fetch: Object.assign(send, { preconnect: () => undefined }) }).api;

/** The client of a process of ours: it says what time it is, and a refusal is thrown. */
export const createCaller = ({
  fetch,
  nowMs,
  agent = null,
  thrown,
}: {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Time of the requests; null = the daemon's clock. */
  readonly nowMs: () => number | null;
  /** The agent in whose name it asks; null = a person. */
  readonly agent?: string | null;
  /** Makes what is thrown of a refusal; `failure` is null when it is none of ours. */
  readonly thrown: (failure: ApiFailure | null, status: number) => Error;
}): Client =>
  createClient(async (input, init) => {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(input.toString(), init);
    request.headers.set("content-type", "application/json");
    const now = nowMs();
    if (now !== null) request.headers.set(nowHeader, `${now}`);
    if (agent !== null) request.headers.set(agentHeader, agent);
    const response = await fetch(request);
    if (response.ok) return response;
    throw thrown(failureIn(await response.text()), response.status);
  });

// The body of a refusal.

/** Describes a refusal or failure of the API: a type for programs, a line for people. */
export interface ApiFailure {
  readonly type: string;
  readonly message: string;
}

/** The failure in an answer's text; null when it is none of ours: something else answers there. */
export function failureIn(text: string): ApiFailure | null {
  try {
    const { error } = JSON.parse(text) as { error?: { type?: unknown; message?: unknown } };
    return typeof error?.type === "string" && typeof error.message === "string"
      ? { type: error.type, message: error.message }
      : null;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}

// Records of a session under the addresses that lists and search print: prompts, checkpoints. They are no memories.

type Session = InferResponseType<Client["sessions"][":sessionId"]["$get"], 200>;

/** The text and the times of a record. */
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

export const isRecordUri = (uri: string): boolean => recordUri.test(uri.trim());

/** The record at an address; null when its session has none there. */
export async function recordAt(api: Client, uri: string): Promise<SessionRecord | null> {
  const [, sessionId = "", kind = "summary", number = ""] = recordUri.exec(uri.trim()) ?? [];
  const answer = await api.sessions[":sessionId"].$get({ param: { sessionId } });
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
