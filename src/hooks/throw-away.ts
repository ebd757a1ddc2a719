/**
 * A machine that lives for a day and has the address and the key of a space among its secrets: it joins the space at
 * its first session's start, which waits for that a moment. Every other home is attached by its user with `sync init`:
 * what a project puts into an environment must not send an existing memory anywhere.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { HomePaths } from "#domain";
import { sha256 } from "#kit";

type Env = Readonly<Record<string, string | undefined>>;

interface Place {
  readonly paths: HomePaths;
  readonly env: Env;
}

const stepMs = 15;

/** Holds which space a home began with; something else once its user ended that. */
export const joiningPath = ({ sync }: HomePaths): string => `${sync}/joining`;

/**
 * `wanted` gives the space of the environment; of it nothing can be told from the digest. Null
 * where the environment names none.
 */
function wanted(env: Env): string | null {
  const [url, key] = [env["CONTINUITY_SYNC_URL"], env["CONTINUITY_SYNC_KEY"]];
  return url && key ? sha256(`${url}\n${key}`) : null;
}

/** True for a home that began with this environment and has not joined yet. */
export function joinsSpace({ paths, env }: Place): boolean {
  const space = wanted(env);
  if (space === null || existsSync(`${paths.sync}/space.json`)) return false;
  const mark = joiningPath(paths);
  try {
    if (existsSync(mark)) return readFileSync(mark, "utf8") === space;
    if (existsSync(paths.database)) return false;
    mkdirSync(paths.sync, { recursive: true, mode: 0o700 });
    writeFileSync(mark, space, { mode: 0o600 });
    return true;
  } catch {
    return false; // A home that cannot be written has no memory to be filled.
  }
}

/** `late`: it goes on by itself. */
export type Joining = "done" | "failed" | "late";

/** Starts `sync init` and waits until the memories are there. */
export async function joinSpace(
  { paths, env }: Place,
  command: readonly string[],
  leftMs: () => number,
): Promise<Joining> {
  const child = Bun.spawn([...command, "sync", "init"], {
    cwd: paths.root,
    env: { ...env, CONTINUITY_HOME: paths.root },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  while (leftMs() > 0 && child.exitCode === null) await Bun.sleep(stepMs);
  if (child.exitCode === null) return "late";
  return child.exitCode === 0 ? "done" : "failed";
}
