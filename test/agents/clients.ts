/**
 * The real Codex CLI, Gemini CLI, Copilot CLI and OpenCode: installed once from npm into a cache outside the
 * repository, run offline against the scripted model, killed with all that they started. Tests only.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { otherAgents, type OtherAgent } from "#domain";
import { claudePackage, triedClaude } from "../support/real-client.ts";

/** Names of the agents in npm. */
const packageNames: Readonly<Record<OtherAgent, string>> = {
  codex: "@openai/codex",
  gemini: "@google/gemini-cli",
  copilot: "@github/copilot",
  opencode: "opencode-ai",
};

/** Versions that the adapters were last tried with; `npm run test:agents -- --newest` tries those of today. */
const triedVersions: Readonly<Record<OtherAgent, string>> = {
  codex: "0.171.0",
  gemini: "0.61.0",
  copilot: "1.0.102",
  opencode: "1.18.33",
};

/** `CONTINUITY_AGENTS_VERSIONS` names other versions: `codex=0.171.0,gemini=0.61.0`. */
const otherVersions = Object.fromEntries(
  (process.env["CONTINUITY_AGENTS_VERSIONS"] ?? "")
    .split(",")
    .map((pair) => pair.split("=") as [string, string]),
);
const versions: Readonly<Record<OtherAgent, string>> = { ...triedVersions, ...otherVersions };

const cacheRoot =
  process.env["CONTINUITY_AGENTS_CACHE"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "continuity-agents");

/** All four in one folder, named by their versions: another version is another folder. */
const folder = join(cacheRoot, otherAgents.map((agent) => versions[agent]).join("_"));

export const clientsFolder = join(folder, "node_modules", ".bin");

const areClientsCached = (): boolean => existsSync(clientsFolder);

/** Installs them; the reason when npm cannot. 1.1 GB. */
function installClients(): string | null {
  if (areClientsCached()) return null;
  // Beside its place and renamed into it: a run that is killed leaves no half client behind.
  const half = `${folder}.${process.pid}.part`;
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, "package.json"), '{"private": true}\n');
  const names = otherAgents.map((agent) => `${packageNames[agent]}@${versions[agent]}`);
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const npm = spawnSync("npm", ["install", ...options, ...names], {
    cwd: half,
    encoding: "utf8",
    timeout: 900_000,
  });
  // Does the work of its own install script: put the machine's program in the place of a stub.
  const opencode = spawnSync("node", ["postinstall.mjs"], {
    cwd: join(half, "node_modules", "opencode-ai"),
    encoding: "utf8",
    timeout: 60_000,
  });
  if (npm.status !== 0 || opencode.status !== 0) {
    rmSync(half, { recursive: true, force: true });
    return `${npm.error?.message ?? npm.stderr}${opencode.stderr}`.trim().slice(0, 500);
  }
  renameSync(half, folder);
  return null;
}

export interface Place {
  /** The user's home; each agent keeps its files below it. */
  readonly home: string;
  readonly project: string;
  readonly apiUrl: string;
  /** Environment of our program, which the agents hand on to the hooks. */
  readonly env: Readonly<Record<string, string>>;
}

