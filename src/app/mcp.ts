/** The MCP server on the process's own streams. Loaded when somebody speaks MCP. */
import { projectOf } from "#hooks";
import { createMcp, serveLines, type McpDeps, type McpScope } from "#mcp";
import type { HomePaths, Settings } from "#domain";
import type { Clock } from "#kit";
import { whyNotCaptured } from "./reading.ts";
import { compileHotCode } from "./compiling.ts";
import { shellCommand } from "#clients";

export interface McpPlace {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: HomePaths;
  readonly settings: { readonly current: () => Settings };
  /** The project's folder, as an absolute path. */
  readonly folder: string;
  readonly version: string;
  /** The command line that started this program. */
  readonly command?: readonly string[];
  readonly connect: McpDeps["connect"];
  readonly scope: McpScope;
  /** Writes a text to standard output before it returns; throws when nobody reads. */
  readonly write: (text: string) => void;
}

interface McpStreams {
  /** Lines without their ends; null = one that was too long. */
  readonly input: AsyncIterable<string | null>;
}

/** Serves until the client leaves; resolves to the exit status. */
export async function serveMcp(place: McpPlace & McpStreams): Promise<number> {
  compileHotCode();
  const { env, folder } = place;
  const mcp = createMcp({
    ...place,
    program: shellCommand(place.command),
    project: () => projectOf(folder)?.key ?? null,
    whyNotKept: () => whyNotCaptured(place, folder),
    session: env["CLAUDECODE"] === "1" ? env["CLAUDE_CODE_SESSION_ID"] || null : null,
  });
  await serveLines(mcp, { input: place.input, write: place.write });
  return 0;
}
