/** Lists agents' own clients that could answer as a language model: found, and as far as can be told logged in. */
import { agentCliNames, defaultSettings } from "#domain";
import { agentClis, chooseProvider, findAgentCli, findClaude, isLoggedIn } from "#llm";
import { systemClock, systemRandom } from "#kit";
import type { SetupPlace } from "../context.ts";

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
