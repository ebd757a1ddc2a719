/** `promote`: a memory becomes a line of CLAUDE.md, or a file that colleagues can take in. A person decides. */
import type { InferResponseType } from "hono/client";
import { type Client, type Context, projectNames } from "../context.ts";
import { CliFailure, failureOf, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { safeLine, safeText } from "../text.ts";
import { askTeam, projectHere, uriOf } from "./team.ts";

export const promoteCommand: CommandSpec = {
  name: "promote",
  group: "more",
  summary: "Write a memory into CLAUDE.md, or into the repository for your team",
  details:
    "Without --repo, adds the memory as a line to CLAUDE.md of this project, and a global memory to " +
    "~/.claude/CLAUDE.md. Claude Code loads these files, so from then on the memory is not given again. You see the " +
    "change as a diff and are asked; without a terminal --yes is needed. The rest of the file stays as it is. --back " +
    "takes the line out, and the memory is given again. With --repo, writes `.continuity/<category>-<name>.md` in " +
    "this repository, for you to commit. Others read it once they trust it with `continuity team trust`. Memories " +
    "that the privacy gate finds something in are not written.",
  arguments: [{ name: "<uri...>", summary: "the memories" }],
  options: [
    { flags: "--file <name>", summary: "another file than CLAUDE.md, such as CLAUDE.local.md" },
    { flags: "--back", summary: "take the line out again" },
    { flags: "--dry-run", summary: "show the change and write nothing" },
    { flags: "-y, --yes", summary: "do not ask" },
    { flags: "--repo", summary: "into .continuity of the repository, for colleagues" },
  ],
  examples: [
    "continuity promote mem://user/preferences/package-manager",
    "continuity promote --back '#4k'",
    "continuity promote mem://agent/patterns/retry-the-queue --repo",
  ],
  json: {
    shape: "one document a line",
    fields: {
      path: "the file",
      l0: "the memory in one line",
      diff: "what changed, or would; empty = nothing (not with --repo)",
      written: "false with --dry-run (not with --repo)",
    },
  },
  run: async (context, input) => {
    if (hasFlag(input, "repo")) return intoRepository(context, input);
    for (const given of input.args) await intoFile(context, input, given);
    return 0;
  },
};

type Node = InferResponseType<Client["nodes"]["$get"], 200>;

async function intoFile(context: Context, input: Input, given: string): Promise<void> {
  const api = await context.api("read");
  const node = await (await api.nodes.$get({ query: { uri: given, use: "0" } })).json();
  const back = hasFlag(input, "back");
  const instructions = await context.deps.instructions();
  const planned = instructions.plan({
    l0: lineOf(context, node, back),
    root: await rootOf(context, node),
    file: optionText(input, "file"),
    back,
  });
  if (!planned.ok) throw failureOf(planned.error);
  const { path, diff, note, write } = planned.value;
  const isQuiet = hasFlag(input, "json");
  if (!isQuiet) {
    const shown = diff === "" ? `Unchanged: ${path} has it already.` : `${path}\n${diff}`;
    context.print(`${safeText(shown)}\n${note === "" ? "" : `Note: ${safeText(note)}\n`}`);
  }
  const written =
    diff !== "" && !hasFlag(input, "dryRun") && (await isAgreed(context, input, path));
  if (written) {
    const done = write();
    if (!done.ok) throw failureOf(done.error);
  }
  if (isQuiet) context.printJson({ path, l0: node.l0, diff, written });
  else if (written)
    context.print(back ? `Taken out of ${safeLine(path)}\n` : `Wrote ${safeLine(path)}\n`);
}

async function isAgreed({ deps, print }: Context, input: Input, path: string): Promise<boolean> {
  if (hasFlag(input, "yes")) return true;
  const { ask } = deps.io;
  if (ask === null || hasFlag(input, "json"))
    throw misuse("no terminal to confirm on", "add --yes, or see the change with --dry-run");
  const answer = await ask(`Change ${safeLine(path)}? [y/N] `);
  if (/^\s*y(?:es)?\s*$/i.test(answer ?? "")) return true;
  print("Nothing written.\n");
  return false;
}

/** Its line without the name of the project, which the file's place says. */
function lineOf(
  { deps }: Context,
  { l0, status, node_type: type, uri }: Node,
  back: boolean,
): string {
  if (type !== "leaf") throw new CliFailure(`${safeLine(uri)} is a folder`, "name a memory in it");
  if (status !== "active" && !back)
    throw new CliFailure(`the memory is not in force (${status})`, "see it with `continuity show`");
  const head = `${deps.project()?.name ?? ""}: `;
  return l0.toLowerCase().startsWith(head.toLowerCase()) ? l0.slice(head.length) : l0;
}

/** Null for a global memory. */
async function rootOf(context: Context, { project }: Node): Promise<string | null> {
  if (project === null) return null;
  const here = projectHere(context);
  if (here.key === project) return here.root;
  const name = (await projectNames(context, [project]))(project);
  throw new CliFailure(`the memory belongs to ${safeLine(name)}`, "run it in a folder of that");
}

async function intoRepository(context: Context, input: Input): Promise<number> {
  if (["back", "dryRun", "file"].some((name) => input.options[name] !== undefined))
    throw misuse("--file, --back and --dry-run do not go with --repo");
  const { root } = projectHere(context);
  const author = context.deps.team.userName(root);
  if (author === null)
    throw new CliFailure(
      "git knows no name of yours",
      'set one with `git config --global user.name "Your Name"`',
    );
  for (const given of input.args) {
    const uri = await uriOf(context, given);
    const file = await askTeam<{
      readonly root: string;
      readonly name: string;
      readonly text: string;
      readonly l0: string;
    }>(context, { ask: "promote", uri, root, author });
    const written = context.deps.team.write(file);
    if (!written.ok) throw failureOf(written.error);
    if (hasFlag(input, "json")) context.printJson({ path: written.value, l0: file.l0 });
    else context.print(`Wrote ${safeLine(written.value)}\n`);
  }
  return 0;
}
