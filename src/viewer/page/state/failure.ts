/** Says why a request to the daemon brought nothing, in the words that views decide by. */
export interface Failure {
  /**
   * `locked`: no token, or one that the daemon does not know. `offline`: nobody answers. `refused`: the daemon said no,
   * with a reason for people.
   */
  readonly kind: "locked" | "offline" | "refused";
  /** Dotted type of the API, such as `memory.not-found`; empty when it never answered. */
  readonly type: string;
  readonly message: string;
}

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** The part of the typed client's answer that is read here. */
export interface Reply<Value> {
  readonly ok: boolean;
  readonly status: number;
  readonly json: () => Promise<Value>;
}

/** The value of a reply, or why there is none. Never rejects. */
export async function answerOf<Value>(pending: Promise<Reply<Value>>): Promise<Answer<Value>> {
  let reply: Reply<Value>;
  try {
    reply = await pending;
  } catch {
    const message = "The daemon does not answer.";
    return { ok: false, failure: { kind: "offline", type: "", message } };
  }
  if (!reply.ok) return { ok: false, failure: await failureOf(reply) };
  try {
    return { ok: true, value: await reply.json() };
  } catch {
    const message = "Could not read the daemon's response.";
    return { ok: false, failure: { kind: "refused", type: "", message } };
  }
}

/** Statuses that mean: this token does not open the door. */
const lockedStatuses: ReadonlySet<number> = new Set([401, 429]);

async function failureOf(reply: Reply<unknown>): Promise<Failure> {
  const body: unknown = await reply.json().catch(() => null);
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : {};
  const type = typeof error["type"] === "string" ? error["type"] : "";
  const said = typeof error["message"] === "string" ? error["message"] : "";
  const isLocked = lockedStatuses.has(reply.status) && type.startsWith("auth.");
  return {
    kind: isLocked ? "locked" : "refused",
    type,
    message: said === "" ? `The daemon returned status ${reply.status}.` : said,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
