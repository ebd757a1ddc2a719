/** Facts about this process and the models it has, for status. */
import type { ServiceContext } from "#api/server";
import { llmPlaceOf } from "#api/server";
import type { Context } from "#domain";
import type { Daemon, Reader } from "./context.ts";
import { type ModelStatus, unchosen } from "./model-source.ts";

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
      tokensPerSession: llm.tokensPerSession,
    };
  },
});

/** Only the daemon asks a model; others know what is configured. */
export function modelOf(deps: Context, daemon: Daemon | null): ModelStatus {
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
