/** The HTTP app over a test service, asked as a function: over TCP or over the socket, without either. */
import type { HookEnvelope } from "#domain";
import { silentLog, systemRandom } from "#kit";
import { brotliCompressSync } from "node:zlib";
import { createLive, createServer, type Live, type ViewerFiles } from "#api/server";
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
  readonly live: Live;
  /** Lets the live feed look for news. */
  readonly tick: () => void;
}

/** A page of one script and one style, as small as they can be. */
const testViewer: ViewerFiles = {
  page: (nonce) => `<!doctype html><script nonce="${nonce}">1</script>`,
  asset: (name) =>
    name === "app-1.js"
      ? { type: "text/javascript", brotli: brotliCompressSync("let a = 1;") }
      : null,
};

export function openTestServer(
  options: {
    readonly token?: string | null;
    readonly rotateToken?: () => boolean;
    readonly accept?: (envelope: HookEnvelope) => string;
    /** Lines for the user, in each answer. */
    readonly message?: string;
    readonly viewer?: ViewerFiles | null;
    /** Events go to a real worker, as the client's own would. */
    readonly isWorking?: boolean;
    /** The importer of records; without it this is a process that only reads. */
    readonly importer?: Parameters<typeof createServer>[0]["importer"];
  } = {},
): TestServer {
  const t = openTestService();
  const accepted: TestServer["accepted"] = [];
  const ticks = new Set<() => void>();
  const live = createLive(t.service, (_, work) => {
    ticks.add(work);
    return () => void ticks.delete(work);
  });
  const accept = (envelope: HookEnvelope, via: string) => {
    const context = options.accept?.(envelope) ?? "";
    accepted.push({ envelope, via });
    const told = options.message === undefined ? {} : { message: options.message };
    return { context, fresh: true, ...told };
  };
  const app = createServer({
    service: t.service,
    live,
    ...(options.importer === undefined ? {} : { importer: options.importer }),
    viewer: options.viewer === undefined ? testViewer : options.viewer,
    port: () => testPort,
    random: systemRandom,
    clock: t.clock,
    log: silentLog,
    token: () => (options.token === undefined ? token : options.token),
    rotateToken: options.rotateToken ?? (() => true),
    accept: async (envelopes, via) =>
      options.isWorking === true
        ? t.worker.accept(envelopes, via)
        : envelopes.map((envelope) => accept(envelope, via)),
    delivered: t.worker.delivered,
  });
  return {
    t,
    app,
    accepted,
    live,
    tick: () => {
      for (const work of ticks) work();
    },
    tcp: async (path, init) => app.request(path, init, { transport: "tcp", port: testPort }),
    socket: async (path, init) => app.request(path, init, { transport: "socket" }),
    [Symbol.dispose]: () => t[Symbol.dispose](),
  };
}
