/**
 * Spools the events of a hook while the daemon is away: project, exclusion, gate, spool; in this
 * order. What could not be spooled is noted as lost.
 */
import { textField } from "#kit";
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { HomePaths, HookEnvelope, ProjectIdentity, Settings, SpoolGate } from "#domain";
import { exclusionFor, projectOf } from "./project.ts";
import { gateEnvelope } from "./gate-envelope.ts";
import { gateOfSession } from "./known-secrets.ts";
import {
  addPrivateWords,
  clearPrivateTurn,
  markOffTheRecord,
  markPrivateTurn,
  turnStanding,
  withoutPrompt,
  withoutWords,
} from "./private-turn.ts";
import { pathsOf } from "./slim.ts";
import { spoolEnvelope } from "./spool.ts";

export interface SpoolDeps {
  readonly paths: HomePaths;
  readonly gate: SpoolGate;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The time at which the events came, by the system's clock. */
  readonly arrivalMs: number;
  /** True when a prompt orders that nothing of its turn is remembered. */
  readonly leavesNoRecord: (prompt: string) => boolean;
}

export type SpooledEvents =
  /** `first` is the first new event as it lies in the spool. */
  | { readonly type: "spooled"; readonly first: HookEnvelope }
  | { readonly type: "duplicate" }
  /** The project or the touched file is switched off: nothing reached the disk. */
  | { readonly type: "excluded" }
  | { readonly type: "refused"; readonly why: string };

/** Gates and spools the events of one hook. */
export function spoolEvents(deps: SpoolDeps, envelopes: readonly HookEnvelope[]): SpooledEvents {
  const cwd = textField(envelopes[0]?.payload ?? {}, "cwd");
  const project = projectOf(cwd);
  const wanted = withoutExcluded(deps, { cwd, project, envelopes });
  if (wanted.length === 0) return { type: "excluded" };
  const { arrivalMs } = deps;
  let first: HookEnvelope | null = null;
  for (const [position, envelope] of wanted.entries()) {
    if (isLeftOut(deps, envelope)) continue;
    const safe = { ...forDisk(deps, envelope), ...tookSince(envelope, arrivalMs), project };
    const outcome = spoolEnvelope(deps.paths, safe, { arrivalMs, position });
    if (outcome.type === "full" || outcome.type === "unwritable") {
      const why = outcome.type === "full" ? "full" : outcome.code;
      noteLost(deps.paths, wanted.slice(position), { atMs: arrivalMs, why });
      return { type: "refused", why };
    }
    if (outcome.type === "spooled") first ??= safe;
  }
  return first === null ? { type: "duplicate" } : { type: "spooled", first };
}

/** The hook's own time cannot be told later, so it says so itself. */
const tookSince = ({ startedAtMs }: HookEnvelope, nowMs: number): Partial<HookEnvelope> =>
  startedAtMs === undefined ? {} : { tookMs: Math.max(0, nowMs - startedAtMs) };

/** The events whose folder and files are not switched off. */
function withoutExcluded(
  { env, settings }: SpoolDeps,
  where: {
    readonly cwd: string | null;
    readonly project: ProjectIdentity | null;
    readonly envelopes: readonly HookEnvelope[];
  },
): readonly HookEnvelope[] {
  const { cwd, project, envelopes: given } = where;
  const takesHeadless = settings.capture.headless !== "off";
  const envelopes = given.filter(({ payload }) => takesHeadless || payload["headless"] !== true);
  const isOff = exclusionFor(cwd, { settings, env, projectOf: () => project });
  if (cwd !== null && isOff(".")) return [];
  return envelopes.filter(({ payload }) => !pathsOf(payload).some(isOff));
}

/** True for what belongs to a turn that leaves no record, but for its prompts, which are spooled without words. */
const isLeftOut = ({ paths }: SpoolDeps, envelope: HookEnvelope): boolean =>
  envelope.hook !== "submit" && leavesNothing.has(turnStanding(paths, envelope));

const leavesNothing: ReadonlySet<string> = new Set(["off the record", "paused"]);

const isOff = ({ paths, leavesNoRecord }: SpoolDeps, prompt: HookEnvelope): boolean =>
  leavesNoRecord(textField(prompt.payload, "prompt") ?? "") ||
  (textField(prompt.payload, "prompt_id") !== null &&
    turnStanding(paths, prompt) === "off the record");

/** The gated event, and the mark of its turn when the prompt had something private. */
function forDisk(deps: SpoolDeps, envelope: HookEnvelope): HookEnvelope {
  const { paths, gate, settings, arrivalMs } = deps;
  const isPrompt = envelope.hook === "submit";
  if (isPrompt && isOff(deps, envelope)) {
    markOffTheRecord(paths, envelope, arrivalMs);
    return { ...withoutPrompt(envelope), gated: true };
  }
  const isPrivate = !isPrompt && turnStanding(paths, envelope) === "private";
  const spoken = isPrivate ? withoutWords(envelope) : envelope;
  const at = { session: textField(envelope.payload, "session_id") ?? "", nowMs: arrivalMs };
  const ofSession = gateOfSession(gate, paths, at);
  const gated = gateEnvelope({ gate: ofSession, boring: settings.capture.boring }, spoken);
  if (isPrompt) (gated.hidden === null ? clearPrivateTurn : markPrivateTurn)(paths, gated.envelope);
  addPrivateWords(paths, at, gated.hidden ?? []);
  return gated.envelope;
}

/**
 * The note of events that could be kept nowhere, so that people can be told later. The daemon lays it down while there
 * is room (src/daemon/intake/drain.ts); lines added to it then need no new block of the disk. Read by keep/damage.ts.
 */
export const lostNotePath = (paths: HomePaths): string => `${paths.spool}/lost`;

/** Its first line; there from the start, so that the note has its block. Afterwards `<epoch ms> <hook> <why>` each. */
export const lostNoteHead = "# events that could not be kept: time, hook, reason\n";

/** One block of any file system: more could not be added on a full disk. */
export const lostNoteBytesMax = 4_096;

/** Adds a line for each event while the note has room. Never throws. */
export function noteLost(
  paths: HomePaths,
  lost: readonly HookEnvelope[],
  { atMs, why }: { readonly atMs: number; readonly why: string },
): void {
  const lines = lost.map(({ hook }) => `${atMs} ${hook} ${why}\n`);
  try {
    // Not created here: it would take a block, and under sudo it would be root's.
    const file = openSync(lostNotePath(paths), constants.O_WRONLY | constants.O_APPEND);
    try {
      let { size } = fstatSync(file);
      for (const line of lines) {
        size += line.length;
        if (size <= lostNoteBytesMax) writeSync(file, line);
      }
    } finally {
      closeSync(file);
    }
  } catch {
    // No note, or no room even in it: the session was told.
  }
}
