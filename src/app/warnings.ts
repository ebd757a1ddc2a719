/** Warns a person of faults of the home, its database and its models, each with what to do. */
import { accessSync, constants } from "node:fs";
import type { Context, Embedder } from "#domain";
import { existingFolder, isoTime, msPerMinute } from "#kit";
import { damageWarnings, fullDisk, lostEvents, lostFix } from "#keep";
import { type Fault, spentBudget, upkeepState } from "#daemon";
import type { Daemon, Reader } from "./context.ts";
import { modelFault, noModel } from "./fault.ts";
import { llmPlaceOf, type ServiceContext } from "#api/server";
import { type ModelStatus, unchosen } from "./model-source.ts";

export const warningsOf = (
  deps: Context,
  reader: Reader,
  daemon: Daemon | null,
): readonly string[] => [
  ...homeWarnings(deps.paths.root),
  ...lostWarnings(deps),
  ...deps.settings.warnings(),
  ...clockWarnings(deps, reader),
  ...damageWarnings(deps.paths, reader.store, deps.clock.nowMs()),
  ...upkeepWarnings(reader.store),
  ...modelWarnings(deps, reader, daemon),
  ...embedderWarnings(reader.embedder, daemon?.worker.embedding() ?? null),
];

const upkeepWarnings = (store: Reader["store"]): readonly string[] =>
  Object.values(upkeepState(store))
    .filter(({ outcome }) => outcome === "failed")
    .map(({ task, note }) => `upkeep (${task}) failed: ${note}; it is tried again within the hour`);

/** Clocks of one machine differ by less. */
const clockMsMax = 5 * msPerMinute;

/** An event from the future: the clock is behind now, or it ran ahead then. */
function clockWarnings({ clock }: Context, { store }: Reader): readonly string[] {
  const nowMs = clock.nowMs();
  const lastMs = Math.max(0, ...store.events.lastByHook().map((hook) => hook.receivedAtMs));
  return lastMs <= nowMs + clockMsMax
    ? []
    : [
        `the clock says ${isoTime(nowMs)}, but an event came at ${isoTime(lastMs)}: see \`continuity doctor\``,
      ];
}

/** Hooks are silent about a home that they cannot write; this is where people learn of it. */
export function homeWarnings(root: string): readonly string[] {
  const place = existingFolder(root);
  try {
    accessSync(place, constants.W_OK);
    const full = fullDisk(root);
    return full === null ? [] : [`${full}: new events may be lost; free some disk space`];
  } catch {
    return [
      `${place} cannot be written: nothing is captured; fix its permissions or set CONTINUITY_HOME`,
    ];
  }
}

/** Events of the last days that could be kept nowhere. */
function lostWarnings({ clock, paths }: Context): readonly string[] {
  const lost = lostEvents(paths, clock.nowMs());
  return lost === null ? [] : [`${lost}; ${lostFix}`];
}

/** A model that was chosen and does not answer, or may not be asked any more today. */
function modelWarnings(deps: Context, { store }: Reader, daemon: Daemon | null): readonly string[] {
  const { llm } = deps.settings.current();
  if (llm.provider === "none") return [];
  const status = modelOf(deps, daemon);
  const { isUsable, reason } = status;
  const fault = modelFault(deps, store, status.isUsable);
  const spent = spentBudget(store, deps.clock.nowMs());
  const limit = spent === "day" ? llm.tokensPerDay : llm.tokensPerSession;
  return [
    ...(isUsable
      ? []
      : [`${downLine(fault, reason)}; until then only orders and the agent's saves are kept`]),
    ...(isUsable && fault !== null ? [fault.line] : []),
    ...(spent === null
      ? []
      : [
          `the budget of ${limit} tokens per ${spent} is used up (llm.tokens_per_${spent}): only orders and the ` +
            "agent's saves are kept",
        ]),
  ];
}

/** The short line, where it is known what is wrong. */
const downLine = (fault: Fault | null, reason: string): string =>
  fault === null || fault.id === noModel ? `no model available: ${reason}` : fault.line;

/** `embedderWarnings` says what people should know about the embedder, for status; empty when all is well. */
function embedderWarnings(
  { identity, remote }: Embedder,
  progress: { readonly embedded: number; readonly leaves: number } | null,
): readonly string[] {
  const { isUsable, reason } = remote?.status() ?? { isUsable: true, reason: "" };
  const isBehind = progress !== null && progress.embedded < progress.leaves;
  return [
    ...(isUsable ? [] : [`no vectors from ${identity.id}: ${reason}; search uses keywords only`]),
    ...(isBehind
      ? [
          `${progress.embedded} of ${progress.leaves} memories are embedded with ${identity.id}; the others follow ` +
            "in the background, and until then search finds them by keywords",
        ]
      : []),
    ...(identity.isCalibrated
      ? []
      : [
          `${identity.id} is not calibrated, so its similarities count little; ` +
            "`continuity config set embedder.provider embedded` goes back to the built-in one",
        ]),
  ];
}

// Facts about this process and the models it has, for status.

const bytesPerKilobyte = 1_024;

/** `daemon` null: a command that reads for itself. */
export function createProcessInfo(
  { clock, paths, version }: Context,
  daemon: Daemon | null,
): ServiceContext["processInfo"] {
  const startedAtMs = clock.nowMs();
  return {
    version,
    home: paths.root,
    daemon: () =>
      daemon === null
        ? null
        : {
            pid: process.pid,
            startedAtMs,
            port: daemon.control.port(),
            peakMemoryBytes: peakMemoryBytes(),
          },
  };
}

/** The embedder in use, and the language model that is chosen. */
export const createModels = (
  deps: Context,
  { embedder }: Reader,
  daemon: Daemon | null,
): ServiceContext["models"] => ({
  embedder: { id: embedder.identity.id, dimension: embedder.identity.dimension },
  isWord: embedder.isWord,
  language: () => {
    const { llm } = deps.settings.current();
    const { provider, reason } = modelOf(deps, daemon);
    return {
      provider,
      reason,
      place: llmPlaceOf(provider, llm, deps.paths.root),
      tokensPerDay: llm.tokensPerDay,
    };
  },
});

/** Only the daemon asks a model; others know what is configured. */
function modelOf(deps: Context, daemon: Daemon | null): ModelStatus {
  if (daemon !== null) return daemon.model.status();
  const { provider } = deps.settings.current().llm;
  return provider === "none"
    ? unchosen
    : { provider, reason: "chosen in the settings", isUsable: true };
}

/** Largest resident size so far; `maxRSS` is in kilobytes on Linux, in bytes on macOS. */
function peakMemoryBytes(): number {
  const { maxRSS } = process.resourceUsage();
  return process.platform === "darwin" ? maxRSS : maxRSS * bytesPerKilobyte;
}
