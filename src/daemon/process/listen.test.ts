/** Tests the loopback port's answers to requests that no client of ours would send. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { silentLog } from "#kit";
import { createParts } from "./parts.ts";
import { listenOnTcp, type TcpListener } from "./run.ts";
import { tcpHandler } from "./routes.ts";
import { testApp, testContext, testHome } from "../../../test/support/daemon.ts";

const home = testHome();
afterAll(() => home[Symbol.dispose]());

const listeners: TcpListener[] = [];
afterEach(() => listeners.splice(0).forEach((listener) => listener.cut()));

function listen(handler: Parameters<typeof listenOnTcp>[2]): number {
  const listener = listenOnTcp({ log: silentLog }, 0, handler);
  if (listener === null) throw new Error("no free port");
  listeners.push(listener);
  return listener.port;
}

/** Sends bytes as they are; resolves to everything that comes back. */
const exchange = async (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    void Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: (socket) => void socket.write(text),
        data: (_, bytes) => void (answer += bytes.toString()),
        close: () => resolve(answer),
        error: (_, error) => reject(error),
      },
    }).catch(reject);
  });

function open(status = 200) {
  let touched = 0;
  const asked: string[] = [];
  const fetch = (request: Request): Response => {
    asked.push(request.url);
    return new Response("told", { status });
  };
  const options = { idleExitMs: null, stop: () => undefined };
  const parts = createParts(testContext(home), testApp({ fetch }), options);
  const touch = (): void => void (touched += 1);
  const handler = tcpHandler({ ...parts, touch });
  return { port: listen(handler), asked, touched: () => touched };
}

test.each([
  "GET /api/status HTTP/1.0\r\n\r\n",
  "GET /api/status HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
])(
  "a request without a host is refused without a word, and reaches no handler: %j",
  async (request) => {
    const { port, asked, touched } = open();
    const answer = await exchange(port, request);
    expect(answer).toMatch(/^HTTP\/1\.[01] 400 /);
    expect(answer.split("\r\n\r\n")[1]).toBe("");
    expect({ asked, touched: touched() }).toEqual({ asked: [], touched: 0 });
  },
);

test("a handler that throws tells strangers nothing of its source", async () => {
  const port = listen(() => {
    throw new Error("the inside story");
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.status, await response.text()]).toEqual([500, ""]);
});

test.each([
  { status: 200, path: "/api/status", touches: 1 },
  { status: 404, path: "/api/status", touches: 1 },
  { status: 401, path: "/api/status", touches: 0 },
  { status: 403, path: "/api/status", touches: 0 },
  { status: 429, path: "/api/status", touches: 0 },
  { status: 200, path: "/api/health", touches: 0 },
])(
  "$path answered with $status keeps the daemon alive $touches times",
  async ({ status, path, touches }) => {
    const { port, touched } = open(status);
    await fetch(`http://127.0.0.1:${port}${path}`);
    expect(touched()).toBe(touches);
  },
);
