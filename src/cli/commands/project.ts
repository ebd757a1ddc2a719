/** `project trust`: this folder is the project that its remote says. */
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { CliFailure } from "../failure.ts";
import { safeLine } from "../text.ts";

export const projectCommand: CommandSpec = {
  name: "project",
  group: "trust",
  summary: "Trust that the working folder is the project its remote names",
  details:
    "A clone that shares a commit with one that is known needs no trust. Any other folder with " +
    "the same remote is captured, " +
    "but gets none of the project's memories until you trust it.",
  arguments: [{ name: "<action>", summary: "trust", choices: ["trust"] }],
  examples: ["continuity project trust"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.PlaceJson),
  },
  needsPerson: ({ args: [action] }) => action === "trust",
  run: async (context, input) => {
    const project = context.deps.project();
    if (project === null || project.key.startsWith("dir:"))
      throw new CliFailure(
        "this folder has no remote, so it is a project of its own and needs no trust",
        "run it in the folder that a session's first line named",
      );
    const api = await context.api("write");
    const json = { project: project.key, root: project.root };
    const place = await (await api.projects.trust.$post({ json })).json();
    if (hasFlag(input, "json")) context.printJson(place);
    else
      context.print(
        `Trusted: ${safeLine(place.root)} is ${safeLine(place.project)}. The next session there gets its memories.\n`,
      );
    return 0;
  },
};
