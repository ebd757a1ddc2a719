/**
 * Install and uninstall in other agents than Claude Code: which are here, which files, and what a person must still do.
 */
import { existsSync } from "node:fs";
import {
  agentFiles,
  agentFolder,
  agentProgram,
  putIn,
  type SetupError,
  type SetupReport,
  type SetupStep,
  uninstall,
} from "#clients";
import {
  agentCliNames,
  type AgentName,
  agentNames,
  agentTitles,
  defaultSettings,
  type Editor,
  editors,
  type OtherAgent,
  otherAgents,
} from "#domain";
import { readText, type Result, systemClock, systemRandom } from "#kit";
import { agentClis, chooseProvider, findAgentCli, findClaude, isLoggedIn } from "#models";
import type { SetupPlace } from "./context.ts";

type Changed = Result<SetupReport, SetupError>;

/** Agents and editors besides Claude Code that `install` supports. */
export const installable: readonly Installable[] = [...otherAgents, ...editors];
type Installable = OtherAgent | Editor;

/** `isAgentHere` tells whether an agent was ever used here: its folder, or its program in PATH. */
const isAgentHere = (agent: Installable, env: SetupPlace["env"]): boolean =>
  existsSync(agentFolder(agent, env)) ||
  Bun.which(agentProgram[agent], { PATH: env["PATH"] ?? "" }) !== null;

/** The agents that a request names: none = Claude Code; `all` = every one that is here. */
export function chosenAgents(
  named: string | null,
  env: SetupPlace["env"],
): readonly (AgentName | Editor)[] {
  if (named === null) return ["claude"];
  if (named === "all") return ["claude", ...installable.filter((agent) => isAgentHere(agent, env))];
  return [...agentNames, ...editors].filter((agent) => agent === named);
}

/** `missingAgent` gives the reason why an agent that was asked for by name cannot be installed in; null when it can. */
export function missingAgent(named: string | null, { env }: SetupPlace): SetupStep | null {
  const agent = installable.find((one) => one === named);
  if (agent === undefined || isAgentHere(agent, env)) return null;
  return {
    state: "failed",
    text:
      `${agentTitles[agent]} was not found: there is no ${agentFolder(agent, env)} and no ` +
      `${agentProgram[agent]} in PATH. Start it once, then run the command again.`,
  };
}

/** Puts hooks or plugin, and the MCP server, into an agent's files. */
export function putInAgent(
  place: SetupPlace,
  agent: Installable,
  dryRun: boolean,
): readonly Changed[] {
  const { env, binary, paths } = place;
  return agentFiles(agent, env, binary ?? "").map(({ path, plan, takeOut }) =>
    putIn(systemClock, { settingsPath: path, backups: paths.backups, dryRun, takeOut }, plan),
  );
}

/**
 * Takes ours out of an agent's files; one that does not name us is not looked into. The last one goes first, as the
 * first one's folders may hold the others'.
 */
export function takeOutOfAgent(
  place: SetupPlace,
  agent: Installable,
  dryRun: boolean,
): readonly Changed[] {
  const { env, paths } = place;
  return agentFiles(agent, env, "")
    .filter(({ path }) => namesUs(path))
    .toReversed()
    .map(({ path, takeOut }) =>
      uninstall(systemClock, { settingsPath: path, backups: paths.backups, dryRun, takeOut }),
    );
}

const namesUs = (path: string): boolean => /continuity/i.test(readText(path) ?? "");

/** The steps that a person must take before an agent runs what was installed. */
export const afterInstall: Readonly<Record<Installable, string>> = {
  codex:
    "Codex runs new hooks only after you trust them: start `codex` and choose to trust them (or open /hooks); " +
    "`continuity doctor` shows which are trusted",
  gemini: "restart Gemini CLI to load the hooks",
  copilot: "restart Copilot CLI to load the hooks",
  opencode: "restart OpenCode to load the plugin",
  cursor:
    "restart Cursor to load the MCP server; where it does not show the rule, copy it to the project's .cursor/rules",
  windsurf: "restart Windsurf to load the MCP server",
  kiro: "restart Kiro to load the MCP server",
  cline: "restart Cline to load the MCP server",
};

/** The agents that are here and do not run our hooks yet, in one line; null when there is none. */
export function otherAgentsHere(env: SetupPlace["env"]): string | null {
  const here = installable.filter(
    (agent) =>
      isAgentHere(agent, env) && !agentFiles(agent, env, "").some(({ path }) => namesUs(path)),
  );
  if (here.length === 0) return null;
  const names = here.map((agent) => agentTitles[agent]).join(", ");
  return `${names} can share this memory: continuity install --agent ${here.length === 1 ? here[0] : "all"}`;
}

// Lists agents' own clients that could answer as a language model: found, and as far as can be told logged in.

type Place = Pick<SetupPlace, "env" | "paths">;

/** The names that `llm.provider` takes, the recommended one first. */
export const ownClients = async ({ env, paths }: Place): Promise<readonly string[]> => [
  ...((await isClaudeLoggedIn({ env, paths })) ? ["claude-cli"] : []),
  ...agentCliNames.filter((name) => findAgentCli(env, name).ok && isLoggedIn(env, agentClis[name])),
];

/** Asks the client itself, which sends nothing. A client that does not say so counts as logged out. */
async function isClaudeLoggedIn({ env, paths }: Place): Promise<boolean> {
  if (!findClaude({ path: "", env }).ok) return false;
  const { provider } = await chooseProvider(
    { home: paths.root, env, clock: systemClock, random: systemRandom },
    { ...defaultSettings.llm, provider: "claude-cli" },
  );
  if (provider === null) return false;
  try {
    return (await provider.probe()).isLoggedIn === true;
  } finally {
    await provider.close();
  }
}
