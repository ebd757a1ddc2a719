/** The HTTP app over a test service, asked as a function: over TCP or over the socket, without either. */
import type { HookEnvelope } from "#domain";
import { silentLog } from "#kit";
import { createServer } from "#server";
import { openTestService, type TestService } from "./service.ts";

export const token = "a1".repeat(32);
export const testPort = 37_777;

export interface TestServer extends Disposable {
  readonly t: TestService;
  readonly app: ReturnType<typeof createServer>;
  readonly tcp: (path: string, init?: RequestInit) => Promise<Response>;
  readonly socket: (path: string, init?: RequestInit) => Promise<Response>;
  /** Events that were accepted, with the way they came. */
  readonly accepted: { readonly envelope: HookEnvelope; readonly via: string }[];
}

const envelopeOf = (payload: Readonly<Record<string, unknown>>): HookEnvelope => ({
  v: 1,
  hook: "submit",
  clientEvent: "UserPromptSubmit",
  key: "k",
  contentHash: "h",
  anonymous: false,
  atMs: 1,
  replayed: false,
  gated: false,
  payload,
});

/** Known payloads become one prompt event; a payload that says `unknown` is an event nobody knows. */
export function openTestServer(
  options: {
    readonly token?: string | null;
    readonly accept?: (envelope: HookEnvelope) => string;
  } = {},
): TestServer {
  const t = openTestService();
  const accepted: TestServer["accepted"] = [];
  const app = createServer({
    service: t.service,
    clock: t.clock,
    log: silentLog,
    token: () => (options.token === undefined ? token : options.token),
    accept: (envelope, via) => {
      const context = options.accept?.(envelope) ?? "";
      accepted.push({ envelope, via });
      return { context, fresh: true };
    },
    toEnvelopes: (payload, event) => (event === "unknown" ? [] : [envelopeOf(payload)]),
  });
  return {
    t,
    app,
    accepted,
    tcp: async (path, init) => app.request(path, init, { transport: "tcp", port: testPort }),
    socket: async (path, init) => app.request(path, init, { transport: "socket" }),
    [Symbol.dispose]: () => t[Symbol.dispose](),
  };
}
