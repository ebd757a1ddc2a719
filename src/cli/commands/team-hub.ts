/** The words of `team` that concern the hub: who belongs to the team of this project. */
import { hostname } from "node:os";
import type { NamedProject } from "#domain";
import type { Result } from "#kit";
import type { Context } from "../context.ts";
import { CliFailure, failureOf, misuse, type CliError } from "../failure.ts";
import { hasFlag, type Input, optionText } from "../spec.ts";
import { safeLine, table, timeOf } from "../text.ts";
import type { HubMember } from "../sync.ts";

export const hubActions = ["create", "invite", "join", "leave", "members", "remove"] as const;
type Action = (typeof hubActions)[number];
type Run = (context: Context, input: Input, value: string | null) => Promise<number>;

const demand = <Value>(result: Result<Value, CliError>): Value => {
  if (!result.ok) throw failureOf(result.error);
  return result.value;
};

function here({ deps }: Context): NamedProject {
  const project = deps.project();
  if (project === null)
    throw new CliFailure("this folder is in no project", "run it in a folder of the project");
  return { key: project.key, name: project.name };
}

function show(context: Context, input: Input, document: object, lines: readonly string[]): void {
  if (hasFlag(input, "json")) context.printJson(document);
  else for (const line of lines) context.print(`${line}\n`);
}

const demandName = (value: string | null, what: string): string => {
  if (value === null || value.trim() === "") throw misuse(what, "see `continuity help team`");
  return value.trim();
};

/** A line of a shell is kept in its history: the secret may be typed, or in the environment. */
async function join(context: Context, input: Input, value: string | null): Promise<number> {
  const { env, io, teamHub } = context.deps;
  const given =
    value ??
    env["CONTINUITY_TEAM_INVITATION"] ??
    (io.ask === null ? null : await io.ask("Invitation: "));
  const secret = demandName(given, "an invitation is needed");
  const { project } = demand(await (await teamHub()).join(secret));
  show(context, input, { project }, [
    `Joined the team of ${safeLine(project.name)}. What its members share arrives in the background.`,
  ]);
  return 0;
}

export const hubRuns: Readonly<Record<Action, Run>> = {
  create: async (context, input, value) => {
    const url = value ?? context.deps.env["CONTINUITY_TEAM_URL"] ?? null;
    const project = here(context);
    const name = optionText(input, "name") ?? context.deps.env["USER"] ?? hostname();
    const hub = await context.deps.teamHub();
    const made = demand(
      await hub.create({ url: demandName(url, "an address is needed"), name, project }),
    );
    show(context, input, { ...made, project, name }, [
      `Made a team for ${safeLine(project.name)} at ${safeLine(made.url)}; you are ${safeLine(name)}.`,
      "Only this machine can invite and remove members. Invite one with `continuity team invite NAME`.",
    ]);
    return 0;
  },
  invite: async (context, input, value) => {
    const name = demandName(value, "a name is needed");
    const hub = await context.deps.teamHub();
    const invitation = demand(await hub.invite(here(context), name));
    show(context, input, { name, invitation }, [
      invitation,
      `Give this line to ${safeLine(name)}, over a way that nobody else reads. It is not shown again and works once:`,
      "  continuity team join",
    ]);
    return 0;
  },
  join,
  leave: async (context, input) => {
    const project = here(context);
    demand(await (await context.deps.teamHub()).leave(project));
    show(context, input, { left: true, project }, [
      `You left the team of ${safeLine(project.name)}. What you shared is withdrawn from its members.`,
    ]);
    return 0;
  },
  members: async (context, input) => {
    const members = demand(await (await context.deps.teamHub()).members(here(context)));
    if (hasFlag(input, "json")) context.printJson({ members });
    else
      context.print(
        table<HubMember>(
          members,
          [
            { title: "id", value: ({ member }) => member },
            { title: "name", value: ({ name }) => name },
            {
              title: "joined",
              value: ({ joined }) => (joined === null ? "" : timeOf(joined)),
            },
            {
              title: "",
              value: (one) => (one.this ? "you" : one.state === "here" ? "" : one.state),
            },
          ],
          { width: context.deps.io.columns, style: context.style },
        ),
      );
    return 0;
  },
  remove: async (context, input, value) => {
    const given = demandName(value, "a member is needed");
    const name = demand(await (await context.deps.teamHub()).remove(here(context), given));
    show(context, input, { removed: name }, [
      `Removed ${safeLine(name)}: the database refuses him, and what is written from now on has other keys.`,
      "He keeps what he has read. What he gave is withdrawn.",
    ]);
    return 0;
  },
};
