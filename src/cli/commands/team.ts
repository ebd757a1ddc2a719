/** `team`: what colleagues say, and what of it is in force here. */
import { counted } from "#kit";
import { confirmed, type Context, projectHere, projectNames } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { linesOf, safeLine, safeText, timeOf } from "../text.ts";
import { hostname } from "node:os";
import type { NamedProject, TeamDone, TeamFolder, TeamFolderFile, TeamHere } from "#domain";

// The words of `team` that concern the hub: who belongs to the team of this project.

const hubActions = ["create", "invite", "join", "leave", "members", "remove"] as const;
type HubAction = (typeof hubActions)[number];
type Run = (context: Context, value: string | null, input: Input) => Promise<number | void>;

const hubOf = async ({ deps }: Context) => (await deps.local()).teamHub();

function here(context: Context): NamedProject {
  const { key, name } = projectHere(context);
  return { key, name };
}

const demandName = (value: string | null, what: string): string => {
  if (value === null || value.trim() === "") throw misuse(what, "see `continuity help team`");
  return value.trim();
};

/** A line of a shell is kept in its history: the secret may be typed, or in the environment. */
async function join(context: Context, value: string | null): Promise<number | void> {
  const { env, io } = context.deps;
  const given =
    value ??
    env["CONTINUITY_TEAM_INVITATION"] ??
    (io.ask === null ? null : await io.ask("Invitation: "));
  const secret = demandName(given, "an invitation is needed");
  const { project } = await (await hubOf(context)).join(secret);
  const team = safeLine(project.name);
  context.show(
    { project },
    () => `Joined the team of ${team}. What its members share arrives in the background.\n`,
  );
}

const hubRuns: Readonly<Record<HubAction, Run>> = {
  create: async (context, value, input) => {
    const url = value ?? context.deps.env["CONTINUITY_TEAM_URL"] ?? null;
    const project = here(context);
    const name = optionText(input, "name") ?? context.deps.env["USER"] ?? hostname();
    const hub = await hubOf(context);
    const made = await hub.create({ url: demandName(url, "an address is needed"), name, project });
    context.show({ ...made, project, name }, () =>
      linesOf([
        `Made a team for ${safeLine(project.name)} at ${safeLine(made.url)}; you are ${safeLine(name)}.`,
        "Only this machine can invite and remove members. Invite one with `continuity team invite NAME`.",
      ]),
    );
  },
  invite: async (context, value) => {
    const name = demandName(value, "a name is needed");
    const hub = await hubOf(context);
    const invitation = await hub.invite(here(context), name);
    context.show({ name, invitation }, () =>
      linesOf([
        invitation,
        `Give this line to ${safeLine(name)}, over a way that nobody else reads. It is not shown again and works once:`,
        "  continuity team join",
      ]),
    );
  },
  join,
  leave: async (context) => {
    const project = here(context);
    await (await hubOf(context)).leave(project);
    const team = safeLine(project.name);
    context.show(
      { left: true, project },
      () => `You left the team of ${team}. What you shared is withdrawn from its members.\n`,
    );
  },
  members: async (context) => {
    const members = await (await hubOf(context)).members(here(context));
    context.show({ members }, () =>
      context.table(members, [
        { title: "id", value: ({ member }) => member },
        { title: "name", value: ({ name }) => name },
        { title: "joined", value: ({ joined }) => (joined === null ? "" : timeOf(joined)) },
        { title: "", value: (one) => (one.this ? "you" : one.state === "here" ? "" : one.state) },
      ]),
    );
  },
  remove: async (context, value) => {
    const given = demandName(value, "a member is needed");
    const name = await (await hubOf(context)).remove(here(context), given);
    context.show({ removed: name }, () =>
      linesOf([
        `Removed ${safeLine(name)}: the database refuses him, and what is written from now on has other keys.`,
        "He keeps what he has read. What he gave is withdrawn.",
      ]),
    );
  },
};

// Trust, mute, adopt and policy: the colleagues' memories in force here.

const actions = [
  "status",
  "trust",
  "distrust",
  "mute",
  "unmute",
  "adopt",
  "policy",
  ...hubActions,
] as const;
type Action = (typeof actions)[number];