/** `settleClients` prepares each agent to run offline against the scripted model. Call before our `install`. */
export function settleClients({ home, apiUrl }: Place): void {
  const write = (path: string, text: string): void => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  write(
    ".codex/config.toml",
    `model = "gpt-fake"
model_provider = "fake"
model_context_window = 20000
model_auto_compact_token_limit = 12000

[model_providers.fake]
name = "fake"
base_url = "${apiUrl}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
`,
  );
  write(
    ".gemini/settings.json",
    `{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`,
  );
  mkdirSync(join(home, ".copilot"), { recursive: true });
  const limit = { context: 20_000, output: 1_000 };
  const opencode = {
    model: "fake/gpt-fake",
    small_model: "fake/gpt-small",
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${apiUrl}/v1`, apiKey: "x" },
        models: { "gpt-fake": { limit }, "gpt-small": { limit } },
      },
    },
    autoupdate: false,
    share: "disabled",
  };
  write(".config/opencode/opencode.json", `${JSON.stringify(opencode, null, 2)}\n`);
}

/** The environment of an agent: ours, its model's, and nothing else of this process. */
export const environmentOf = ({ home, apiUrl, env }: Place): Record<string, string> => ({
  ...env,
  PATH: `${clientsFolder}:${process.env["PATH"] ?? ""}`,
  HOME: home,
  LANG: "C.UTF-8",
  FAKE_KEY: "x",
  GEMINI_API_KEY: "x",
  GOOGLE_GEMINI_BASE_URL: apiUrl,
  COPILOT_OFFLINE: "true",
  COPILOT_AUTO_UPDATE: "false",
  COPILOT_PROVIDER_BASE_URL: `${apiUrl}/v1`,
  COPILOT_PROVIDER_API_KEY: "x",
  COPILOT_MODEL: "gpt-fake",
  COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "20000",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
});

export interface Talk {
  /** Goes on with the agent's last session in this folder. */
  readonly goesOn?: boolean;
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process once it runs; it leads a group of its own. */
  readonly started?: (pid: number) => void;
}

/** One prompt, headless, until the agent ends by itself. */
export async function say(
  agent: OtherAgent,
  prompt: string,
  { place, ...talk }: Talk & { readonly place: Place },
): Promise<{ readonly status: number | null; readonly out: string }> {
  const child = Bun.spawn([...commands[agent](prompt, talk.goesOn === true)], {
    cwd: talk.project ?? place.project,
    env: { ...environmentOf(place), ...talk.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  talk.started?.(child.pid);
  const timer = setTimeout(() => killGroup(child.pid), 120_000);
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(timer);
  return { status, out: out + err };
}

/** Ends what the agents left behind: Codex keeps a server. Known by the home in their environment, so nobody else's is meant. */
export function endAll({ home }: Place): void {
  const mine = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && environmentText(name).includes(`HOME=${home}\0`),
  );
  for (const pid of mine) killGroup(Number(pid));
}

function environmentText(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // It ended meanwhile, or is somebody else's.
  }
}

function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // Gone already, or no leader of a group: kill is the only call here.
    }
  }
}

const bin = (name: OtherAgent): string => join(clientsFolder, name);

const commands: Readonly<
  Record<OtherAgent, (prompt: string, goesOn: boolean) => readonly string[]>
> = {
  codex: (prompt, goesOn) => [
    bin("codex"),
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    ...(goesOn ? ["resume", "--last"] : []),
    prompt,
  ],
  gemini: (prompt, goesOn) => [
    bin("gemini"),
    "--skip-trust",
    "--yolo",
    ...(goesOn ? ["--resume", "latest"] : []),
    "-p",
    prompt,
  ],
  copilot: (prompt, goesOn) => [
    bin("copilot"),
    "--allow-all-tools",
    "-s",
    ...(goesOn ? ["--continue"] : []),
    "-p",
    prompt,
  ],
  opencode: (prompt, goesOn) => [
    bin("opencode"),
    "run",
    "--auto",
    ...(goesOn ? ["-c"] : []),
    prompt,
  ],
};

/** Asks npm for the newest version of a package; throws when it does not answer. */
function newestOf(name: string): string {
  const npm = spawnSync("npm", ["view", name, "version"], { encoding: "utf8", timeout: 60_000 });
  const version = npm.stdout.trim();
  if (npm.status !== 0 || version === "")
    throw new Error(`npm names no version of ${name}: ${npm.stderr.trim().slice(0, 300)}`);
  return version;
}

/** Newest versions of all agents as settings for the tests; says on the error stream which have changed. */
function newestSettings(): string {
  const told = (agent: string, tried: string, newest: string): void => {
    const change = newest === tried ? "as tried before" : `tried before: ${tried}`;
    console.error(`${agent.padEnd(12)}${newest.padEnd(12)}${change}`);
  };
  const claude = newestOf(claudePackage());
  told("claude-code", triedClaude, claude);
  const others = otherAgents.map((agent) => {
    const newest = newestOf(packageNames[agent]);
    told(agent, triedVersions[agent], newest);
    return `${agent}=${newest}`;
  });
  return JSON.stringify({
    CONTINUITY_CLAUDE_VERSION: claude,
    CONTINUITY_AGENTS_VERSIONS: others.join(","),
  });
}

if (import.meta.main) {
  if (process.argv.includes("--newest")) {
    process.stdout.write(newestSettings());
    process.exit(0);
  }
  if (process.argv.includes("--cached")) process.exit(areClientsCached() ? 0 : 1);
  const why = installClients();
  if (why === null) process.stdout.write(`${folder}\n`);
  else {
    process.stderr.write(`continuity: the agents cannot be installed from npm: ${why}\n`);
    process.exit(1);
  }
}
