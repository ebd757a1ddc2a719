import { describe, expect, test } from "bun:test";
import { hookEntryFor, registeredEvents } from "./hooks.ts";
import { planInstall, planUninstall, textHash, undone } from "./plan.ts";

const binary = "/opt/tools/continuity";
const otherHook = { type: "command", command: "/usr/local/bin/lint-on-save", timeout: 10 };

/** Settings as people and tools leave them; each is one way to be formatted. */
const settingsTexts: readonly { readonly name: string; readonly text: string }[] = [
  { name: "an empty object", text: "{}" },
  { name: "an empty object with a line end", text: "{}\n" },
  { name: "an empty object with inner space", text: "{ \n }\n" },
  { name: "two spaces", text: '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n' },
  { name: "four spaces, no line end", text: '{\n    "model": "opus"\n}' },
  { name: "tabs", text: '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n' },
  { name: "CRLF", text: '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n' },
  { name: "a byte order mark", text: '\ufeff{\n  "model": "opus"\n}\n' },
  { name: "one compact line", text: '{"model":"opus","permissions":{"allow":["Bash(ls)"]}}' },
  { name: "one spaced line", text: '{ "model": "opus", "hooks": { "Stop": [] } }\n' },
  { name: "commas in front", text: '{\n    "a": 1\n  , "b": 2\n}\n' },
  { name: "blank lines between members", text: '{\n\n  "a": 1,\n\n  "b": [ 1,2 ]\n\n}\n\n\n' },
  { name: "space before colons", text: '{\n  "a" : 1,\n  "hooks" : {}\n}\n' },
  { name: "escapes and odd numbers", text: '{\n  "\\u0061é😀": 1.50e+2,\n  "b": "\\/\\n"\n}\n' },
  { name: "a name given twice", text: '{\n  "hooks": 1,\n  "a": 2,\n  "hooks": {}\n}\n' },
  {
    name: "other hooks for our events",
    text:
      `{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          ${JSON.stringify(otherHook)}\n  ` +
      `      ]\n      }\n    ],\n    "PostToolUse": [{"matcher": "Edit", "hooks": ` +
      `[${JSON.stringify(otherHook)}]}]\n  },\n  "model": "opus"\n}\n`,
  },
  { name: "mixed line ends and indentation", text: '{\r\n "a": 1,\n      "b": {"c":\t2}}\n' },
];

const installed = (text: string | null, path = binary): string => {
  const plan = planInstall(text, { binary: path });
  if (!plan.ok) throw new Error(JSON.stringify(plan.error));
  return plan.value.text;
};
const uninstalled = (text: string): string | null => {
  const plan = planUninstall()(text, null);
  if (!plan.ok) throw new Error(JSON.stringify(plan.error));
  return plan.value.text;
};
const read = (text: string): { hooks?: Record<string, { hooks: unknown[] }[]> } =>
  JSON.parse(text.replace("\ufeff", ""));

describe.each([...settingsTexts])("settings with $name", ({ text }) => {
  test("get one entry per event, and every other value stays", () => {
    const after = read(installed(text));
    for (const event of registeredEvents) {
      const ours = after.hooks?.[event]?.flatMap((group) => group.hooks).filter(isContinuity);
      expect(ours).toEqual([{ ...hookEntryFor(event, binary) }]);
    }
    const { hooks: _, ...before } = read(text);
    expect(after).toMatchObject(before);
  });

  test("come back byte for byte through the state", () => {
    const after = installed(text);
    const plan = undone(after, { original: text, installedHash: textHash(after) }, planUninstall());
    expect(plan).toMatchObject({ ok: true, value: { text } });
  });

  test("are only added to: what stood there stands there still, in order", () => {
    // An empty container loses the white space it held, hence without white space.
    expect(isSubsequence(bare(text), bare(installed(text)))).toBe(true);
  });

  test("do not change on a second install", () => {
    const once = installed(text);
    expect(planInstall(once, { binary })).toEqual({
      ok: true,
      value: { text: once, changes: [], notes: [] },
    });
  });

  test("keep a later change of the user when we leave", () => {
    const original = text;
    const after = installed(text);
    const edited = after.replace(/\}\s*$/, (end) => `,"later": "yes"${end}`);
    const plan = undone(edited, { original, installedHash: textHash(after) }, planUninstall());
    const left = plan.ok && plan.value.text !== null ? plan.value.text : "";
    expect(read(left)).toEqual({ ...read(text), later: "yes" } as object);
  });
});

const isContinuity = (entry: unknown): boolean => JSON.stringify(entry).includes("continuity");
const bare = (text: string): string => text.replaceAll(/\s/g, "");
const isSubsequence = (part: string, whole: string): boolean => {
  let at = 0;
  for (let i = 0; i < whole.length; i += 1) if (whole[i] === part[at]) at += 1;
  return at === part.length;
};

test.each(settingsTexts.filter(({ text }) => !/\{\s*\}|\[\s*\]|"hooks": 1/.test(text)))(
  "without a state, $name comes back byte for byte too",
  ({ text }) => {
    expect(uninstalled(installed(text))).toBe(text);
  },
);

