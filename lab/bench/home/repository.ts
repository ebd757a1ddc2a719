/** A project folder as git leaves it, without git: its head and its remote are all that anybody reads. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function makeRepository(folder: string, remote: string | null): void {
  const git = join(folder, ".git");
  if (existsSync(git)) return;
  mkdirSync(git, { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  const origin = remote === null ? "" : `[remote "origin"]\n\turl = ${remote}\n`;
  writeFileSync(join(git, "config"), `[core]\n\tbare = false\n${origin}`);
}

/** As `git switch` leaves it; the client says `HEAD` where no branch is checked out. */
export const checkOut = (folder: string, branch: string): void =>
  writeFileSync(
    join(folder, ".git", "HEAD"),
    branch === "HEAD" ? `${"0".repeat(40)}\n` : `ref: refs/heads/${branch}\n`,
  );
