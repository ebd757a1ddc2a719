/** Tells an agent's shell from a person's terminal, and refuses there what only a person may decide. */
import { agentInEnv, agentTitles, type KeptAgent } from "#domain";
import type { CliDeps } from "./deps.ts";
import { CliFailure } from "./failure.ts";

type Deps = Pick<CliDeps, "env" | "io">;

/** The agent that runs this command; null in a terminal, and where no agent says that it is there. */
export function agentRunning({ env, io }: Deps): KeptAgent | null {
  const agent = agentInEnv(env);
  return agent === null || io.isTerminal || io.ask !== null ? null : agent;
}

/** The session of the client whose Bash tool runs this: what is shown or saved here counts as of it. */
export const sessionRunning = ({ env }: Pick<Deps, "env">): string | null =>
  env["CLAUDECODE"] === "1" ? env["CLAUDE_CODE_SESSION_ID"] || null : null;

/** Throws in an agent's shell. A command that its user types there (`!` in Claude Code) looks the same from here. */
export function refuseAgent(deps: Deps, command: string): void {
  const agent = agentRunning(deps);
  if (agent === null) return;
  throw new CliFailure(
    `\`${command}\` was not done: only you may decide this, and this shell belongs to ${agentTitles[agent]}`,
    "run it in a terminal of your own (a command typed with `!` counts as the agent's too)",
  );
}
