/** The folder `.continuity` of a repository, as the command line writes it, and what git tells of it. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TeamPort } from "#cli";
import { err, ok, type Random } from "#kit";

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

export const createTeam = (random: Random): TeamPort => ({
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
      return err({ type: "team.folder", message: `${place} is no folder`, next: "move it away" });
    const draft = join(place, `.${random.hex(16)}.new`);
    try {
      mkdirSync(place, { recursive: true });
      writeFileSync(draft, text, { flag: "wx" });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      const why = error instanceof Error ? error.message : "unknown";
      return err({
        type: "team.write",
        message: `could not write ${path}: ${why}`,
        next: "check the rights of the folder and the room on the disk",
      });
    }
    return ok(path);
  },
});