export const teamCommand: CommandSpec = {
  name: "team",
  group: "main",
  summary: "Decide what colleagues' memories may do here",
  details:
    "`status` shows who gave what in this project. `trust` shows what the files in `.continuity` of this repository " +
    "say, and takes them in once you agree; changed files ask again. `distrust` takes them all back. `mute` and " +
    "`unmute` take a colleague, or this project with --project. `adopt` makes a colleague's memory your own. " +
    "`create <url>` makes a team for this project in a PostgreSQL database, `invite <name>` shows a secret line that " +
    "admits one person once, and `join` takes it (asked for, or in CONTINUITY_TEAM_INVITATION). `members` lists, " +
    "`remove <member>` takes one out and changes the keys, `leave` ends it here. " +
    "`policy review` lets what arrives wait in `continuity review` (the default), `policy live` does not.",
  arguments: [
    { name: "[action]", summary: `${actions.join(", ")} (default: status)`, choices: actions },
    {
      name: "[value]",
      summary:
        "the address (create), the name (invite, remove), the colleague (mute), the memory (adopt), the policy",
    },
  ],
  options: [
    { flags: "--name <name>", summary: "what you are called in the team (create)" },
    { flags: "--project", summary: "this project instead of a colleague (mute, unmute)" },
    { flags: "--yes", summary: "trust without being asked" },
  ],
  examples: [
    "continuity team create 'postgres://me@db.example.org/teams?sslmode=verify-full'",
    "continuity team invite Anna",
    "continuity team trust",
    "continuity team mute Anna",
    "continuity team adopt mem://agent/patterns/retry-the-queue-1f2e3d4c",
  ],
  json: {
    shape: "one document",
    fields: {
      project: "key of the project (status, policy), or its key and name (create, join, leave)",
      members:
        "who gave something (status), or who belongs to the team: member, name, state (members)",
      muted: "what is muted: what and value (status)",
      shared: "memories that are shared from here (status)",
      proposed: "memories that a rule proposes (status)",
      more: "how many more wait behind them (status)",
      rule: "categories, share and arrive, or null (status)",
      folder: "files of the repository: name, state, fault, author (status)",
      taken: "memories that were taken in (trust)",
      done: "the memory, and why it was refused (adopt)",
      url: "the address without its password (create)",
      name: "what a member is called (create, invite)",
      invitation: "the secret line, shown once (invite)",
      left: "true (leave)",
      removed: "name of the member who was removed (remove)",
      ok: "true (distrust, mute, unmute)",
    },
  },
  needsPerson: ({ args: [action] }) => /^(?:trust|policy|adopt)$/.test(action ?? ""),
  run: async (context, input) => {
    const [action = "status", value = null] = input.args;
    return run[action as Action](context, value, input);
  },
};

type Ask = Readonly<Record<string, unknown>> & { readonly ask: string };

/** One question to the daemon; what it refuses is thrown. */
export async function askTeam<Answer>(context: Context, ask: Ask): Promise<Answer> {
  const answer = await context.ask("write", (api) => api.team.$post({ json: ask }));
  const { failure } = answer;
  if (typeof failure === "string") throw new CliFailure(failure, "see `continuity help team`");
  return answer as Answer;
}

/** The URI of a memory that is named as `show` takes it: by that, a short id, or the beginning of its name. */
export async function uriOf(context: Context, given: string): Promise<string> {
  const query = { uri: given, use: "0" } as const;
  return (await context.ask("read", (api) => api.nodes.$get({ query }))).uri;
}

export const sharedHere = (context: Context): Promise<TeamHere> =>
  askTeam<TeamHere>(context, { ask: "shared", root: projectHere(context).root });

const viewHere = (context: Context): Promise<TeamFolder> =>
  askTeam<TeamFolder>(context, { ask: "view", root: projectHere(context).root });

const isOpen = ({ state }: TeamFolderFile): boolean => state === "new" || state === "changed";

async function status(context: Context): Promise<number | void> {
  const [shared, { files, fault }] = [await sharedHere(context), await viewHere(context)];
  const folder = files.map(({ name, state, fault: why, author }) => {
    return { name, state, fault: why, author };
  });
  const { members, muted, rule } = shared;
  const nameOf = await projectNames(context, [shared.project]);
  const open = files.filter(isOpen).length;
  const isMuted = (member: string): string =>
    muted.some(({ value }) => value === member) ? ", muted" : "";
  const lines = [
    `project   ${safeLine(nameOf(shared.project))}${isMuted(shared.project)}`,
    `arriving  ${rule?.arrive === "live" ? "in force at once" : "waits for review"}`,
    `shared    ${counted(shared.shared.length, "memory", "memories")}, ${shared.proposed.length + shared.more} proposed`,
    ...members.map(
      ({ member, name, given }) => `member    ${safeLine(name)}: ${given}${isMuted(member)}`,
    ),
    ...(fault === null ? [] : [`folder    ${safeLine(fault)}`]),
    ...(open === 0
      ? []
      : [`folder    ${counted(open, "file")} not trusted: run \`continuity team trust\``]),
  ];
  context.show({ ...shared, folder }, () => linesOf(lines));
}

