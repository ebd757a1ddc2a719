/** `ui`: the viewer in a browser, through a link that works once. */
import { CliFailure } from "../failure.ts";
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { fields } from "./fields.ts";

export const uiCommand: CommandSpec = {
  name: "ui",
  group: "more",
  summary: "Open the viewer in your browser",
  details:
    "Starts the daemon if it is not running. The link is valid for one minute and works once, " +
    "on this machine. The browser " +
    "opens a file in Continuity's home folder that redirects to the viewer. If your browser " +
    "cannot read that folder, use --print.",
  arguments: [{ name: "[uri]", summary: "memory to open, by URI or short id" }],
  options: [{ flags: "--print", summary: "print the address instead of opening it" }],
  examples: [
    "continuity ui",
    "continuity ui mem://user/preferences/package-manager",
    "continuity ui --print",
  ],
  json: {
    shape: "one document",
    fields: fields({
      code: "one-time code, valid for one minute",
      url: "address to open; the code follows the #",
      expires_at: "expiry of the code",
    }),
  },
  run: async (context, input) => {
    const api = await context.api("write");
    const asked = input.args[0];
    // First: a memory that is not there needs no code.
    const uri =
      asked === undefined
        ? null
        : (await (await api.nodes.$get({ query: { uri: asked, use: "0" } })).json()).uri;
    const minted = await (await api.ui.code.$post({ json: {} })).json();
    const link =
      uri === null ? minted : { ...minted, url: `${minted.url}&uri=${encodeURIComponent(uri)}` };
    if (hasFlag(input, "json")) context.printJson(link);
    else if (hasFlag(input, "print")) context.print(`${link.url}\n`);
    else if (context.deps.openBrowser(link.url))
      context.print("Opened the viewer. If no page appears, run `continuity ui --print`.\n");
    else
      throw new CliFailure(
        "could not open a browser",
        "run `continuity ui --print` and open what it prints",
      );
    return 0;
  },
};
