/** `undo`: the last change taken back, whatever it was. */
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { ageOf, safeLine } from "../text.ts";

export const undoCommand: CommandSpec = {
  name: "undo",
  group: "trust",
  summary: "Undo the last change of any memory",
  details:
    "Undoes what was created, edited, merged, pinned or retracted last, by you or by what was " +
    "learned, with everything that " +
    "changed in the same step. A second `undo` brings it back. What was forgotten is gone. For an older change, see " +
    "`continuity revert`.",
  examples: ["continuity undo"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.UndoneJson),
  },
  run: async (context, input) => {
    const api = await context.api("write");
    const undone = await (await api.undo.$post({ json: {} })).json();
    if (hasFlag(input, "json")) {
      context.printJson(undone);
      return 0;
    }
    const { style, nowMs } = context;
    for (const { action, l0, uri, status } of undone.items)
      context.print(
        `Undone (${action}, ${ageOf(undone.at, nowMs)}): ${safeLine(l0)}\n` +
          `${style.dim(`${safeLine(uri)}  ${status}`)}\n`,
      );
    return 0;
  },
};
