/**
 * Measures the cost of one store of a given size: the daemon's own code over a file, timed call by
 * call, and plain FTS5 over the same file to compare with. Figures are medians in ms.
 */
import { Database } from "bun:sqlite";
import {
  defaultSettings,
  homePaths,
  type FindQuery,
  type HookEnvelope,
  type Context,
} from "#domain";
import { msPerDay, silentLog, systemClock, systemRandom } from "#kit";
import { collectStartSnapshot, composePrompt, composeStart, gatherPrompt } from "#memory";
import { envelopesOfRequest } from "#hooks";
import type { Reader } from "../../../src/app/context.ts";
import { openApp } from "../../../src/app/daemon.ts";
import { openReader } from "../../../src/app/reading.ts";
import { stopWords } from "../../../src/language/query-words.ts";
import { median, percentile, round } from "../report/table.ts";
import { type Corpus, projectOf } from "./corpus.ts";
import { startedAtMs } from "./fill.ts";

export interface Timing {
  readonly p50: number;
  readonly p95: number;
}

export interface Measured {
  /** FTS5 alone: eight content words, the best ten. */
  readonly fts: Timing;
  readonly find: Timing;
  readonly search: Timing;
  readonly injection: Timing;
  readonly start: Timing;
  /** Share of questions whose memory is among the ten found: what is fast must also be right. */
  readonly found: number;
  /** Ms from opening the store to the first answer. */
  readonly openMs: number;
}

const rounds = 120;
const warmUp = 20;

export const depsFor = (home: string): Context => ({
  paths: homePaths(home),
  env: {},
  clock: systemClock,
  log: silentLog,
  random: systemRandom,
  version: "0.0.0",
  settings: { current: () => defaultSettings, warnings: () => [], isKnown: () => true },
});

export function measureReading(home: string, memories: number, corpus: Corpus): Measured {
  const opening = performance.now();
  const opened = openReader(depsFor(home), "readwrite");
  if (!opened.ok) throw new Error(opened.error.type);
  const reader = opened.value;
  const openMs = performance.now() - opening;
  const plain = new Database(homePaths(home).database, { readonly: true });
  const nowMs = startedAtMs + 365 * 3 * msPerDay;
  const questions = Array.from({ length: rounds + warmUp }, (_, n) => corpus.question(n, memories));
  const fts = plain.prepare<{ readonly rowid: number }, [string]>(
    "SELECT rowid FROM mem_fts WHERE mem_fts MATCH ? ORDER BY rank LIMIT 10",
  );
  let found = 0;
  const times: Record<"fts" | "find" | "search" | "injection" | "start", number[]> = {
    fts: [],
    find: [],
    search: [],
    injection: [],
    start: [],
  };
  // Taking turns: whatever else the machine does falls on all of them.
  for (const [n, { text, about }] of questions.entries()) {
    const isWarm = n >= warmUp;
    const time = <Value>(name: keyof typeof times, work: () => Value): Value => {
      const started = performance.now();
      const value = work();
      if (isWarm) times[name].push(performance.now() - started);
      return value;
    };
    time("fts", () => fts.all(matchAll(text)));
    const hits = time("find", () => reader.finder.find(findQuery(text, nowMs)));
    if (isWarm && hits.some(({ uri }) => uri.endsWith(`/memory-${about}`))) found += 1;
    if (n % 4 === 0) time("search", () => reader.finder.search(findQuery(text, nowMs)));
    time("injection", () => inject(reader, { prompt: `${text} ${corpus.prompt(n)}`, n, nowMs }));
    if (n % 4 === 0) time("start", () => start(reader, n, nowMs));
  }
  plain.close();
  reader.store[Symbol.dispose]();
  const timing = (name: keyof typeof times): Timing => ({
    p50: round(median(times[name])),
    p95: round(percentile(times[name], 0.95)),
  });
  return {
    fts: timing("fts"),
    find: timing("find"),
    search: timing("search"),
    injection: timing("injection"),
    start: timing("start"),
    found: round(found / rounds),
    openMs: round(openMs, 1),
  };
}

const matchAll = (text: string): string =>
  text
    .split(/[^a-z]+/)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map((word) => `"${word}"`)
    .join(" OR ");

const findQuery = (text: string, nowMs: number): FindQuery => ({
  text,
  kinds: ["memory"],
  projects: null,
  limit: 10,
  sort: "relevance",
  homeProject: null,
  nowMs,
});

interface Occasion {
  readonly prompt: string;
  readonly n: number;
  readonly nowMs: number;
}

