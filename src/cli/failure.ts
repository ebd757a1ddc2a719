/**
 * Describes an error that ends a command early: one line for a person, what to do next, and the
 * exit status; or no reader left.
 */

/** Says in one sentence why a command cannot go on, and what to do about it. */
export interface CliError {
  readonly type: string;
  readonly message: string;
  readonly next?: string;
  /** The command line makes no sense: exit status 2. */
  readonly isMisuse?: boolean;
}

/** 1: it failed; 2: it was asked wrongly. */
export type ExitStatus = 1 | 2;

export class CliFailure extends Error {
  readonly next: string | null;
  readonly exitStatus: ExitStatus;
  /** For callers that go on after some failures. */
  readonly type: string | null;

  constructor(
    message: string,
    next: string | null = null,
    exitStatus: ExitStatus = 1,
    type: string | null = null,
  ) {
    super(message);
    this.next = next;
    this.exitStatus = exitStatus;
    this.type = type;
  }
}

/** Standard output takes no more: its reader is gone, or its disk is full. Ends any command. */
export class OutputFailure extends Error {
  /** The reader has what it wanted (`| head`), so nothing failed. */
  readonly isReaderGone: boolean;

  constructor(reason: string, isReaderGone: boolean) {
    super(`standard output cannot be written: ${reason}`);
    this.isReaderGone = isReaderGone;
  }
}

/** By shape, not by class: what is loaded only when needed is bundled apart, with a copy of the classes of its own. */
export const isCliFailure = (error: unknown): error is CliFailure =>
  error instanceof Error && "exitStatus" in error && "next" in error;

/** By shape, as above. */
export const isOutputFailure = (error: unknown): error is OutputFailure =>
  error instanceof Error && "isReaderGone" in error;

export const failureOf = ({ type, message, next, isMisuse }: CliError): CliFailure =>
  new CliFailure(message, next ?? null, isMisuse === true ? 2 : 1, type);

/** Asked wrongly: exit status 2. */
export const misuse = (message: string, next: string | null = null): CliFailure =>
  new CliFailure(message, next, 2);
