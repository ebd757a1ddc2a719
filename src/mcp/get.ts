/** `memory_get`: memories by URI. A deliberate fetch, so it counts as use. */
import type { z } from "zod";
import { renderFetched, type FetchedText } from "#memory";
import { ToolFailure, type Client } from "./client.ts";
import { recordText } from "./record.ts";
import type { getInput } from "./schemas.ts";
import { field, type Tools } from "./tool.ts";

/** Resolves to the memories as text; URIs without a memory are named at the end. Fails when there is none at all. */
export async function fetchMemories(
  { clients, clock, project, session }: Tools,
  { uris, tier }: z.output<typeof getInput>,
): Promise<string> {
  const api = await clients.read();
  const fetched: FetchedText[] = [];
  const faults: string[] = [];
  for (const uri of new Set(uris)) {
    try {
      fetched.push(await fetchOne(api, uri, session));
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      faults.push(error.message);
    }
  }
  if (fetched.length === 0) throw new ToolFailure(faults.join("\n"));
  const ask = { tier: tier ?? "full", home: project(), nowMs: clock.nowMs() };
  return [renderFetched(fetched, ask), ...faults].join("\n");
}

/** A memory, or a record of a session, whose URI search gives as well. */
async function fetchOne(api: Client, uri: string, session: string | null): Promise<FetchedText> {
  const record = await recordText(api, uri);
  if (record !== null) return record;
  const query = { uri, use: "1" as const, ...field("reader", session) };
  return (await api.nodes.$get({ query })).json();
}