function inject({ finder, store, embedder }: Reader, { prompt, n, nowMs }: Occasion): string {
  const evidence = gatherPrompt(
    { finder, lexical: store.lexical, embedder },
    {
      prompt,
      previousAnswer: null,
      sessionId: "bench",
      ancestors: [],
      homeProject: projectOf(n % 20),
      branch: null,
      projects: [],
      seen: new Set(),
      nowMs,
      inject: defaultSettings.inject,
    },
  );
  return composePrompt(evidence).text;
}

function start({ store }: Reader, n: number, nowMs: number): string {
  const { nodes, sessions, exposure } = store;
  return composeStart(
    collectStartSnapshot(
      { nodes, sessions, exposure },
      {
        sessionId: "bench",
        project: projectOf(n % 20),
        projectName: "bench",
        branch: "main",
        command: null,
        source: "startup",
        nowMs,
        tokensMax: defaultSettings.inject.startTokens,
      },
    ),
  ).text;
}

export interface Ingested {
  /** Events accepted, committed and worked off, per second. */
  readonly perSecond: number;
  /** The same until the acknowledgement alone. */
  readonly acceptedPerSecond: number;
  readonly searchable: boolean;
}

const turns = 300;
/** Before that, so that the code is compiled and the caches are filled, as in a daemon that has run for an hour. */
const turnsBefore = 60;
/** As recorded sessions have it; one prompt in five asks to remember something. */
const toolsPerTurn = 8;
const turnsPerSignal = 5;
const turnsPerSession = 15;
/** The size of a group commit from a busy socket. */
const batch = 32;

/** Turns of a session through the application, as the socket hands them over, until their memories are found. */
export async function measureIngest(home: string, corpus: Corpus): Promise<Ingested> {
  const opened = openApp(depsFor(home), {
    take: () => Promise.reject(new Error("nothing is sent")),
    wakeWorker: () => {},
    stop: () => {},
    port: () => null,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  const app = opened.value;
  // Only what the events bring is worked off: the daily upkeep of a large store is not what is measured.
  const workOff = async (): Promise<void> => {
    while ((app.pendingJobs?.() ?? 0) > 0) await app.work();
  };
  const events = Array.from({ length: turnsBefore + turns }, (_, n) => turnOf(n, corpus));
  const accept = async (some: readonly HookEnvelope[]): Promise<void> => {
    for (let at = 0; at < some.length; at += batch)
      await app.commit(some.slice(at, at + batch), "socket");
  };
  await accept(events.slice(0, turnsBefore).flat());
  await workOff();
  const measured = events.slice(turnsBefore).flat();
  const started = performance.now();
  await accept(measured);
  const accepted = performance.now() - started;
  await workOff();
  const done = performance.now() - started;
  const answer = await app.fetch(
    new Request("http://localhost/api/search?q=quixotic+mango+port"),
    "socket",
  );
  const searchable = (await answer.text()).includes("quixotic");
  await app.close();
  return {
    perSecond: Math.round((measured.length * 1_000) / done),
    acceptedPerSecond: Math.round((measured.length * 1_000) / accepted),
    searchable,
  };
}

const eventOf: Readonly<Record<string, string>> = {
  UserPromptSubmit: "submit",
  PostToolUse: "tool",
  Stop: "stop",
};

function turnOf(n: number, corpus: Corpus): readonly HookEnvelope[] {
  const ids = {
    session_id: `ingest-${Math.floor(n / turnsPerSession)}`,
    prompt_id: `p${n}`,
    cwd: "/home/dev/none",
  };
  const tools = Array.from({ length: toolsPerTurn }, (_, tool) => ({
    ...ids,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_use_id: `t${n}-${tool}`,
    tool_input: { command: `make check-${n}-${tool}`, description: "Run a check" },
    tool_response: { stdout: "ok ".repeat(100), stderr: "", interrupted: false },
  }));
  return [
    {
      ...ids,
      hook_event_name: "UserPromptSubmit",
      prompt:
        n % turnsPerSignal === 0
          ? `Remember that the quixotic ${corpus.prompt(n)} listens on port ${4_000 + n}.`
          : `Look why the ${corpus.prompt(n)}`,
    },
    ...tools,
    {
      ...ids,
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: `The check passes. ${corpus.prompt(n + 10_000)}.`,
    },
  ].flatMap(
    (body, step) =>
      envelopesOfRequest({
        body,
        event: eventOf[body.hook_event_name] ?? "",
        nowMs: startedAtMs + n * 60_000 + step * 1_000,
        invocation: `${n}-${step}`,
      }) ?? [],
  );
}
