import { expect, test } from "bun:test";
import { survey, type SurveyFiles } from "./survey.ts";

const env = { HOME: "/home/nadia" };

/** A machine that holds these files. */
const machine = (
  files: Readonly<Record<string, string>>,
  known: readonly string[] = [],
): SurveyFiles => ({
  countKnown: (ids) => ids.filter((id) => known.includes(id)).length,
  text: (path) => files[path] ?? null,
  exists: (path) => path in files,
  names: (path) => [
    ...new Set(
      Object.keys(files)
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => file.slice(path.length + 1).split("/")[0] ?? ""),
    ),
  ],
});

const settings = "/home/nadia/.claude/settings.json";
const hook = (event: string, command: string): string =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: "command", command }] }] } });

test.each([
  {
    name: "a hook",
    files: { [settings]: hook("SessionStart", "node ~/.claude-mem/worker.js # claude-mem") },
    seen: ["hooks"],
    says: "take its hooks out",
  },
  {
    name: "a plugin",
    files: { [settings]: '{"enabledPlugins":{"claude-mem@thedotmack":true}}' },
    seen: ["plugin"],
    says: "claude plugin disable claude-mem@thedotmack",
  },
  {
    name: "an MCP server",
    files: { "/home/nadia/.claude.json": '{"mcpServers":{"claude-mem":{"command":"npx"}}}' },
    seen: ["MCP server"],
    says: "it can stay",
  },
  {
    name: "a byte order mark before a hook",
    files: { [settings]: `\ufeff${hook("Stop", "claude-mem save")}` },
    seen: ["hooks"],
    says: "each prompt then gets memories from both",
  },
])("claude-mem is found by $name, with what to do", ({ files, seen, says }) => {
  const { others } = survey(machine(files), env, null);
  expect(others).toMatchObject([{ name: "claude-mem", seen }]);
  expect(others[0]?.advice).toContain(says);
});

test.each([
  {
    name: "a plugin that is off",
    files: { [settings]: '{"enabledPlugins":{"claude-mem@x":false}}' },
  },
  { name: "a linter", files: { [settings]: hook("PostToolUse", "eslint claude-mem.ts") } },
  { name: "our own hooks", files: { [settings]: hook("Stop", "/opt/continuity hook stop") } },
  { name: "broken settings", files: { [settings]: '{"enabledPlugins": {"claude-mem' } },
  { name: "nothing", files: {} },
])("nobody is found by $name", ({ files }) => {
  expect(survey(machine(files as Record<string, string>), env, null)).toEqual({
    others: [],
    importable: [],
  });
});

test("a project's tools are found where the project is asked about", () => {
  const files = machine({
    "/home/ada/api/.mcp.json": '{"mcpServers":{"m":{"command":"mem0-mcp"}}}',
  });
  expect(survey(files, env, "/home/ada/api").others).toMatchObject([{ name: "mem0" }]);
  expect(survey(files, env, null).others).toEqual([]);
});

test("what could be imported is counted: claude-mem, transcripts, the client's own notes", () => {
  const projects = "/home/nadia/.claude/projects";
  const files = machine({
    "/home/nadia/.claude-mem/claude-mem.db": "",
    [`${projects}/-work-api/a.jsonl`]: "",
    [`${projects}/-work-api/b.jsonl`]: "",
    [`${projects}/-work-api/memory/MEMORY.md`]: "",
    [`${projects}/-work-web/c.jsonl`]: "",
  });
  expect(survey(files, env, null).importable).toEqual([
    { from: "claude-mem", what: "claude-mem's memories (/home/nadia/.claude-mem/claude-mem.db)" },
    { from: "claude-code", what: "3 past sessions and 1 MEMORY.md file of Claude Code" },
  ]);
});

test("transcripts of sessions that were captured are not offered", () => {
  const projects = "/home/nadia/.claude/projects";
  const files = { [`${projects}/-work-api/a.jsonl`]: "", [`${projects}/-work-web/c.jsonl`]: "" };
  expect(survey(machine(files, ["a"]), env, null).importable).toEqual([
    { from: "claude-code", what: "1 past session of Claude Code" },
  ]);
  expect(survey(machine(files, ["a", "c"]), env, null).importable).toEqual([]);
});
