/** What the commands of a team ask of this machine: the repository's folder, and what git tells of it. */
import type { Result } from "#kit";
import type { CliError } from "./failure.ts";

export interface TeamPort {
  /** `user.name` of git in this folder; null = not set. */
  readonly userName: (root: string) => string | null;
  /** Who last committed each file of `.continuity` that is as it was committed; empty = git does not tell. */
  readonly authors: (root: string) => Readonly<Record<string, string>>;
  /** Writes a file of `.continuity` whole or not at all. The path that was written. */
  readonly write: (file: {
    readonly root: string;
    readonly name: string;
    readonly text: string;
  }) => Result<string, CliError>;
}
