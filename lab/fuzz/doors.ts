/**
 * The fuzzer's targets that need a real store or a real server: import files, MCP messages, entries of other devices. A
 * case is a record that is good, with some of its values replaced.
 */
import * as fc from "fast-check";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ImportSource } from "#domain";
import { exportLines, SourceFailure } from "#exchange";
import { stoppedClock } from "#kit";
import { createMcp, serveLines } from "#mcp";
import { answerPeer } from "../../src/exchange/sync/log/peer.ts";
import { act, createDevice, seeded, tell } from "../../test/support/sync/devices.ts";
import { openTestImport, type TestImport } from "../../test/support/import/open.ts";
import { writeTranscripts } from "../../test/support/import/transcripts.ts";
import { oddValue, replaced, word, type Target } from "./cases.ts";
import { segments } from "./segments.ts";

type Edit = readonly [at: number, how: "replace" | "drop" | "double" | "cut", value: unknown];

/** The edits of a file's lines: values replaced, lines left out, doubled or cut. */
const edits = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom("replace", "replace", "drop", "double", "cut"), oddValue),
  { minLength: 1, maxLength: 5 },
) as fc.Arbitrary<readonly Edit[]>;

function edited(lines: readonly string[], all: readonly Edit[]): string {
  const now = [...lines];
  for (const [at, how, value] of all) {
    const line = at % Math.max(1, now.length);
    const text = now[line] ?? "";
    if (how === "replace") now[line] = replaced(text, Math.floor(at / now.length), value);
    else if (how === "cut") now[line] = text.slice(0, at % (text.length + 1));
    else now.splice(line, how === "drop" ? 1 : 0, ...(how === "drop" ? [] : [text]));
  }
  return now.join("\n");
}

const linesOf = (path: string): readonly string[] => readFileSync(path, "utf8").split("\n");
const recorded = join(import.meta.dir, "../../test/support/agents/sessions");

interface Good {
  readonly source: ImportSource;
  /** Below the folder that is imported, as the agent names its files. */
  readonly name: string;
  readonly lines: readonly string[];
}

/** `goodFiles` gives real content for each source that is text. */
function goodFiles(t: TestImport): readonly Good[] {
  const folder = join(t.folder, "good");
  writeTranscripts({ folder, seed: 7, bytes: 20_000, outputBytes: 200, projects: 1 });
  const of = (source: ImportSource, path: string, name: string): Good => ({
    source,
    name,
    lines: linesOf(path),
  });
  const [project = ""] = readdirSync(folder);
  const transcripts = readdirSync(join(folder, project))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => of("claude-code", join(folder, project, name), join(project, name)));
  const agents = (["codex", "gemini", "copilot"] as const).flatMap((agent) =>
    readdirSync(join(recorded, agent))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => of(agent, join(recorded, agent, name), fileNameOf[agent](name))),
  );
  const graph = [
    { type: "entity", name: "Mara_Lind", entityType: "person", observations: ["Speaks Danish"] },
    { type: "relation", from: "Mara_Lind", relationType: "works_at", to: "Quayside" },
  ].map((one) => JSON.stringify(one));
  return [...transcripts, ...agents, { source: "mcp-memory", name: "memory.jsonl", lines: graph }];
}

const fileNameOf = {
  codex: (name: string) => join("sessions", `rollout-2026-02-03T10-00-00-${name}`),
  gemini: (name: string) => join("tmp", "shop", "chats", name),
  copilot: (name: string) =>
    join("session-state", name.replace(/\.events\.jsonl$/, ""), "events.jsonl"),
} as const;

/** Opened with the first case, and again after some: a store that grows takes its time for each. */
const casesOfStore = 400;
let opened: { t: TestImport; files: readonly Good[]; used: number } | null = null;

function store(): NonNullable<typeof opened> {
  if (opened !== null && opened.used >= casesOfStore) {
    opened.t[Symbol.dispose]();
    opened = null;
  }
  if (opened === null) {
    const t = openTestImport();
    opened = { t, files: goodFiles(t), used: 0 };
  }
  opened.used += 1;
  return opened;
}

