/** `share`: what of the memory goes to colleagues. A person decides. */
import { counted } from "#kit";
import { teamCategories, type TeamDone } from "#domain";
import { type Context, projectHere } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { linesOf, safeLine } from "../text.ts";
import { askTeam, printOutcomes, sharedHere, uriOf } from "./team.ts";

export const shareCommand: CommandSpec = {
  name: "share",
  group: "more",
  summary: "Share memories of this project with your team",
  details:
    "Without arguments, shows what a rule proposes. With URIs, shares these; --proposed shares all that is proposed. " +
    "`--project --category patterns,cases` is a standing rule: such memories of this project are proposed, and with " +
    "--auto shared at once; `--category none` ends it. Profile, preferences, sessions, prompts, what is private and " +
    "what came from a tool and was not reviewed is never shared. --repo writes `.continuity/<category>-<name>.md`; " +
    "others read it once they trust it with `continuity team trust`. Memories that the privacy gate finds something " +
    "in are not written.",
  arguments: [{ name: "[uri...]", summary: "the memories" }],
  options: [
    { flags: "--project", summary: "a rule for this project" },
    { flags: "--category <list>", summary: `${teamCategories.join(", ")}, or none` },
    { flags: "--auto", summary: "share what the rule finds without asking" },
    { flags: "--proposed", summary: "share all that is proposed" },
    { flags: "--off", summary: "stop sharing these memories; colleagues lose them" },
    {
      flags: "--repo",
      summary: "write them into .continuity of the repository, for you to commit",
    },
  ],
  examples: [
    "continuity share mem://agent/patterns/retry-the-queue",
    "continuity share --project --category patterns,cases,entities",
    "continuity share --proposed",
    "continuity share mem://agent/patterns/retry-the-queue --repo",
  ],
  json: {
    shape: "one document",
    fields: {
      done: "memories: uri, l0, and why one was refused (empty = it was not)",
      proposed: "without arguments: memories that are proposed",
      more: "without arguments: how many more wait behind the proposed ones",
      shared: "without arguments: memories that are shared",
      rule: "without arguments, or with --project: categories, share and arrive, or null",
      path: "with --repo, one document a line: the file, with l0",
    },
  },
  run: async (context, input) => {
    const isRepo = hasFlag(input, "repo");
    if ((isRepo || hasFlag(input, "off")) && input.args.length === 0)
      throw misuse("<uri> is missing");
    if (isRepo) return intoRepository(context, input);
    if (hasFlag(input, "off")) {
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
  const { done } = await askTeam<{ readonly done: readonly TeamDone[] }>(context, ask);
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
      `${counted(proposed.length, "memory", "memories")} proposed${behind}, ${shared.length} shared.`,
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

// `--repo`: files that colleagues take in once they trust them.

type TeamFile = Record<"root" | "name" | "text" | "l0", string>;

async function intoRepository(context: Context, input: Input): Promise<void> {
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
