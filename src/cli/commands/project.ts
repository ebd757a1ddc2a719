/** `project`: `trust` says that this folder is the project of its remote, `move` that a folder was renamed. */
import { resolve } from "node:path";
import { canonicalFolder, folderKey } from "#domain";
import type { Context } from "../context.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { CliFailure, misuse } from "../failure.ts";
import { safeLine } from "../text.ts";
import { projectNames } from "../project-names.ts";

export const projectCommand: CommandSpec = {
  name: "project",
  group: "trust",
  summary: "Trust the working folder as the project of its remote, or join a moved folder",
  details:
    "A clone that shares a commit with one that is known needs no trust. Any other folder with " +
    "the same remote is captured, " +
    "but gets none of the project's memories until you trust it. " +
    "`move` gives the memories of a folder that was renamed to the new folder; a renamed git repository is found " +
    "without it. The viewer's projects page splits them again.",
  arguments: [
    { name: "<action>", summary: "trust or move", choices: ["trust", "move"] },
    { name: "[old]", summary: "folder (or project) that is gone" },
    { name: "[new]", summary: "folder that it is now (default: the working folder)" },
  ],
  examples: ["continuity project trust", "continuity project move ~/lone ~/kiln"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => [
      ...fieldsOf(answerForms.PlaceJson),
      ...fieldsOf(answerForms.ProjectJson),
    ],
  },
  needsPerson: () => true,
  run: async (context, input) => {
    if (input.args[0] === "move") return move(context, input);
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
    else {
      const name = (await projectNames(context, [place.project]))(place.project);
      context.print(
        `Trusted: ${safeLine(place.root)} is ${safeLine(name)}. The next session there gets its memories.\n`,
      );
    }
    return 0;
  },
};

async function move(context: Context, input: Input): Promise<number> {
  const [, old, now = "."] = input.args;
  if (old === undefined) throw misuse("name the folder that is gone, and the one that it is now");
  const api = await context.api("write");
  const json = { project: projectIn(context, old), into: projectIn(context, now) };
  const project = await (await api.projects.merge.$post({ json })).json();
  if (hasFlag(input, "json")) context.printJson(project);
  else
    context.print(
      `Joined: ${safeLine(project.name)} now has ${project.memories} memories and ${project.sessions} sessions.\n`,
    );
  return 0;
}

/** Key of the project in a folder; what names no folder is a project's name or key. */
function projectIn(context: Context, given: string): string {
  const here = context.deps.project();
  const folder = resolve(canonicalFolder(given));
  if (here !== null && here.root === folder) return here.key;
  return /[/\\]|^\.+$/.test(given) ? folderKey(folder) : given;
}
