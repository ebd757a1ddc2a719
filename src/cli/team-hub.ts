/** What `team` asks of the hub that carries what members give each other; the work is done in this process. */
import type { NamedProject } from "#domain";
import type { Result } from "#kit";
import type { CliError } from "./failure.ts";

export interface HubMember {
  readonly member: string;
  readonly name: string;
  readonly state: "here" | "invited" | "left" | "removed";
  /** When he joined, epoch ms; null = not yet. */
  readonly joined: number | null;
  readonly this: boolean;
}

type Answer<Value> = Promise<Result<Value, CliError>>;

export interface TeamHubPort {
  readonly create: (ask: {
    readonly url: string;
    readonly name: string;
    readonly project: NamedProject;
  }) => Answer<{ readonly url: string }>;
  /** A secret string, which is kept nowhere. */
  readonly invite: (project: NamedProject, name: string) => Answer<string>;
  readonly join: (secret: string) => Answer<{ readonly project: NamedProject }>;
  readonly leave: (project: NamedProject) => Answer<null>;
  readonly members: (project: NamedProject) => Answer<readonly HubMember[]>;
  /** By id or name; the name. */
  readonly remove: (project: NamedProject, member: string) => Answer<string>;
}
