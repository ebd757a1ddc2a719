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
    "A clone that shares a commit with one that is known needs no trust. Any other folder with " +
    "the same remote is captured, " +
    "but gets none of the project's memories until you trust it. " +
    "`move` gives the memories of a folder that was copied elsewhere to the new folder; a renamed one is found " +
    "without it. `move --undo` takes the last joining apart.",
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
      return hasFlag(input, "undo") ? undoMove(context, input) : move(context, input);
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
  const [from, into] = [placeIn(context, old), placeIn(context, now)];
  const json = {
    project: from.project?.key ?? from.given,
    into: into.project?.key ?? into.given,
    ...(into.project === null ? {} : { into_name: into.project.name }),
  };
  return tell(context, input, {
    project: await (await api.projects.merge.$post({ json })).json(),
    verb: "Joined",
  });
}

async function undoMove(context: Context, input: Input): Promise<number> {
  const api = await context.api("write");
  return tell(context, input, {
    project: await (await api.projects.unmerge.$post()).json(),
    verb: "Taken apart",
  });
}

function tell(
  context: Context,
  input: Input,
  { project, verb }: { readonly project: ProjectJson; readonly verb: string },
): 0 {
  if (hasFlag(input, "json")) context.printJson(project);
  else
    context.print(
      `${verb}: ${safeLine(project.name)} now has ${counted(project.memories, "memory", "memories")} and ` +
        `${counted(project.sessions, "session")}.\n`,
    );
  return 0;
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
