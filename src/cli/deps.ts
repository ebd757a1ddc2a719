/**
 * Declares the ports of the command line. Everything arrives as a function, so that a test can run
 * any command without a process, a terminal or a daemon.
 */
import type { ProjectIdentity } from "#domain";
import type { Clock } from "#kit";
import type { Local } from "./local.ts";

/** A way to the API: through the daemon's socket, or in this process on a read-only store. */
export interface Connection {
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface Io {
  /** Standard output, as it is: callers add line ends. Throws `OutputFailure` when it takes no more. */
  readonly out: (text: string) => void;
  /** Standard error, likewise; never throws. */
  readonly err: (text: string) => void;
  /** Everything on standard input, for `remember -`. */
  readonly readInput: () => Promise<string>;
  /** Is standard output a terminal? */
  readonly isTerminal: boolean;
  /** Columns to stay within; null = as wide as it needs to be. */
  readonly columns: number | null;
  /** Asks a person and resolves to the answer's line, or to null at Ctrl-C; null when standard input is no terminal. */
  readonly ask: ((question: string) => Promise<string | null>) | null;
  /** Waits; rejects or resolves early when the user interrupts. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly isInterrupted: () => boolean;
}

export interface McpOptions {
  readonly readOnly: boolean;
  /** The project's; null = as the environment says, else the working folder. */
  readonly folder: string | null;
}

export interface CliDeps {
  readonly clock: Clock;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly io: Io;
  readonly version: string;
  /** `write` starts a daemon when none runs. Throws `CliFailure` when there is no way. */
  readonly connect: (need: "read" | "write") => Promise<Connection>;
  /** The project of the working folder; null outside projects. */
  readonly project: () => ProjectIdentity | null;
  /** A folder without symlinks, as far as it exists, and its project; null where it is gone. */
  readonly folderAt: (path: string) => {
    readonly folder: string;
    readonly project: ProjectIdentity | null;
  };
  /** True when an agent of this user, or this folder's project, has the hooks. */
  readonly isInstalled: () => Promise<boolean>;
  readonly hook: (args: readonly string[]) => Promise<number>;
  readonly statusLine: () => Promise<number>;
  /** Speaks MCP on standard input and output until the client leaves. */
  readonly mcp: (options: McpOptions) => Promise<number>;
  /** Loaded by the first who asks: a command that the daemon answers does not. */
  readonly local: () => Promise<Local>;
}
