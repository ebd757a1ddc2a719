/** `ui`: the viewer in a browser, through a link that works once. */
import { CliFailure } from "../failure.ts";
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { fields } from "./fields.ts";

export const uiCommand: CommandSpec = {
  name: "ui",
  group: "daily",
  summary: "Open the viewer in your browser",
  details:
    "Starts the daemon when none runs. The address holds a code that works once, within a minute, on this machine.",
  options: [{ flags: "--print", summary: "print the address instead of opening it" }],
  examples: ["continuity ui", "continuity ui --print"],
  json: {
    shape: "one document",
    fields: fields({
      code: "what the page exchanges for the token",
      url: "address to open, with the code behind #",
      expires_at: "time from which the code is worthless",
    }),
  },
  run: async (context, input) => {
    const api = await context.api("write");
    const link = await (await api.ui.code.$post({ json: {} })).json();
    if (hasFlag(input, "json")) context.printJson(link);
    else if (hasFlag(input, "print")) context.print(`${link.url}\n`);
    else if (context.deps.openBrowser(link.url)) context.print("Opened the viewer.\n");
    else
      throw new CliFailure(
        "no browser could be opened here",
        "run `continuity ui --print` and open what it prints",
      );
    return 0;
  },
};
