/** The words of `team` that concern the hub: who belongs to the team of this project. */
import { hostname } from "node:os";
import type { NamedProject } from "#domain";
import { type Context, linesOf, projectHere } from "../context.ts";
import { demand, misuse } from "../failure.ts";
import { type Input, optionText } from "../spec.ts";
import { safeLine, timeOf } from "../text.ts";

export const hubActions = ["create", "invite", "join", "leave", "members", "remove"] as const;
type Action = (typeof hubActions)[number];
export type Run = (context: Context, value: string | null, input: Input) => Promise<number | void>;

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
  const { env, io, teamHub } = context.deps;
  const given =
    value ??
    env["CONTINUITY_TEAM_INVITATION"] ??
    (io.ask === null ? null : await io.ask("Invitation: "));
  const secret = demandName(given, "an invitation is needed");
  const { project } = demand(await (await teamHub()).join(secret));
  context.show({ project }, () =>
    linesOf([
      `Joined the team of ${safeLine(project.name)}. What its members share arrives in the background.`,
    ]),
  );
}

export const hubRuns: Readonly<Record<Action, Run>> = {
  create: async (context, value, input) => {
    const url = value ?? context.deps.env["CONTINUITY_TEAM_URL"] ?? null;
    const project = here(context);
    const name = optionText(input, "name") ?? context.deps.env["USER"] ?? hostname();
    const hub = await context.deps.teamHub();
    const made = demand(
      await hub.create({ url: demandName(url, "an address is needed"), name, project }),
    );
    context.show({ ...made, project, name }, () =>
      linesOf([
        `Made a team for ${safeLine(project.name)} at ${safeLine(made.url)}; you are ${safeLine(name)}.`,
        "Only this machine can invite and remove members. Invite one with `continuity team invite NAME`.",
      ]),
    );
  },
  invite: async (context, value) => {
    const name = demandName(value, "a name is needed");
    const hub = await context.deps.teamHub();
    const invitation = demand(await hub.invite(here(context), name));
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
    demand(await (await context.deps.teamHub()).leave(project));
    context.show({ left: true, project }, () =>
      linesOf([
        `You left the team of ${safeLine(project.name)}. What you shared is withdrawn from its members.`,
      ]),
    );
  },
  members: async (context) => {
    const members = demand(await (await context.deps.teamHub()).members(here(context)));
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
    const name = demand(await (await context.deps.teamHub()).remove(here(context), given));
    context.show({ removed: name }, () =>
      linesOf([
        `Removed ${safeLine(name)}: the database refuses him, and what is written from now on has other keys.`,
        "He keeps what he has read. What he gave is withdrawn.",
      ]),
    );
  },
};
