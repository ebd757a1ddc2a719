/** Declares the fuzzer's targets: each target takes any case and must end without throwing. */
import { isRecord, type Json } from "#kit";
import { Database } from "bun:sqlite";
import * as fc from "fast-check";
import { hookAdapter, hookedAgents } from "#clients";
import { routes } from "#api/server";
import { envelopesOf, envelopesOfRequest, resolveEvent } from "#hooks";
import { readSettings, settingKeys } from "#config";
import { canonicalUri } from "../../src/memory/tree/slug.ts";
import { parseTranscriptLine } from "../../src/clients/claude-code/transcript/parse.ts";
import { jsonIn } from "../../src/models/llm/read-json.ts";
import { condense, sessionPrompt } from "#models";
import { oddValue as value, recordOf, word, type Target } from "./cases.ts";
import { doors } from "./doors.ts";
import { matchAny, matchTerm } from "../../src/store/counts.ts";

const clientEvents = [
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolBatch",
  "Stop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "BeforeAgent",
  "AfterTool",
  "userPromptSubmitted",
  "chat.message",
];
const hookFields = [
  "session_id",
  "sessionId",
  "cwd",
  "hook_event_name",
  "prompt",
  "prompt_id",
  "tool_name",
  "tool_input",
  "tool_response",
  "tool_calls",
  "transcript_path",
  "source",
  "reason",
  "trigger",
  "last_assistant_message",
  "timestamp",
  "toolName",
  "toolArgs",
  "toolResult",
  "finalMessage",
];

const hook: Target = {
  name: "hook payloads",
  cases: fc.record({
    agent: fc.constantFrom("claude", "cursor", ...hookedAgents),
    named: fc.oneof(
      fc.constantFrom("submit", "tool", "stop", "start", "end", "compact", ...clientEvents),
      fc.constant(null),
    ),
    payload: fc
      .tuple(recordOf(hookFields), fc.constantFrom(...clientEvents), fc.boolean())
      .map(([record, name, isNamed]) =>
        isNamed ? { session_id: "s-1", ...record, hook_event_name: name } : record,
      ),
  }),
  feed: async ({
    agent,
    named,
    payload,
  }: {
    readonly agent: string;
    readonly named: string | null;
    readonly payload: Json;
  }) => {
    const input = { nowMs: 1, replayed: false, startedAtMs: null, invocation: "0" };
    const given = JSON.parse(JSON.stringify(payload)) as Json;
    for (const { payload: told, event } of (await hookAdapter(agent)?.read(given, named)) ?? [])
      envelopesOf(told, { ...input, event });
    const event = resolveEvent(named ?? "submit", given);
    if (event !== null && "clientEvent" in event) envelopesOf(given, { ...input, event });
    envelopesOfRequest({
      body: given,
      event: named ?? "submit",
      nowMs: 1,
      invocation: "0",
    });
  },
};

const transcript: Target = {
  name: "transcript lines",
  cases: fc.oneof(
    word,
    recordOf([
      "type",
      "uuid",
      "parentUuid",
      "timestamp",
      "sessionId",
      "message",
      "isSidechain",
      "summary",
      "toolUseResult",
      "origin",
    ]).chain((record) =>
      fc
        .record({
          type: fc.constantFrom("user", "assistant", "system", "summary"),
          content: fc.oneof(
            value,
            fc.array(
              recordOf([
                "type",
                "text",
                "id",
                "name",
                "input",
                "tool_use_id",
                "content",
                "is_error",
                "thinking",
              ]),
              { maxLength: 4 },
            ),
          ),
        })
        .map(({ type, content }) =>
          JSON.stringify({ ...record, type, message: { role: type, content } }),
        ),
    ),
  ),
  feed: (line: string) => void parseTranscriptLine(line, 1),
};

