/** `promote`: a memory becomes a line of CLAUDE.md, or a file that colleagues can take in. A person decides. */
import type { NodeJson } from "#api";
import { confirmed, type Context, projectHere, projectNames } from "../context.ts";
import { CliFailure, demand, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { safeLine, safeText } from "../text.ts";
import { askTeam, uriOf } from "./team.ts";

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
  },
};

async function intoFile(context: Context, input: Input, given: string): Promise<void> {
  const node = await context.ask("read", (api) =>
    api.nodes.$get({ query: { uri: given, use: "0" } }),
  );
  const back = hasFlag(input, "back");
  const instructions = await context.deps.instructions();
  const l0 = lineOf(context, node, back);
  const root = await rootOf(context, node);
  const file = optionText(input, "file");
  const { path, diff, note, write } = demand(instructions.plan({ l0, root, file, back }));
  if (!context.isJson) {
    const shown = diff === "" ? `Unchanged: ${path} has it already.` : `${path}\n${diff}`;
    context.print(`${safeText(shown)}\n${note === "" ? "" : `Note: ${safeText(note)}\n`}`);
  }
  const written =
    diff !== "" && !hasFlag(input, "dryRun") && (await isAgreed(context, input, path));
  if (written) demand(write());
  if (context.isJson) context.printJson({ path, l0: node.l0, diff, written });
  else if (written)
    context.print(back ? `Taken out of ${safeLine(path)}\n` : `Wrote ${safeLine(path)}\n`);
}

async function isAgreed(context: Context, input: Input, path: string): Promise<boolean> {
  const unasked = [
    "no terminal to confirm on",
    "add --yes, or see the change with --dry-run",
  ] as const;
  if (context.isJson && !hasFlag(input, "yes")) throw misuse(...unasked);
  const question = `Change ${safeLine(path)}?`;
  if (await confirmed(context, input, { question, unasked })) return true;
  context.print("Nothing written.\n");
  return false;
}

/** Its line without the name of the project, which the file's place says. */
function lineOf(
  { deps }: Context,
  { l0, status, node_type: type, uri }: NodeJson,
  back: boolean,
): string {
  if (type !== "leaf") throw new CliFailure(`${safeLine(uri)} is a folder`, "name a memory in it");
  if (status !== "active" && !back)
    throw new CliFailure(`the memory is not in force (${status})`, "see it with `continuity show`");
  const head = `${deps.project()?.name ?? ""}: `;
  return l0.toLowerCase().startsWith(head.toLowerCase()) ? l0.slice(head.length) : l0;
}

/** Null for a global memory. */
async function rootOf(context: Context, { project }: NodeJson): Promise<string | null> {
  if (project === null) return null;
  const here = projectHere(context);
  if (here.key === project) return here.root;
  const name = (await projectNames(context, [project]))(project);
  throw new CliFailure(`the memory belongs to ${safeLine(name)}`, "run it in a folder of that");
}

type TeamFile = Record<"root" | "name" | "text" | "l0", string>;

async function intoRepository(context: Context, input: Input): Promise<void> {
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
    const file = await askTeam<TeamFile>(context, { ask: "promote", uri, root, author });
    const written = demand(context.deps.team.write(file));
    context.show({ path: written, l0: file.l0 }, () => `Wrote ${safeLine(written)}\n`);
  }
}
