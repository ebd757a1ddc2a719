/** Facts about the process and its home folder, for status and logs. */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { spoolSize } from "#capture";
import type { HomePaths } from "#domain";
import { isoTime, msPerMinute } from "#kit";
import { llmPlaceOf, type HostDep } from "#service";
import { spentBudget, upkeepState } from "#worker";
import { damageWarnings, existingFolder, fullDisk, scrubInBackground } from "#keep";
import { saveFingerprints } from "#store";
import { isCaptured } from "./captured.ts";
import type { AppDeps, Daemon, Reader } from "./context.ts";
import { embedderWarnings } from "./embedder-source.ts";
import { unchosen, type ModelStatus } from "./model-source.ts";

const bytesPerKilobyte = 1_024;

export function createHost(deps: AppDeps, reader: Reader, daemon: Daemon | null): HostDep["host"] {
  const startedAtMs = deps.clock.nowMs();
  return {
    version: deps.version,
    home: deps.paths.root,
    daemon: () =>
      daemon === null
        ? null
        : {
            pid: process.pid,
            startedAtMs,
            port: daemon.control.port(),
            peakMemoryBytes: peakMemoryBytes(),
          },
    embedder: {
      id: reader.embedder.identity.id,
      dimension: reader.embedder.identity.dimension,
    },
    model: () => {
      const { llm } = deps.settings.current();
      const status = modelOf(deps, daemon);
      return {
        ...status,
        place: llmPlaceOf(status.provider, llm, deps.paths.root),
        tokensPerDay: llm.tokensPerDay,
        tokensPerSession: llm.tokensPerSession,
      };
    },
    spool: () => spoolSize(deps.paths.spool),
    noteLatencies: () => daemon?.worker.noteLatencies(),
    isCaptured: (cwd) => isCaptured(deps, cwd),
    announce: () => deps.settings.current().moments.announce,
    upkeep: () => Object.values(upkeepState(reader.store)),
    warnings: () => [
      ...homeWarnings(deps.paths.root),
      ...deps.settings.warnings(),
      ...clockWarnings(deps, reader),
      ...damageWarnings(deps.paths, reader.store, deps.clock.nowMs()),
      ...upkeepWarnings(reader.store),
      ...modelWarnings(deps, reader, daemon),
      ...embedderWarnings(reader.embedder, daemon?.worker.embedding() ?? null),
    ],
    tailLog: (lines) => tailLog(deps.paths, lines),
    scrubFiles: (texts) => {
      scrubSpool(deps.paths, texts);
      keepFingerprints(deps, reader.store);
      scrubInBackground(deps, texts);
    },
  };
}

/** What is forgotten is forgotten, also where the disk has no room to note it beside the backups. */
function keepFingerprints({ log, paths }: AppDeps, store: Reader["store"]): void {
  try {
    saveFingerprints(paths.backups, store);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    log.write("warn", "fingerprints.not-kept", { reason });
  }
}

/** Upkeep that failed the last time. */
const upkeepWarnings = (store: Reader["store"]): readonly string[] =>
  Object.values(upkeepState(store))
    .filter(({ outcome }) => outcome === "failed")
    .map(({ task, note }) => `upkeep (${task}) failed: ${note}; it is tried again within the hour`);

/** Clocks of one machine differ by less. */
const clockMsMax = 5 * msPerMinute;

/** An event from the future: the clock is behind now, or it ran ahead then. */
function clockWarnings({ clock }: AppDeps, { store }: Reader): readonly string[] {
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

/** Only the daemon asks a model; others know what is configured. */
function modelOf(deps: AppDeps, daemon: Daemon | null): ModelStatus {
  if (daemon !== null) return daemon.model.status();
  const { provider } = deps.settings.current().llm;
  return provider === "none"
    ? unchosen
    : { provider, reason: "chosen in the settings; the daemon asks it", isUsable: true };
}

/** A model that was chosen and does not answer, or may not be asked any more today. */
function modelWarnings(deps: AppDeps, { store }: Reader, daemon: Daemon | null): readonly string[] {
  const { llm } = deps.settings.current();
  if (llm.provider === "none") return [];
  const { isUsable, reason } = modelOf(deps, daemon);
  const spent = spentBudget(store, deps.clock.nowMs());
  const limit = spent === "day" ? llm.tokensPerDay : llm.tokensPerSession;
  return [
    ...(isUsable ? [] : [`no model available: ${reason}; using local rules`]),
    ...(spent === null
      ? []
      : [
          `the budget of ${limit} tokens per ${spent} is used up: using local rules (llm.tokens_per_${spent})`,
        ]),
  ];
}

/** Largest resident size so far; `maxRSS` is in kilobytes on Linux, in bytes on macOS. */
function peakMemoryBytes(): number {
  const { maxRSS } = process.resourceUsage();
  return process.platform === "darwin" ? maxRSS : maxRSS * bytesPerKilobyte;
}

/** Enough for any terminal; the file itself is bounded by its rotation. */
const tailBytesMax = 1_000_000;

function tailLog(paths: HomePaths, lines: number): readonly string[] {
  const file = join(paths.logs, "continuity.log");
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8").slice(-tailBytesMax);
  return text.split("\n").filter(Boolean).slice(-lines);
}

const forgottenMark = "[forgotten]";

/** Takes forgotten texts out of events that still wait in the spool. */
function scrubSpool(paths: HomePaths, texts: readonly string[]): void {
  if (!existsSync(paths.spool)) return;
  const needles = texts.filter(Boolean).map((text) => JSON.stringify(text).slice(1, -1));
  for (const name of readdirSync(paths.spool).filter((file) => file.endsWith(".json"))) {
    const file = join(paths.spool, name);
    const before = readFileSync(file, "utf8");
    const after = needles.reduce((text, needle) => text.replaceAll(needle, forgottenMark), before);
    if (after !== before) writeFileSync(file, after, { mode: 0o600 });
  }
}
