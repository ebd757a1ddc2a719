/** `verify`: a memory held against the code that it names. */
import { anchorLine } from "../anchor-line.ts";
import { CliFailure } from "../failure.ts";
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";

export const verifyCommand: CommandSpec = {
  name: "verify",
  group: "trust",
  summary: "Compare a memory with the code it names",
  details:
    "Looks at the files and symbols that a memory names, in the working tree you are in, and prints how each " +
    "stands: fresh, moved (a git rename), changed or gone. With --holds, the memory holds for the code as it is now.",
  arguments: [{ name: "<uri>", summary: "the memory" }],
  options: [{ flags: "--holds", summary: "confirm the memory for the code as it is now" }],
  examples: ["continuity verify #4k", "continuity verify #4k --holds"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.NodeJson),
  },
  run: async (context, input) => {
    const folder = context.deps.project()?.root;
    if (folder === undefined)
      throw new CliFailure("this folder is in no project", "run it in the project's working tree");
    const api = await context.api("write");
    const json = { uri: input.args[0] ?? "", folder, holds: hasFlag(input, "holds") };
    const node = await (await api.nodes.verify.$post({ json })).json();
    if (hasFlag(input, "json")) context.printJson(node);
    else if (node.anchors.length === 0) context.print("It names no code of this working tree.\n");
    else context.print(node.anchors.map((anchor) => `${anchorLine(anchor)}\n`).join(""));
    return 0;
  },
};
