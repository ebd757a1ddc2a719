/** `project`: `trust` says that this folder is the project of its remote, `move` that a folder was renamed. */
import { counted } from "#kit";
import type { ProjectJson } from "#api";
import type { ProjectIdentity } from "#domain";
import { type Context, projectNames } from "../context.ts";
import { type CommandSpec, hasFlag, type Input } from "../spec.ts";
import { CliFailure, misuse } from "../failure.ts";
import { safeLine } from "../text.ts";

export const projectCommand: CommandSpec = {
  name: "project",
  group: "more",
  summary: "Trust the working folder as the project of its remote, or join a moved folder",
  details:
    "A clone that shares a commit with one that is known needs no trust. Any other folder with the same remote is " +
    "captured, but gets none of the project's memories until you trust it. `move` gives the memories of a folder " +
    "that was copied elsewhere to the new folder; a renamed one is found without it. `move --undo` takes the last " +
    "joining apart.",
  arguments: [
    { name: "<action>", summary: "trust or move", choices: ["trust", "move"] },
    { name: "[old]", summary: "folder (or project) that is gone" },
    { name: "[new]", summary: "folder that it is now (default: the working folder)" },
  ],
  options: [{ flags: "--undo", summary: "with move: take the last joining apart" }],
  examples: [
    "continuity project trust",
    "continuity project move ~/lone ~/kiln",
    "continuity project move --undo",
  ],
  json: {
    shape: "one document",
    fields: (of) => [...of("PlaceJson"), ...of("ProjectJson")],
  },
  needsPerson: () => true,
  run: async (context, input) => {
    if (input.args[0] === "move")
      return hasFlag(input, "undo") ? undoMove(context) : move(context, input);
    const project = context.deps.project();
    if (project === null || project.key.startsWith("dir:"))
      throw new CliFailure(
        "this folder has no remote, so it is a project of its own and needs no trust",
        "run it in the folder that a session's first line named",
      );
    const json = { project: project.key, root: project.root };
    const place = await context.ask("write", (api) => api.projects.trust.$post({ json }));
    const name = (await projectNames(context, [place.project]))(place.project);
    const said = `Trusted: ${safeLine(place.root)} is ${safeLine(name)}.`;
    context.show(place, () => `${said} The next session there gets its memories.\n`);
  },
};

async function move(context: Context, input: Input): Promise<void> {
  const [, old, now = "."] = input.args;
  if (old === undefined) throw misuse("name the folder that is gone, and the one that it is now");
  const [from, into] = [placeIn(context, old), placeIn(context, now)];
  const json = {
    project: from.project?.key ?? from.given,
    into: into.project?.key ?? into.given,
    ...(into.project === null ? {} : { into_name: into.project.name }),
  };
  const joined = await context.ask("write", (api) => api.projects.merge.$post({ json }));
  tell(context, joined, "Joined");
}

async function undoMove(context: Context): Promise<void> {
  const project = await context.ask("write", (api) => api.projects.unmerge.$post());
  tell(context, project, "Taken apart");
}

function tell(context: Context, project: ProjectJson, verb: string): void {
  const memories = counted(project.memories, "memory", "memories");
  const sessions = counted(project.sessions, "session");
  const name = safeLine(project.name);
  context.show(project, () => `${verb}: ${name} now has ${memories} and ${sessions}.\n`);
}

/** A folder that is named, and the project in it; what names no folder is a project's name or key. */
function placeIn(
  { deps }: Context,
  given: string,
): { readonly given: string; readonly project: ProjectIdentity | null } {
  const { folder, project } = deps.folderAt(given);
  const isPath = project !== null || /^\.|[\\]|^[/~]|^[a-z]:/i.test(given);
  return isPath ? { given: folder, project } : { given, project: null };
}
