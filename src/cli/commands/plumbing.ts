/** `serve`, `hook`, `flush` and `demo`: what other programs call, and the first look. */
import { msPerMinute } from "#kit";
import type { Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { parseSpan } from "../text.ts";

export const serveCommand: CommandSpec = {
  name: "serve",
  group: "more",
  summary: "Run the daemon in the foreground; hooks start it automatically",
  options: [
    { flags: "--port <n>", summary: "TCP port on this machine (default: as configured)" },
    { flags: "--idle-exit <time>", summary: "stop after this long idle: 30m, or never" },
  ],
  examples: ["continuity serve", "continuity serve --idle-exit never"],
  run: async ({ deps }, input) => {
    const asked = { port: portOf(input), idleExitMinutes: idleExitOf(input) };
    return (await deps.local()).serve(asked);
  },
};

function portOf(input: Input): number | null {
  const given = optionText(input, "port");
  if (given === null) return null;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : -1;
  if (port < 0 || port > 65_535) throw misuse("--port must be a number from 0 to 65535");
  return port;
}

function idleExitOf(input: Input): number | "never" | null {
  const given = optionText(input, "idleExit");
  if (given === null || given === "never") return given;
  const ms = parseSpan(given);
  if (ms === null) throw misuse(`"${given}" is not a duration`, "write 30m, 2h or never");
  return ms / msPerMinute;
}

export const hookCommand: CommandSpec = {
  name: "hook",
  group: "hidden",
  summary: "Handle one Claude Code hook event from standard input; install registers it",
  arguments: [
    { name: "[event]", summary: "start, submit, tool, stop, subagent, compact, end or guard" },
  ],
  examples: ["continuity hook stop < payload.json"],
  raw: true,
  run: ({ deps }, input) => deps.hook(input.args),
};

export const mcpCommand: CommandSpec = {
  name: "mcp",
  group: "more",
  summary: "Serve memories to any agent over MCP, on standard input and output",
  details: "Started by the agent once it is registered; see docs/mcp.md and docs/other-agents.md.",
  options: [
    { flags: "--read-only", summary: "disable the tools that remember and forget" },
    {
      flags: "--folder <path>",
      summary: "folder of the project (default: as the client says, else the working folder)",
    },
  ],
  examples: ["continuity mcp", "claude mcp add continuity --scope user -- continuity mcp"],
  run: ({ deps }, input) => {
    if (deps.io.ask !== null) deps.io.err("MCP server ready on standard input (Ctrl-D to exit).\n");
    return deps.mcp({ readOnly: hasFlag(input, "readOnly"), folder: optionText(input, "folder") });
  },
};

export const statusLineCommand: CommandSpec = {
  name: "statusline",
  group: "hidden",
  summary: "Print Claude Code's status line for the session on standard input",
  details:
    "Shows the memories sent in this session, tokens against the budget where a model is on, and a warning when " +
    "nothing is captured; `install --statusline` registers it.",
  examples: ["continuity statusline < session.json"],
  run: ({ deps }) => deps.statusLine(),
};

export const flushCommand: CommandSpec = {
  name: "flush",
  group: "more",
  summary: "Wait until everything accepted so far has been processed",
  options: [{ flags: "--timeout <time>", summary: "give up after this long", fallback: "60s" }],
  examples: ["continuity flush", "continuity flush --timeout 5s"],
  json: {
    shape: "one document",
    fields: {
      done: "true = nothing is left",
      left: "jobs that are due or at work, and events that wait for the daemon",
    },
  },
  run: async (context, input) => {
    const given = optionText(input, "timeout") ?? "";
    const timeoutMs = parseSpan(/^\d+$/.test(given) ? `${given}s` : given);
    if (timeoutMs === null) throw misuse(`"${given}" is not a duration`, "write 60s or 5m");
    const report = await (await context.deps.local()).flush(timeoutMs);
    const { done, left } = report;
    if (context.isJson) context.printJson(report);
    if (done) return 0;
    throw new CliFailure(
      `not everything was processed in ${given}: ${left} jobs or events are left`,
      "wait longer with --timeout, or see `continuity status --log`",
    );
  },
};

export const demoCommand: CommandSpec = {
  name: "demo",
  group: "more",
  summary: "Run a demo in a temporary folder (about 30 seconds); does not change your data",
  examples: ["continuity demo"],
  run: async ({ deps }: Context) => (await deps.local()).runDemo(),
};

// `ui`: the viewer in a browser, through a link that works once.

export const uiCommand: CommandSpec = {
  name: "ui",
  group: "more",
  summary: "Open the viewer in your browser",
  details:
    "Starts the daemon if it is not running. The link is valid for one minute and works once, on this machine. The " +
    "browser opens a file in Continuity's home folder that redirects to the viewer. If your browser cannot read that " +
    "folder, use --print.",
  arguments: [{ name: "[uri]", summary: "memory to open, by URI or short id" }],
  options: [{ flags: "--print", summary: "print the address instead of opening it" }],
  examples: [
    "continuity ui",
    "continuity ui mem://user/preferences/package-manager",
    "continuity ui --print",
  ],
  json: {
    shape: "one document",
    fields: {
      code: "one-time code, valid for one minute",
      url: "address to open; the code follows the #",
      expires_at: "expiry of the code",
    },
  },
  run: async (context, input) => {
    const api = await context.api("write");
    const asked = input.args[0];
    // First: a memory that is not there needs no code.
    const uri =
      asked === undefined
        ? null
        : (await (await api.nodes.$get({ query: { uri: asked, use: "0" } })).json()).uri;
    const minted = await (await api.ui.code.$post({ json: {} })).json();
    const link =
      uri === null ? minted : { ...minted, url: `${minted.url}&uri=${encodeURIComponent(uri)}` };
    if (context.isJson) context.printJson(link);
    else if (hasFlag(input, "print")) context.print(`${link.url}\n`);
    else if ((await context.deps.local()).openBrowser(link.url))
      context.print("Opened the viewer. If no page appears, run `continuity ui --print`.\n");
    else
      throw new CliFailure(
        "could not open a browser",
        "run `continuity ui --print` and open what it prints",
      );
  },
};