test("no file becomes a readable one, and goes again when we leave", () => {
  const text = installed(null);
  expect(text).toStartWith('{\n  "hooks": {\n    "SessionStart": [\n      {\n        "hooks": [\n');
  expect(text).toEndWith("}\n");
  const state = { original: null, installedHash: textHash(text) };
  expect(undone(text, state, planUninstall())).toMatchObject({ ok: true, value: { text: null } });
});

test.each(["", " \n\t", "\ufeff"])("a blank file (%j) counts as an empty one", (blank) => {
  expect(read(installed(blank)).hooks).toBeDefined();
});

test("entries are in exec form with the agreed names and seconds", () => {
  const { hooks } = read(installed(null));
  const seen = Object.entries(hooks ?? {}).map(([event, groups]) => [event, groups[0]?.hooks[0]]);
  const entry = (name: string, timeout = 5) => ({
    type: "command",
    command: binary,
    args: ["hook", name],
    timeout,
  });
  expect(Object.fromEntries(seen)).toEqual({
    SessionStart: entry("start"),
    UserPromptSubmit: entry("submit", 2),
    PostToolUse: entry("tool"),
    PostToolUseFailure: entry("tool"),
    Stop: entry("stop"),
    SubagentStart: entry("subagent"),
    SubagentStop: entry("subagent"),
    PreCompact: entry("compact"),
    PostCompact: entry("compact"),
    SessionEnd: entry("end"),
    PreToolUse: entry("guard"),
  });
  // Before every read of a file nobody has to wait for us.
  expect(hooks?.["PreToolUse"]).toMatchObject([
    { matcher: "Bash|PowerShell|Monitor|Edit|Write|MultiEdit|NotebookEdit" },
  ]);
});

test("a moved binary is set right in place, with no second entry", () => {
  const moved = installed(installed('{\n  "a": 1\n}\n', "/old/place/continuity"));
  expect(moved).toBe(installed('{\n  "a": 1\n}\n'));
});

test("doubles and entries of events we no longer register go", () => {
  const ours = (event: string) => ({ hooks: [hookEntryFor(event, binary)] });
  const text = JSON.stringify({
    hooks: {
      Stop: [ours("Stop"), { hooks: [otherHook, hookEntryFor("Stop", binary)] }],
      PostToolBatch: [ours("PostToolBatch")],
    },
  });
  const after = read(installed(text));
  expect(after.hooks?.["Stop"]).toEqual([ours("Stop") as never, { hooks: [otherHook] }]);
  expect(after.hooks).not.toHaveProperty("PostToolBatch");
});

test("somebody else's hook is kept even if it is called with the same words", () => {
  const theirs = [
    { type: "command", command: "/usr/bin/continuity-checker", args: ["hook", "stop"] },
    { type: "command", command: "/usr/bin/continuity", args: ["report"] },
    { type: "command", command: "continuity hook stop" },
  ];
  const text = JSON.stringify({ hooks: { Stop: [{ hooks: theirs }] } }, null, 2);
  expect(read(uninstalled(installed(text)) ?? "").hooks?.["Stop"]).toEqual([{ hooks: theirs }]);
});

test("a Windows path is ours too", () => {
  const windows = "C:\\Program Files\\continuity.exe";
  expect(uninstalled(installed("{}", windows))).toBe("{}");
});

test.each([
  { name: "a comment", text: '{\n  // mine\n  "a": 1\n}', line: 2, column: 3 },
  { name: "a trailing comma", text: '{\n  "a": 1,\n}', line: 3, column: 1 },
  { name: "a missing brace", text: '{\n  "a": {\n', line: 3, column: 1 },
  { name: "two documents", text: "{}\n{}", line: 2, column: 1 },
  {
    name: "a broken string behind a byte order mark",
    text: '\ufeff{"a": "x\n"}',
    line: 1,
    column: 7,
  },
  { name: "a word", text: '{"a": nope}', line: 1, column: 7 },
])("refuses $name and says where", ({ text, line, column }) => {
  const fault = { ok: false, error: { type: "setup.broken-json", line, column } };
  expect(planInstall(text, { binary })).toMatchObject(fault);
  expect(planUninstall()(text, null)).toMatchObject(fault);
});

test.each([
  { name: "settings that are a list", text: "[]", line: 1 },
  { name: "hooks that are a list", text: '{\n  "hooks": []\n}', line: 2 },
  { name: "an event that is no list", text: '{\n  "hooks": {\n    "Stop": {}\n  }\n}', line: 3 },
])("refuses $name and says where", ({ text, line }) => {
  expect(planInstall(text, { binary })).toMatchObject({
    ok: false,
    error: { type: "setup.unexpected-shape", line },
  });
});

test.each(["", " \n\t", "\ufeff"])("in a blank file (%j) there is nothing to take out", (blank) => {
  expect(planUninstall()(blank, null)).toEqual({ ok: true, value: { text: blank, changes: [] } });
});

test("containers that stood empty before us stay when we leave after other changes", () => {
  const original = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n';
  const after = installed(original);
  const edited = after.replace("{\n", '{\n  "model": "opus",\n');
  const plan = undone(edited, { original, installedHash: textHash(after) }, planUninstall());
  expect(plan.ok && plan.value.text).toBe(
    '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n',
  );
});

test("uninstalling where nothing of ours is changes nothing", () => {
  const text = '{ "hooks": {"Stop": []}, "a" : 1 }';
  expect(planUninstall()(text, null)).toEqual({ ok: true, value: { text, changes: [] } });
});
