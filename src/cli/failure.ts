/** What ends a command early: one line for a person, what to do next, and the exit status. */
import type { CliError } from "./deps.ts";

/** 1: it failed; 2: it was asked wrongly. */
export type ExitStatus = 1 | 2;

export class CliFailure extends Error {
  readonly next: string | null;
  readonly exitStatus: ExitStatus;

  constructor(message: string, next: string | null = null, exitStatus: ExitStatus = 1) {
    super(message);
    this.next = next;
    this.exitStatus = exitStatus;
  }
}

export const failureOf = ({ message, next }: CliError): CliFailure =>
  new CliFailure(message, next ?? null);

/** Asked wrongly: exit status 2. */
export const misuse = (message: string, next: string | null = null): CliFailure =>
  new CliFailure(message, next, 2);
