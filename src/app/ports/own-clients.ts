/** Lists agents' own clients that could answer as a language model: found, and as far as can be told logged in. */
import { agentCliNames } from "#domain";
import { agentClis, findAgentCli, findClaude, isLoggedIn } from "#llm";

type Env = Readonly<Record<string, string | undefined>>;

/** The names that `llm.provider` takes, the recommended one first. */
export const ownClients = (env: Env): readonly string[] => [
  ...(findClaude({ path: "", env }).ok ? ["claude-cli"] : []),
  ...agentCliNames.filter((name) => findAgentCli(env, name).ok && isLoggedIn(env, agentClis[name])),
];
