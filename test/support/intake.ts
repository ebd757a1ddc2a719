/** A real daemon in this process, and the ways by which events reach it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../../src/app/daemon.ts";
import { envelopesOfRequest } from "../../src/hooks/envelope.ts";
import { spoolEvents } from "../../src/hooks/spool-events.ts";
import { runDaemon } from "../../src/daemon/process/run.ts";
import {
  defaultSettings,
  homePaths,
  type HomePaths,
  type HookEnvelope,
  type Settings,
} from "../../src/domain/index.ts";
import { silentLog, systemRandom } from "../../src/kit/index.ts";
import { leavesNoRecord } from "../../src/memory/index.ts";
import { createGate } from "../../src/privacy/index.ts";

/** By the socket, by TCP as an envelope or as the client's own payload, or by a spool that is drained later. */
export const ways = ["socket", "http envelope", "http payload", "spool"] as const;
export type Way = (typeof ways)[number];

type Payload = Readonly<Record<string, unknown>> & { readonly hook_event_name: string };

export interface IntakeHome extends AsyncDisposable {
  readonly paths: HomePaths;
  /** Sends one event of session `s1`; resolves to the context that it was answered with. */
  readonly send: (event: string, fields?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Sends events as one batch of envelopes, which over TCP claim to be gated; resolves to the answer. */
  readonly sendAll: (events: readonly Payload[]) => Promise<unknown>;
  /** Confirms the answers to events, as a hook does. */
  readonly confirm: (keys: readonly string[]) => Promise<Response>;
  /** Leaves an event in the spool, as a hook does that the daemon did not answer in time. */
  readonly spool: IntakeHome["send"];
  /** Ends the daemon and starts another, which knows only what is on disk. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Does all waiting work. */
  readonly settle: () => Promise<void>;
  readonly get: (path: string) => Promise<string>;
  /** Asks the daemon for a change, by its socket. */
  readonly ask: (path: string, body: unknown) => Promise<Response>;
  /** Files of the home that hold a text, the embedding model aside. */
  readonly holding: (text: string) => readonly string[];
}

const startMs = Date.parse("2026-03-02T09:00:00Z");

export function openIntake(way: Way, change: Partial<Settings> = {}): IntakeHome {
  const root = mkdtempSync(join(tmpdir(), "continuity-intake-"));
  const paths = homePaths(root);
  const cwd = mkdtempSync(join(tmpdir(), "continuity-project-"));
  let nowMs = startMs;
  const settings: Settings = { ...defaultSettings, ...change };
  const clock = { nowMs: () => (nowMs += 1_000) };
  const deps = {
    paths,
    env: {},
    clock,
    log: silentLog,
    random: systemRandom,
    version: "1.0.0",
    settings: { current: () => settings, warnings: () => [], isKnown: () => true },
  };
  let running: { readonly stop: () => void; readonly ended: Promise<unknown> } | null = null;
  const start = async (): Promise<void> => {
    if (running !== null) return;
    const up = Promise.withResolvers<(reason: string) => void>();
    const ended = runDaemon(deps, {
      port: 0,
      idleExitMs: null,
      openApp: (control) => {
        const opened = openApp(deps, control);
        if (!opened.ok) throw new Error(JSON.stringify(opened.error));
        return opened.value;
      },
      onStopSignal: up.resolve,
    });
    const failed = ended.then((outcome) => {
      throw new Error(JSON.stringify(outcome));
    });
    failed.catch(() => undefined);
    const stop = await Promise.race([up.promise, failed]);
    running = { stop: () => stop("test"), ended };
  };
  const stop = async (): Promise<void> => {
    running?.stop();
    await running?.ended;
    running = null;
  };
  const socket = (path: string, init: RequestInit = {}): Promise<Response> => {
    const { socket: unix } = JSON.parse(readFileSync(paths.daemonJson, "utf8")) as {
      readonly socket: string;
    };
    return fetch(`http://continuity${path}`, { ...init, unix });
  };
  const tcp = (path: string, body: unknown): Promise<Response> => {
    const { port } = JSON.parse(readFileSync(paths.daemonJson, "utf8")) as {
      readonly port: number;
    };
    const token = readFileSync(paths.token, "utf8").trim();
    return fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  };
  const post = { method: "POST", headers: { "content-type": "application/json" } } as const;
  const payloadOf = (event: string, fields: Readonly<Record<string, unknown>> = {}): Payload => ({
    session_id: "s1",
    cwd,
    hook_event_name: event,
    ...fields,
  });
  const envelopesIn = (payload: Payload): readonly HookEnvelope[] =>
    envelopesOfRequest({
      body: payload,
      event: payload.hook_event_name,
      nowMs: clock.nowMs(),
      invocation: systemRandom.hex(16),
    }) ?? [];
  const spool = (payload: Payload): string => {
    const gate = createGate({ redact: [] });
    const spooled = spoolEvents(
      { paths, gate, settings, env: {}, arrivalMs: clock.nowMs(), leavesNoRecord },
      envelopesIn(payload),
    );
    if (spooled.type === "refused") throw new Error(spooled.why);
    return "";
  };
  const send = async (payload: Payload): Promise<string> => {
    const event = payload.hook_event_name;
    if (way === "spool") {
      await stop();
      return spool(payload);
    }
    const envelopes = envelopesIn(payload);
    await start();
    if (way === "socket") {
      const body = JSON.stringify(envelopes[0]);
      const response = await socket(`/api/hooks/${event}`, { ...post, body });
      return ((await response.json()) as { readonly context: string }).context;
    }
    const response = await tcp(
      `/api/hooks/${event}`,
      way === "http payload" ? payload : envelopes[0],
    );
    const answer = (await response.json()) as {
      readonly context?: string;
      readonly hookSpecificOutput?: { readonly additionalContext: string };
    };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer.context ?? answer.hookSpecificOutput?.additionalContext ?? "";
  };
  const batch = (path: string, body: unknown): Promise<Response> =>
    way === "socket" ? socket(path, { ...post, body: JSON.stringify(body) }) : tcp(path, body);
  return {
    paths,
    send: (event, fields) => send(payloadOf(event, fields)),
    sendAll: async (events) => {
      await start();
      const isSocket = way === "socket";
      const envelopes = events
        .flatMap(({ hook_event_name: event, ...fields }) => envelopesIn(payloadOf(event, fields)))
        .map((envelope) => Object.assign(envelope, { gated: !isSocket }));
      return (await batch("/api/hooks/tool", envelopes)).json();
    },
    confirm: async (keys) => batch("/api/hooks/delivered", keys),
    spool: async (event, fields) => spool(payloadOf(event, fields)),
    restart: async () => {
      await stop();
      await start();
    },
    stop,
    settle: async () => {
      await start();
      await socket("/api/flush", { ...post, body: JSON.stringify({ timeoutMs: 10_000 }) });
    },
    get: async (path) => {
      await start();
      return (await socket(path)).text();
    },
    ask: async (path, body) => {
      await start();
      return socket(path, { ...post, body: JSON.stringify(body) });
    },
    holding: (text) =>
      filesIn(root)
        .filter((path) => readFileSync(path).includes(text))
        .map((path) => path.slice(root.length + 1)),
    [Symbol.asyncDispose]: async () => {
      await stop();
      for (const folder of [root, cwd]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