const config: Target = {
  name: "config.toml and environment",
  cases: fc.tuple(
    fc.oneof(
      word,
      fc
        .array(fc.tuple(fc.constantFrom(...settingKeys.map(({ key }) => key)), value), {
          maxLength: 6,
        })
        .map((pairs) => pairs.map(([key, one]) => `${key} = ${JSON.stringify(one)}`).join("\n")),
    ),
    recordOf(["CONTINUITY_PORT", "CONTINUITY_LLM", "CONTINUITY_INJECT_PROMPT"]),
  ),
  feed: ([text, env]: [string, Record<string, unknown>]) => {
    const words = Object.fromEntries(
      Object.entries(env).map(([name, one]) => [name, JSON.stringify(one)]),
    );
    readSettings({ path: "/c", env: words, readFile: () => text });
  },
};

const uri: Target = {
  name: "URIs",
  cases: fc.oneof(
    word,
    fc
      .array(
        fc.constantFrom("..", ".", "%2e", "/", "\\", "mem://", "Ä", "部", "%", "．", "℀", "a", " "),
        { maxLength: 14 },
      )
      .map((parts) => parts.join("")),
  ),
  feed: (text: string) => {
    const read = canonicalUri(text);
    if (read !== null && canonicalUri(read) !== read)
      throw new Error(`not its own spelling: ${read}`);
  },
};

const index = new Database(":memory:");
index.run(
  "CREATE VIRTUAL TABLE words USING fts5 (text, tokenize='porter unicode61 remove_diacritics 2')",
);
index.run("INSERT INTO words VALUES ('the plotter listens on port 9107')");
const search = index.prepare("SELECT rowid FROM words WHERE words MATCH ?");
const query: Target = {
  name: "search expressions",
  cases: fc.array(
    fc.oneof(word, fc.constantFrom("AND", "OR", "NEAR(", "*", '"', "^a", "a:b", "-", "plotter")),
    { maxLength: 6 },
  ),
  feed: (terms: readonly string[]) => {
    const text = matchAny(
      terms
        .filter((term) => /[\p{L}\p{N}]/u.test(term))
        .map((term) => term.replaceAll("\u0000", "")),
    );
    if (text !== null) search.all(text);
    if (terms[0] !== undefined) matchTerm(terms[0]);
  },
};

const schemas = Object.values(routes).flatMap((route) =>
  ["query", "param", "body"].flatMap((part) => {
    const schema: unknown = (route as unknown as Readonly<Record<string, unknown>>)[part];
    return typeof schema === "object" && schema !== null && "safeParse" in schema
      ? [schema as { readonly safeParse: (given: unknown) => unknown }]
      : [];
  }),
);
const api: Target = {
  name: "API requests",
  cases: fc.tuple(
    fc.nat(),
    recordOf([
      "uri",
      "project",
      "limit",
      "offset",
      "text",
      "query",
      "category",
      "since",
      "until",
      "session",
      "id",
      "action",
      "value",
      "key",
      "cursor",
    ]),
  ),
  feed: ([at, body]: [number, unknown]) => void schemas[at % schemas.length]?.safeParse(body),
};

const asked = {
  project: "p",
  branch: null,
  from: "2026-03-02",
  to: "2026-03-02",
  record: condense(
    [{ n: 1, prompt: "which port?", answer: "9107", interrupted: false, files: [], tools: [] }],
    null,
  ),
  previous: null,
  known: [],
  agentSaves: false,
  typedBefore: [],
  memoriesMax: 5,
  hasSecret: () => false,
};
const replies: Target = {
  name: "model replies",
  cases: fc.oneof(
    word,
    fc.jsonValue().map((one) => JSON.stringify(one)),
    recordOf(["title", "outcome", "open", "branch", "memories", "wrong", "same"]).map(
      (one) => `Sure:\n\`\`\`json\n${JSON.stringify(one)}\n\`\`\``,
    ),
  ),
  feed: (text: string) => {
    const read = jsonIn(text);
    if (!read.ok || !isRecord(read.value)) return;
    sessionPrompt.parse(read.value, asked);
  },
};

export const targets: readonly Target[] = [
  hook,
  transcript,
  config,
  uri,
  query,
  api,
  replies,
  ...doors,
];
