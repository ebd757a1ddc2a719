/** Our MCP server in Codex's config.toml: one table at the end, every other byte as it is. */
import { err, errorMessage, ok, recordOf, type Result } from "#kit";
import { isOurProgram, type PlanError } from "../claude-code/settings/hooks.ts";
import type { Plan, TakeOut } from "../claude-code/settings/plan.ts";

const header = "[mcp_servers.continuity]";

/** Adds the table, or sets its program right. */
export function withTomlServer(given: string | null, binary: string): Result<Plan, PlanError> {
  const text = given ?? "";
  const read = serverIn(text);
  if (!read.ok) return read;
  const known = read.value;
  if (known === undefined) {
    const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    const table = `${header}\ncommand = ${JSON.stringify(binary)}\nargs = ["mcp"]\n`;
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    const added = `${gap}${table}`.replaceAll("\n", end);
    return ok({ text: `${text}${added}`, changes: ["add the MCP server"], notes: [] });
  }
  const isOurs = isOurProgram(commandOf(known));
  if (isOurs && commandOf(known) === binary) return ok({ text, changes: [], notes: [] });
  const line = isOurs ? commandLine(text) : null;
  if (line === null)
    return ok({
      text,
      changes: [],
      notes: ['an MCP server named "continuity" that is not ours was left as it is'],
    });
  const updated = `${text.slice(0, line.start)}command = ${JSON.stringify(binary)}${text.slice(line.end)}`;
  return ok({ text: updated, changes: ["update the MCP server"], notes: [] });
}

/** Takes the table out. */
export const takeOutOfToml: TakeOut = (text) => {
  const read = serverIn(text);
  if (!read.ok) return read;
  const table = tableIn(text);
  if (table === null || !isOurProgram(commandOf(read.value))) return ok({ text, changes: [] });
  const before = text.slice(0, table.start).replace(/(\r?\n)\r?\n$/, "$1");
  return ok({
    text: `${before}${text.slice(table.end)}`,
    changes: ["remove the MCP server"],
  });
};

function serverIn(text: string): Result<unknown, PlanError> {
  try {
    return ok(recordOf(recordOf(Bun.TOML.parse(text))["mcp_servers"])["continuity"]);
  } catch (error) {
    const detail = `not valid TOML (${errorMessage(error)})`;
    return err({ type: "setup.unexpected-shape", line: 1, column: 1, detail });
  }
}

const commandOf = (server: unknown): unknown => recordOf(server)["command"];

interface Span {
  readonly start: number;
  readonly end: number;
}

/** From our header to the next one. */
function tableIn(text: string): Span | null {
  const start = text.search(/^\[mcp_servers\.continuity\][ \t]*(?:#.*)?$/m);
  if (start < 0) return null;
  const rest = text.slice(start + header.length).search(/^[ \t]*\[/m);
  return { start, end: rest < 0 ? text.length : start + header.length + rest };
}

function commandLine(text: string): Span | null {
  const table = tableIn(text);
  if (table === null) return null;
  const found = /^command[ \t]*=[^\n]*/m.exec(text.slice(table.start, table.end));
  if (found === null) return null;
  const start = table.start + found.index;
  return { start, end: start + found[0].trimEnd().length };
}