const imports: Target = {
  name: "import files",
  share: 0.01,
  cases: fc.tuple(fc.nat(), edits),
  feed: async ([at, all]: [number, readonly Edit[]]) => {
    const { t, files, used } = store();
    const good = files[at % files.length];
    if (good === undefined) throw new Error("no file to begin with");
    const folder = join(t.folder, `case-${used}`);
    const path = join(folder, good.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edited(good.lines, all));
    await taken(t, good.source, good.source === "mcp-memory" ? path : folder);
  },
};

const exports: Target = {
  name: "our own exports",
  share: 0.01,
  cases: edits,
  feed: async (all: readonly Edit[]) => {
    const { t, files, used } = store();
    const [first] = files;
    if (t.store.nodes.list({ projects: null }, "uri", { limit: 1 }).length === 0)
      await t.run("claude-code", join(t.folder, "good"));
    if (first === undefined) throw new Error("no file to begin with");
    const pieces: string[] = [];
    exportLines(t.store.portable.records(), (piece) => void pieces.push(piece));
    const lines = pieces.join("").trimEnd().split("\n");
    const path = join(t.folder, `export-${used}.jsonl`);
    writeFileSync(path, edited(lines.slice(0, 60), all));
    await taken(t, "continuity", path);
  },
};

/** One clear line may say why it was not taken; nothing else may be thrown. */
async function taken(t: TestImport, source: ImportSource, path: string): Promise<void> {
  try {
    await t.run(source, path);
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.message.includes("\n")) throw error;
  }
}

const tools = ["memory_search", "memory_get", "memory_tree", "memory_remember", "memory_forget"];
const emptyPage = { uri: "mem://", items: [], total: 0, next_cursor: null };
const mcp = createMcp({
  clock: stoppedClock(0),
  connect: async () => ({ fetch: async () => Response.json(emptyPage) }),
  project: () => null,
  whyNotKept: () => null,
  session: null,
  scope: "write",
  program: "continuity",
  version: "1.2.3",
});
const call = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "memory_search", arguments: { query: "port", project: "shop", limit: 3 } },
};
const begin = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
});

const messages: Target = {
  name: "MCP messages",
  share: 0.05,
  cases: fc.array(
    fc.oneof(
      word,
      fc.tuple(fc.constantFrom(...tools), fc.nat(), oddValue).map(([name, at, by]) => {
        const named = { ...call, params: { ...call.params, name } };
        return replaced(JSON.stringify(named), at, by);
      }),
      fc.tuple(fc.nat(), oddValue).map(([at, by]) => replaced(begin, at, by)),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  feed: async (lines: readonly string[]) => {
    async function* input(): AsyncGenerator<string> {
      yield begin;
      // A client sends a message a line.
      for (const line of lines) yield line.replaceAll("\n", " ");
    }
    let answers = 0;
    await serveLines(mcp, {
      input: input(),
      write: (line) => {
        const answer = JSON.parse(line) as Readonly<Record<string, unknown>>;
        if (answer["jsonrpc"] !== "2.0") throw new Error(`no answer: ${line}`);
        answers += 1;
      },
    });
    if (answers === 0) throw new Error("the first message has no answer");
  },
};

/** `told` gives the entries of a device in a short life, and a device that they are told to. */
const told = (): readonly string[] => {
  using device = createDevice(1);
  const pick = seeded(5);
  for (let step = 0; step < 60; step += 1) {
    act(device, pick);
    device.wait(60_000);
  }
  tell(device);
  return device.told.flat().map((entry) => JSON.stringify(entry));
};
let entries: readonly string[] | null = null;
let listener: { device: ReturnType<typeof createDevice>; used: number } | null = null;

const synced: Target = {
  name: "entries of other devices",
  share: 0.05,
  cases: fc.array(fc.tuple(fc.nat(), fc.nat(), oddValue), { minLength: 1, maxLength: 4 }),
  feed: (all: readonly (readonly [number, number, unknown])[]) => {
    entries ??= told();
    if (listener !== null && listener.used >= casesOfStore) {
      listener.device[Symbol.dispose]();
      listener = null;
    }
    listener ??= { device: createDevice(2), used: 0 };
    listener.used += 1;
    const given = all.map(([at, place, by]) => {
      const text = replaced(entries?.[at % entries.length] ?? "", place, by);
      return JSON.parse(text) as unknown;
    });
    answerPeer(listener.device.deps, { ask: "apply", entries: given, head: null });
  },
};

export const doors: readonly Target[] = [imports, exports, messages, synced, ...segments];
