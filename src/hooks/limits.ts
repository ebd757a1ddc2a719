/** Every bound of the hook process, with units (docs/design/capture.md). */
import { assert } from "#kit";
import type { HookName } from "#domain";

/** The time for which a hook waits for the daemon. A hung socket costs this, never more. */
export const handOverMs: Readonly<Record<HookName, number>> = {
  start: 1_500,
  submit: 250,
  tool: 100,
  stop: 100,
  subagent: 100,
  compact: 100,
  end: 100,
};

export const captureLimits = {
  /** The client closes stdin at once; a caller that does not must not keep a prompt waiting. */
  stdinMs: 2_000,
  /** Longer payloads are slimmed before they are sent: the daemon reads them between other requests. */
  rawPayloadCharsMax: 64 * 1_024,
  /** Above this a tool event keeps its name, paths and outcome only. */
  toolJsonCharsMax: 256 * 1_024,
  /** An edit's strings are kept whole up to here, else not at all: a cut could halve a secret before the gate. */
  editTextCharsMax: 600,
  /** Kept of every tool text in the spool, head and tail together, after the gate. */
  spooledToolCharsMax: 2_048,
  /** Kept of a prompt, an answer or a summary in the spool, after the gate. */
  spooledTextCharsMax: 100_000,
  /** A hook gates so much text by itself while the daemon is away; more goes to a courier. */
  gatedInHookCharsMax: 8_192,
  /** Milliseconds that a courier waits for a daemon that was too slow for the hook. */
  courierMs: 30_000,
  /** Session ids are folders of the archive: two longer ones might share one, and the client's have 36. */
  idCharsMax: 100,
  /** Nesting and list lengths that slimming and gating follow. */
  depthMax: 8,
  listMax: 500,
  /** The client cuts hook output at 10,000 characters. */
  outputCharsMax: 9_500,
  spoolFilesMax: 50_000,
  spoolBytesMax: 200 * 1_024 * 1_024,
  /** Two equal events without an id of their own within this time are one (plugin and settings both installed). */
  anonymousTwinMs: 1_000,
  /**
   * The time for which a start attempt keeps others from trying. Single instance is the lock's job;
   * this only saves processes.
   */
  startAttemptMs: 5_000,
  /** Unix socket paths end at 104 bytes on macOS and 108 on Linux. */
  socketPathBytesMax: 100,
} as const;

assert(
  captureLimits.editTextCharsMax < captureLimits.spooledToolCharsMax,
  "an edit's strings fit into what is kept of a tool",
);
