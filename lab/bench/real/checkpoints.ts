/**
 * Real transcripts from public repositories that keep them on a branch of checkpoints, in the client's own layout. A
 * checkpoint repeats the session so far: each line is taken once. Folders of the developers' machines become
 * /home/dev/NAME-DEVELOPER; secrets were redacted where they were written.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "#kit";
import { folderName } from "../voices/script.ts";

const branches = [
  "refs/heads/entire/checkpoints/v1",
  "refs/remotes/origin/entire/checkpoints/v1",
] as const;
const clients = new Set(["Claude Code", "Agent", "none"]);
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export interface Fetched {
  readonly project: string;
  readonly sessions: number;
  readonly bytes: number;
}

interface Meta {
  readonly session_id?: string;
  readonly created_at?: string;
  readonly agent?: string;
}

/** `sources`: GIT_DIR=NAME, clones of whole repositories. */
export function getProjects(out: string, sources: readonly string[]): readonly Fetched[] {
  const counts = new Map<string, { sessions: number; bytes: number }>();
  for (const source of sources) {
    const equals = source.lastIndexOf("=");
    const found = [...sessionsOf(source.slice(0, equals))];
    for (const { who, session, text } of relocated(found, source.slice(equals + 1))) {
      const folder = join(out, folderName(`/home/dev/${who}`));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${session}.jsonl`), text);
      const before = counts.get(who) ?? { sessions: 0, bytes: 0 };
      counts.set(who, { sessions: before.sessions + 1, bytes: before.bytes + text.length });
    }
  }
  return [...counts].map(([project, { sessions, bytes }]) => ({ project, sessions, bytes }));
}

interface Kept {
  readonly session: string;
  readonly text: string;
}

/** The transcripts of one repository, each line once, in the order of its checkpoints. */
function* sessionsOf(git: string): Iterable<Kept> {
  const files = filesOf(git);
  const checkpoints: { meta: Meta; folder: string }[] = [];
  for (const path of files) {
    if (!path.endsWith("/metadata.json") || path.includes("/tasks/")) continue;
    const folder = path.slice(0, -"metadata.json".length);
    if (files.has(`${folder}full.jsonl`)) checkpoints.push({ meta: metaOf(git, path), folder });
  }
  const bySession = Map.groupBy(checkpoints, ({ meta }) => meta.session_id ?? "");
  for (const [id, parts] of bySession) {
    const session = id.match(uuid)?.at(-1)?.toLowerCase();
    if (session === undefined || !clients.has(parts[0]?.meta.agent ?? "none")) continue;
    const inOrder = parts.toSorted((a, b) =>
      (a.meta.created_at ?? "").localeCompare(b.meta.created_at ?? ""),
    );
    const lines = new Map<string, string>();
    for (const { folder } of inOrder)
      for (const name of partsOf(files, folder))
        for (const line of show(git, name).split("\n"))
          if (line.trim() !== "" && !lines.has(keyOf(line))) lines.set(keyOf(line), line);
    const text = [...lines.values(), ""].join("\n");
    if (text.includes('"type":"user"')) yield { session, text };
  }
}

/** A long transcript lies in pieces: `full.jsonl`, `full.jsonl.001`, … */
function* partsOf(files: ReadonlySet<string>, folder: string): Iterable<string> {
  for (let n = 0; ; n += 1) {
    const name = `${folder}full.jsonl${n === 0 ? "" : `.${`${n}`.padStart(3, "0")}`}`;
    if (!files.has(name)) return;
    yield name;
  }
}

/** The client's own id of a line; what has none is known by its words. */
const keyOf = (line: string): string =>
  (line.includes('"parentUuid"') ? /"uuid":"([^"]+)"/.exec(line)?.[1] : undefined) ?? sha256(line);

const branchOf = (git: string): string =>
  branches.find((name) => run(git, ["rev-parse", "-q", "--verify", name]) !== "") ?? branches[0];

const filesOf = (git: string): ReadonlySet<string> =>
  new Set(run(git, ["ls-tree", "-r", "-z", "--name-only", branchOf(git)]).split("\0"));

const show = (git: string, path: string): string => run(git, ["show", `${branchOf(git)}:${path}`]);

function metaOf(git: string, path: string): Meta {
  try {
    return JSON.parse(show(git, path)) as Meta;
  } catch {
    return {};
  }
}

/** Empty where git says nothing, or the object is not there. */
function run(git: string, args: readonly string[]): string {
  const done = Bun.spawnSync(["git", "-C", git, ...args], { stderr: "ignore" });
  return done.exitCode === 0 ? done.stdout.toString() : "";
}

const cwdsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"cwd":("(?:[^"\\]|\\.)*")/g)].map(
    ([, json = '""']) => JSON.parse(json) as string,
  );

/** `ownerOf` gives the owner of the machine that a folder is on. */
const ownerOf = (cwd: string): string =>
  (/^(?:\/Users|\/home|[A-Z]:\\Users)[/\\]([^/\\]+)/.exec(cwd)?.[1] ?? "dev")
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "-");

/** Every folder of a developer becomes one; the longest path first, since one may begin another. */
function relocated(found: readonly Kept[], name: string) {
  const owned = found.map((kept) => {
    const cwds = cwdsIn(kept.text);
    const [most] = [...Map.groupBy(cwds, (cwd) => cwd)].toSorted(
      ([, a], [, b]) => b.length - a.length,
    );
    return { ...kept, cwds, owner: ownerOf(most?.[0] ?? "") };
  });
  const folders = Map.groupBy(owned, ({ owner }) => owner);
  return owned
    .filter(({ cwds }) => cwds.length > 0)
    .map(({ owner, session, text }) => {
      const who = `${name}-${owner}`;
      const roots = new Set(
        (folders.get(owner) ?? []).flatMap(({ cwds }) => cwds).filter(isBelowHome),
      );
      let moved = text;
      for (const root of [...roots].toSorted((a, b) => b.length - a.length))
        moved = moved.replaceAll(JSON.stringify(root).slice(1, -1), `/home/dev/${who}`);
      const home = new RegExp(`(?:/Users|/home)/${RegExp.escape(owner)}(?=[/"\\s])`, "g");
      return { who, session, text: moved.replace(home, "/home/dev") };
    });
}

const isBelowHome = (cwd: string): boolean =>
  cwd.split(/[/\\]/).length > 3 && !/^\/(?:Users|home)\/[^/]+$/.test(cwd);
