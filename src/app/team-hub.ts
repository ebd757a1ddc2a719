/**
 * `continuity team` over the real home: the repository's folder, states in files, the hub in this process, memories
 * through the daemon.
 */
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { isCliFailure, type TeamPort as TeamFolderPort, type TeamHubPort } from "#cli";
import type { Context, NamedProject, SyncReport } from "#domain";
import type { TeamPort, TeamState } from "#exchange/sync";
import { type Random, errorMessage, writeWhole } from "#kit";
import { askOver, failed, guarded, locked, type Start } from "./sync-lock.ts";
import { teamFiles, teamFolder } from "./sync-schedule.ts";

// The folder `.continuity` of a repository, as the command line writes it, and what git tells of it.

const folder = ".continuity";
const gitMs = 10_000;
const gitBytesMax = 4_194_304;

/** Nothing that the repository's own settings name is run. */
function git(root: string, args: readonly string[]): string | null {
  try {
    return execFileSync(
      "git",
      ["-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "--no-pager", ...args],
      {
        cwd: root,
        encoding: "utf8",
        timeout: gitMs,
        maxBuffer: gitBytesMax,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  } catch {
    return null;
  }
}

export const createTeam = (random: Random): TeamFolderPort => ({
  userName: (root) => git(root, ["config", "user.name"])?.trim() || null,
  authors: (root) => {
    const log = git(root, ["log", "--format=%x00%an", "--name-only", "--no-renames", "--", folder]);
    const changed = git(root, [
      "status",
      "--porcelain",
      "-z",
      "--untracked-files=all",
      "--",
      folder,
    ]);
    if (log === null || changed === null) return {};
    const dirty = new Set(changed.split("\0").map((line) => line.slice(3)));
    const found: Record<string, string> = {};
    // The latest commit stands first.
    for (const commit of log.split("\0").slice(1)) {
      const [author = "", ...paths] = commit.split("\n");
      for (const path of paths) {
        const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "";
        if (name !== "" && !dirty.has(path)) found[name] ??= author;
      }
    }
    return found;
  },
  write: ({ root, name, text }) => {
    const place = join(root, folder);
    const kind = lstatSync(place, { throwIfNoEntry: false });
    const path = join(place, name);
    if (kind !== undefined && !kind.isDirectory())
      throw failed("team.folder", `${place} is no folder`, "move it away");
    const draft = join(place, `.${random.hex(16)}.new`);
    try {
      mkdirSync(place, { recursive: true });
      writeFileSync(draft, text, { flag: "wx" });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      const why = errorMessage(error);
      throw failed(
        "team.write",
        `could not write ${path}: ${why}`,
        "check the rights of the folder and the room on the disk",
      );
    }
    return path;
  },
});

type Hub = typeof import("#exchange/sync");

export function createTeamHub(deps: Context, start: Start): TeamHubPort {
  const work = <Value>(task: (hub: Hub) => Promise<Value>): Promise<Value> =>
    guarded(deps, (hub) => locked(deps.paths, () => task(hub)));
  const save = saver(deps);
  return {
    create: (ask) =>
      work(async (hub) => {
        demandShared(ask.project);
        if (teamOf(deps, ask.project) !== null)
          throw failed("team.on", `there is a team for ${ask.project.name} already`, seeMembers);
        const { clock, env, random } = deps;
        const state = await hub.createTeam({ ...ask, env, random, nowMs: clock.nowMs() }, save);
        return { url: hub.shownUrl(state.url) };
      }),
    invite: (project, name) =>
      work((hub) =>
        hub.inviteMember(demandTeam(deps, project), { name, random: deps.random }, save),
      ),
    join: (secret) =>
      work(async (hub) => {
        const known = teams(deps);
        const state = await hub.joinTeam(secret, { known, nowMs: deps.clock.nowMs() }, save);
        await hub.syncTeam(demandTeam(deps, state.project), await portOver(start), save);
        return { project: state.project };
      }),
    leave: (project) =>
      work(async (hub) => {
        const state = demandTeam(deps, project);
        await hub.leaveTeam(state, save);
        const port = await portOver(start);
        for (const { device } of state.devices)
          if (device !== state.device) await port.withdraw(device, project.key);
        rmSync(pathOf(deps, state), { force: true });
      }),
    members: (project) => work((hub) => hub.membersOf(demandTeam(deps, project), save)),
    remove: (project, member) =>
      work((hub) => hub.removeMember(demandTeam(deps, project), member, save)),
  };
}

const seeMembers = "see `continuity team members`";

/** All teams of this home, one after another; what one fails at is a line. */
export async function syncTeams(deps: Context, start: Start): Promise<SyncReport> {
  const states = teams(deps);
  let [received, sent] = [0, 0];
  const problems: string[] = [];
  if (states.length === 0) return { received, sent, problems };
  const hub = await import("#exchange/sync");
  const port = await portOver(start);
  for (const state of states) {
    let lines: readonly string[];
    try {
      const done = await guarded(deps, () => hub.syncTeam(state, port, saver(deps)));
      received += done.received;
      sent += done.sent;
      lines = done.problems;
    } catch (error) {
      if (!isCliFailure(error)) throw error;
      lines = [error.message];
    }
    problems.push(...lines.map((line) => `team of ${state.project.name}: ${line}`));
  }
  return { received, sent, problems };
}

const pathOf = ({ paths }: Context, { space }: TeamState): string =>
  join(teamFolder(paths), `${space}.json`);

/** Whole or not at all, and for nobody else to read. */
const saver =
  (deps: Context) =>
  (state: TeamState): void => {
    mkdirSync(teamFolder(deps.paths), { recursive: true, mode: 0o700 });
    writeWhole(pathOf(deps, state), JSON.stringify(state));
  };

const teams = ({ paths }: Context): readonly TeamState[] =>
  teamFiles(paths).map((path) => JSON.parse(readFileSync(path, "utf8")) as TeamState);

const teamOf = (deps: Context, { key }: NamedProject): TeamState | null =>
  teams(deps).find(({ project }) => project.key === key) ?? null;

function demandTeam(deps: Context, project: NamedProject): TeamState {
  const state = teamOf(deps, project);
  if (state !== null) return state;
  throw failed(
    "team.off",
    `this machine is in no team of ${project.name}`,
    "make one with `continuity team create postgres://user@host/database`, or join one",
  );
}

/** Members find the project by its remote. */
function demandShared({ key, name }: NamedProject): void {
  if (key.startsWith("dir:"))
    throw failed(
      "team.local",
      `${name} has no git remote, and other machines would not know it`,
      "add one with `git remote add origin …`",
    );
}

async function portOver(start: Start): Promise<TeamPort> {
  const ask = await askOver(start, "/api/team");
  return {
    since: async (project, cursor, limit) =>
      (await ask({ ask: "since", project, cursor, limit })) as never,
    accept: async ({ member, name }, project, items) =>
      void (await ask({ ask: "accept", member, name, project, items })),
    withdraw: async (member, project) => void (await ask({ ask: "withdraw", member, project })),
  };
}
