/**
 * The language model that is chosen now. Without one, nothing of src/llm is loaded and nobody is asked anything; with
 * one, its provider is opened in the background and opened anew when the settings name another.
 */
import type { OpenLlm } from "#llm";
import type { HomePaths, Llm, LlmLedger, LlmSettings, ProviderName } from "#domain";
import { explainLlmError, llmPlaceOf } from "#service";
import { msPerMinute, type Clock, type Log, type Random } from "#kit";

export interface ModelSourceDeps {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly ledger: LlmLedger;
  readonly settings: () => LlmSettings;
}

export interface ModelSource {
  /** Null while no model is chosen. Opening happens inside the first question, if it has not happened before. */
  readonly current: () => Llm | null;
  /** Who answers and why, as far as it is known by now. */
  readonly status: () => ModelStatus;
  /** Ends calls under way. */
  readonly close: () => Promise<void>;
}

export interface ModelStatus {
  readonly provider: ProviderName | "auto";
  readonly reason: string;
  /** False when a model is chosen and cannot be had. */
  readonly isUsable: boolean;
}

export const unchosen: ModelStatus = {
  provider: "none",
  reason: "not configured; set llm.provider to use one",
  isUsable: true,
};

/** What could not be had is looked for again after this long: a server may have been started, a key set. */
const retryMs = 10 * msPerMinute;

interface Opened {
  /** The settings that it was opened for. */
  readonly stamp: string;
  readonly atMs: number;
  readonly llm: Promise<OpenLlm>;
  ready: OpenLlm | null;
}

/** Nothing happens before `current` or `status` is called with a model chosen. */
export function createModelSource(deps: ModelSourceDeps): ModelSource {
  let opened: Opened | null = null;
  const use = (): Opened => {
    const stamp = stampOf(deps.settings());
    if (opened !== null && opened.stamp === stamp && !isWorthAnotherLook(opened)) return opened;
    if (opened !== null) void closeOf(opened, deps.log);
    opened = openNow(deps, stamp);
    return opened;
  };
  const isWorthAnotherLook = ({ ready, atMs }: Opened): boolean =>
    ready?.status().provider === "none" && deps.clock.nowMs() - atMs > retryMs;
  const llm: Llm = {
    structured: async (request) => (await use().llm).structured(request),
    status: () => use().ready?.status() ?? { provider: "none", reason: "being opened" },
  };
  return {
    current: () => (deps.settings().provider === "none" ? null : llm),
    status: () => {
      const { provider } = deps.settings();
      if (provider === "none") return unchosen;
      const { ready } = use();
      if (ready === null)
        return { provider, reason: "chosen in the settings; being opened", isUsable: true };
      const status = ready.status();
      const { failure } = ready.condition();
      if (failure === null) return { ...status, isUsable: status.provider !== "none" };
      const place = llmPlaceOf(status.provider, deps.settings(), deps.paths.root);
      const reason = `failed the last time: ${explainLlmError(failure, place)}`;
      return { ...status, reason, isUsable: false };
    },
    close: async () => {
      if (opened !== null) await closeOf(opened, deps.log);
      opened = null;
    },
  };
}

/** Everything that decides which provider answers; limits and models are read with each question. */
const stampOf = ({
  provider,
  model,
  claudeCli,
  anthropic,
  gemini,
  openrouter,
  ollama,
}: LlmSettings): string =>
  JSON.stringify([provider, model, claudeCli, anthropic, gemini, openrouter, ollama]);

function openNow(deps: ModelSourceDeps, stamp: string): Opened {
  const opened: Opened = {
    stamp,
    atMs: deps.clock.nowMs(),
    llm: open(deps),
    ready: null,
  };
  void note(deps, opened);
  return opened;
}

async function note({ log }: ModelSourceDeps, opened: Opened): Promise<void> {
  try {
    opened.ready = await opened.llm;
    log.write("info", "llm.opened", opened.ready.status());
  } catch {
    log.write("error", "llm.not-opened");
  }
}

async function open(deps: ModelSourceDeps): Promise<OpenLlm> {
  const { chooseProvider, createLlm } = await import("#llm");
  const { clock, env, ledger, log, paths, random, settings } = deps;
  const chosen = await chooseProvider({ home: paths.root, env, clock, random }, settings());
  return createLlm({
    provider: chosen.provider,
    reason: chosen.reason,
    ledger,
    settings,
    clock,
    log,
  });
}

async function closeOf({ llm }: Opened, log: Log): Promise<void> {
  try {
    await (await llm).close();
  } catch {
    log.write("warn", "llm.not-closed");
  }
}