async function trust(context: Context, input: Input): Promise<number | void> {
  const { digest, fault, files, root } = await viewHere(context);
  if (fault !== null) throw new CliFailure(fault, "nothing of it is read");
  const told = files.filter((file) => isOpen(file) || file.state === "left out");
  if (!context.isJson) for (const file of told) context.print(rendered(context, file));
  const open = files.filter(isOpen).length;
  if (open === 0) return context.show({ taken: 0 }, () => "Nothing is to be trusted.\n");
  const question = `Trust ${counted(open, "file")}? What they say is given to the agent, quoted.`;
  const unasked = [
    "trust needs a terminal to ask in",
    "or --yes, once you have read them",
  ] as const;
  if (!(await confirmed(context, input, { question, unasked }))) {
    context.print("Nothing was trusted.\n");
    return 1;
  }
  const { team } = await context.deps.local();
  const authors = team.authors(root);
  const ask = { ask: "trust", root, digest, authors };
  const done = await askTeam<{ readonly taken: number }>(context, ask);
  context.show(done, () => `Trusted: ${counted(done.taken, "memory", "memories")}.\n`);
}

/** `rendered` shows a file's text; of one that changed, the lines that come and go. */
function rendered({ style }: Context, file: TeamFolderFile): string {
  const { name, state, author, fault, before, after } = file;
  const about = fault === "" ? `, ${safeLine(author)}` : `: ${safeLine(fault)}`;
  const head = `${style.bold(safeLine(name))}  ${state}${about}`;
  const old = before.split("\n");
  const lines = after.split("\n");
  const shown =
    state === "left out"
      ? []
      : [
          ...old
            .filter((line) => line !== "" && !lines.includes(line))
            .map((line) => style.red(`- ${safeText(line)}`)),
          ...lines
            .filter((line) => line !== "")
            .map((line) =>
              old.includes(line) ? `  ${safeText(line)}` : style.green(`+ ${safeText(line)}`),
            ),
        ];
  return linesOf([head, ...shown]);
}

function memberNamed({ members }: TeamHere, value: string): string {
  const named = members.filter(({ member, name }) =>
    [member, name, name.replace(/ \(unverified\)$/, "")].includes(value),
  );
  const [one] = named;
  if (one !== undefined && named.length === 1) return one.member;
  throw misuse(
    one === undefined
      ? `nobody called ${safeLine(value)} gave something here`
      : `several are called ${safeLine(value)}: ${named.map(({ member }) => safeLine(member)).join(", ")}`,
    "`continuity team status --json` shows them",
  );
}

const muting =
  (isMuted: boolean): Run =>
  async (context, value, input) => {
    const isProject = hasFlag(input, "project");
    if (isProject === (value !== null)) throw misuse("specify a colleague or --project");
    const here = await sharedHere(context);
    const ask = { ask: "mute", what: isProject ? "project" : "member", isMuted };
    const muted = isProject ? here.project : memberNamed(here, value ?? "");
    const done = await askTeam<object>(context, { ...ask, value: muted });
    const name = value ?? (await projectNames(context, [here.project]))(here.project);
    context.show(done, () => `${isMuted ? "Muted" : "Given again"}: ${safeLine(name)}\n`);
  };

/** `printOutcomes` prints the outcome of each memory; 1 when one was refused. */
export function printOutcomes(context: Context, done: readonly TeamDone[], word: string): number {
  context.show({ done }, () =>
    linesOf(
      done.map(({ uri, l0, refused }) =>
        refused === ""
          ? `${word}: ${safeLine(l0)}`
          : `Not done for ${safeLine(uri)}: ${safeLine(refused)}`,
      ),
    ),
  );
  return done.every(({ refused }) => refused === "") ? 0 : 1;
}

const run: Readonly<Record<Action, Run>> = {
  ...hubRuns,
  status,
  trust: (context, _, input) => trust(context, input),
  distrust: async (context) => {
    const { root } = projectHere(context);
    const done = await askTeam<object>(context, { ask: "distrust", root });
    context.show(done, () => "Nothing of this repository is read any more.\n");
  },
  mute: muting(true),
  unmute: muting(false),
  adopt: async (context, value) => {
    if (value === null)
      throw misuse("specify a memory", "`continuity list --origin team` shows them");
    const { done } = await askTeam<{ readonly done: readonly TeamDone[] }>(context, {
      ask: "adopt",
      uri: await uriOf(context, value),
    });
    return printOutcomes(context, done, "Yours now");
  },
  policy: async (context, value) => {
    if (value !== "review" && value !== "live") throw misuse("specify review or live");
    const { root } = projectHere(context);
    const done = await askTeam<TeamHere>(context, { ask: "arrive", root, arrive: value });
    context.show(done, () =>
      value === "live" ? "What arrives is in force at once.\n" : "What arrives waits for review.\n",
    );
  },
};
