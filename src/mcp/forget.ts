/** `memory_forget`: the first call shows what would go and gives a token, the second one does it. */
import type { z } from "zod";
import { msPerMinute } from "#kit";
import { renderAct } from "#memory";
import { ToolFailure } from "./client.ts";
import type { forgetInput } from "./schemas.ts";
import type { Tools } from "./tool.ts";

/** A user reads the question within this, or is asked again. */
const tokenMs = 10 * msPerMinute;
const tokensMax = 100;
const tokenChars = 8;

interface Asked {
  /** As they were written: a URI, or a short id. */
  readonly named: readonly string[];
  readonly uris: readonly string[];
  readonly untilMs: number;
}

/** The tool, with the tokens that it has given out. A token is good once, for the memories it was given for. */
export function createForgetting(
  tools: Tools,
): (input: z.output<typeof forgetInput>) => Promise<string> {
  const asked = new Map<string, Asked>();
  return async ({ uris, token }) =>
    token === undefined ? ask(tools, asked, uris) : confirm(tools, asked, { uris, token });
}

async function ask(
  { clients, clock, random }: Tools,
  asked: Map<string, Asked>,
  uris: readonly string[],
): Promise<string> {
  const api = await clients.write();
  const about: { readonly uri: string; readonly l0: string }[] = [];
  for (const uri of new Set(uris)) {
    const node = await (await api.nodes.$get({ query: { uri, use: "0" } })).json();
    if (node.node_type === "dir")
      throw new ToolFailure(`${uri} is a directory; name the memories in it one by one.`);
    about.push(node);
  }
  const token = random.hex(tokenChars);
  const [oldest] = asked.keys();
  if (asked.size >= tokensMax && oldest !== undefined) asked.delete(oldest);
  asked.set(token, {
    named: [...new Set(uris)],
    uris: about.map(({ uri }) => uri),
    untilMs: clock.nowMs() + tokenMs,
  });
  return renderAct(
    "Nothing is forgotten yet. This cannot be undone: show the user what would go, and when " +
      `they agree call memory_forget again with the same uris and token "${token}".`,
    about,
  );
}

async function confirm(
  { clients, clock }: Tools,
  asked: Map<string, Asked>,
  { uris, token }: { readonly uris: readonly string[]; readonly token: string },
): Promise<string> {
  const given = asked.get(token);
  asked.delete(token);
  if (given === undefined || clock.nowMs() > given.untilMs)
    throw new ToolFailure("This token is not known or no longer good: call without one first.");
  const named = new Set(uris);
  if (!isSame(named, given.named) && !isSame(named, given.uris))
    throw new ToolFailure("The token was given for other memories: call without one first.");
  const api = await clients.write();
  const gone = await (await api.nodes.$delete({ query: { uri: [...given.uris] } })).json();
  return `Forgotten for good: ${gone.forgotten.join(", ")}.`;
}

const isSame = (one: ReadonlySet<string>, other: readonly string[]): boolean =>
  one.size === other.length && other.every((text) => one.has(text));
