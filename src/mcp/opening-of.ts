/** What the SDK's server says at the opening of a connection, asked from it: the build writes this out. */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { serveLines } from "./lines.ts";
import type { Opening } from "./opening.ts";
import type { Mcp } from "./server.ts";

/** The answers in each revision of the protocol that begins with a greeting. */
export async function openingOf(mcp: Mcp): Promise<Opening> {
  const found: [string, { initialize: object; tools: object }][] = [];
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
    const clientInfo = { name: "build", version: "1" };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const [initialize, tools] = await answersTo(mcp, [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ]);
    if (initialize?.result === undefined || tools?.result === undefined)
      throw new Error(`no answer in revision ${protocolVersion}`);
    found.push([protocolVersion, { initialize: initialize.result, tools: tools.result }]);
  }
  return Object.fromEntries(found);
}

async function answersTo(
  mcp: Mcp,
  messages: readonly object[],
): Promise<readonly { readonly result?: object }[]> {
  const answers: { readonly result?: object }[] = [];
  await serveLines(mcp, {
    input: (async function* () {
      yield* messages.map((message) => JSON.stringify(message));
    })(),
    write: (line) => void answers.push(JSON.parse(line) as { readonly result?: object }),
  });
  return answers;
}
