/** Claude Code settings as people, editors and tools leave them: each is one way to be formatted. Tests only. */

/** Somebody else's hook, which must stand where it stood. */
export const otherHook = { type: "command", command: "/usr/local/bin/lint-on-save", timeout: 10 };

const other = JSON.stringify(otherHook);

/** A plain settings object, laid out by `JSON.stringify` with this indentation. */
const laidOut = (indent: number | string): string =>
  JSON.stringify(
    {
      model: "opus",
      permissions: { allow: ["Bash(ls:*)", "Read(~/notes/**)"], deny: [] },
      hooks: {
        Stop: [{ hooks: [otherHook] }],
        PreToolUse: [{ matcher: "Bash", hooks: [otherHook] }],
      },
      env: { LC_TIME: "C", EMPTY: "" },
      statusLine: { type: "command", command: "~/.claude/line.sh", padding: 0 },
    },
    null,
    indent,
  );

export const settingsFiles: readonly { readonly name: string; readonly text: string }[] = [
  { name: "nothing at all", text: "" },
  { name: "white space", text: " \n\t\n" },
  { name: "a byte order mark alone", text: "\ufeff" },
  { name: "an empty object", text: "{}" },
  { name: "an empty object with a line end", text: "{}\n" },
  { name: "an empty object with CRLF", text: "{}\r\n" },
  { name: "an empty object with inner space", text: "{ \n }\n" },
  { name: "two spaces", text: `${laidOut(2)}\n` },
  { name: "two spaces without a line end", text: laidOut(2) },
  { name: "four spaces", text: `${laidOut(4)}\n` },
  { name: "one space", text: laidOut(1) },
  { name: "eight spaces", text: `${laidOut(8)}\n\n\n` },
  { name: "tabs", text: `${laidOut("\t")}\n` },
  { name: "tabs without a line end", text: laidOut("\t") },
  { name: "CRLF", text: `${laidOut(2)}\n`.replaceAll("\n", "\r\n") },
  { name: "CRLF and tabs without a line end", text: laidOut("\t").replaceAll("\n", "\r\n") },
  { name: "a byte order mark", text: `\ufeff${laidOut(2)}\n` },
  { name: "a byte order mark and CRLF", text: `\ufeff${laidOut(4)}\n`.replaceAll("\n", "\r\n") },
  { name: "one compact line", text: laidOut(0) },
  { name: "one compact line with a line end", text: `${laidOut(0)}\n` },
  { name: "one spaced line", text: '{ "model": "opus", "hooks": { "Stop": [] } }\n' },
  { name: "commas in front", text: '{\n    "a": 1\n  , "hooks": {}\n  , "b": 2\n}\n' },
  { name: "blank lines between members", text: '{\n\n  "a": 1,\n\n  "b": [ 1,2 ]\n\n}\n\n\n' },
  { name: "space before colons", text: '{\n  "a" : 1,\n  "hooks" : {}\n}\n' },
  { name: "no space after colons", text: '{\n  "a":1,\n  "hooks":{"Stop":[]}\n}' },
  {
    name: "aligned values",
    text: '{\n  "model":   "opus",\n  "env":     {},\n  "hooks":   {}\n}\n',
  },
  { name: "escapes and odd numbers", text: '{\n  "\\u0061é😀": 1.50e+2,\n  "b": "\\/\\n"\n}\n' },
  { name: "a name given twice", text: '{\n  "hooks": 1,\n  "a": 2,\n  "hooks": {}\n}\n' },
  {
    name: "hooks in the middle of the file",
    text: '{\n  "z": 1,\n  "hooks": {\n    "Stop": []\n  },\n  "a": 2\n}\n',
  },
  { name: "mixed line ends and indentation", text: '{\r\n "a": 1,\n      "b": {"c":\t2}}\n' },
  { name: "everything indented", text: '  {\n    "a": 1\n  }\n  ' },
  {
    name: "others' hooks on our events",
    text: `{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          ${other}\n        ]\n      }\n    ],\n    "PostToolUse": [{"matcher": "Edit", "hooks": [${other}]}]\n  },\n  "model": "opus"\n}\n`,
  },
  {
    name: "an empty list for each event",
    text: '{"hooks":{"SessionStart":[],"Stop":[],"SessionEnd":[]}}',
  },
  {
    name: "a status line on one line",
    text: '{\n  "statusLine": {"type":"command","command":"date"}\n}',
  },
  {
    name: "a plugin that is on",
    text: '{\n\t"enabledPlugins": {\n\t\t"lint@tools": true\n\t}\n}\n',
  },
  { name: "deep nesting", text: `{"a":${'{"b":'.repeat(20)}[]${"}".repeat(20)}}\n` },
];
