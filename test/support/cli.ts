/** The command line over a test server: arguments in, text and exit status out. */
import { CliFailure, runCli, type CliDeps, type Local } from "#cli";
import { saidEndOf } from "#language";
import { openTestServer, type TestServer } from "./server.ts";

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** The needs with which each connection was opened. */
  readonly needs: readonly ("read" | "write")[];
  readonly asked: readonly string[];
}

export interface RunOptions {
  readonly env?: CliDeps["env"];
  readonly isTerminal?: boolean;
  readonly columns?: number | null;
  /** Answers of a person at the terminal; without them there is none. */
  readonly answers?: readonly string[];
  readonly input?: string;
  readonly project?: string;
  /** No daemon can be had. */
  readonly offline?: boolean;
  readonly sleep?: () => void;
  /** Rounds of following before the user interrupts. */
  readonly rounds?: number;
  readonly deps?: Partial<CliDeps & Local>;
  readonly io?: Partial<CliDeps["io"]>;
}

export interface TestCli extends Disposable {
  readonly server: TestServer;
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Ran>;
}

/** Stands for the commands over the home folder, which test/e2e tests. */
const nothingKept: Local["keep"] = {
  exportTo: (folder, format) => ({ format, path: folder, count: 0 }),
  exportLines: () => 0,
  backup: () => refuse("no database yet"),
  backups: () => [],
  chooseBackup: () => refuse("there is no valid backup"),
  restore: async () => refuse("there is no valid backup"),
  backupsHolding: () => [],
  cleanBackups: () => ({ cleaned: [], failed: [] }),
  archived: () => [],
  unarchive: async () => refuse("nothing is archived"),
};

function refuse(message: string, next: string | null = null): never {
  throw new CliFailure(message, next);
}

/** Opens a server in memory; `run` may be called any number of times on it. */
export function openTestCli(): TestCli {
  const server = openTestServer();
  return {
    server,
    run: (argv, options = {}) => run(server, argv, options),
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}

const nothing = async (): Promise<number> => 0;
const report = async () => ({ failed: false, steps: [], importable: [] });

/** A machine with nothing on it. */
const nothingHere: Local = {
  teamHub: () => Promise.reject(new Error("no team here")),
  team: {
    userName: () => "Anna",
    authors: () => ({}),
    write: ({ root, name }) => `${root}/.continuity/${name}`,
  },
  sync: new Proxy({} as never, {
    get: () => async () => refuse("this machine does not sync"),
  }),
  saidEnd: async (text, nowMs) => saidEndOf(text, nowMs),
  config: {
    path: () => "/home/dev/.continuity/config.toml",
    get: (key) =>
      key === "server.port"
        ? [{ key, value: "37777", source: "default" }]
        : refuse(`no setting is called ${key}`, "see config get"),
    set: (key, value) => ({ key, value, source: "file" }),
    edit: async () => undefined,
  },
  setup: {
    install: report,
    uninstall: report,
    ownClients: async () => ["claude-cli"],
  },
  openBrowser: () => true,
  doctor: async () => ({
    ok: true,
    version: "1.2.3",
    checks: [],
    fixed: [],
  }),
  serve: nothing,
  importFrom: async () => refuse("nothing to import"),
  keep: nothingKept,
  flush: async () => ({ done: true, left: 0 }),
  runDemo: nothing,
};

async function run(server: TestServer, argv: readonly string[], options: RunOptions): Promise<Ran> {
  let out = "";
  let error = "";
  let rounds = 0;
  const needs: ("read" | "write")[] = [];
  const asked: string[] = [];
  const answers = [...(options.answers ?? [])];
  const status = await runCli({
    argv,
    env: options.env ?? {},
    version: "1.2.3",
    clock: server.t.clock,
    io: {
      out: (text) => void (out += text),
      err: (text) => void (error += text),
      readInput: async () => options.input ?? "",
      isTerminal: options.isTerminal ?? false,
      columns: options.columns ?? null,
      ask:
        options.answers === undefined
          ? null
          : async (question) => {
              asked.push(question);
              return answers.shift() ?? "";
            },
      sleep: async () => options.sleep?.(),
      isInterrupted: () => rounds++ >= (options.rounds ?? 0),
      ...options.io,
    },
    connect: async (need) => {
      needs.push(need);
      if (options.offline === true) return refuse("no daemon answers", "run continuity serve");
      return {
        fetch: async (request) => server.app.fetch(request, { transport: "socket" }),
      };
    },
    project: () =>
      options.project === undefined
        ? null
        : { key: options.project, name: "api", root: "/home/dev/api", branch: null },
    folderAt: (path) => ({ folder: path, project: null }),
    isInstalled: async () => true,
    hook: nothing,
    statusLine: nothing,
    mcp: nothing,
    local: async () => ({ ...nothingHere, ...options.deps }),
    ...options.deps,
  });
  return { status, out, err: error, needs, asked };
}
