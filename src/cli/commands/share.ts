/** `share` and `promote`: what of the memory goes to colleagues and into instruction files. A person decides. */
import { teamCategories } from "#domain";
import { confirmed, type Context, linesOf, projectHere, projectNames } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { safeLine, safeText } from "../text.ts";
import { askTeam, memories, type Outcome, printOutcomes, sharedHere, uriOf } from "./team.ts";
import type { NodeJson } from "#api";

export const shareCommand: CommandSpec = {
  name: "share",
  group: "more",
  summary: "Share memories of this project with your team",
  details:
    "Without arguments, shows what a rule proposes. With URIs, shares these; --proposed shares all that is proposed. " +
    "`--project --category patterns,cases` is a standing rule: such memories of this project are proposed, and with " +
    "--auto shared at once; `--category none` ends it. Profile, preferences, sessions, prompts, what is private and " +
    "what came from a tool and was not reviewed is never shared.",
  arguments: [{ name: "[uri...]", summary: "the memories" }],
  options: [
    { flags: "--project", summary: "a rule for this project" },
    { flags: "--category <list>", summary: `${teamCategories.join(", ")}, or none` },
    { flags: "--auto", summary: "share what the rule finds without asking" },
    { flags: "--proposed", summary: "share all that is proposed" },
    { flags: "--off", summary: "stop sharing these memories; colleagues lose them" },
  ],
  examples: [
    "continuity share mem://agent/patterns/retry-the-queue",
    "continuity share --project --category patterns,cases,entities",
    "continuity share --proposed",
  ],
  json: {
    shape: "one document",
    fields: {
      done: "memories: uri, l0, and why one was refused (empty = it was not)",
      proposed: "without arguments: memories that are proposed",
      more: "without arguments: how many more wait behind the proposed ones",
      shared: "without arguments: memories that are shared",
      rule: "without arguments, or with --project: categories, share and arrive, or null",
    },
  },
  run: async (context, input) => {
    if (hasFlag(input, "off")) {
      if (input.args.length === 0) throw misuse("<uri> is missing");
      return decide(context, { ask: "unshare", uris: await urisOf(context, input) });
    }
    if (hasFlag(input, "project")) return rule(context, input);
    const isAll = hasFlag(input, "proposed");
    if (input.args.length === 0 && !isAll) return proposals(context);
    const uris = isAll
      ? (await sharedHere(context)).proposed.map(({ uri }) => uri)
      : await urisOf(context, input);
    return decide(context, { ask: "share", uris });
  },
};

/** One after the other: one that is not there is told by its own name. */
async function urisOf(context: Context, { args }: Input): Promise<readonly string[]> {
  const uris: string[] = [];
  for (const given of args) uris.push(await uriOf(context, given));
  return uris;
}

async function decide(
  context: Context,
  ask: { readonly ask: "share" | "unshare"; readonly uris: readonly string[] },
): Promise<number> {
  const { done } = await askTeam<{ readonly done: readonly Outcome[] }>(context, ask);
  return printOutcomes(context, done, ask.ask === "share" ? "Shared" : "Not shared any more");
}

async function proposals(context: Context): Promise<void> {
  const { proposed, more, shared, rule: standing } = await sharedHere(context);
  const behind = more === 0 ? "" : ` (the newest; ${more} more wait behind them)`;
  context.show({ proposed, more, shared, rule: standing }, () =>
    linesOf([
      ...proposed.map(
        ({ uri, l0 }) => `${safeLine(l0)}\n${context.style.dim(`    ${safeLine(uri)}`)}`,
      ),
      `${memories(proposed.length)} proposed${behind}, ${shared.length} shared.`,
    ]),
  );
}

async function rule(context: Context, input: Input): Promise<number | void> {
  const given = (optionText(input, "category") ?? "").split(",").map((one) => one.trim());
  const isNone = given.length === 1 && given[0] === "none";
  const categories = teamCategories.filter((one) => given.includes(one));
  if (!isNone && categories.length !== given.length)
    throw misuse(`--category takes ${teamCategories.join(", ")}, or none`);
  const { root } = projectHere(context);
  const how = hasFlag(input, "auto") ? "auto" : "ask";
  const ask = { ask: "rule", root, categories, share: isNone ? "ask" : how };
  const done = await askTeam<{ readonly rule: object | null }>(context, ask);
  const then = how === "auto" ? "shared at once" : "proposed in `continuity share`";
  context.show({ rule: done.rule }, () =>
    isNone
      ? "No rule any more. What is shared stays shared.\n"
      : `${categories.join(", ")} of this project: ${then}.\n`,
  );
}

// `promote`: a memory becomes a line of CLAUDE.md, or a file that colleagues can take in. A person decides.

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
  const l0 = lineOf(context, node, back);
  const root = await rootOf(context, node);
  const file = optionText(input, "file");
  const local = await context.deps.local();
  const { path, diff, note, write } = await local.instructions({ l0, root, file, back });
  if (!context.isJson) {
    const shown = diff === "" ? `Unchanged: ${path} has it already.` : `${path}\n${diff}`;
    context.print(`${safeText(shown)}\n${note === "" ? "" : `Note: ${safeText(note)}\n`}`);
  }
  const written =
    diff !== "" && !hasFlag(input, "dryRun") && (await isAgreed(context, input, path));
  if (written) write();
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
  const { team } = await context.deps.local();
  const author = team.userName(root);
  if (author === null)
    throw new CliFailure(
      "git knows no name of yours",
      'set one with `git config --global user.name "Your Name"`',
    );
  for (const given of input.args) {
    const uri = await uriOf(context, given);
    const file = await askTeam<TeamFile>(context, { ask: "promote", uri, root, author });
    const written = team.write(file);
    context.show({ path: written, l0: file.l0 }, () => `Wrote ${safeLine(written)}\n`);
  }
}
