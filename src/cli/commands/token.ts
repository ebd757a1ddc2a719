/** `token`: the bearer token of the home folder. */
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { fields } from "./fields.ts";

export const tokenCommand: CommandSpec = {
  name: "token",
  group: "plumbing",
  summary: "Replace the bearer token of the local API",
  details:
    "The old token and every open viewer page stop working at once. Programs that were given " +
    "the token, such as an MCP " +
    "client over HTTP, need the new one. Hooks and the command line read it from the home folder.",
  arguments: [{ name: "<action>", summary: "rotate", choices: ["rotate"] }],
  examples: ["continuity token rotate"],
  json: { shape: "one document", fields: fields({ rotated: "true" }) },
  needsPerson: () => true,
  run: async (context, input) => {
    const api = await context.api("write");
    const answer = await (await api.token.rotate.$post({ json: {} })).json();
    if (hasFlag(input, "json")) context.printJson(answer);
    else context.print("Replaced the token. Run `continuity ui` to open the viewer again.\n");
    return 0;
  },
};
