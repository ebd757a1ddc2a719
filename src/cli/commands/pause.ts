/** `pause`: stops capture and sending, or ends a pause. */
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag } from "../spec.ts";
import { parseSpan } from "../text.ts";
import { pauseLine } from "./status.ts";

export const pauseCommand: CommandSpec = {
  name: "pause",
  group: "more",
  summary: "Pause capture and sending, for a while or until --off",
  arguments: [{ name: "[duration]", summary: "30m, 1h, 2d (default: until `pause --off`)" }],
  options: [{ flags: "--off", summary: "end a pause" }],
  examples: ["continuity pause 1h", "continuity pause --off"],
  json: { shape: "one document", fields: { paused: "true or false", until: "time, or null" } },
  run: async (context, input) => {
    const [given] = input.args;
    const isOff = hasFlag(input, "off");
    if (isOff && given !== undefined) throw misuse("--off takes no duration");
    const forMs = given === undefined ? null : parseSpan(given);
    if (given !== undefined && (forMs === null || forMs < 1))
      throw misuse(`"${given}" is not a duration`, "write 30m, 1h or 2d");
    const state = await context.ask("write", (api) =>
      isOff ? api.resume.$post({ json: {} }) : api.pause.$post({ json: { for_ms: forMs } }),
    );
    context.show(state, () => `Capture is ${pauseLine(state)}.\n`);
  },
};
