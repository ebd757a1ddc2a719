/** `guards`: what the agent is asked about, or refused, before it does it. */
import type { GuardJson } from "#api";
import { counted } from "#kit";
import { type Context, type NameOf, projectMeant, projectNames } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { safeLine } from "../text.ts";
import { numberOf } from "./filters.ts";

const actions = ["list", "add", "test", "approve", "remove"] as const;

export const guardsCommand: CommandSpec = {
  name: "guards",
  group: "more",
  summary: "Hold the agent to what you forbade it: list, approve, test",
  details:
    "A guard is offered when you forbid something; it does nothing until you approve it. It is no sandbox. `add` " +
    "makes one of your own words. `test` takes a command line, or a file with --path, and runs nothing.",
  arguments: [
    { name: "[action]", summary: "list (default), add, test, approve or remove", choices: actions },
    {
      name: "[words...]",
      summary: "for add: what is forbidden; for test: a command; else numbers",
    },
  ],
  options: [
    { flags: "--deny", summary: "with add or approve: refuse instead of asking you" },
    { flags: "--ask", summary: "with add or approve: ask you (the default)" },
    { flags: "--path <file>", summary: "with test: a file that is written, instead of a command" },
    { flags: "--global", summary: "with add: it holds in every project" },
    { flags: "--project <name>", summary: "with add or test: this project (name or key)" },
  ],
  examples: [
    "continuity guards",
    'continuity guards add "never push to main"',
    "continuity guards approve 3",
    'continuity guards test "git push origin main"',
  ],
  json: {
    shape: "one document a line",
    fields: (of) => [...of("GuardJson"), ...of("GuardTestJson")],
  },
  needsPerson: ({ args: [action] }) => /^(?:add|approve|remove)$/.test(action ?? ""),
  run: async (context, input) => {
    const [action = "list", ...words] = input.args;
    if (action === "list") return list(context);
    if (action === "add") return add(context, input, words.join(" ").trim());
    if (action === "test") return test(context, input, words.join(" ").trim());
    return decide(context, input, { action: action === "approve" ? "approve" : "remove", words });
  },
};

async function list(context: Context): Promise<number | void> {
  const { items } = await context.ask("read", (api) => api.guards.$get());
  const nameOf = await projectNames(
    context,
    items.map(({ project }) => project),
  );
  context.showAll(items, "No guards.\n", () =>
    items.map((item) => rendered(context, item, nameOf)).join(""),
  );
}

const rendered = ({ style }: Context, guard: GuardJson, nameOf: NameOf): string => {
  const { id, state, words, said, project } = guard;
  const origin =
    said === 0
      ? "added by hand"
      : `said ${said === 1 ? "once" : said === 2 ? "twice" : counted(said, "time")}`;
  const place = project === null ? "everywhere" : nameOf(project);
  return (
    `${style.bold(`${id}`)}  ${state === "offered" ? "offered " : "approved"}  ${safeLine(words)}\n` +
    style.dim(`    ${safeLine(`${deedOf(guard)}; ${origin}; ${place}`)}\n`)
  );
};

const deedOf = ({ decision, checks }: GuardJson): string =>
  `${decision === "ask" ? "asks before" : "refuses"} ${checks}`;

function decisionOf(input: Input): "ask" | "deny" | null {
  if (hasFlag(input, "deny") && hasFlag(input, "ask"))
    throw misuse("--ask and --deny exclude each other");
  return hasFlag(input, "deny") ? "deny" : hasFlag(input, "ask") ? "ask" : null;
}

async function add(context: Context, input: Input, words: string): Promise<number | void> {
  if (words === "") throw misuse("say what is forbidden", 'such as "never push to main"');
  const json = {
    words,
    decision: decisionOf(input) ?? "ask",
    project: projectMeant(context, input),
  } as const;
  const guard = await context.ask("write", (api) => api.guards.$post({ json }));
  const nameOf = await projectNames(context, [guard.project]);
  const idle =
    guard.state === "offered"
      ? `It does nothing yet: \`continuity guards approve ${guard.id}\`.\n`
      : "";
  context.show(guard, () => `${rendered(context, guard, nameOf)}${idle}`);
}

async function test(context: Context, input: Input, command: string): Promise<number | void> {
  const path = optionText(input, "path");
  if ((command === "") === (path === null)) throw misuse("name one command, or a file with --path");
  const asked = path === null ? { command } : { path };
  const cwd = context.deps.folderAt(".").folder;
  const root = context.deps.project()?.root ?? cwd;
  const json = { ...asked, cwd, root, project: optionText(input, "project") };
  const { guard } = await context.ask("read", (api) => api.guards.test.$post({ json }));
  context.show({ guard }, () => {
    if (guard === null) return "No guard is against it.\n";
    const does = guard.decision === "ask" ? "asks you first" : "refuses it";
    const verdict = guard.state === "approved" ? does : "would, once approved";
    return `Guard ${guard.id} ${verdict}: ${safeLine(guard.words)}\n`;
  });
}

async function decide(
  context: Context,
  input: Input,
  { action, words }: { readonly action: "approve" | "remove"; readonly words: readonly string[] },
): Promise<number | void> {
  for (const word of words) numberOf(word, "guard");
  if (words.length === 0)
    throw misuse("specify which guards", "their numbers from `continuity guards`");
  const decision = decisionOf(input);
  const api = await context.api("write");
  for (const id of words) {
    const json = { action, ...(decision === null ? {} : { decision }) };
    const guard = await (await api.guards[":id"].$post({ param: { id }, json })).json();
    context.show(guard, () =>
      action === "remove"
        ? `Removed: ${safeLine(guard.words)}\n`
        : `Guard ${guard.id} ${safeLine(deedOf(guard))}.\n`,
    );
  }
}
